// The opcodes of the EVM since Frontier: the single source for their stack operands and for their constant gas, which doesn't depend on the
// operands. The build generates op.ts from it, and the host generates the interpreter's rows, one table per hardfork:
// src/engine/wasm/rules.ts.

import type { ByEip } from './rules.ts';

export interface Opcode {
  readonly code: number;
  /** as in the yellow paper, appendix H, or the EIP */
  readonly name: string;
  /** number of words that it pops, and that it pushes */
  readonly pops: number;
  readonly pushes: number;
  /** constant gas; 0 if the opcode's function charges all gas, because it must read the account or slot first (rules.ts) */
  readonly gas: ByEip;
  /** the EIP that introduced it; absent = valid since Frontier */
  readonly eip?: number;
  /** whether its gas depends on its operands. geth and EthereumJS then check the stack before the gas. */
  readonly hasDynamicGas?: true;
  /** whether it is forbidden in a static call */
  readonly writesState?: true;
}

const DYNAMIC = { hasDynamicGas: true } as const;
const WRITES = { ...DYNAMIC, writesState: true } as const;

// Since EIP-2929 these have no constant gas except EIP-8038's charge for reading code.
const CODE_ACCESS = { 0: 20, 150: 700, 2929: 0, 8038: 100 } as const;
const CALL = { 0: 40, 150: 700, 2929: 0 } as const;

/** Numbered opcodes such as PUSH1 to PUSH32. */
function group(count: number, opcode: (i: number) => Opcode): Opcode[] {
  const opcodes: Opcode[] = [];
  for (let i = 0; i < count; i++) opcodes.push(opcode(i));
  return opcodes;
}

export const OPCODES: readonly Opcode[] = [
  { code: 0x00, name: 'STOP', pops: 0, pushes: 0, gas: 0 },
  { code: 0x01, name: 'ADD', pops: 2, pushes: 1, gas: 3 },
  { code: 0x02, name: 'MUL', pops: 2, pushes: 1, gas: 5 },
  { code: 0x03, name: 'SUB', pops: 2, pushes: 1, gas: 3 },
  { code: 0x04, name: 'DIV', pops: 2, pushes: 1, gas: 5 },
  { code: 0x05, name: 'SDIV', pops: 2, pushes: 1, gas: 5 },
  { code: 0x06, name: 'MOD', pops: 2, pushes: 1, gas: 5 },
  { code: 0x07, name: 'SMOD', pops: 2, pushes: 1, gas: 5 },
  { code: 0x08, name: 'ADDMOD', pops: 3, pushes: 1, gas: 8 },
  { code: 0x09, name: 'MULMOD', pops: 3, pushes: 1, gas: 8 },
  { code: 0x0a, name: 'EXP', pops: 2, pushes: 1, gas: 10, ...DYNAMIC },
  { code: 0x0b, name: 'SIGNEXTEND', pops: 2, pushes: 1, gas: 5 },
  { code: 0x10, name: 'LT', pops: 2, pushes: 1, gas: 3 },
  { code: 0x11, name: 'GT', pops: 2, pushes: 1, gas: 3 },
  { code: 0x12, name: 'SLT', pops: 2, pushes: 1, gas: 3 },
  { code: 0x13, name: 'SGT', pops: 2, pushes: 1, gas: 3 },
  { code: 0x14, name: 'EQ', pops: 2, pushes: 1, gas: 3 },
  { code: 0x15, name: 'ISZERO', pops: 1, pushes: 1, gas: 3 },
  { code: 0x16, name: 'AND', pops: 2, pushes: 1, gas: 3 },
  { code: 0x17, name: 'OR', pops: 2, pushes: 1, gas: 3 },
  { code: 0x18, name: 'XOR', pops: 2, pushes: 1, gas: 3 },
  { code: 0x19, name: 'NOT', pops: 1, pushes: 1, gas: 3 },
  { code: 0x1a, name: 'BYTE', pops: 2, pushes: 1, gas: 3 },
  { code: 0x1b, name: 'SHL', pops: 2, pushes: 1, gas: 3, eip: 145 },
  { code: 0x1c, name: 'SHR', pops: 2, pushes: 1, gas: 3, eip: 145 },
  { code: 0x1d, name: 'SAR', pops: 2, pushes: 1, gas: 3, eip: 145 },
  { code: 0x1e, name: 'CLZ', pops: 1, pushes: 1, gas: 5, eip: 7939 },
  { code: 0x20, name: 'KECCAK256', pops: 2, pushes: 1, gas: 30, ...DYNAMIC },
  { code: 0x30, name: 'ADDRESS', pops: 0, pushes: 1, gas: 2 },
  { code: 0x31, name: 'BALANCE', pops: 1, pushes: 1, gas: { 0: 20, 150: 400, 1884: 700, 2929: 0 }, ...DYNAMIC },
  { code: 0x32, name: 'ORIGIN', pops: 0, pushes: 1, gas: 2 },
  { code: 0x33, name: 'CALLER', pops: 0, pushes: 1, gas: 2 },
  { code: 0x34, name: 'CALLVALUE', pops: 0, pushes: 1, gas: 2 },
  { code: 0x35, name: 'CALLDATALOAD', pops: 1, pushes: 1, gas: 3 },
  { code: 0x36, name: 'CALLDATASIZE', pops: 0, pushes: 1, gas: 2 },
  { code: 0x37, name: 'CALLDATACOPY', pops: 3, pushes: 0, gas: 3, ...DYNAMIC },
  { code: 0x38, name: 'CODESIZE', pops: 0, pushes: 1, gas: 2 },
  { code: 0x39, name: 'CODECOPY', pops: 3, pushes: 0, gas: 3, ...DYNAMIC },
  { code: 0x3a, name: 'GASPRICE', pops: 0, pushes: 1, gas: 2 },
  { code: 0x3b, name: 'EXTCODESIZE', pops: 1, pushes: 1, gas: CODE_ACCESS, ...DYNAMIC },
  { code: 0x3c, name: 'EXTCODECOPY', pops: 4, pushes: 0, gas: CODE_ACCESS, ...DYNAMIC },
  { code: 0x3d, name: 'RETURNDATASIZE', pops: 0, pushes: 1, gas: 2, eip: 211 },
  { code: 0x3e, name: 'RETURNDATACOPY', pops: 3, pushes: 0, gas: 3, ...DYNAMIC, eip: 211 },
  { code: 0x3f, name: 'EXTCODEHASH', pops: 1, pushes: 1, gas: { 0: 400, 1884: 700, 2929: 0 }, ...DYNAMIC, eip: 1052 },
  { code: 0x40, name: 'BLOCKHASH', pops: 1, pushes: 1, gas: 20 },
  { code: 0x41, name: 'COINBASE', pops: 0, pushes: 1, gas: 2 },
  { code: 0x42, name: 'TIMESTAMP', pops: 0, pushes: 1, gas: 2 },
  { code: 0x43, name: 'NUMBER', pops: 0, pushes: 1, gas: 2 },
  { code: 0x44, name: 'PREVRANDAO', pops: 0, pushes: 1, gas: 2 },
  { code: 0x45, name: 'GASLIMIT', pops: 0, pushes: 1, gas: 2 },
  { code: 0x46, name: 'CHAINID', pops: 0, pushes: 1, gas: 2, eip: 1344 },
  { code: 0x47, name: 'SELFBALANCE', pops: 0, pushes: 1, gas: 5, eip: 1884 },
  { code: 0x48, name: 'BASEFEE', pops: 0, pushes: 1, gas: 2, eip: 3198 },
  { code: 0x49, name: 'BLOBHASH', pops: 1, pushes: 1, gas: 3, eip: 4844 },
  { code: 0x4a, name: 'BLOBBASEFEE', pops: 0, pushes: 1, gas: 2, eip: 7516 },
  { code: 0x4b, name: 'SLOTNUM', pops: 0, pushes: 1, gas: 2, eip: 7843 },
  { code: 0x50, name: 'POP', pops: 1, pushes: 0, gas: 2 },
  { code: 0x51, name: 'MLOAD', pops: 1, pushes: 1, gas: 3, ...DYNAMIC },
  { code: 0x52, name: 'MSTORE', pops: 2, pushes: 0, gas: 3, ...DYNAMIC },
  { code: 0x53, name: 'MSTORE8', pops: 2, pushes: 0, gas: 3, ...DYNAMIC },
  { code: 0x54, name: 'SLOAD', pops: 1, pushes: 1, gas: { 0: 50, 150: 200, 1884: 800, 2929: 0 }, ...DYNAMIC },
  { code: 0x55, name: 'SSTORE', pops: 2, pushes: 0, gas: 0, ...WRITES },
  { code: 0x56, name: 'JUMP', pops: 1, pushes: 0, gas: 8 },
  { code: 0x57, name: 'JUMPI', pops: 2, pushes: 0, gas: 10 },
  { code: 0x58, name: 'PC', pops: 0, pushes: 1, gas: 2 },
  { code: 0x59, name: 'MSIZE', pops: 0, pushes: 1, gas: 2 },
  { code: 0x5a, name: 'GAS', pops: 0, pushes: 1, gas: 2 },
  { code: 0x5b, name: 'JUMPDEST', pops: 0, pushes: 0, gas: 1 },
  { code: 0x5c, name: 'TLOAD', pops: 1, pushes: 1, gas: 100, eip: 1153 },
  { code: 0x5d, name: 'TSTORE', pops: 2, pushes: 0, gas: 100, writesState: true, eip: 1153 },
  { code: 0x5e, name: 'MCOPY', pops: 3, pushes: 0, gas: 3, ...DYNAMIC, eip: 5656 },
  { code: 0x5f, name: 'PUSH0', pops: 0, pushes: 1, gas: 2, eip: 3855 },
  ...group(32, (i) => ({ code: 0x60 + i, name: `PUSH${i + 1}`, pops: 0, pushes: 1, gas: 3 })),
  ...group(16, (i) => ({ code: 0x80 + i, name: `DUP${i + 1}`, pops: i + 1, pushes: i + 2, gas: 3 })),
  ...group(16, (i) => ({ code: 0x90 + i, name: `SWAP${i + 1}`, pops: i + 2, pushes: i + 2, gas: 3 })),
  // As in geth and EthereumJS, the topics are checked after the gas is charged. So only the operands on which the gas depends count here.
  ...group(5, (i) => ({ code: 0xa0 + i, name: `LOG${i}`, pops: 2, pushes: 0, gas: 375, ...WRITES })),
  // The byte after the opcode tells how deep these reach into the stack, so they check the height of the stack themselves.
  { code: 0xe6, name: 'DUPN', pops: 0, pushes: 1, gas: 3, eip: 8024 },
  { code: 0xe7, name: 'SWAPN', pops: 0, pushes: 0, gas: 3, eip: 8024 },
  { code: 0xe8, name: 'EXCHANGE', pops: 0, pushes: 0, gas: 3, eip: 8024 },
  { code: 0xf0, name: 'CREATE', pops: 3, pushes: 1, gas: 0, ...WRITES },
  { code: 0xf1, name: 'CALL', pops: 7, pushes: 1, gas: CALL, ...DYNAMIC },
  { code: 0xf2, name: 'CALLCODE', pops: 7, pushes: 1, gas: CALL, ...DYNAMIC },
  { code: 0xf3, name: 'RETURN', pops: 2, pushes: 0, gas: 0, ...DYNAMIC },
  { code: 0xf4, name: 'DELEGATECALL', pops: 6, pushes: 1, gas: CALL, ...DYNAMIC, eip: 7 },
  { code: 0xf5, name: 'CREATE2', pops: 4, pushes: 1, gas: 0, ...WRITES, eip: 1014 },
  { code: 0xfa, name: 'STATICCALL', pops: 6, pushes: 1, gas: CALL, ...DYNAMIC, eip: 214 },
  { code: 0xfd, name: 'REVERT', pops: 2, pushes: 0, gas: 0, ...DYNAMIC, eip: 140 },
  { code: 0xff, name: 'SELFDESTRUCT', pops: 1, pushes: 0, gas: 0, ...WRITES },
];
