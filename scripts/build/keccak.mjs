// Generates src/core's keccak-permutation.ts: keccak-f[1600], once for one state and once for two states in the halves of SIMD registers.
// Unrolled by hand it would be 300 lines.
//
// 25 lanes don't fit in a processor's registers. Therefore a round reads its state from memory, one row of the result at a time, writes
// the row to another buffer, and keeps the column parities for the next round. That takes a tenth less time than lanes in local variables,
// which the compiler moves between registers and the stack. Method and names of the steps: the Keccak implementation overview 3.2,
// https://keccak.team/files/Keccak-implementation-3.2.pdf, section 2.

/** Step rho rotates lane (x, y) by ROTATIONS[x][y] bits to the left. */
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

const FIVE = [0, 1, 2, 3, 4];

/**
 * WebAssembly has no instruction for ~b & c on 64 bits. If some lanes are stored as their complements, most of these operations become one
 * instruction (section 2.2 of the overview, "lane complementing"). For each row of step chi: its five results, and the number of the lane
 * whose complement `n` they use.
 */
const COMPLEMENTED_LANES = [1, 2, 8, 12, 17, 20];
const COMPLEMENTED_ROWS = [
  {
    results: ['b0 ^ (b1 | b2)', 'b1 ^ (n | b3)', 'b2 ^ (b3 & b4)', 'b3 ^ (b4 | b0)', 'b4 ^ (b0 & b1)'],
    n: 2,
  },
  {
    results: ['b0 ^ (b1 | b2)', 'b1 ^ (b2 & b3)', 'b2 ^ (b3 | n)', 'b3 ^ (b4 | b0)', 'b4 ^ (b0 & b1)'],
    n: 4,
  },
  { results: ['b0 ^ (b1 | b2)', 'b1 ^ (b2 & b3)', 'b2 ^ (n & b4)', 'n ^ (b4 | b0)', 'b4 ^ (b0 & b1)'], n: 3 },
  { results: ['b0 ^ (b1 & b2)', 'b1 ^ (b2 | b3)', 'b2 ^ (n | b4)', 'n ^ (b4 & b0)', 'b4 ^ (b0 | b1)'], n: 3 },
  { results: ['b0 ^ (n & b2)', 'n ^ (b2 | b3)', 'b2 ^ (b3 & b4)', 'b3 ^ (b4 | b0)', 'b4 ^ (b0 & b1)'], n: 1 },
];

/** The code of the operations on a lane: for 64 bits, and for two times 64 bits. */
const ONE = {
  name: 'permute',
  state: 'SPONGE',
  type: 'u64',
  size: 8,
  load: (place, at) => `load<u64>(${place}, ${at})`,
  store: (place, at, lane) => `store<u64>(${place}, ${lane}, ${at});`,
  xor: (...lanes) => lanes.join(' ^ '),
  rotate: (lane, n) => `rotl<u64>(${lane}, ${n})`,
  constant: (round) => `load<u64>(CONSTANTS + round, ${8 * round})`,
  /** runs before and after the rounds */
  complement: COMPLEMENTED_LANES.map((i) => `store<u64>(SPONGE, ~load<u64>(SPONGE, ${8 * i}), ${8 * i});`),
  row: (y) => [`const n = ~b${COMPLEMENTED_ROWS[y].n};`, COMPLEMENTED_ROWS[y].results],
};
const PAIR = {
  name: 'permutePair',
  state: 'SPONGES',
  type: 'v128',
  size: 16,
  load: (place, at) => `v128.load(${place}, ${at})`,
  store: (place, at, lane) => `v128.store(${place}, ${lane}, ${at});`,
  xor: (...lanes) => lanes.reduce((a, b) => `v128.xor(${a}, ${b})`),
  rotate: (lane, n) => `rotatePair(${lane}, ${n})`,
  constant: (round) => `v128.load64_splat(CONSTANTS + round, ${8 * round})`,
  complement: [],
  row: () => ['', FIVE.map((x) => `v128.xor(b${x}, v128.andnot(b${(x + 2) % 5}, b${(x + 1) % 5}))`)],
};

/** @returns {string} AssemblyScript */
export function keccakPermutation() {
  return `import { OTHER_SPONGE, SPONGE, SPONGES } from './layout';
const CONSTANTS: usize = memory.data<u64>([${ROUND_CONSTANTS.join(', ')}]);
@inline function rotatePair(lane: v128, n: i32): v128 {
  return v128.or(i64x2.shl(lane, n), i64x2.shr_u(lane, 64 - n));
}
${permutation(ONE)}
${permutation(PAIR)}`;
}

/** Runs two rounds per iteration: from the state to the other buffer, and back. */
function permutation(lanes) {
  const { name, state, type, size, load, xor, complement } = lanes;
  const column = (x) => xor(...FIVE.map((y) => load(state, (x + 5 * y) * size)));
  return `export function ${name}(): void {
${complement.join('\n')}
${FIVE.map((x) => `let c${x}: ${type} = ${column(x)};`).join('\n')}
for (let round: usize = 0; round < 192; round += 16) {
${round(lanes, state, 'OTHER_SPONGE', 0)}
${round(lanes, 'OTHER_SPONGE', state, 1)}
}
${complement.join('\n')}
}`;
}

function round({ size, load, store, xor, rotate, constant, row }, from, to, number) {
  const d = FIVE.map((x) => `const d${x} = ${xor(`c${(x + 4) % 5}`, rotate(`c${(x + 1) % 5}`, 1))};`);
  const rows = FIVE.map((y) => {
    const lines = FIVE.map((x) => {
      // Step pi moves lane (x, y) to (y, 2x + 3y), so that lane (x + 3y, x) comes here.
      const source = (x + 3 * y) % 5;
      const n = ROTATIONS[source][x];
      const lane = xor(load(from, (source + 5 * x) * size), `d${source}`);
      return `const b${x} = ${n ? rotate(lane, n) : lane};`;
    });
    const [before, results] = row(y);
    lines.push(before);
    for (const [x, result] of results.entries()) {
      lines.push(`const e${x} = ${x + y === 0 ? xor(result, constant(number)) : result};`);
      lines.push(store(to, (x + 5 * y) * size, `e${x}`));
      lines.push(`c${x} = ${y === 0 ? `e${x}` : xor(`c${x}`, `e${x}`)};`);
    }
    return `{\n${lines.join('\n')}\n}`;
  });
  return `{\n${[...d, ...rows].join('\n')}\n}`;
}
