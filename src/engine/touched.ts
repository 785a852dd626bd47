import {
  type BlockLevelAccessList,
  hexToBytes,
  type PrefixedHexString,
  setLengthLeft,
} from '@ethereumjs/util';
import { hexKey } from '../state/hex-key.ts';

/** The accounts that were accessed and the slots of each of them, all as hexadecimal text with 0x (EIP-7928). */
export type Touched = Map<string, Set<string>>;

/** Adds the accounts and slots that a run of EthereumJS has accessed. @param except an account that isn't added */
export function addTouched(touched: Touched, list: BlockLevelAccessList, except?: string): void {
  for (const [address, { storageReads, storageChanges }] of Object.entries(list.accesses)) {
    if (address === except) continue;
    const slots = touchedSlots(touched, address);
    for (const key of [...storageReads, ...Object.keys(storageChanges)])
      slots.add(hexKey(setLengthLeft(hexToBytes(key as PrefixedHexString), 32)));
  }
}

/** Returns the accessed slots of an account, and adds the account to the accessed ones. @param address with 0x */
export function touchedSlots(touched: Touched, address: string): Set<string> {
  let slots = touched.get(address);
  if (!slots) {
    slots = new Set();
    touched.set(address, slots);
  }
  return slots;
}
