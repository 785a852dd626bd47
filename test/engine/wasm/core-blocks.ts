import { Address } from '@ethereumjs/util';
import * as at from '../../../src/core/memory/layout.ts';
import * as entry from '../../../src/core/state/entries.ts';
import {
  collectRequests,
  encodeHeader,
  makeAccessList,
  orRollBack,
  payWithdrawals,
  type RequestSources,
  rootsOf,
  writeSystemState,
} from '../../../src/engine/wasm/blocks.ts';
import type { Executor } from '../../../src/engine/wasm/executor.ts';
import { finished, type Run } from '../../../src/engine/wasm/run.ts';
import type {
  AncestorHashOf,
  Execution,
  ExecutorLog,
  Refusal,
  StartFields,
  Withdrawal,
} from '../../../src/engine/wasm/types.ts';
import { bloomOf } from '../../../src/protocol/bloom.ts';
import type { Message } from '../../../src/protocol/types.ts';

/** What ends a block. */
export interface BlockEnding extends Omit<RequestSources, 'receipts'> {
  readonly logs: readonly ExecutorLog[];
  readonly withdrawals: readonly Withdrawal[];
}

/** A block that was made in the core. */
export type SealedBlock = ReturnType<typeof sealBlock> extends Run<infer B> ? B : never;

/**
 * Opens a block: its fields, and what EIP-4788 and EIP-2935 write before the first transaction. When it throws, nothing is
 * written.
 */
export function* openBlock(executor: Executor, fields: StartFields, blockHash: AncestorHashOf): Run<void> {
  executor.core.startBlock(0);
  executor.setBlock(fields, blockHash);
  yield* orRollBack(executor, writeSystemState(executor, fields));
  executor.core.closeIndex();
}

/**
 * Adds a signed transaction to the open block.
 * @param raw EIP-2718 bytes, without blobs
 */
export function* add(executor: Executor, raw: Uint8Array): Run<Execution | Refusal> {
  return (yield* executor.include(raw, undefined)) ?? executor.result();
}

/**
 * Runs a message on the state as it is, and takes everything back.
 * @param exempt rules that don't apply: see `EXEMPT`
 */
export function* call(executor: Executor, message: Message, exempt: number): Run<Execution | Refusal> {
  const mark = executor.core.mark();
  try {
    return yield* finished(executor.apply(message, exempt));
  } finally {
    executor.core.revertTo(mark);
  }
}

/**
 * Ends the open block: withdrawals (EIP-4895), requests (EIP-7685), roots, header. When it throws, the block is still open.
 * @throws Error when a system contract is missing or fails (EIP-7002, EIP-7251): the block would be invalid
 */
export function* sealBlock(executor: Executor, ending: BlockEnding) {
  const sealed = yield* orRollBack(executor, seal(executor, ending));
  executor.core.closeBlock();
  return sealed;
}

function* seal(executor: Executor, ending: BlockEnding) {
  const { core, memory } = executor;
  core.beginIndex();
  yield* payWithdrawals(executor, ending.withdrawals);
  const logs = ending.logs.map((log) => ({ ...log, address: new Address(log.address) }));
  const sources = { ...ending, receipts: [{ logs, logsBloom: bloomOf(logs) }] };
  const requests = yield* collectRequests(executor, sources);
  core.closeIndex();
  const accessList = makeAccessList(executor);
  const stateRoot = yield* executor.fold();
  encodeHeader(executor, requests);
  const receipts = Array.from({ length: core.transactionCount() }, (_, i) => {
    const row = core.transactionsBase() + entry.TRANSACTION_SIZE * i;
    return memory.bytes(
      core.receiptAt(memory.u32(row + entry.RECEIPT)),
      memory.u32(row + entry.RECEIPT_LENGTH),
    );
  });
  return {
    ...rootsOf(executor),
    header: memory.bytes(core.headerBase(), core.headerSize()),
    stateRoot,
    gasUsed: core.headerGas(),
    accessList,
    blobGasUsed: memory.u64(at.BLOCK_BLOB_GAS_USED),
    receipts,
    ...(requests && { requests }),
  };
}

/** Takes back the newest block. @returns the state root */
export function undoBlock(executor: Executor): Run<Uint8Array> {
  executor.core.undoBlock();
  return executor.fold();
}
