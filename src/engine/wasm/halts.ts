import * as core from '../../core/memory/halts.ts';
import { OUT_OF_BOUNDS } from '../halt-reason.ts';

/** EthereumJS's names (`EVMError`) for the ways in which a frame can fail, as far as it has one; see `haltReason()`. */
const HALTS: Readonly<Record<number, string>> = {
  [core.REVERTED]: 'revert',
  [core.OUT_OF_GAS]: 'out of gas',
  [core.STACK_UNDERFLOW]: 'stack underflow',
  [core.STACK_OVERFLOW]: 'stack overflow',
  [core.INVALID_JUMP]: 'invalid JUMP',
  [core.INVALID_OPCODE]: 'invalid opcode',
  [core.STATIC_STATE_CHANGE]: 'static state change',
  [core.CREATE_COLLISION]: 'create collision',
  [core.CODE_TOO_LARGE]: 'code size to deposit exceeds maximum code size',
  [core.INVALID_CODE]: 'invalid bytecode deployed',
  [core.INIT_CODE_TOO_LARGE]: 'initcode exceeds max initcode size',
  [core.VALUE_OVERFLOW]: 'value overflow',
  [core.NONCE_OVERFLOW]: 'nonce uint64 overflow',
  [core.RETURN_DATA_OUT_OF_BOUNDS]: OUT_OF_BOUNDS,
};

/** @returns EthereumJS's name; `undefined` for a run that succeeded */
export function haltName(halt: number): string | undefined {
  return HALTS[halt];
}
