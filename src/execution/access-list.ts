import { Address, hexToBytes } from '@ethereumjs/util';
import type { AccessList, Executed, Message } from '../evm/types.ts';

type Accessed = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The access list that a message profits from: run with a list, list what it touched, until that no longer changes
 * (geth, `AccessList` in ethapi). Sender, callee and precompiles are warm in any case and listed only with slots.
 * @param warm addresses (40 hex digits) that are left out unless slots of theirs are touched
 * @param run runs the message on state that it leaves as it was, and tells what it touched
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
