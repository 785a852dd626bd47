import { concatBytes, equalsBytes } from '@ethereumjs/util';
import * as halts from '../../core/memory/halts.ts';
import * as at from '../../core/memory/layout.ts';
import * as entry from '../../core/state/entries.ts';
import { DRAINED, REFUND_CONTRACT } from '../../protocol/dao-fork.ts';
import { depositRequests, type LoggingReceipt, requestsHash } from '../../protocol/requests.ts';
import { ownReward, type Uncle, uncleReward } from '../../protocol/rewards.ts';
import {
  BEACON_CONTRACT,
  HISTORY_CONTRACT,
  QUEUE_SLOTS,
  REQUEST_CONTRACTS,
  type SystemContract,
} from '../../protocol/system-contracts.ts';
import type { BlockEnv } from '../../protocol/types.ts';
import { EMPTY_ROOT } from '../../state/account.ts';
import { integerBytes } from '../../state/integers.ts';
import { encodeRlp, listOfItems } from '../../state/rlp-items.ts';
import type { BlockAccessList, BlockStart, StoreRecords } from '../workspace.ts';
import type { Executor } from './executor.ts';
import type { Run } from './run.ts';
import { copyRecords } from './tries.ts';
import type { StartFields, Withdrawal } from './types.ts';

const GWEI = 1_000_000_000n;
const NO_DATA = new Uint8Array(0);
/** RLP */
const EMPTY_LIST = Uint8Array.of(0xc0);

/** The sources of a block's requests. */
export interface RequestSources {
  /** of all transactions in the block; needed since Prague */
  readonly receipts: readonly LoggingReceipt[];
  /** EIP-6110; absent = mainnet's */
  readonly depositContract?: Uint8Array | undefined;
}

/** The fields of a block in the core's format. */
export function fieldsOf(start: BlockStart): StartFields {
  const { env } = start;
  return {
    number: env.number,
    timestamp: env.timestamp,
    gasLimit: env.gasLimit,
    coinbase: env.coinbase.bytes,
    baseFeePerGas: env.baseFeePerGas ?? 0n,
    blobBaseFee: env.blobBaseFee ?? 0n,
    excessBlobGas: start.excessBlobGas,
    prevRandao: env.prevRandao,
    difficulty: env.difficulty,
    nonce: start.nonce,
    parentHash: start.parentHash,
    parentBeaconBlockRoot: start.parentBeaconBlockRoot,
    extraData: start.extraData,
    slotNumber: env.slotNumber,
  };
}

/** Runs `run`, and rolls back its writes if it throws. */
export function* orRollBack<T>({ core }: Executor, run: Run<T>): Run<T> {
  const mark = core.mark();
  let done = false;
  try {
    const result = yield* run;
    done = true;
    return result;
  } finally {
    if (!done) core.revertTo(mark);
  }
}

/** EIP-779: see `applyDaoFork` in src/protocol/dao-fork.ts. */
export function* moveDaoBalances(executor: Executor): Run<void> {
  const { core, memory } = executor;
  const refund = yield* executor.loadAccount(REFUND_CONTRACT.bytes);
  for (const address of [REFUND_CONTRACT, ...DRAINED]) {
    const account = yield* executor.loadAccount(address.bytes);
    if (!executor.exists(account)) executor.keepEmpty(account);
    if (account === refund) continue;
    const { balance } = executor.fieldsOf(account);
    executor.setBalance(account, 0n);
    memory.setWord(at.SCRATCH, balance);
    core.addBalance(refund, at.SCRATCH);
  }
}

/** Writes the state root into the receipt of the last transaction (before EIP-658). @returns the root */
export function* rootReceipt(executor: Executor): Run<Uint8Array> {
  const root = yield* executor.fold();
  executor.core.setReceiptRoot();
  return root;
}

/** Pays the proof-of-work rewards of a block and its uncles: see src/protocol/rewards.ts. */
export function* payRewards(
  executor: Executor,
  block: Pick<BlockEnv, 'number' | 'coinbase'>,
  uncles: readonly Uncle[],
): Run<void> {
  const { core, memory, rules } = executor;
  const pay = function* (coinbase: Uint8Array, wei: bigint): Run<void> {
    const account = yield* executor.loadAccount(coinbase);
    memory.setWord(at.SCRATCH, wei);
    core.addBalance(account, at.SCRATCH);
  };
  for (const { number, coinbase } of uncles)
    yield* pay(coinbase.bytes, uncleReward(number, block.number, rules.blockReward));
  yield* pay(block.coinbase.bytes, ownReward(uncles.length, rules.blockReward));
}

/** Makes the writes of EIP-4788 and EIP-2935 before the first transaction. */
export function* writeSystemState(
  executor: Executor,
  fields: Pick<StartFields, 'parentHash' | 'parentBeaconBlockRoot'>,
): Run<void> {
  const { core } = executor;
  let code = core.writeSystemState();
  for (; code === halts.MISSING; code = core.writeSystemState()) yield* executor.fillMissing();
  if (code !== halts.OTHER_CODE) return;
  const contracts = [
    { contract: BEACON_CONTRACT, data: fields.parentBeaconBlockRoot },
    { contract: HISTORY_CONTRACT, data: fields.parentHash },
  ];
  for (const [i, { contract, data }] of contracts.entries()) {
    if (!executor.rules.hardfork.has(contract.eip)) continue;
    let written = core.writeSystemContract(i);
    for (; written === halts.MISSING; written = core.writeSystemContract(i)) yield* executor.fillMissing();
    // If the contract has other code than the EIP's, that code is called, as the EIP requires.
    if (written === halts.OTHER_CODE) yield* callIfThere(executor, contract, data);
  }
}

function* callIfThere(executor: Executor, contract: SystemContract, data: Uint8Array): Run<void> {
  const account = yield* executor.loadAccount(contract.address.bytes);
  executor.core.accessAccount(account);
  if (codeAt(executor, account, contract)) yield* executor.applySystemCall(contract.address.bytes, data);
}

/**
 * Computes the roots of the open block's lists, and its header, for a block without uncles: see {@link rootsOf}.
 * @param requests see {@link collectRequests}
 */
export function encodeHeader({ core, memory }: Executor, requests: readonly Uint8Array[] | undefined): void {
  memory.setU32(at.BLOCK_HAS_REQUESTS, Number(requests !== undefined));
  if (requests) memory.write(at.BLOCK_REQUESTS_HASH, requestsHash(requests));
  core.updateListRoots();
  core.encodeHeader();
}

/**
 * Returns the records of the block whose header {@link encodeHeader} has just made.
 * @param withdrawals the list of withdrawals in RLP
 * @returns `undefined` if the core doesn't have the signed encodings of all its transactions
 */
export function recordBlock(executor: Executor, withdrawals: Uint8Array): StoreRecords | undefined {
  const { core, memory, rules } = executor;
  const isEmpty = withdrawals.length === 1;
  const staged = isEmpty ? 0 : core.stage(withdrawals.length);
  if (!isEmpty) memory.write(staged, withdrawals);
  const size = core.recordBlock(staged, withdrawals.length);
  if (size === 0) return undefined;
  const count = 3 + Number(rules.hasAccessLists) + core.transactionCount();
  return {
    size,
    entries: copyRecords(executor, core.blockRecordsBase(), core.blockRecordsLength(), count),
  };
}

/** Makes the access list of the open block, in which all block access indexes have ended; `undefined` before EIP-7928. */
export function makeAccessList({ core, memory, rules }: Executor): BlockAccessList | undefined {
  if (!rules.hasAccessLists) return undefined;
  core.makeAccessList();
  return {
    hash: memory.bytes(at.BLOCK_ACCESS_LIST_HASH, 32),
    encoded: memory.bytes(core.accessListBase(), core.accessListLength()),
    items: core.accessListItems(),
  };
}

/** The hash, roots and bloom filter of the block whose header {@link encodeHeader} has just made. */
export function rootsOf({ memory }: Executor) {
  return {
    hash: memory.bytes(at.BLOCK_HASH, 32),
    transactionsRoot: memory.bytes(at.BLOCK_TRANSACTIONS_ROOT, 32),
    receiptsRoot: memory.bytes(at.BLOCK_RECEIPTS_ROOT, 32),
    logsBloom: memory.bytes(at.BLOCK_BLOOM, 256),
  };
}

function codeAt(
  { memory }: Executor,
  account: number,
  contract: SystemContract,
): 'standard' | 'other' | undefined {
  if (memory.u32(account + entry.CODE) === 0) return undefined;
  return equalsBytes(memory.view(account + entry.CODE_HASH, 32), contract.codeHash) ? 'standard' : 'other';
}

/**
 * EIP-4895: pays the withdrawals of the open block, and computes the root of their list.
 * @returns the list in RLP
 */
export function* payWithdrawals(executor: Executor, withdrawals: readonly Withdrawal[]): Run<Uint8Array> {
  const { core, memory } = executor;
  if (withdrawals.length === 0) {
    memory.write(at.BLOCK_WITHDRAWALS_ROOT, EMPTY_ROOT);
    return EMPTY_LIST;
  }
  const items = withdrawals.map(({ index, validatorIndex, address, amount }) =>
    encodeRlp([integerBytes(index), integerBytes(validatorIndex), address, integerBytes(amount)]),
  );
  const size = items.reduce((sum, { length }) => sum + length, 0);
  const offset = core.addInput(size);
  const list = core.stage(8 * items.length);
  let next = offset;
  for (const [i, item] of items.entries()) {
    memory.write(core.inputsBase() + next, item);
    memory.setU32(list + 8 * i, next);
    memory.setU32(list + 8 * i + 4, item.length);
    next += item.length;
  }
  core.inputsRoot(list, items.length, at.BLOCK_WITHDRAWALS_ROOT);
  core.dropInputs(offset);
  for (const { address, amount } of withdrawals) {
    const account = yield* executor.loadAccount(address);
    core.accessAccount(account);
    if (amount === 0n) continue;
    memory.setWord(at.SCRATCH, amount * GWEI);
    core.addBalance(account, at.SCRATCH);
  }
  return listOfItems(items);
}

/**
 * Collects the requests of the open block (EIP-7685), each as type byte ++ data, without the empty ones; `undefined` before Prague.
 * @throws Error when a system contract is missing or fails (EIP-7002, EIP-7251, EIP-8282)
 */
export function* collectRequests(
  executor: Executor,
  { receipts, depositContract }: RequestSources,
): Run<Uint8Array[] | undefined> {
  if (!executor.rules.hasRequests) return undefined;
  const deposits = depositRequests(receipts, depositContract);
  const { core } = executor;
  let found = core.findRequests();
  for (; found === halts.MISSING; found = core.findRequests()) yield* executor.fillMissing();
  if (found === halts.NONE && deposits.length === 0) return [];
  const requests = [deposits];
  for (const contract of REQUEST_CONTRACTS)
    if (executor.rules.hardfork.has(contract.eip)) requests.push(yield* dequeue(executor, contract));
  return requests.flatMap((data, type) => (data.length > 0 ? [concatBytes(Uint8Array.of(type), data)] : []));
}

function* dequeue(executor: Executor, contract: SystemContract): Run<Uint8Array> {
  const account = yield* executor.loadAccount(contract.address.bytes);
  const code = codeAt(executor, account, contract);
  const fail = (what: string) => new Error(`system contract ${what} ${contract.address}`);
  if (!code) throw fail('empty: no code at');
  yield* executor.loadSlots(account, QUEUE_SLOTS);
  // If the contract has never been used, its code would return nothing and change nothing.
  if (code === 'standard' && executor.core.isQueueEmpty(account)) return NO_DATA;
  const data = yield* executor.applySystemCall(contract.address.bytes, NO_DATA);
  if (!data) throw fail('failed:');
  return data;
}
