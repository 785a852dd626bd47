import { hex, quantity as toHex } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Identifies the chain and this run of the node, with Hardhat's fields and, as in anvil, the snapshots.
 * @returns `{ clientVersion, chainId, instanceId, latestBlockNumber, latestBlockHash, forkedNetwork?, snapshots }`,
 * numbers as JSON numbers
 */
export const anvil_metadata = defineMethod({
  kind: 'node',
  live: true,
  own: head,
  handler: ({ chain, chainId, clientVersion, history, instance, fork }) => ({
    clientVersion,
    chainId: Number(chainId),
    instanceId: hex(instance.id),
    ...head({ chain }),
    ...(fork && {
      forkedNetwork: {
        chainId: Number(fork.chainId),
        forkBlockNumber: Number(fork.number),
        forkBlockHash: hex(fork.hash),
      },
    }),
    snapshots: Object.fromEntries(
      history.snapshots.map(([id, { number, hash }]) => [toHex(id), [Number(number), hex(hash)]]),
    ),
  }),
});

function head({ chain }: Pick<RpcContext, 'chain'>) {
  const { header, hash } = chain.latest;
  return { latestBlockNumber: Number(header.number), latestBlockHash: hex(hash) };
}
