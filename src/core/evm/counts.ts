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
  COUNTED_BLOCKS, COUNTED_ENDED, COUNTED_ENDED_LENGTH, COUNTED_RAN, COUNTED_RAN_LENGTH, FRAME_COUNTS, RULES_COUNTS,
} from '../memory/layout.ts';
import { reservoir } from './state-gas.ts';

// A block of the area: pointer to the record of the code, or 0 where the code stands behind the counters; bytes of the code; then a
// counter for each byte of the code and one for the STOP behind it: gas (8 bytes), how often it ran (4), 4 free.
const CODE: usize = 0;
const SIZE: usize = 4;
const COUNTERS: usize = 16;
const RUNS: usize = 8;

// Of each frame that runs: its block as an offset in the area, 0 = it isn't counted; gas when it began. Of those that wait for a frame
// that they called also: the counter of the opcode that ran last, as an offset; gas when that began; gas that frames have used which it
// called.
const BLOCK: usize = 0;
const LAST: usize = 4;
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
// The same of the running frame, which each opcode needs: addresses of its counters (0 = it isn't counted) and of that which ran last.
let counters: usize = 0, last: usize = 0;
let lastGas: i64 = 0, calledGas: i64 = 0;

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
  counters = 0;
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
  const size = (n + 1) << 4, copy = record ? 0 : (n + 15) & ~15, bytes = <u32>COUNTERS + size + copy;
  if (length(area) + bytes > MOST_BYTES) return 0;
  const offset = length(area), before = base(area), block = extend(area, bytes);
  if (counters) {
    const moved = base(area) - before;
    counters += moved;
    last += moved;
  }
  memory.fill(block, 0, <u32>COUNTERS + size);
  store<u32>(block, <u32>record, CODE);
  store<u32>(block, n, SIZE);
  if (!record) memory.copy(block + COUNTERS + size, load<u32>(frame, CODE_AT), n);
  return offset;
}

function beginFrame(block: u32): void {
  if (current >= FRAME_COUNTS) {
    store<u32>(current, counters ? <u32>(last - base(area)) : 0, LAST);
    store<i64>(current, lastGas, LAST_GAS);
    store<i64>(current, calledGas, CALLED_GAS);
  }
  current += FRAME_COUNT_SIZE;
  lastGas = load<i64>(frame, GAS) + reservoir;
  calledGas = 0;
  store<u32>(current, block, BLOCK);
  store<i64>(current, lastGas, FIRST_GAS);
  counters = last = countersOf(block);
}

function countersOf(block: u32): usize {
  return block ? base(area) + block + COUNTERS : 0;
}

/** Charges the opcode that ran last with what was used since it began. @param gas of the frame */
/* @inline */ function chargeLast(gas: i64): void {
  store<i64>(last, load<i64>(last) + lastGas - gas - calledGas);
}

/** An opcode begins, maybe once more. @param left gas of the frame */
export function countGas(pc: usize, left: i64): void {
  if (!counters) return;
  const gas = left + reservoir;
  chargeLast(gas);
  last = counters + (pc << 4);
  lastGas = gas;
  calledGas = 0;
}

/** The opcode of which {@link countGas} was told last runs, or is the one that fails. */
export function countRun(): void {
  if (!counters) return;
  const before = load<u32>(last, RUNS);
  store<u32>(last, before + 1, RUNS);
  if (before) return;
  const entry = extend(ran, RAN_SIZE);
  store<u32>(entry, load<u32>(current, BLOCK));
  store<u32>(entry, <u32>(last - counters) >> 4, 4);
}

/** The running frame has ended, and its gas is what it leaves. @param isFailed whether what it wrote was taken back */
export function countEnd(isFailed: bool): void {
  // None has begun where the transaction ends before its first opcode.
  if (current < FRAME_COUNTS) return;
  const gas = load<i64>(frame, GAS) + reservoir, used = load<i64>(current, FIRST_GAS) - gas;
  if (counters) chargeLast(gas);
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
  if (current < FRAME_COUNTS) return;
  counters = countersOf(load<u32>(current, BLOCK));
  last = counters ? base(area) + load<u32>(current, LAST) : 0;
  lastGas = load<i64>(current, LAST_GAS);
  calledGas = load<i64>(current, CALLED_GAS) + used;
}

/** The run has ended: tells the host where the counters are. See src/engine/wasm/counts.ts. */
export function tellCounts(): void {
  store<u32>(COUNTED_BLOCKS, <u32>base(area));
  store<u32>(COUNTED_RAN, <u32>base(ran));
  store<u32>(COUNTED_RAN_LENGTH, length(ran));
  store<u32>(COUNTED_ENDED, <u32>base(ended));
  store<u32>(COUNTED_ENDED_LENGTH, length(ended));
}
