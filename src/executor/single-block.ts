import { Address } from '@ethereumjs/util';
import * as halts from '../core/memory/halts.ts';
import * as at from '../core/memory/layout.ts';
import { EMPTY_BLOOM } from '../evm/bloom.ts';
import { isConsole } from '../evm/console-log.ts';
import { NO_REQUESTS } from '../evm/requests.ts';
import type { SentTransaction, SingleBlock, SingleTransaction } from '../evm/single-block.ts';
import type { BlockEnv } from '../evm/types.ts';
import { EMPTY_ROOT } from '../state/account.ts';
import { EncodedEntries } from '../state/encoded-entries.ts';
import type { StateWrites } from '../state/view.ts';
import { makeAccessList, moveDaoBalances, payRewards, rootReceipt, writeSystemState } from './blocks.ts';
import type { Executor } from './executor.ts';
import { exemptionsOf } from './outcome.ts';
import { logTerms } from './receipt-record.ts';
import type { ExecutorRules } from './rules.ts';
import type { Run } from './run.ts';
import type { StateTables } from './state-tables.ts';
import type { BlockFields, BlockHashOf } from './types.ts';

/** Bytes of logs up to which a receipt is written as JSON. */
const MOST_LOGS = 2 ** 14;
const NONE: readonly never[] = [];

export interface SingleBlockOptions {
  readonly fields: BlockFields;
  readonly hashOf: BlockHashOf;
  readonly rules: ExecutorRules;
  readonly env: BlockEnv;
  /** whether it is the block of the DAO fork, on a chain that has it (EIP-779) */
  readonly isDaoFork: boolean;
  /** whether calls of the console contract are reported */
  readonly watchesConsole: boolean;
  /** EIP-6110, 20 bytes */
  readonly depositContract: Uint8Array;
}

/** What the core has made, see src/core/out/block-record.ts. */
export interface MadeSingle {
  /** all but its state, which is set later */
  readonly made: Omit<SingleBlock, 'state'> & { state: SingleBlock['state'] | undefined };
  readonly writes: StateWrites;
}

/**
 * Makes a block of one transaction, or of none, on the state that the tables hold, whose tries they follow.
 * @returns `undefined` when that can't be done in one step; what was written is then to be taken back
 */
export function* makeSingleBlock(
  tables: StateTables,
  transaction: SingleTransaction | undefined,
  { fields, hashOf, rules: forkRules, env, isDaoFork, watchesConsole, depositContract }: SingleBlockOptions,
): Run<MadeSingle | undefined> {
  const { executor } = tables;
  const { core, memory } = executor;
  const start = executor.mark();
  core.startBlock(0);
  executor.useRules(forkRules);
  executor.watchConsole(watchesConsole);
  executor.setBlock(fields, hashOf);
  memory.setU32(at.BLOCK_ROOTS_RECEIPTS, Number(!forkRules.hasStatus));
  if (isDaoFork) yield* moveDaoBalances(executor);
  yield* writeSystemState(executor, fields);
  core.closeIndex();
  if (transaction) {
    const { raw, from, rules } = transaction;
    const refusal = yield* executor.include(raw, from?.bytes, exemptionsOf(rules));
    if (refusal) return undefined;
    if (!forkRules.hasStatus) yield* rootReceipt(executor);
    // What a transaction itself sends to the console isn't reported.
    if (watchesConsole && isConsole(addressAt(executor, at.TX_TO))) return undefined;
  }
  core.beginIndex();
  if (env.difficulty > 0n) yield* payRewards(executor, env, NONE);
  const { prague } = forkRules;
  if (prague) {
    let found = core.findRequests();
    for (; found === halts.MISSING; found = core.findRequests()) yield* executor.fillMissing();
    if (found !== halts.NONE) return undefined;
    if (transaction && core.hasLogOf(executor.account(depositContract))) return undefined;
  }
  core.closeIndex();
  const accessList = makeAccessList(executor);
  const { root, writes } = yield* tables.foldSince(start);
  memory.setU32(at.BLOCK_HAS_REQUESTS, Number(prague));
  if (prague) memory.write(at.BLOCK_REQUESTS_HASH, NO_REQUESTS);
  return { made: { ...sealSingle(tables, root, transaction !== undefined), accessList }, writes };
}

function sealSingle(
  { executor }: StateTables,
  stateRoot: Uint8Array,
  hasTransaction: boolean,
): MadeSingle['made'] {
  const { core, memory } = executor;
  const size = core.sealSingle();
  const hasLogs = hasTransaction && core.logsLength() > 0;
  return {
    sent: hasTransaction ? sentTransaction(executor) : undefined,
    hash: memory.bytes(at.BLOCK_HASH, 32),
    stateRoot,
    transactionsRoot: memory.bytes(at.BLOCK_TRANSACTIONS_ROOT, 32),
    receiptsRoot: memory.bytes(at.BLOCK_RECEIPTS_ROOT, 32),
    withdrawalsRoot: executor.rules.hasWithdrawals ? EMPTY_ROOT : undefined,
    logsBloom: hasLogs ? memory.bytes(at.BLOCK_BLOOM, 256) : EMPTY_BLOOM,
    requests: executor.rules.prague ? NONE : undefined,
    gasUsed: core.headerGas(),
    size,
    state: undefined,
    receipts: memory.bytes(core.storedReceiptsBase(), core.storedReceiptsLength()),
    entries: new EncodedEntries(
      memory.view(core.unstoredBase(), core.unstoredLength()),
      core.unstoredCount(),
    ),
    logTerms: hasLogs ? logTerms(executor) : NONE,
  };
}

function sentTransaction(executor: Executor): SentTransaction {
  const { memory } = executor;
  return {
    from: addressAt(executor, at.TX_FROM),
    hash: memory.bytes(at.TX_HASH, 32),
    receiptJson: receiptJson(executor),
    succeeded: executor.haltOf(memory.u32(at.RESULT_HALT)) === undefined,
  };
}

/** @param word where an address lies as a word */
function addressAt({ memory }: Executor, word: number): Address {
  return new Address(memory.bytes(word, 20).reverse());
}

/** @returns `undefined` for a receipt with so many logs that it would take much memory as long as the block is at hand */
function receiptJson({ core, memory }: Executor): string | undefined {
  if (core.logsLength() > MOST_LOGS) return undefined;
  const length = core.writeReceipt();
  return memory.text(core.receiptBase(), length, 'latin1');
}
