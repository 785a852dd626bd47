import { ComparedChain } from '../../src/against/compared-chain.ts';
import type { AgainstFields } from '../../src/against/tally.ts';
import type { DevnetOptions } from '../../src/index.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import { startNode } from '../../src/start.ts';
import { type Call, callsOf } from '../wire.ts';

/** A chain that mines each transaction at once, whose transactions and calls run by another hardfork besides. */
export async function comparedNode(hardfork: HardforkName, fork: HardforkName, options: DevnetOptions = {}) {
  const compared = new ComparedChain({ fork });
  const node = await startNode(
    { hardfork, automine: true, manualClock: true, timestamp: 1_700_000_000, ...options },
    {
      ...compared.hooks,
      onAnswer: (call) => compared.answered(call),
    },
  );
  const call = callsOf(node);
  const from = node.accounts[0]!.address.toString();
  return {
    call,
    from,
    /** Puts code at an address. */
    place: (address: string, code: string) => call('anvil_setCode', address, code),
    /** Sends a transaction with a gas limit; answers its hash. */
    send: (transaction: object): Promise<string> =>
      call('eth_sendTransaction', { from, gas: '0x30d40', ...transaction }),
    /** What was compared, and the end of the node. */
    end: async (): Promise<AgainstFields> => {
      await compared.settle();
      await node.close();
      compared.close();
      return compared.tally.fields(fork);
    },
  };
}

export type ComparedNode = Awaited<ReturnType<typeof comparedNode>> & { call: Call };

/** PUSH20 of an address, as hex without 0x. */
export const push = (address: string) => `73${address.slice(2)}`;

/** Bytecode that calls an address with this much gas (one to three bytes) and the transaction's value. */
export function callWith(gas: number, address: string): string {
  const bytes = gas.toString(16).padStart(6, '0');
  return `600060006000600034${push(address)}62${bytes}f1`;
}

/** Behind a call: reverts where that failed. `at` = where this code begins. */
export function orRevert(at: number): string {
  return `60${(at + 8).toString(16).padStart(2, '0')}5760006000fd5b`;
}
