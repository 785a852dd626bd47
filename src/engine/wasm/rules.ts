import { OPCODES } from '../../core/tables/opcodes.ts';
import { type ByEip, NUMBERS, SWITCHES } from '../../core/tables/rules.ts';
import type { Hardfork } from '../../protocol/hardfork.ts';
import { blockReward } from '../../protocol/rewards.ts';
import type { SignatureOverrides } from '../../protocol/signature-overrides.ts';
import { type PrecompileRunner, precompilesOf } from '../precompiles.ts';

/** The rules of a hardfork in the core's format. */
export interface ExecutorRules {
  readonly hardfork: Hardfork;
  /** a row of four numbers for each opcode: src/core/evm/opcode-rows.ts */
  readonly opcodes: Uint16Array;
  /** in the order of src/core/tables/rule.ts */
  readonly numbers: BigInt64Array;
  /** whether blocks have requests (EIP-7685) */
  readonly hasRequests: boolean;
  /** whether state growth has its own gas dimension (EIP-8037) */
  readonly hasStateGas: boolean;
  /** whether blocks have access lists (EIP-7928) */
  readonly hasAccessLists: boolean;
  /** whether blocks have withdrawals (EIP-4895) */
  readonly hasWithdrawals: boolean;
  /** whether receipts contain the status (EIP-658); before that they contain the state root */
  readonly hasStatus: boolean;
  /** reward of a proof-of-work block, in wei */
  readonly blockReward: bigint;
  /** EIP-170, in bytes; init code may be twice as large (EIP-3860) */
  readonly maxCodeSize: number;
  /** EIP-7594; 0 = no limit */
  readonly maxBlobsPerTransaction: number;
  /** EIP-4844, EIP-7691: gas */
  readonly maxBlobGas: bigint;
  readonly precompiles: PrecompileRunner;
}

/** Code size in bytes that no gas limit can pay for; init code may be twice as large. */
const MAX_CODE = 2 ** 30;

export function rulesOf(hardfork: Hardfork, signatures?: SignatureOverrides): ExecutorRules {
  return {
    hardfork,
    opcodes: opcodeRows(hardfork),
    numbers: BigInt64Array.from([
      ...Object.values(NUMBERS).map((number) => BigInt(valueIn(hardfork, number))),
      ...SWITCHES.map((eip) => BigInt(hardfork.has(eip))),
    ]),
    hasRequests: hardfork.has(7685),
    hasStateGas: hardfork.has(8037),
    hasAccessLists: hardfork.has(7928),
    hasWithdrawals: hardfork.has(4895),
    hasStatus: hardfork.has(658),
    blockReward: blockReward(hardfork),
    maxCodeSize: hardfork.has(170) ? Math.min(Number(hardfork.param('maxCodeSize')), MAX_CODE) : MAX_CODE,
    maxBlobsPerTransaction: hardfork.has(7594) ? Number(hardfork.param('maxBlobsPerTx')) : 0,
    maxBlobGas: hardfork.blobs?.max ?? 0n,
    precompiles: precompilesOf(hardfork, signatures),
  };
}

/** Size of a word and maximum size of a stack, in bytes. */
const WORD = 32;
const STACK = 1024 * WORD;
/** Bits of a row: src/core/evm/opcode-rows.ts. */
const HAS_DYNAMIC_GAS = 1;
const WRITES_STATE = 2;
/** Requires more bytes than a stack has, so the interpreter's stack check rejects the opcode and no check of its own is needed. */
const INVALID_ROW = [0, 0xffff, 0, 4];

function opcodeRows(hardfork: Hardfork): Uint16Array {
  const rows = new Uint16Array(256 * 4);
  for (let code = 0; code < 256; code++) rows.set(INVALID_ROW, code * 4);
  for (const { code, pops, pushes, gas, eip, hasDynamicGas, writesState } of OPCODES) {
    if (eip !== undefined && !hardfork.has(eip)) continue;
    const bits = (hasDynamicGas ? HAS_DYNAMIC_GAS : 0) | (writesState ? WRITES_STATE : 0);
    const most = STACK - Math.max(pops, pushes) * WORD;
    rows.set([valueIn(hardfork, gas), pops * WORD, most, bits], code * 4);
  }
  return rows;
}

/** The value of a hardfork-dependent number. */
function valueIn(hardfork: Hardfork, number: ByEip): number {
  if (typeof number === 'number') return number;
  let value = 0;
  for (const [eip, changed] of Object.entries(number))
    if (eip === '0' || hardfork.has(Number(eip))) value = changed;
  return value;
}
