// Writes src/core's keccak-permutation.ts: keccak-f[1600] with its 25 lanes in local variables, once for one state and once for two
// states in the halves of SIMD registers. Unrolled by hand it would be 200 lines.

const ROTATIONS = [
  [0, 36, 3, 41, 18],
  [1, 44, 10, 45, 2],
  [62, 6, 43, 15, 61],
  [28, 55, 25, 21, 56],
  [27, 20, 39, 8, 14],
];
const ROUND_CONSTANTS = [
  '0x1',
  '0x8082',
  '0x800000000000808a',
  '0x8000000080008000',
  '0x808b',
  '0x80000001',
  '0x8000000080008081',
  '0x8000000000008009',
  '0x8a',
  '0x88',
  '0x80008009',
  '0x8000000a',
  '0x8000808b',
  '0x800000000000008b',
  '0x8000000000008089',
  '0x8000000000008003',
  '0x8000000000008002',
  '0x8000000000000080',
  '0x800a',
  '0x800000008000000a',
  '0x8000000080008081',
  '0x8000000000008080',
  '0x80000001',
  '0x8000000080008008',
];

/** How the operations on a lane are written: for 64 bits, and for two times 64 bits. */
const ONE = {
  name: 'permute',
  size: 8,
  load: (at) => `load<u64>(state, ${at})`,
  store: (lane, at) => `store<u64>(state, ${lane}, ${at})`,
  xor: (...lanes) => lanes.join(' ^ '),
  andNot: (a, b) => `(~${b} & ${a})`,
  rotate: (lane, n) => `rotl<u64>(${lane}, ${n})`,
  constant: 'load<u64>(CONSTANTS + round)',
};
const PAIR = {
  name: 'permutePair',
  size: 16,
  load: (at) => `v128.load(state, ${at})`,
  store: (lane, at) => `v128.store(state, ${lane}, ${at})`,
  xor: (...lanes) => lanes.reduce((a, b) => `v128.xor(${a}, ${b})`),
  andNot: (a, b) => `v128.andnot(${a}, ${b})`,
  rotate: (lane, n) => `rotatePair(${lane}, ${n})`,
  constant: 'v128.load64_splat(CONSTANTS + round)',
};

/** @returns {string} AssemblyScript */
export function keccakPermutation() {
  return `const CONSTANTS: usize = memory.data<u64>([${ROUND_CONSTANTS.join(', ')}]);
@inline function rotatePair(lane: v128, n: i32): v128 {
  return v128.or(i64x2.shl(lane, n), i64x2.shr_u(lane, 64 - n));
}
${permutation(ONE)}
${permutation(PAIR)}`;
}

function permutation({ name, size, load, store, xor, andNot, rotate, constant }) {
  const five = [0, 1, 2, 3, 4];
  const all = (write) => five.flatMap((y) => five.map((x) => write(x, y))).join('\n');
  const a = (x, y) => `a${(x % 5) + 5 * (y % 5)}`;
  const b = (x, y) => `b${(x % 5) + 5 * (y % 5)}`;
  const column = (x) => xor(...five.map((y) => a(x, y)));
  const theta = (x) => xor(`c${(x + 4) % 5}`, rotate(`c${(x + 1) % 5}`, 1));
  const turned = (x, y) => {
    const n = ROTATIONS[x][y];
    const lane = xor(a(x, y), `d${x}`);
    return `const ${b(y, 2 * x + 3 * y)} = ${n ? rotate(lane, n) : lane};`;
  };
  return `export function ${name}(state: usize): void {
${all((x, y) => `let ${a(x, y)} = ${load((x + 5 * y) * size)};`)}
for (let round: usize = 0; round < 192; round += 8) {
${five.map((x) => `const c${x} = ${column(x)};`).join('\n')}
${five.map((x) => `const d${x} = ${theta(x)};`).join('\n')}
${all(turned)}
${all((x, y) => `${a(x, y)} = ${xor(b(x, y), andNot(b(x + 2, y), b(x + 1, y)))};`)}
a0 = ${xor('a0', constant)};
}
${all((x, y) => `${store(a(x, y), (x + 5 * y) * size)};`)}
}`;
}
