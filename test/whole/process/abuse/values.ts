import type { Random } from '../../../random.ts';

const ACCOUNTS = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'];
const CONTRACT = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const hex = (random: Random, bytes: number) =>
  Array.from({ length: bytes }, () => random.below(256).toString(16).padStart(2, '0')).join('');

/** By kind: values that may be taken. */
const KINDS = {
  address: (random: Random) =>
    random.pick([...ACCOUNTS, CONTRACT, `0x${hex(random, 20)}`, `0x${'00'.repeat(19)}04`]),
  hash: (random: Random) => `0x${random.chance(0.3) ? '00'.repeat(32) : hex(random, 32)}`,
  quantity: (random: Random) =>
    random.pick([
      '0x0',
      '0x1',
      '0x5208',
      '0x10000',
      `0x${random.below(2 ** 30).toString(16)}`,
      random.below(20),
    ]),
  huge: (random: Random) =>
    random.pick(['0xffffffffffffffff', `0x${'f'.repeat(64)}`, Number.MAX_SAFE_INTEGER, '0x7fffffffffffffff']),
  block: (random: Random) =>
    random.pick([
      'latest',
      'pending',
      'earliest',
      'safe',
      'finalized',
      '0x0',
      '0x1',
      '0x2',
      { blockNumber: '0x1' },
    ]),
  bytes: (random: Random) =>
    random.pick([
      '0x',
      '0x6001600055',
      '0x600160015560016000f3',
      '0x5b600056',
      `0x${hex(random, random.below(300))}`,
    ]),
  boolean: (random: Random) => random.chance(0.5),
  number: (random: Random) => random.pick([0, 1, 2, 0.5, 1e3]),
  string: (random: Random) =>
    random.pick([
      '',
      'latest',
      'callTracer',
      'prestateTracer',
      'newHeads',
      'logs',
      'trace',
      'vmTrace',
      'call',
      'x',
      'é😀',
    ]),
} as const satisfies Record<string, (random: Random) => unknown>;

/** A value of a kind, some of them a character too long or too short. */
export function nearly(kind: 'address' | 'hash' | 'bytes', random: Random): string {
  const value = String(KINDS[kind](random));
  return random.chance(0.9)
    ? value
    : random.pick([value.slice(0, -1), `${value}0`, value.toUpperCase(), value.slice(2)]);
}

/** A value for what a codec says that it expects. */
export function valuesFor(expected: string, random: Random): unknown {
  if (random.chance(0.1)) return KINDS.huge(random);
  if (/address/.test(expected)) return nearly('address', random);
  if (/block number|block hash/.test(expected)) return KINDS.block(random);
  if (/hash/.test(expected)) return nearly('hash', random);
  if (/bytes|slot/.test(expected)) return nearly('bytes', random);
  if (/true or false|boolean/.test(expected)) return KINDS.boolean(random);
  if (/quantity|number|seconds|milliseconds|count/.test(expected)) return KINDS.quantity(random);
  // Names that a codec lists: "one of callTracer, prestateTracer".
  const names = expected.match(/[A-Za-z_]\w+/g) ?? [];
  return random.chance(0.5) && names.length > 0 ? random.pick(names) : KINDS.string(random);
}

/** What no codec asks for, or a value of a kind at the wrong place. */
export function hostile(random: Random): unknown {
  return random.pick<() => unknown>([
    () => null,
    () => [],
    () => ({}),
    () => -1,
    () => 1e300,
    () => '0x',
    () => '0xzz',
    () => `0x${'0'.repeat(random.below(70_000))}1`,
    () => 'a'.repeat(random.below(5_000)),
    () => '\u0000\ud800',
    () => ({ __proto__: null, constructor: 1, toString: 2 }),
    () => JSON.parse('{"__proto__": {"to": "0x"}, "length": -1}'),
    () => nested(random.below(2_000)),
    () => Array.from({ length: random.below(500) }, () => KINDS.quantity(random)),
    () => Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key${i}`, i])),
    () => random.pick(Object.values(KINDS))(random),
  ])();
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
  return value;
}
