import * as at from '../../core/memory/layout.ts';
import * as entry from '../../core/state/entries.ts';
import type { CodeCounts, CountedFrame, RunCounts } from '../run-counts.ts';
import type { LinearMemory } from './linear-memory.ts';

// These constants must agree with src/core/evm/counts.ts.
const CODE = 0;
const SIZE = 4;
const COUNTERS = 16;
const COUNTER_SIZE = 16;
const RUNS = 8;
const RAN_SIZE = 8;
const ENDED_SIZE = 32;
const RECORD_HASH = 32;
const HASH_SIZE = 32;

interface Counting extends CodeCounts {
  readonly pcs: number[];
  readonly runs: number[];
  readonly gas: number[];
}

/** Reads the counts of the last run. */
export function readCounts(memory: LinearMemory): RunCounts {
  const blocks = memory.u32(at.COUNTED_BLOCKS);
  const codes = new Map<number, Counting>();
  const codeOf = (offset: number): Counting | undefined => {
    if (offset === 0) return undefined;
    let code = codes.get(offset);
    if (!code) {
      code = countingOf(memory, blocks + offset);
      codes.set(offset, code);
    }
    return code;
  };
  const ran = memory.u32(at.COUNTED_RAN);
  const ranEnd = ran + memory.u32(at.COUNTED_RAN_LENGTH);
  for (let each = ran; each < ranEnd; each += RAN_SIZE) {
    const offset = memory.u32(each);
    const pc = memory.u32(each + 4);
    const counter = blocks + offset + COUNTERS + COUNTER_SIZE * pc;
    const code = codeOf(offset)!;
    code.pcs.push(pc);
    code.runs.push(memory.u32(counter + RUNS));
    // The cost of a call can be negative if its callee keeps the stipend.
    code.gas.push(Number(memory.i64(counter)));
  }
  const frames: CountedFrame[] = [];
  const ended = memory.u32(at.COUNTED_ENDED);
  const endedEnd = ended + memory.u32(at.COUNTED_ENDED_LENGTH);
  for (let each = ended; each < endedEnd; each += ENDED_SIZE) {
    const length = memory.u32(each + 8);
    frames.push({
      code: codeOf(memory.u32(each)),
      depth: memory.u32(each + 4),
      isCreation: memory.u32(each + 28) !== 0,
      selector: length < 4 ? undefined : selectorOf(memory.u32(each + 12)),
      hasInput: length > 0,
      gas: Number(memory.i64(each + 16)),
      failed: memory.u32(each + 24) !== 0,
    });
  }
  return { codes: [...codes.values()], frames };
}

function countingOf(memory: LinearMemory, block: number): Counting {
  const record = memory.u32(block + CODE);
  const size = memory.u32(block + SIZE);
  const code = record === 0 ? block + COUNTERS + COUNTER_SIZE * (size + 1) : record + entry.CODE_BYTES;
  const hash = record === 0 ? undefined : hexOf(memory.bytes(record + RECORD_HASH, HASH_SIZE));
  return { hash, code: memory.view(code, size), pcs: [], runs: [], gas: [] };
}

function selectorOf(word: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(word);
  return bytes.toString('hex');
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
