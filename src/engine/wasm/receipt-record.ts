import { Address } from '@ethereumjs/util';
import * as at from '../../core/memory/layout.ts';
import { EMPTY_BLOOM } from '../../protocol/bloom.ts';
import type { CountedRun } from '../run-counts.ts';
import type { Included } from '../workspace.ts';
import type { Executor } from './executor.ts';

const NONE: readonly never[] = [];

/**
 * The record of the open block's last transaction, which has just got its receipt: see src/core/out/receipt-record.ts.
 * @param ran what the transaction ran; absent if that isn't counted
 */
export function recordReceipt(executor: Executor, ran: CountedRun | undefined): Included {
  const { core, memory } = executor;
  core.recordReceipt();
  const start = memory.u32(at.RECORD_RECEIPT);
  const consensus = memory.bytes(start, memory.u32(at.RECORD_RECEIPT_LENGTH));
  const stored = memory.bytes(memory.u32(at.RECORD_STORED), memory.u32(at.RECORD_STORED_LENGTH));
  const hasLogs = core.logsLength() > 0;
  const bloom = memory.u32(at.RECORD_BLOOM) - start;
  const terms = hasLogs ? logTerms(executor) : NONE;
  const logCount = hasLogs ? memory.u32(at.RECORD_LOGS) : 0;
  return {
    kind: 'included',
    from: addressAt(executor, at.TX_FROM),
    hash: memory.bytes(at.TX_HASH, 32),
    succeeded: executor.haltOf(memory.u32(at.RESULT_HALT)) === undefined,
    hasStatus: memory.u32(at.BLOCK_ROOTS_RECEIPTS) === 0,
    gasUsed: memory.u64(at.RESULT_GAS_USED),
    counted: executor.rules.hasStateGas ? executor.counted() : undefined,
    blobGasUsed: memory.u64(at.RESULT_BLOB_GAS),
    logsBloom: hasLogs ? consensus.subarray(bloom, bloom + EMPTY_BLOOM.length) : EMPTY_BLOOM,
    encodings: { stored, consensus, logCount, logTerms: terms },
    ran,
  };
}

/** Reads an address that is stored as a word. @param word pointer */
export function addressAt({ memory }: Pick<Executor, 'memory'>, word: number): Address {
  return new Address(memory.bytes(word, 20).reverse());
}

/** The distinct terms of the transaction's logs, for the log index. */
function logTerms({ core, memory }: Executor): readonly number[] {
  const terms = new Set<number>();
  const count = core.logTerms();
  const list = core.termsBase();
  for (let i = 0; i < count; i++) terms.add(memory.u32(list + 4 * i));
  return [...terms];
}
