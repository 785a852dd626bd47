import { bytesToUnprefixedHex } from '@ethereumjs/util';
import type { DevnetEVM } from './devnet-evm.ts';
import type { Hardfork } from './hardfork.ts';
import type { BlockEnv, Message } from './types.ts';

/** Marks the addresses and slots that are warm at the start of a transaction: EIP-2929, 2930, 3651. */
export async function warm(
  evm: DevnetEVM,
  message: Message,
  env: BlockEnv,
  hardfork: Hardfork,
): Promise<void> {
  if (!hardfork.has(2929)) return;
  const { journal, turns } = evm;
  for (const address of evm.forkPrecompiles.keys()) journal.addAlwaysWarmAddress(address);
  journal.addAlwaysWarmAddress(message.from.toString());
  if (message.to) journal.addAlwaysWarmAddress(message.to.toString());
  if (hardfork.has(3651)) journal.addAlwaysWarmAddress(env.coinbase.toString());
  for (const { address, storageKeys } of message.accessList) {
    const name = address.toString();
    journal.addAlwaysWarmAddress(name);
    for (const key of storageKeys) {
      journal.addAlwaysWarmSlot(name, bytesToUnprefixedHex(key));
      // A call may come with tens of thousands of them.
      if (turns?.due) await turns.pause();
    }
  }
}
