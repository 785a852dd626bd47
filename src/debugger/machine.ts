import { OPCODES } from '../core/tables/opcodes.ts';
import { NO_WORD, NOTHING, type StepHistory, WRITES } from '../engine/tracers/step-history.ts';

/** Stack and memory of the running call before a step. */
export interface Machine {
  /** the lowest word first */
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
}

const PUSH0 = 0x5f;
const PUSH32 = 0x7f;
const DUP1 = 0x80;
const SWAP1 = 0x90;
const SWAP16 = 0x9f;

const POPS = new Uint8Array(256);
for (const { code, pops } of OPCODES) POPS[code] = pops;

/** Replays the steps of a message from its last keyframe. @param step index in the history */
export function machineAt(history: StepHistory, step: number): Machine {
  const message = history.messages[history.message[step]!]!;
  const keyframe = history.keyframes.get(message.index)?.findLast((each) => each.step <= step);
  const stack = [...(keyframe?.stack ?? [])];
  const memory = new Uint8Array(history.memorySize[step]!);
  memory.set(keyframe?.memory.subarray(0, memory.length) ?? []);
  const { code } = history.codes[message.code]!;
  for (let i = keyframe?.step ?? message.first; i < step; i++) {
    const inner = history.message[i]!;
    if (inner === message.index) apply(history, i, code, stack, memory);
    // The effects of a call on its caller are recorded with the step that made the call.
    else i = history.messages[inner]!.end - 1;
  }
  return { stack, memory };
}

function apply(
  { pc, did, bytes }: StepHistory,
  i: number,
  code: Uint8Array,
  stack: bigint[],
  memory: Uint8Array,
): void {
  const at = pc[i]!;
  const opcode = code[at] ?? 0;
  if (opcode >= DUP1 && opcode < SWAP1) return void stack.push(stack.at(DUP1 - opcode - 1) ?? 0n);
  if (opcode >= SWAP1 && opcode <= SWAP16) {
    const top = stack.length - 1;
    const other = top - 1 - (opcode - SWAP1);
    const held = stack[top]!;
    stack[top] = stack[other]!;
    stack[other] = held;
    return;
  }
  if (opcode >= PUSH0 && opcode <= PUSH32) {
    const length = opcode - PUSH0;
    // Bytes after the end of the code are zeros.
    const data = code.subarray(at + 1, at + 1 + length);
    stack.push(wordOf(data) << BigInt(8 * (length - data.length)));
    return;
  }
  stack.length = Math.max(0, stack.length - POPS[opcode]!);
  let place = did[i]!;
  if (place === NOTHING) return;
  const head = bytes[place++]!;
  const length = head & NO_WORD;
  if (length !== NO_WORD) {
    stack.push(wordOf(bytes.subarray(place, place + length)));
    place += length;
  }
  if (head & WRITES) {
    const offset = bytes.readUInt32BE(place);
    const size = bytes.readUInt32BE(place + 4);
    memory.set(bytes.subarray(place + 8, place + 8 + size), offset);
  }
}

function wordOf(bytes: Uint8Array): bigint {
  if (bytes.length <= 4) return BigInt(bytes.reduce((value, byte) => value * 256 + byte, 0));
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`);
}
