// EIP-8037: the second dimension of gas, for state growth. State gas is taken first from a reservoir, which frames pass on as a whole, and
// then from the gas of the current frame: that part is the frame's spill. If an opcode or a failed frame reverses the growth, the gas is
// returned in the reverse order. Without that EIP all state gas is 0.
import { frame, GAS, RESERVOIR_MARK, SPILL, STATE_GAS_MARK } from './frames.ts';

/** state gas that is left in addition to the gas of the current frame */
export let reservoir: i64 = 0;
/** state gas that the transaction has used so far, minus returned state gas */
export let stateGasUsed: i64 = 0;
/** total state gas returned so far: the transaction has needed up to that much more gas than it uses */
export let stateGasReturned: i64 = 0;

/** Initializes the counters when a transaction begins. */
export function startStateGas(gas: i64): void {
  reservoir = gas;
  stateGasUsed = 0;
  stateGasReturned = 0;
}

/** Saves the counters when a frame begins. */
/* @inline */ export function markStateGas(): void {
  store<i64>(frame, 0, SPILL);
  store<i64>(frame, reservoir, RESERVOIR_MARK);
  store<i64>(frame, stateGasUsed, STATE_GAS_MARK);
}

/** @returns false when the gas doesn't suffice: nothing is charged then */
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

/** Returns state gas to the current frame, up to its spill, and the rest to the reservoir. */
export function returnStateGas(gas: i64): void {
  if (!gas) return;
  const spill = load<i64>(frame, SPILL), toGas = min(gas, spill);
  store<i64>(frame, load<i64>(frame, GAS) + toGas, GAS);
  store<i64>(frame, spill - toGas, SPILL);
  reservoir += gas - toGas;
  stateGasUsed -= gas;
  stateGasReturned += gas;
}

/** Returns the state gas that the current frame has used, because it has failed. */
export function undoStateGas(): void {
  const mark = load<i64>(frame, STATE_GAS_MARK);
  store<i64>(frame, load<i64>(frame, GAS) + load<i64>(frame, SPILL), GAS);
  store<i64>(frame, 0, SPILL);
  reservoir = load<i64>(frame, RESERVOIR_MARK);
  stateGasReturned += max<i64>(0, stateGasUsed - mark);
  stateGasUsed = mark;
}

/** Restores the values before an opcode. */
export function restoreStateGas(left: i64, used: i64): void {
  reservoir = left;
  stateGasUsed = used;
}
