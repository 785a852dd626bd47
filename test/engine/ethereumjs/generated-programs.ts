import { Address, concatBytes, createAddressFromString } from '@ethereumjs/util';
import { integerBytes } from '../../../src/state/integers.ts';
import { Random } from '../../random.ts';
import { Counter, Dish, Kitchen, Token } from './accounts.ts';
import { push } from './programs.ts';
import { CALLED, CALLS } from './scenarios.ts';

/*
 * Generated programs, each by its seed: words at the edges of what words can be, jumps, calls and creations, code that a compiler made
 * with some bytes changed.
 */

export const SENDER = addressOf(0xca);
export const TARGET = addressOf(0xcc);
export const OTHER = addressOf(0xdd);
/** Accounts that delegate (EIP-7702): to both contracts, to an account that delegates, to themselves, to a precompile, to nobody. */
export const DELEGATING = [
  [addressOf(0xd0), TARGET],
  [addressOf(0xd1), OTHER],
  [addressOf(0xd2), addressOf(0xd1)],
  [addressOf(0xd3), addressOf(0xd3)],
  [addressOf(0xd4), createAddressFromString(`0x${'02'.padStart(40, '0')}`)],
  [addressOf(0xd5), addressOf(0xd6)],
].map(([from, to]) => ({ from: from!, code: concatBytes(Uint8Array.of(0xef, 0x01, 0x00), to!.bytes) }));

function addressOf(byte: number): Address {
  return new Address(new Uint8Array(20).fill(byte));
}

function bytesOf(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

/** Where 64-bit limbs, offsets, sizes and shifts have their edges. */
const EDGES = [0n, 1n, 8n, 16n, 31n, 32n, 63n, 64n, 127n, 128n, 192n, 255n, 256n]
  .flatMap((bit) => [1n << bit, (1n << bit) - 1n, (1n << 256n) - (1n << bit)])
  .map((value) => BigInt.asUintN(256, value));

const PLAIN = [...CALLED, TARGET.bytes, OTHER.bytes, SENDER.bytes];

function accountOf(random: Random): Uint8Array {
  return random.below(3) === 0 ? random.pick(DELEGATING).from.bytes : random.pick(PLAIN);
}

function wordOf(random: Random): Uint8Array {
  const kind = random.below(12);
  if (kind < 6) return integerBytes(BigInt(random.below(70)));
  if (kind === 6) return integerBytes(BigInt(random.below(5000)));
  if (kind === 7)
    return random.pick(random.below(3) === 0 ? DELEGATING.map(({ from }) => from.bytes) : PLAIN);
  if (kind === 8) return bytesOf(random, 1 + random.below(32));
  return integerBytes(random.pick(EDGES));
}

/** A jump over a few bytes, to a JUMPDEST. */
function jump(random: Random, length: number): Uint8Array {
  const skipped = bytesOf(random, random.below(4));
  const isConditional = random.below(2) === 0;
  const condition = isConditional ? push(wordOf(random)) : new Uint8Array(0);
  const to = length + condition.length + 3 + 1 + skipped.length;
  return concatBytes(
    condition,
    Uint8Array.of(0x61, to >> 8, to & 0xff, isConditional ? 0x57 : 0x56),
    skipped,
    Uint8Array.of(0x5b),
  );
}

/** A call of an account, with all that is left of the gas or a little of it. */
function call(random: Random): Uint8Array {
  const opcode = random.pick([0xf1, 0xf2, 0xf4, 0xfa]);
  const small = () => push(integerBytes(BigInt(random.below(70))));
  const value = opcode < 0xf4 ? [push(integerBytes(BigInt(random.below(2))))] : [];
  const gas = random.below(2) === 0 ? Uint8Array.of(0x5a) : push(integerBytes(BigInt(random.below(10_000))));
  const [outLength, outStart, inLength, inStart] = [small(), small(), small(), small()];
  const account = push(accountOf(random));
  return concatBytes(outLength, outStart, inLength, inStart, ...value, account, gas, Uint8Array.of(opcode));
}

/** The defined opcodes that don't end the frame and don't jump. */
const OPCODES = Array.from({ length: 256 }, (_, opcode) => opcode).filter(
  (opcode) =>
    (opcode > 0x00 && opcode <= 0x0b) ||
    (opcode >= 0x10 && opcode <= 0x20) ||
    (opcode >= 0x30 && opcode <= 0x4a) ||
    (opcode >= 0x50 && opcode <= 0x9f && opcode !== 0x56 && opcode !== 0x57) ||
    (opcode >= 0xa0 && opcode <= 0xa4) ||
    (opcode >= 0xf0 && opcode <= 0xf5 && opcode !== 0xf3) ||
    opcode === 0xfa,
);
/** SLOTNUM, DUPN, SWAPN, EXCHANGE (EIP-7843, EIP-8024) */
const SINCE_AMSTERDAM = [0x4b, 0xe6, 0xe7, 0xe8];
const STOPPING = [0x00, 0xf3, 0xfd, 0xfe, 0xff];

function opcodeOf(random: Random, isAmsterdam: boolean): number {
  const kind = random.below(100);
  if (isAmsterdam && kind > 90) return random.pick(SINCE_AMSTERDAM);
  if (kind === 0) return random.below(256);
  // Calls and creations are only 5 of some 140 opcodes.
  if (kind < 20) return 0xf0 + random.below(6);
  return kind < 22 ? random.pick(STOPPING) : random.pick(OPCODES);
}

/** A push, an opcode, an opcode behind enough pushes, a jump, or a call. */
function stepOf(random: Random, length: number, isAmsterdam: boolean): Uint8Array {
  const kind = random.below(20);
  if (kind < 5) return push(wordOf(random));
  if (kind === 5) return Uint8Array.of(opcodeOf(random, isAmsterdam));
  if (kind === 6) return jump(random, length);
  if (kind === 7) return call(random);
  const operands = Array.from({ length: 2 + random.below(6) }, () => push(wordOf(random)));
  return concatBytes(...operands, Uint8Array.of(opcodeOf(random, isAmsterdam)));
}

function generated(random: Random, isAmsterdam: boolean): Uint8Array {
  let code = new Uint8Array(0);
  for (let steps = 3 + random.below(30); steps > 0; steps--)
    code = concatBytes(code, stepOf(random, code.length, isAmsterdam));
  return code;
}

/** What a compiler made, with some bytes changed. */
function mutated(random: Random): Uint8Array {
  const code = random.pick([Counter.code, Kitchen.code, Token.code, Dish.code]).slice();
  for (let changes = 1 + random.below(5); changes > 0; changes--)
    code[random.below(code.length)] = random.below(256);
  return code;
}

const CALL_DATA = CALLS.map(([, data]) => data);

export interface Program {
  readonly code: Uint8Array;
  readonly data: Uint8Array;
}

/** @param isAmsterdam whether it has opcodes that come with that hardfork */
export function programOf(seed: number, isAmsterdam = false): Program {
  const random = new Random(seed);
  const code = random.below(4) === 0 ? mutated(random) : generated(random, isAmsterdam);
  const data = random.below(2) === 0 ? random.pick(CALL_DATA) : bytesOf(random, random.below(70));
  return { code, data };
}
