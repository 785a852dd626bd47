// Logs of the running transaction: number of topics, size of the data, account, number among all that it emitted,
// those of reverted frames included; topics as hashes; data, padded.
import { base, createBuffer, extend, length, setLength } from './heap';
import { expandTo, inMemory } from './evm-memory';
import { charge, drop, frame, operand, SELF, STACK, STATIC } from './frames';
import { NONE, OUT_OF_GAS, STACK_UNDERFLOW, STATIC_STATE_CHANGE } from './halts';
import { RESULT_EMITTED_LOGS } from './layout';
import { reverse } from './words';

export let logs: usize = 0;

export function setupLogs(): void {
  logs = createBuffer(14);
}

export function logMark(): u32 {
  return length(logs);
}

export function dropLogs(mark: u32): void {
  setLength(logs, mark);
}

/** LOG0 to LOG4 */
export function log(topics: u32): i32 {
  if (load<u32>(frame, STATIC)) return STATIC_STATE_CHANGE;
  const offset = operand(1), size = operand(2), halt = expandTo(offset, size);
  if (halt) return halt;
  const n = load<u32>(size);
  if (!charge(375 * (1 + <i64>topics) + 8 * <i64>n)) return OUT_OF_GAS;
  if (operand(2 + topics) < <usize>load<u32>(frame, STACK)) return STACK_UNDERFLOW;
  const at = extend(logs, 16 + (topics << 5) + ((n + 15) & ~15));
  store<u32>(at, topics);
  store<u32>(at, n, 4);
  store<u32>(at, load<u32>(frame, SELF), 8);
  store<u32>(at, load<u32>(RESULT_EMITTED_LOGS), 12);
  store<u32>(RESULT_EMITTED_LOGS, load<u32>(RESULT_EMITTED_LOGS) + 1);
  for (let i: u32 = 0; i < topics; i++) reverse(at + 16 + (i << 5), operand(3 + i));
  memory.copy(at + 16 + (topics << 5), inMemory(offset, size), n);
  drop(2 + topics);
  return NONE;
}

/** Where the logs of the last transaction are, and how many bytes they take. */
export function logsBase(): usize {
  return base(logs);
}

export function logsLength(): u32 {
  return length(logs);
}
