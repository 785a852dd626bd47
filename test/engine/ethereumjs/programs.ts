import { bigIntToUnpaddedBytes, concatBytes } from '@ethereumjs/util';
import fc from 'fast-check';

const OP = {
  stop: 0x00,
  add: 0x01,
  exp: 0x0a,
  sha3: 0x20,
  balance: 0x31,
  calldataload: 0x35,
  extcodesize: 0x3b,
  returndatacopy: 0x3e,
  extcodehash: 0x3f,
  blockhash: 0x40,
  selfbalance: 0x47,
  pop: 0x50,
  mload: 0x51,
  mstore: 0x52,
  sload: 0x54,
  sstore: 0x55,
  msize: 0x59,
  gas: 0x5a,
  tload: 0x5c,
  tstore: 0x5d,
  log0: 0xa0,
  create: 0xf0,
  call: 0xf1,
  callcode: 0xf2,
  return: 0xf3,
  delegatecall: 0xf4,
  create2: 0xf5,
  staticcall: 0xfa,
  revert: 0xfd,
  invalid: 0xfe,
  selfdestruct: 0xff,
} as const;

/** What answers about block and frame, from the first forks to the latest. */
const OLD_ENVIRONMENT = [
  ...[0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x41, 0x42, 0x43, 0x44, 0x45, 0x58, 0x59, 0x5a],
];
const ENVIRONMENT = [...OLD_ENVIRONMENT, 0x3d, 0x46, 0x47, 0x48, 0x4a];

/** PUSH */
export function push(value: bigint | Uint8Array): Uint8Array {
  const bytes = value instanceof Uint8Array ? value : bigIntToUnpaddedBytes(value);
  const padded = bytes.length === 0 ? Uint8Array.of(0) : bytes;
  return concatBytes(Uint8Array.of(0x5f + padded.length), padded);
}

/** The opcode with its arguments, the first one on top of the stack. */
function op(code: number, ...args: readonly (bigint | Uint8Array)[]): Uint8Array {
  return concatBytes(...[...args].reverse().map(push), Uint8Array.of(code));
}

/** A call with a constant for its gas, or with all there is, as Solidity makes it. */
function call(code: number, gas: bigint | undefined, ...args: readonly (bigint | Uint8Array)[]): Uint8Array {
  return concatBytes(
    ...[...args].reverse().map(push),
    gas === undefined ? Uint8Array.of(OP.gas) : push(gas),
    Uint8Array.of(code),
  );
}

/** Writes code to memory from 0 on, in words. */
function toMemory(code: Uint8Array): Uint8Array {
  const words: Uint8Array[] = [];
  for (let at = 0; at < code.length; at += 32) {
    const word = new Uint8Array(32);
    word.set(code.subarray(at, at + 32));
    words.push(op(OP.mstore, BigInt(at), word));
  }
  return concatBytes(...words);
}

/** Init code that deploys `code`. */
export function deploying(code: Uint8Array): Uint8Array {
  return concatBytes(toMemory(code), op(OP.return, 0n, BigInt(code.length)));
}

const small = fc.bigInt({ min: 0n, max: 3n });
const slot = fc.bigInt({ min: 0n, max: 4n });
const wei = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 5000n }));
const callGas = fc.oneof(fc.constantFrom(0n, 2300n, 30_000n), fc.constant(2n ** 40n), fc.constant(undefined));

const transient = fc.oneof(
  fc.tuple(slot, small).map(([at, value]) => op(OP.tstore, at, value)),
  slot.map((at) => concatBytes(op(OP.tload, at), push(at), Uint8Array.of(OP.sstore))),
);

/** One statement: it leaves the stack as it was, or one word more. */
function statement(targets: readonly Uint8Array[], depth: number, modern: boolean): fc.Arbitrary<Uint8Array> {
  const target = fc.constantFrom(...targets);
  const calls = [
    fc
      .tuple(fc.constantFrom(OP.call, OP.callcode), callGas, target, wei, fc.constantFrom(0n, 4n, 36n))
      .map(([code, gas, to, value, size]) => call(code, gas, to, value, 0n, size, 0n, 32n)),
    fc
      .tuple(fc.constantFrom(OP.delegatecall, modern ? OP.staticcall : OP.delegatecall), callGas, target)
      .map(([code, gas, to]) => call(code, gas, to, 0n, 4n, 0n, 32n)),
  ];
  const create = (): fc.Arbitrary<Uint8Array> =>
    fc
      .tuple(program(targets, modern, depth - 1), wei, small, fc.boolean(), fc.boolean())
      .map(([inner, value, salt, withSalt, call]) => {
        const init = deploying(inner);
        const size = BigInt(init.length);
        const made =
          modern && withSalt ? op(OP.create2, value, 0n, size, salt) : op(OP.create, value, 0n, size);
        // CALL of what was made: its address is on the stack.
        const called = concatBytes(
          ...[0n, 0n, 0n, 0n, 0n].map(push),
          Uint8Array.of(0x85),
          push(100_000n),
          Uint8Array.of(OP.call),
        );
        return concatBytes(toMemory(init), made, ...(call ? [called] : []));
      });
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(slot, small).map(([at, value]) => op(OP.sstore, at, value)) },
    { weight: 2, arbitrary: slot.map((at) => op(OP.sload, at)) },
    ...(modern ? [{ weight: 2, arbitrary: transient }] : []),
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...(modern ? ENVIRONMENT : OLD_ENVIRONMENT)), slot)
        .map(([code, at]) => concatBytes(op(code), push(at), Uint8Array.of(OP.sstore))),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(OP.balance, OP.extcodesize, modern ? OP.extcodehash : OP.balance), target)
        .map(([code, of]) => op(code, of)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.bigInt({ min: 0n, max: 310n }), slot)
        .map(([n, at]) => concatBytes(op(OP.blockhash, n), push(at), Uint8Array.of(OP.sstore))),
    },
    { weight: 1, arbitrary: fc.tuple(small, small).map(([at, size]) => op(OP.sha3, at * 40n, size * 33n)) },
    { weight: 1, arbitrary: small.map((at) => op(OP.calldataload, at * 16n)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.integer({ min: 0, max: 4 }), small)
        .map(([topics, size]) =>
          op(OP.log0 + topics, 0n, size * 20n, ...Array.from({ length: topics }, (_, i) => BigInt(i))),
        ),
    },
    ...calls.map((arbitrary) => ({ weight: 3, arbitrary })),
    ...(depth > 0 ? [{ weight: 3, arbitrary: create() }] : []),
    { weight: 1, arbitrary: target.map((beneficiary) => op(OP.selfdestruct, beneficiary)) },
    { weight: 1, arbitrary: fc.constant(op(OP.revert, 0n, 20n)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(op(OP.invalid), op(OP.stop), op(OP.pop), op(OP.returndatacopy, 0n, 0n, 9n)),
    },
    { weight: 1, arbitrary: fc.constantFrom(op(OP.return, 0n, 24n), op(OP.return, 0n, 300n)) },
  );
}

/**
 * Runnable bytecode of a few statements: storage, calls, creations, logs, transient storage, self-destruction, halts.
 * @param targets 20 bytes each, what it may call
 * @param modern with opcodes of Byzantium to Cancun
 * @param depth how deep programs that it creates may create others
 */
export function program(
  targets: readonly Uint8Array[],
  modern: boolean,
  depth = 1,
): fc.Arbitrary<Uint8Array> {
  return fc
    .array(statement(targets, depth, modern), { minLength: 1, maxLength: depth > 0 ? 7 : 4 })
    .map((parts) => concatBytes(...parts));
}
