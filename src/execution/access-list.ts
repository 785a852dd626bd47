import type { Accessed } from '../engine/engine.ts';
import type { AccessList, Executed, Message } from '../protocol/types.ts';
import { addressOfKey, hexKey, keyBytes } from '../state/hex-key.ts';
import type { Awaitable } from '../state/view.ts';
import type { Pauses } from '../turns.ts';

/** Memory per account or slot of the list, in bytes: its text, its bytes, and its entry in the message. */
const LISTED_BYTES = 500;

/**
 * Finds the EIP-2930 access list of a message: runs the message, adds all accounts and slots that it accessed, and runs it
 * again with that list, until the list doesn't grow any more (like geth's `AccessList` in internal/ethapi). Sender, callee
 * and precompiles are always warm, so they are listed only if they have accessed slots.
 * @param warm addresses that are listed only if the message accesses their slots
 * @param run runs the message without changing state, and reports accessed accounts and slots
 */
export async function searchAccessList(
  message: Message,
  warm: ReadonlySet<string>,
  run: (message: Message, onAccessList: (accessed: Accessed) => void) => Awaitable<Executed>,
  pauses: Pauses,
): Promise<{ accessList: AccessList; executed: Executed }> {
  const listed = new Map<string, Set<string>>();
  const add = (accessed: Accessed, created?: string) => {
    const isWarm = (address: string) => warm.has(address) || address === created;
    return addTo(listed, accessed, { isWarm, pauses });
  };
  for (const { address, storageKeys } of message.accessList) {
    const slots = new Set(storageKeys.map((key) => hexKey(key)));
    await add(new Map([[address.toString(), slots]]));
  }
  for (;;) {
    const accessList = await toAccessList(listed, pauses);
    let accessed: Accessed = new Map();
    const executed = await run({ ...message, accessList }, (touched) => {
      accessed = touched;
    });
    const created = executed.createdAddress?.toString();
    if (!(await add(accessed, created))) return { accessList, executed };
  }
}

/**
 * Adds accounts and slots to the list. Lets other work run in between, because there may be tens of thousands.
 * @param options.isWarm whether an address is listed only if it has slots
 * @returns whether the list has grown
 */
async function addTo(
  listed: Map<string, Set<string>>,
  accessed: Accessed,
  { isWarm, pauses }: { isWarm: (address: string) => boolean; pauses: Pauses },
): Promise<boolean> {
  let hasGrown = false;
  for (const [address, slots] of accessed) {
    if (pauses.due) await pauses.pause();
    if (slots.size === 0 && isWarm(address)) continue;
    let known = listed.get(address);
    if (!known) {
      hasGrown = true;
      known = new Set();
      listed.set(address, known);
      pauses.hold(LISTED_BYTES);
    }
    for (const slot of slots) {
      if (!known.has(slot)) {
        hasGrown = true;
        known.add(slot);
        pauses.hold(LISTED_BYTES);
      }
      if (pauses.due) await pauses.pause();
    }
  }
  return hasGrown;
}

async function toAccessList(listed: Accessed, pauses: Pauses): Promise<AccessList> {
  const list: { address: ReturnType<typeof addressOfKey>; storageKeys: Uint8Array[] }[] = [];
  for (const [address, slots] of listed) {
    const storageKeys: Uint8Array[] = [];
    if (pauses.due) await pauses.pause();
    for (const slot of slots) {
      storageKeys.push(keyBytes(slot));
      if (pauses.due) await pauses.pause();
    }
    list.push({ address: addressOfKey(address), storageKeys });
  }
  return list;
}
