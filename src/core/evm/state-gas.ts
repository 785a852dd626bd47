// EIP-8037: the second dimension of gas, for the growth of the state. It comes out of a reservoir first, which frames hand on whole, and
// then out of the gas of the running frame: that part is the frame's spill. Where an opcode or a failed frame takes the growth back, the
// gas comes back in the reverse order. Without that EIP all state gas costs 0.
import { frame, GAS, RESERVOIR_MARK, SPILL, STATE_GAS_MARK } from './frames.ts';

/** state gas that is left besides the gas of the running frame */
export let reservoir: i64 = 0;
/** state gas that the transaction has used so far, without what came back */
export let stateGasUsed: i64 = 0;
/** all state gas that came back so far: the transaction has needed up to so much more gas than it uses */
export let stateGasReturned: i64 = 0;

/** A transaction begins. */
export function startStateGas(gas: i64): void {
  reservoir = gas;
  stateGasUsed = 0;
  stateGasReturned = 0;
}

/** A frame begins. */
/* @inline */ export function markStateGas(): void {
  store<i64>(frame, 0, SPILL);
  store<i64>(frame, reservoir, RESERVOIR_MARK);
  store<i64>(frame, stateGasUsed, STATE_GAS_MARK);
}

/** @returns false when the gas doesn't suffice: nothing has changed */
export function chargeStateGas(gas: i64): bool {
  if (!gas) return true;
  const fromReservoir = min(reservoir, gas), spill = gas - fromReservoir;
  const left = load<i64>(frame, GAS) - spill;
  if (left < 0) return false;
  store<i64>(frame, left, GAS);
  store<i64>(frame, load<i64>(frame, SPILL) + spill, SPILL);
  reservoir -= fromReservoir;
  stateGasUsed += gas;
  return true;
}

/** Gives state gas back to the running frame, up to its spill, and the rest to the reservoir. */
export function returnStateGas(gas: i64): void {
  if (!gas) return;
  const spill = load<i64>(frame, SPILL), toGas = min(gas, spill);
  store<i64>(frame, load<i64>(frame, GAS) + toGas, GAS);
  store<i64>(frame, spill - toGas, SPILL);
  reservoir += gas - toGas;
  stateGasUsed -= gas;
  stateGasReturned += gas;
}

/** The running frame has failed: the state gas that it used comes back. */
export function undoStateGas(): void {
  const mark = load<i64>(frame, STATE_GAS_MARK);
  store<i64>(frame, load<i64>(frame, GAS) + load<i64>(frame, SPILL), GAS);
  store<i64>(frame, 0, SPILL);
  reservoir = load<i64>(frame, RESERVOIR_MARK);
  stateGasReturned += max<i64>(0, stateGasUsed - mark);
  stateGasUsed = mark;
}

/** Goes back to what there was before an opcode. */
export function restoreStateGas(left: i64, used: i64): void {
  reservoir = left;
  stateGasUsed = used;
}
