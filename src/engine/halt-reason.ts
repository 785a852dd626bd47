import { EVMError } from '@ethereumjs/evm';

/** geth's reason for a creation onto an account that has code, a nonce or storage. */
export const TAKEN = 'contract address collision';

/** geth's reason for a RETURNDATACOPY beyond the end of the last call's return data (EIP-211). */
export const OUT_OF_BOUNDS = 'return data out of bounds';

/** geth's names for the halts that EthereumJS names differently. */
const HALTS: Readonly<Record<string, string>> = {
  [EVMError.errorMessages.REVERT]: 'execution reverted',
  [EVMError.errorMessages.INVALID_JUMP]: 'invalid jump destination',
  [EVMError.errorMessages.CREATE_COLLISION]: TAKEN,
  [EVMError.errorMessages.STATIC_STATE_CHANGE]: 'write protection',
  [EVMError.errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'max code size exceeded',
  [EVMError.errorMessages.INITCODE_SIZE_VIOLATION]: 'max initcode size exceeded',
  [EVMError.errorMessages.INSUFFICIENT_BALANCE]: 'insufficient balance for transfer',
  [EVMError.errorMessages.INVALID_BYTECODE_RESULT]: 'invalid code: must not begin with 0xef',
  [EVMError.errorMessages.CODESTORE_OUT_OF_GAS]: 'contract creation code storage out of gas',
};

/** geth's name of a halt, or `execution reverted`. @param name EthereumJS's error message */
export function haltReason(name: string): string {
  // EthereumJS appends the position in the code to some messages.
  const [halt = name] = name.split(' at 0x', 1);
  return HALTS[halt] ?? halt;
}

/** geth's name of the halt at an opcode that the hardfork doesn't know. @param opcode absent = beyond the code's end */
export function invalidOpcode(opcode: number | undefined): string {
  if (opcode === undefined || opcode === 0xfe) return 'invalid opcode: INVALID';
  return `invalid opcode: opcode 0x${opcode.toString(16)} not defined`;
}

/** geth's reasons for a call that is refused. */
export const TOO_DEEP = 'max call depth exceeded';
export const INSUFFICIENT_BALANCE = 'insufficient balance for transfer';
