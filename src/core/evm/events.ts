// Events that a run reports to a listening host: calls, for traces; accounts and slots that opcodes name, for access lists and prestates.
// Pointers are valid until the host's function returns.
import { isWarm } from '../state/warm.ts';
import { CODE_AT, frame, PC } from './frames.ts';
import { INVALID_OPCODE } from '../memory/halts.ts';
import { RULES_CALLS, RULES_TOUCHES } from '../memory/layout.ts';

/**
 * Called when a call or creation begins.
 * @param opcode 0 = the transaction's own message, of which the host knows everything but `to` and the gas
 * @param to the account that is called or created
 * @param value pointer to a word
 * @returns 1 when the run should pause soon
 */
/* @external("host", "callBegins") */ declare function hostCallBegins(
  opcode: u32, from: usize, to: usize, gas: i64, input: usize, n: u32, value: usize,
): u32;
/** Called when a call is refused because of its caller's balance or the depth. @returns 1 when the run should pause soon */
/* @external("host", "callRefused") */ declare function hostCallRefused(
  isTooDeep: u32, opcode: u32, from: usize, to: usize, gas: i64, input: usize, n: u32, value: usize,
): u32;
/** @param opcode the opcode that ended the frame, if it is invalid */
/* @external("host", "callEnds") */ declare function hostCallEnds(halt: i32, gasLeft: i64, output: usize, n: u32, opcode: u32): void;
/** @param log see logs.ts */
/* @external("host", "logged") */ declare function hostLogged(log: usize): void;
/* @external("host", "destroys") */ declare function hostDestroys(account: usize, beneficiary: usize): void;
/** @param getsWarm 1 = this access warms it up (EIP-2929) */
/* @external("host", "accessesAccount") */ declare function hostAccount(account: usize, getsWarm: u32): void;
/* @external("host", "accessesSlot") */ declare function hostSlot(slot: usize, getsWarm: u32): void;

/** whether the host wants the run to pause before the fuel is used up */
export let stopsSoon: bool = false;

export function clearStop(): void {
  stopsSoon = false;
}

/* @inline */ export function tellsCalls(): bool {
  return load<u32>(RULES_CALLS) != 0;
}

/* @inline */ export function tellsTouches(): bool {
  return load<u32>(RULES_TOUCHES) != 0;
}

/** See {@link hostCallBegins}. */
export function callBegins(
  opcode: u32, from: usize, to: usize, gas: i64, input: usize, n: u32, value: usize,
): void {
  if (tellsCalls() && hostCallBegins(opcode, from, to, gas, input, n, value)) stopsSoon = true;
}

export function callRefused(
  isTooDeep: bool, opcode: u32, from: usize, to: usize, gas: i64, input: usize, n: u32, value: usize,
): void {
  if (tellsCalls() && hostCallRefused(u32(isTooDeep), opcode, from, to, gas, input, n, value)) stopsSoon = true;
}

/** Reports the end of the current frame, or of a call without a frame. */
export function callEnds(halt: i32, gasLeft: i64, output: usize, n: u32): void {
  if (!tellsCalls()) return;
  const opcode = halt == INVALID_OPCODE ? load<u8>(<usize>load<u32>(frame, CODE_AT) + load<u32>(frame, PC) - 1) : 0;
  hostCallEnds(halt, gasLeft, output, n, opcode);
}

export function logged(log: usize): void {
  if (tellsCalls()) hostLogged(log);
}

export function destroys(account: usize, beneficiary: usize): void {
  if (tellsCalls()) hostDestroys(account, beneficiary);
}

/** Reports that an opcode accesses an account, which needn't be loaded. */
export function accessesAccount(account: usize): void {
  if (tellsTouches()) hostAccount(account, u32(!isWarm(account)));
}

/**
 * Reports an account on which the transaction depends although no opcode accesses it, or although the opcode may fail before the access.
 */
export function mentionsAccount(account: usize): void {
  if (tellsTouches()) hostAccount(account, 0);
}

export function accessesSlot(slot: usize, isWarm: bool): void {
  if (tellsTouches()) hostSlot(slot, u32(!isWarm));
}

/** See {@link mentionsAccount}. */
export function mentionsSlot(slot: usize): void {
  if (tellsTouches()) hostSlot(slot, 0);
}
