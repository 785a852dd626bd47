import { bytesToBigInt } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integerWord } from '../../../src/state/integers.ts';
import { runs } from '../../fuzz.ts';
import { executorOf, runCode } from './executors.ts';

const LIMIT = 1n << 256n;
const signed = (x: bigint) => BigInt.asIntN(256, x);
const wrap = (x: bigint) => BigInt.asUintN(256, x);
const flag = (x: boolean) => (x ? 1n : 0n);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n, square = wrap(square * square))
    if (rest & 1n) result = wrap(result * square);
  return result;
}

function signExtend(size: bigint, x: bigint): bigint {
  return size > 30n ? x : wrap(BigInt.asIntN(Number(size + 1n) * 8, x));
}

/** The opcodes on words, as the yellow paper defines them (appendix H.2); EIP-145, EIP-7939. */
const OPERATIONS: readonly [name: string, opcode: number, (a: bigint, b: bigint, c: bigint) => bigint][] = [
  ['ADD', 0x01, (a, b) => wrap(a + b)],
  ['MUL', 0x02, (a, b) => wrap(a * b)],
  ['SUB', 0x03, (a, b) => wrap(a - b)],
  ['DIV', 0x04, (a, b) => (b === 0n ? 0n : a / b)],
  ['SDIV', 0x05, (a, b) => (b === 0n ? 0n : wrap(signed(a) / signed(b)))],
  ['MOD', 0x06, (a, b) => (b === 0n ? 0n : a % b)],
  ['SMOD', 0x07, (a, b) => (b === 0n ? 0n : wrap(signed(a) % signed(b)))],
  ['ADDMOD', 0x08, (a, b, c) => (c === 0n ? 0n : (a + b) % c)],
  ['MULMOD', 0x09, (a, b, c) => (c === 0n ? 0n : (a * b) % c)],
  ['EXP', 0x0a, power],
  ['SIGNEXTEND', 0x0b, signExtend],
  ['LT', 0x10, (a, b) => flag(a < b)],
  ['GT', 0x11, (a, b) => flag(a > b)],
  ['SLT', 0x12, (a, b) => flag(signed(a) < signed(b))],
  ['SGT', 0x13, (a, b) => flag(signed(a) > signed(b))],
  ['EQ', 0x14, (a, b) => flag(a === b)],
  ['ISZERO', 0x15, (a) => flag(a === 0n)],
  ['AND', 0x16, (a, b) => a & b],
  ['OR', 0x17, (a, b) => a | b],
  ['XOR', 0x18, (a, b) => a ^ b],
  ['NOT', 0x19, (a) => wrap(~a)],
  ['BYTE', 0x1a, (a, b) => (a > 31n ? 0n : (b >> (248n - 8n * a)) & 255n)],
  ['SHL', 0x1b, (a, b) => (a > 255n ? 0n : wrap(b << a))],
  ['SHR', 0x1c, (a, b) => (a > 255n ? 0n : b >> a)],
  ['SAR', 0x1d, (a, b) => wrap(signed(b) >> (a > 255n ? 255n : a))],
  ['CLZ', 0x1e, (a) => BigInt(a === 0n ? 256 : 256 - a.toString(2).length)],
];

/** Limbs at which carries, borrows and quotient estimates go wrong. */
const limb = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, (1n << 32n) - 1n, 1n << 32n, 1n << 63n, (1n << 63n) - 1n, (1n << 64n) - 1n),
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
);
const word = fc.oneof(
  fc.tuple(limb, limb, limb, limb).map((limbs) => limbs.reduce((sum, part) => (sum << 64n) | part, 0n)),
  fc.bigInt({ min: 0n, max: 300n }),
  fc.bigInt({ min: 0n, max: LIMIT - 1n }),
  // Numbers that are a little below 2^256 have a way of their own as the modulus of MULMOD.
  limb.map((distance) => wrap(-distance)),
);

const executor = executorOf('osaka');

/** What an opcode leaves on the stack, the first operand on top. */
function evaluate(opcode: number, operands: readonly bigint[]): bigint {
  const pushes = [...operands].reverse().flatMap((x) => [0x7f, ...integerWord(x)]);
  // PUSH0 MSTORE, PUSH1 32 PUSH0 RETURN
  const code = Uint8Array.from([...pushes, opcode, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3]);
  return bytesToBigInt(runCode(executor, code).returnData);
}

describe('opcodes on words equal their definitions in BigInt:', () => {
  it.each(OPERATIONS)('%s', (_, opcode, define) => {
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(evaluate(opcode, [a, b, c])).toBe(define(a, b, c));
      }),
      { numRuns: runs(100) },
    );
  });
});
