// SLOAD, SSTORE (EIP-1283, 2200, 2929, 3529), TLOAD, TSTORE (EIP-1153).
import { accessesSlot, mentionsSlot, tellsTouches } from './events.ts';
import { charge, drop, frame, GAS, operand, SELF, STATIC } from './frames.ts';
import { MISSING, NONE, OUT_OF_GAS, STATIC_STATE_CHANGE, WAITS } from '../memory/halts.ts';
import { accessSlot } from '../state/accesses.ts';
import { isSlotWarm, setSlot, setTransientSlot, warmSlot } from '../state/journal.ts';
import { isSlotMissing } from '../trie/missing.ts';
import { ORIGINAL, slotAt, transientSlotAt, VALUE } from '../state/slots.ts';
import { gasOfStep, probes, tellSlot } from './steps.ts';
import { addRefund } from './refund.ts';
import { chargeStateGas, returnStateGas } from './state-gas.ts';
import { copyWord, equal, isZero } from '../memory/words.ts';
import {
  COLD_SLOT_RULE, SLOT_AGAIN_RULE, SLOT_CLEARED_RULE, SLOT_IS_NET_RULE, SLOT_RESET_RULE, SLOT_SENTRY_RULE, SLOT_SET_RULE, SLOT_STATE_RULE,
  WARM_SLOT_RULE, WARM_SLOT_STORE_RULE,
} from '../tables/rule.ts';

export function loadSlot(): i32 {
  const key = operand(1), slot = slotAt(load<u32>(frame, SELF), key);
  accessesSlot(slot, isSlotWarm(slot));
  if (isSlotMissing(slot)) return MISSING;
  if (isSlotWarm(slot)) {
    if (!charge(load<i64>(WARM_SLOT_RULE))) return OUT_OF_GAS;
  } else {
    if (!charge(load<i64>(COLD_SLOT_RULE))) return OUT_OF_GAS;
    warmSlot(slot);
  }
  accessSlot(slot);
  if (TELLS_STEPS && tellSlot(slot, 0)) return WAITS;
  copyWord(key, slot + VALUE);
  return NONE;
}

export function storeSlot(): i32 {
  if (tellsTouches()) mentionsSlot(slotAt(load<u32>(frame, SELF), operand(1)));
  if (load<u32>(frame, STATIC)) return STATIC_STATE_CHANGE;
  if ((TELLS_STEPS && probes ? gasOfStep() : load<i64>(frame, GAS)) <= load<i64>(SLOT_SENTRY_RULE)) return OUT_OF_GAS;
  const key = operand(1), value = operand(2), slot = slotAt(load<u32>(frame, SELF), key);
  accessesSlot(slot, isSlotWarm(slot));
  if (isSlotMissing(slot)) return MISSING;
  const again = load<i64>(SLOT_AGAIN_RULE), isNet = load<i64>(SLOT_IS_NET_RULE) != 0;
  const current = slot + VALUE, original = isNet ? slot + ORIGINAL : current;
  const change = load<i64>(isZero(original) ? SLOT_SET_RULE : SLOT_RESET_RULE);
  const cleared = load<i64>(SLOT_CLEARED_RULE);
  let gas: i64 = load<i64>(WARM_SLOT_STORE_RULE);
  if (!isSlotWarm(slot)) {
    gas = load<i64>(COLD_SLOT_RULE);
    if (load<i64>(frame, GAS) < gas) return OUT_OF_GAS;
    warmSlot(slot);
  }
  accessSlot(slot);
  if (equal(current, value)) {
    drop(2);
    const cost = gas + (isNet ? again : load<i64>(SLOT_RESET_RULE));
    if (!charge(cost)) return OUT_OF_GAS;
    return TELLS_STEPS && tellSlot(slot, 0) ? WAITS : NONE;
  }
  let refund: i64 = 0;
  if (equal(current, original)) {
    gas += change;
    if (!isZero(original) && isZero(value)) refund = cleared;
  } else {
    gas += again;
    if (!isZero(original)) {
      if (isZero(current)) refund = -cleared;
      else if (isZero(value)) refund = cleared;
    }
    if (equal(original, value)) refund += change - again;
  }
  if (!charge(gas)) return OUT_OF_GAS;
  if (isZero(original)) {
    if (isZero(current)) {
      if (!chargeStateGas(load<i64>(SLOT_STATE_RULE))) return OUT_OF_GAS;
    } else if (isZero(value)) returnStateGas(load<i64>(SLOT_STATE_RULE));
  }
  if (TELLS_STEPS && tellSlot(slot, refund)) return WAITS;
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
