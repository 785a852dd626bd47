import { EVMError } from '@ethereumjs/evm';
import { OUT_OF_BOUNDS } from '../halt-reason.ts';
import type { OpcodeTable } from './opcode-step.ts';

const CALLDATACOPY = 0x37;
const RETURNDATACOPY = 0x3e;

/**
 * EIP-211: RETURNDATACOPY beyond the end of the return data halts. As in geth, the gas is checked first, and the halt has its own reason.
 * The library reports out of gas instead, and checks the bounds before the gas.
 */
export function withBounds(entry: OpcodeTable[number], opcode: number, table: OpcodeTable): typeof entry {
  if (opcode !== RETURNDATACOPY) return entry;
  // CALLDATACOPY costs the same.
  const { gasHandler } = table[CALLDATACOPY]!;
  const opHandler: OpcodeTable[number]['opHandler'] = (runState, common) => {
    const [, offset, length] = runState.stack.peek(3) as [bigint, bigint, bigint];
    if (offset + length > runState.interpreter.getReturnDataSize())
      throw new EVMError(OUT_OF_BOUNDS as EVMError['error']);
    return entry.opHandler(runState, common);
  };
  return { ...entry, gasHandler, opHandler };
}
