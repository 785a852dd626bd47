// How often each opcode of each code runs, and how much gas it uses: for coverage and gas per source line. Only in the second build of
// these sources, like steps.ts, as an alternative to reporting each step to the host: the host reads the counters when the run has ended.
//
// The gas of an opcode is the decrease of its frame's gas until the next opcode begins, without the gas of frames that it called. So the
// gas of all opcodes of a run adds up to the gas used by its outermost frame, including gas burnt by a failure, code deposit costs, and the
// gas of precompiles, minus call stipends.
import { CODE_LENGTH, COUNTED_AT, COUNTED_RUN } from '../state/entries.ts';
import {
  CODE_AT, CODE_SIZE, CREATES, depth, frame, GAS, INPUT, INPUT_SIZE, RESERVOIR_MARK, SPILL,
} from './frames.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import {
  COUNTED_BLOCKS, COUNTED_ENDED, COUNTED_ENDED_LENGTH, COUNTED_RAN, COUNTED_RAN_LENGTH, FRAME_COUNTS, RULES_COUNTS, STEP_PC,
} from '../memory/layout.ts';
import { reservoir } from './state-gas.ts';

// A block of the area: pointer to the record of the code, or 0 if the code follows the counters; size of the code in bytes; then a counter
// for each byte of the code and one for the STOP after it: gas (8 bytes), number of runs (4), 4 unused.
const CODE: usize = 0;
const SIZE: usize = 4;
const COUNTERS: usize = 16;
const RUNS: usize = 8;

// For each open frame: its block as an offset in the area, 0 = not counted; program counter of the last opcode; the frame's gas when that
// opcode began; gas used by frames that it called; gas when the frame began.
const BLOCK: usize = 0;
const LAST_PC: usize = 4;
const LAST_GAS: usize = 8;
const CALLED_GAS: usize = 16;
const FIRST_GAS: usize = 24;
const FRAME_COUNT_SIZE: usize = 32;

/** Size of an entry for an ended frame, and of an entry for an opcode, in bytes. */
const ENDED_SIZE: u32 = 32;
const RAN_SIZE: u32 = 8;
/** Maximum size of the counters of one run, in bytes: for further codes only the gas of their frames is counted. */
const MAX_BYTES: u32 = 64 << 20;
/** Maximum number of frames in one run that get entries, besides the outermost one. */
const MAX_FRAMES: u32 = 1 << 18;

/** Whether the run is counted. */
export let counts: bool = false;
let area: usize = 0, ran: usize = 0, ended: usize = 0;
/** the number of this run, by which code records identify their blocks */
let run: u32 = 0;
/** counters of the current frame */
let current: usize = FRAME_COUNTS;
/**
 * State gas that the outermost frame was charged before its first opcode, for the account that it creates (EIP-8037). It is added to the
 * frame's last opcode, because a failed creation gets it back there.
 */
let chargedBefore: i64 = 0;

export function setupCounts(): void {
  area = createBuffer(12);
  ran = createBuffer(12);
  ended = createBuffer(12);
}

/** Initializes the counters when a run begins. */
export function resetCounts(): void {
  counts = load<u32>(RULES_COUNTS) != 0;
  if (!counts) return;
  run++;
  current = FRAME_COUNTS - FRAME_COUNT_SIZE;
  // Offset 0 is reserved: it means no block.
  setLength(area, <u32>COUNTERS);
  setLength(ran, 0);
  setLength(ended, 0);
}

/** Called when the current frame begins with the code of a record. */
export function countRecord(record: usize): void {
  if (load<u32>(record, COUNTED_RUN) != run) {
    store<u32>(record, run, COUNTED_RUN);
    store<u32>(record, addBlock(record, load<u32>(record, CODE_LENGTH)), COUNTED_AT);
  }
  beginFrame(load<u32>(record, COUNTED_AT));
}

/** Called when the current frame begins with init code, which is in its memory. */
export function countInitCode(): void {
  beginFrame(addBlock(0, load<u32>(frame, CODE_SIZE)));
}

/** Called when the current frame begins with code that ends it immediately. */
export function countNothing(): void {
  beginFrame(0);
}

/** @returns the offset of the new block; 0 if there are too many */
function addBlock(record: usize, n: u32): u32 {
  const counters = (n + 1) << 4, copy = record ? 0 : (n + 15) & ~15, size = <u32>COUNTERS + counters + copy;
  if (length(area) + size > MAX_BYTES) return 0;
  const offset = length(area), block = extend(area, size);
  memory.fill(block, 0, <u32>COUNTERS + counters);
  store<u32>(block, <u32>record, CODE);
  store<u32>(block, n, SIZE);
  if (!record) memory.copy(block + COUNTERS + counters, load<u32>(frame, CODE_AT), n);
  return offset;
}

function beginFrame(block: u32): void {
  const gas = load<i64>(frame, GAS) + reservoir;
  current += FRAME_COUNT_SIZE;
  if (current == FRAME_COUNTS) chargedBefore = load<i64>(frame, SPILL) + load<i64>(frame, RESERVOIR_MARK) - reservoir;
  store<u32>(current, block, BLOCK);
  store<u32>(current, 0, LAST_PC);
  store<i64>(current, gas, LAST_GAS);
  store<i64>(current, 0, CALLED_GAS);
  store<i64>(current, gas, FIRST_GAS);
}

/** Adds the gas used since the last opcode began to the counter of that opcode. @param gas the frame's gas */
function chargeLast(gas: i64): void {
  const block = load<u32>(current, BLOCK);
  if (!block) return;
  const counter = base(area) + block + COUNTERS + ((<usize>load<u32>(current, LAST_PC)) << 4);
  store<i64>(counter, load<i64>(counter) + load<i64>(current, LAST_GAS) - gas - load<i64>(current, CALLED_GAS));
}

/** Called when an opcode begins, possibly for the second time. @param left the frame's gas */
export function countGas(pc: usize, left: i64): void {
  const gas = left + reservoir;
  chargeLast(gas);
  store<u32>(current, <u32>pc, LAST_PC);
  store<i64>(current, gas, LAST_GAS);
  store<i64>(current, 0, CALLED_GAS);
}

/** Counts a run of the opcode at STEP_PC, also if it fails. */
export function countRun(): void {
  const block = load<u32>(current, BLOCK);
  if (!block) return;
  const pc = load<u32>(STEP_PC), counter = base(area) + block + COUNTERS + ((<usize>pc) << 4), before = load<u32>(counter, RUNS);
  store<u32>(counter, before + 1, RUNS);
  if (before) return;
  const entry = extend(ran, RAN_SIZE);
  store<u32>(entry, block);
  store<u32>(entry, pc, 4);
}

/** Called when the current frame has ended, with its remaining gas in its record. @param isFailed whether its writes were rolled back */
export function countEnd(isFailed: bool): void {
  // No frame has begun if the transaction ended before its first opcode.
  if (current < FRAME_COUNTS) return;
  const gas = load<i64>(frame, GAS) + reservoir - (current == FRAME_COUNTS ? chargedBefore : 0);
  const used = load<i64>(current, FIRST_GAS) - gas;
  chargeLast(gas);
  // The outermost frame always gets an entry: its gas is the gas of the run.
  if (depth() == 0 || length(ended) < MAX_FRAMES * ENDED_SIZE) {
    const entry = extend(ended, ENDED_SIZE), n = load<u32>(frame, INPUT_SIZE);
    store<u32>(entry, load<u32>(current, BLOCK));
    store<u32>(entry, <u32>depth(), 4);
    store<u32>(entry, n, 8);
    store<u32>(entry, n < 4 ? 0 : load<u32>(load<u32>(frame, INPUT)), 12);
    store<i64>(entry, used, 16);
    store<u32>(entry, u32(isFailed), 24);
    store<u32>(entry, load<u32>(frame, CREATES), 28);
  }
  current -= FRAME_COUNT_SIZE;
  if (current >= FRAME_COUNTS) store<i64>(current, load<i64>(current, CALLED_GAS) + used, CALLED_GAS);
}

/** Tells the host where the counters are when the run has ended. See src/engine/wasm/counts.ts. */
export function tellCounts(): void {
  store<u32>(COUNTED_BLOCKS, <u32>base(area));
  store<u32>(COUNTED_RAN, <u32>base(ran));
  store<u32>(COUNTED_RAN_LENGTH, length(ran));
  store<u32>(COUNTED_ENDED, <u32>base(ended));
  store<u32>(COUNTED_ENDED_LENGTH, length(ended));
}
