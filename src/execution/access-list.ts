import { Address, hexToBytes } from '@ethereumjs/util';
import type { AccessList, Executed, Message } from '../evm/types.ts';

type Accessed = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Finds the EIP-2930 access list of a message: runs it, lists what it touched, and runs it again with that list, until
 * the list no longer changes (as geth's `AccessList` in internal/ethapi). Sender, callee and precompiles are warm
 * anyway, so they are listed only with storage slots.
 * @param warm addresses (40 hex digits) that are left out unless the message touches slots of theirs
 * @param run runs the message without changing state, and reports what it touched
 */
export async function searchAccessList(
  message: Message,
  warm: ReadonlySet<string>,
  run: (message: Message, onAccessList: (accessed: Accessed) => void) => Promise<Executed>,
): Promise<{ accessList: AccessList; executed: Executed }> {
  let accessList = message.accessList;
  let known = '';
  for (;;) {
    let accessed: Accessed = new Map();
    const executed = await run({ ...message, accessList }, (touched) => {
      accessed = touched;
    });
    const created = executed.createdAddress?.toString().slice(2);
    const listed = [...accessed].filter(
      ([address, slots]) => slots.size > 0 || !(warm.has(address) || address === created),
    );
    const now = listed
      .map(([address, slots]) => `${address}:${[...slots].sort().join()}`)
      .sort()
      .join(';');
    if (now === known) return { accessList, executed };
    known = now;
    accessList = listed.map(([address, slots]) => ({
      address: new Address(hexToBytes(`0x${address}`)),
      storageKeys: [...slots].map((slot) => hexToBytes(`0x${slot}`)),
    }));
  }
}
