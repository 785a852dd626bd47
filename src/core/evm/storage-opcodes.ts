// SLOAD, SSTORE (EIP-2200, 2929, 3529), TLOAD, TSTORE (EIP-1153).
import { accessesSlot, mentionsSlot, tellsTouches } from './events.ts';
import { charge, drop, frame, GAS, operand, SELF, STATIC } from './frames.ts';
import { MISSING, NONE, OUT_OF_GAS, STATIC_STATE_CHANGE } from '../memory/halts.ts';
import { isSlotWarm, setSlot, setTransientSlot, warmSlot } from '../state/journal.ts';
import { isSlotMissing } from '../trie/missing.ts';
import { ORIGINAL, slotAt, transientSlotAt, VALUE } from '../state/slots.ts';
import { addRefund } from './refund.ts';
import { copyWord, equal, isZero } from '../memory/words.ts';

const COLD_SLOT: i64 = 2100;
const WARM_ACCESS: i64 = 100;
/** EIP-2200: gas that a call with a stipend doesn't have */
const SENTRY: i64 = 2300;
const SET: i64 = 20000;
const RESET: i64 = 2900;
const CLEAR_REFUND: i64 = 4800;

export function loadSlot(): i32 {
  const key = operand(1), slot = slotAt(load<u32>(frame, SELF), key);
  accessesSlot(slot, isSlotWarm(slot));
  if (isSlotMissing(slot)) return MISSING;
  if (isSlotWarm(slot)) {
    if (!charge(WARM_ACCESS)) return OUT_OF_GAS;
  } else {
    if (!charge(COLD_SLOT)) return OUT_OF_GAS;
    warmSlot(slot);
  }
  copyWord(key, slot + VALUE);
  return NONE;
}

export function storeSlot(): i32 {
  if (tellsTouches()) mentionsSlot(slotAt(load<u32>(frame, SELF), operand(1)));
  if (load<u32>(frame, STATIC)) return STATIC_STATE_CHANGE;
  if (load<i64>(frame, GAS) <= SENTRY) return OUT_OF_GAS;
  const key = operand(1), value = operand(2), slot = slotAt(load<u32>(frame, SELF), key);
  accessesSlot(slot, isSlotWarm(slot));
  if (isSlotMissing(slot)) return MISSING;
  const current = slot + VALUE, original = slot + ORIGINAL;
  let gas: i64 = 0;
  if (!isSlotWarm(slot)) {
    gas = COLD_SLOT;
    warmSlot(slot);
  }
  if (equal(current, value)) {
    drop(2);
    return charge(gas + WARM_ACCESS) ? NONE : OUT_OF_GAS;
  }
  let refund: i64 = 0;
  if (equal(current, original)) {
    gas += isZero(original) ? SET : RESET;
    if (!isZero(original) && isZero(value)) refund = CLEAR_REFUND;
  } else {
    gas += WARM_ACCESS;
    if (!isZero(original)) {
      if (isZero(current)) refund = -CLEAR_REFUND;
      else if (isZero(value)) refund = CLEAR_REFUND;
    }
    if (equal(original, value)) refund += (isZero(original) ? SET : RESET) - WARM_ACCESS;
  }
  if (!charge(gas)) return OUT_OF_GAS;
  addRefund(refund);
  setSlot(slot, value);
  drop(2);
  return NONE;
}

export function loadTransient(): void {
  const key = operand(1);
  copyWord(key, transientSlotAt(load<u32>(frame, SELF), key) + VALUE);
}

export function storeTransient(): i32 {
  if (load<u32>(frame, STATIC)) return STATIC_STATE_CHANGE;
  setTransientSlot(transientSlotAt(load<u32>(frame, SELF), operand(1)), operand(2));
  drop(2);
  return NONE;
}
