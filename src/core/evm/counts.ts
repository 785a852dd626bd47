// How often each opcode of each code runs, and how much gas it uses: for coverage and gas by line of source. Only in the second build of
// these sources, as steps.ts, and there instead of telling the host of each step: the host reads the counters when the run has ended.
//
// The gas of an opcode is what its frame has less when the next one begins, without what frames that it called have used. So the gas of
// all opcodes of a run adds up to what its outermost frame used, whatever became of it: burnt by a failure, paid for new code, spent by a
// precompile or saved by a call's stipend.
import { CODE_LENGTH, COUNTED_AT, COUNTED_RUN } from '../state/entries.ts';
import { CODE_AT, CODE_SIZE, CREATES, depth, frame, GAS, INPUT, INPUT_SIZE } from './frames.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import {
  COUNTED_BLOCKS, COUNTED_ENDED, COUNTED_ENDED_LENGTH, COUNTED_RAN, COUNTED_RAN_LENGTH, FRAME_COUNTS, RULES_COUNTS, STEP_PC,
} from '../memory/layout.ts';
import { reservoir } from './state-gas.ts';

// A block of the area: pointer to the record of the code, or 0 where the code stands behind the counters; bytes of the code; then a
// counter for each byte of the code and one for the STOP behind it: gas (8 bytes), how often it ran (4), 4 free.
const CODE: usize = 0;
const SIZE: usize = 4;
const COUNTERS: usize = 16;
const RUNS: usize = 8;

// Of each frame that runs: its block as an offset in the area, 0 = it isn't counted; the opcode that ran last; gas when that began; gas
// that frames have used which it called; gas when the frame began.
const BLOCK: usize = 0;
const LAST_PC: usize = 4;
const LAST_GAS: usize = 8;
const CALLED_GAS: usize = 16;
const FIRST_GAS: usize = 24;
const FRAME_COUNT_SIZE: usize = 32;

/** Bytes of an entry for a frame that has ended, and of one for an opcode. */
const ENDED_SIZE: u32 = 32;
const RAN_SIZE: u32 = 8;
/** Bytes of counters in one run: codes beyond them aren't counted, but for the gas of their frames. */
const MOST_BYTES: u32 = 64 << 20;
/** Frames in one run of which there are entries, the outermost aside. */
const MOST_FRAMES: u32 = 1 << 18;

/** Whether the run is counted. */
export let counts: bool = false;
let area: usize = 0, ran: usize = 0, ended: usize = 0;
/** the number of this run, by which records know their blocks */
let run: u32 = 0;
/** what is kept of the running frame */
let current: usize = FRAME_COUNTS;

export function setupCounts(): void {
  area = createBuffer(12);
  ran = createBuffer(12);
  ended = createBuffer(12);
}

/** A run begins. */
export function resetCounts(): void {
  counts = load<u32>(RULES_COUNTS) != 0;
  if (!counts) return;
  run++;
  current = FRAME_COUNTS - FRAME_COUNT_SIZE;
  // No block has the offset 0.
  setLength(area, <u32>COUNTERS);
  setLength(ran, 0);
  setLength(ended, 0);
}

/** The running frame begins with the code of a record. */
export function countRecord(record: usize): void {
  if (load<u32>(record, COUNTED_RUN) != run) {
    store<u32>(record, run, COUNTED_RUN);
    store<u32>(record, addBlock(record, load<u32>(record, CODE_LENGTH)), COUNTED_AT);
  }
  beginFrame(load<u32>(record, COUNTED_AT));
}

/** The running frame begins with init code that lies in its memory. */
export function countInitCode(): void {
  beginFrame(addBlock(0, load<u32>(frame, CODE_SIZE)));
}

/** The running frame begins with code that ends it at once. */
export function countNothing(): void {
  beginFrame(0);
}

/** @returns its offset; 0 where there are too many */
function addBlock(record: usize, n: u32): u32 {
  const counters = (n + 1) << 4, copy = record ? 0 : (n + 15) & ~15, size = <u32>COUNTERS + counters + copy;
  if (length(area) + size > MOST_BYTES) return 0;
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
  store<u32>(current, block, BLOCK);
  store<u32>(current, 0, LAST_PC);
  store<i64>(current, gas, LAST_GAS);
  store<i64>(current, 0, CALLED_GAS);
  store<i64>(current, gas, FIRST_GAS);
}

/** Charges the opcode that ran last with what was used since it began. @param gas of the frame */
function chargeLast(gas: i64): void {
  const block = load<u32>(current, BLOCK);
  if (!block) return;
  const counter = base(area) + block + COUNTERS + ((<usize>load<u32>(current, LAST_PC)) << 4);
  store<i64>(counter, load<i64>(counter) + load<i64>(current, LAST_GAS) - gas - load<i64>(current, CALLED_GAS));
}

/** An opcode begins, maybe once more. @param left gas of the frame */
export function countGas(pc: usize, left: i64): void {
  const gas = left + reservoir;
  chargeLast(gas);
  store<u32>(current, <u32>pc, LAST_PC);
  store<i64>(current, gas, LAST_GAS);
  store<i64>(current, 0, CALLED_GAS);
}

/** The opcode at STEP_PC runs, or is the one that fails. */
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

/** The running frame has ended, and its gas is what it leaves. @param isFailed whether what it wrote was taken back */
export function countEnd(isFailed: bool): void {
  // None has begun where the transaction ends before its first opcode.
  if (current < FRAME_COUNTS) return;
  const gas = load<i64>(frame, GAS) + reservoir, used = load<i64>(current, FIRST_GAS) - gas;
  chargeLast(gas);
  // The outermost frame is never left out: the gas of the run is its.
  if (depth() == 0 || length(ended) < MOST_FRAMES * ENDED_SIZE) {
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

/** The run has ended: tells the host where the counters are. See src/engine/wasm/counts.ts. */
export function tellCounts(): void {
  store<u32>(COUNTED_BLOCKS, <u32>base(area));
  store<u32>(COUNTED_RAN, <u32>base(ran));
  store<u32>(COUNTED_RAN_LENGTH, length(ran));
  store<u32>(COUNTED_ENDED, <u32>base(ended));
  store<u32>(COUNTED_ENDED_LENGTH, length(ended));
}
