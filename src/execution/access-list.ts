import type { AccessList, Executed, Message } from '../evm/types.ts';
import { addressOfKey, keyBytes } from '../state/hex-key.ts';
import { giveWay, type Pauses } from '../turns.ts';

/** Addresses (40 hex digits) and their slots (64 hex digits). */
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
  pauses: Pauses,
): Promise<{ accessList: AccessList; executed: Executed }> {
  let accessList = message.accessList;
  let known: Accessed = new Map();
  for (;;) {
    let accessed: Accessed = new Map();
    const executed = await run({ ...message, accessList }, (touched) => {
      accessed = touched;
    });
    const created = executed.createdAddress?.toString().slice(2);
    const listed: Accessed = new Map(
      [...accessed].filter(
        ([address, slots]) => slots.size > 0 || !(warm.has(address) || address === created),
      ),
    );
    if (await isSame(listed, known, pauses)) return { accessList, executed };
    known = listed;
    accessList = await toAccessList(listed, pauses);
  }
}

/** There may be tens of thousands of slots. */
async function isSame(one: Accessed, other: Accessed, pauses: Pauses): Promise<boolean> {
  if (one.size !== other.size) return false;
  for (const [address, slots] of one) {
    const known = other.get(address);
    if (known?.size !== slots.size) return false;
    for (const slot of slots) if (!known.has(slot)) return false;
    await giveWay(pauses);
  }
  return true;
}

async function toAccessList(listed: Accessed, pauses: Pauses): Promise<AccessList> {
  const list: { address: ReturnType<typeof addressOfKey>; storageKeys: Uint8Array[] }[] = [];
  for (const [address, slots] of listed) {
    const storageKeys: Uint8Array[] = [];
    for (const slot of slots) {
      storageKeys.push(keyBytes(`0x${slot}`));
      if (pauses.due) await pauses.pause();
    }
    list.push({ address: addressOfKey(`0x${address}`), storageKeys });
  }
  return list;
}
