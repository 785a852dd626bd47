import { hex, quantity as toHex } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns the node's state and settings, by which forge and hardhat-viem recognise anvil. Numbers that anvil writes in hex are in hex here,
 * too.
 * @returns `{ currentBlockNumber, currentBlockTimestamp, currentBlockHash, hardFork, network?, transactionOrder,
 * environment, forkConfig }`
 */
export const anvil_nodeInfo = defineMethod({
  kind: 'node',
  live: true,
  own: head,
  handler: ({ chain, chainId, fees, sequencer, instance, fork, forks }) => {
    const { baseFee = 0n } = fees.next();
    return {
      ...head({ chain }),
      hardFork: capital(instance.hardfork),
      ...(forks.optimism && { network: 'optimism' }),
      transactionOrder: instance.order,
      environment: {
        baseFee: toHex(baseFee),
        chainId: Number(chainId),
        gasLimit: toHex(sequencer.blockSettings.gasLimit),
        gasPrice: toHex(fees.suggestedPrice()),
      },
      forkConfig: {
        forkUrl: fork?.url ?? null,
        forkBlockNumber: fork ? Number(fork.number) : null,
        forkRetryBackoff: fork?.backoff ?? null,
      },
    };
  },
});

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function head({ chain }: Pick<RpcContext, 'chain'>) {
  const { header, hash } = chain.latest;
  return {
    currentBlockNumber: toHex(header.number),
    currentBlockTimestamp: Number(header.timestamp),
    currentBlockHash: hex(hash),
  };
}
