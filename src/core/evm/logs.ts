// Logs of the current transaction. Fields: number of topics, size of the data, account (1 = the log stands for a transfer of ETH), number
// among all logs that the transaction emitted, including those of reverted frames; topics as hashes; padded data.
import { accountAt, ADDRESS } from '../state/accounts.ts';
import { logged } from './events.ts';
import { base, createBuffer, extend, length, setLength } from '../memory/heap.ts';
import { expandTo, inMemory } from './evm-memory.ts';
import { charge, drop, frame, operand, SELF, STACK, STATIC } from './frames.ts';
import { NONE, OUT_OF_GAS, STACK_UNDERFLOW, STATIC_STATE_CHANGE, WAITS } from '../memory/halts.ts';
import { RESULT_EMITTED_LOGS, SCRATCH_3, TRANSFER_LOGS, TX_EXEMPT } from '../memory/layout.ts';
import { probes, tellStep } from './steps.ts';
import { reverse, setLimbs } from '../memory/words.ts';
import { EIP_7708, LOG_BYTE_RULE, LOG_TOPIC_RULE } from '../tables/rule.ts';

/** instead of an account */
const TRANSFER: u32 = 1;
/** keccak256('Transfer(address,address,uint256)') */
const TRANSFER_TOPIC: usize = memory.data<u8>([
  0xdd, 0xf2, 0x52, 0xad, 0x1b, 0xe2, 0xc8, 0x9b, 0x69, 0xc2, 0xb0, 0x68, 0xfc, 0x37, 0x8d, 0xaa,
  0x95, 0x2b, 0xa7, 0xf1, 0x63, 0xc4, 0xa1, 0x16, 0x28, 0xf5, 0x5a, 0x4d, 0xf5, 0x23, 0xb3, 0xef,
]);

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
  const bytes = TELLS_STEPS && probes ? load<i64>(size) : <i64>n;
  if (!charge(load<i64>(LOG_TOPIC_RULE) * <i64>topics + load<i64>(LOG_BYTE_RULE) * bytes)) return OUT_OF_GAS;
  if (TELLS_STEPS && tellStep()) return WAITS;
  if (operand(2 + topics) < <usize>load<u32>(frame, STACK)) return STACK_UNDERFLOW;
  const at = add(topics, n, load<u32>(frame, SELF));
  for (let i: u32 = 0; i < topics; i++) reverse(at + 16 + (i << 5), operand(3 + i));
  memory.copy(at + 16 + (topics << 5), inMemory(offset, size), n);
  logged(at);
  drop(2 + topics);
  return NONE;
}

function add(topics: u32, n: u32, account: u32): usize {
  const at = extend(logs, 16 + (topics << 5) + ((n + 15) & ~15));
  store<u32>(at, topics);
  store<u32>(at, n, 4);
  store<u32>(at, account, 8);
  store<u32>(at, load<u32>(RESULT_EMITTED_LOGS), 12);
  store<u32>(RESULT_EMITTED_LOGS, load<u32>(RESULT_EMITTED_LOGS) + 1);
  return at;
}

/**
 * Adds the log of an ETH transfer: with EIP-7708 a regular log; without it, if logs of transfers are requested, a log that isn't part of
 * the receipt.
 * @param value not 0
 */
export function logTransfer(from: usize, to: usize, value: usize): void {
  const isReal = load<u32>(EIP_7708) != 0;
  if (isReal ? from == to : !(load<u32>(TX_EXEMPT) & TRANSFER_LOGS)) return;
  const at = add(3, 32, isReal ? <u32>systemAccount() : TRANSFER) + 16;
  memory.copy(at, TRANSFER_TOPIC, 32);
  reverse(at + 32, from + ADDRESS);
  reverse(at + 64, to + ADDRESS);
  reverse(at + 96, value);
}

/** The account 0xfffffffffffffffffffffffffffffffffffffffe, the caller of system calls and the emitter of transfer logs. */
function systemAccount(): usize {
  setLimbs(SCRATCH_3, 0xfffffffffffffffe, u64.MAX_VALUE, 0xffffffff, 0);
  return accountAt(SCRATCH_3);
}

export function isTransfer(log: usize): bool {
  return load<u32>(log, 8) == TRANSFER;
}

export function nextLog(at: usize): usize {
  return at + 16 + (<usize>load<u32>(at) << 5) + ((load<u32>(at, 4) + 15) & ~15);
}

/** Address and size in bytes of the last transaction's logs. */
export function logsBase(): usize {
  return base(logs);
}

export function logsLength(): u32 {
  return length(logs);
}
