import { hex, quantity as toHex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/** The node's state and settings, by which forge and hardhat-viem recognise anvil. Some numbers are hex, as there. */
export const anvil_nodeInfo = defineMethod({
  kind: 'node',
  live: true,
  handler: ({ chain, chainId, fees, sequencer, instance, fork, forks }) => {
    const { header, hash } = chain.latest;
    const { baseFee = 0n } = fees.next();
    return {
      currentBlockNumber: toHex(header.number),
      currentBlockTimestamp: Number(header.timestamp),
      currentBlockHash: hex(hash),
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
