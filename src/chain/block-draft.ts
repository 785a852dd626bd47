import type { Address } from '@ethereumjs/util';
import type { Engine } from '../engine/engine.ts';
import type { Accesses, BlockFinish } from '../engine/workspace.ts';
import { EMPTY_BLOOM } from '../protocol/bloom.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import type { BlockEnv, CountedGas } from '../protocol/types.ts';
import type { Header, Receipt, StoredItems, Transaction, Withdrawal } from './block.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas, type ParentHeader } from './fees.ts';
import { RootedList } from './rooted-list.ts';

/** Gas of a block without transactions. */
const NO_GAS: CountedGas = { execution: 0n, state: 0n };

/** The values that are fixed when a block is opened. */
export interface BlockPlan {
  /** seconds */
  readonly timestamp: bigint;
  readonly coinbase: Address;
  readonly gasLimit: bigint;
  readonly prevRandao: Uint8Array;
  readonly extraData: Uint8Array;
  /** wei per gas, overrides EIP-1559; without effect before London */
  readonly baseFeePerGas?: bigint;
  /** EIP-7843; absent = the parent's slot number plus one */
  readonly slotNumber?: bigint;
  /** EIP-4788; zero when unknown */
  readonly parentBeaconBlockRoot?: Uint8Array;
  /** EIP-4895 */
  readonly withdrawals?: readonly Withdrawal[];
  /** above 0 for a proof-of-work block, which gets a block reward; absent = 0 */
  readonly difficulty?: bigint;
  /** 8 bytes, for a proof-of-work block only; absent = zeros */
  readonly nonce?: Uint8Array;
  /** uncle headers; before the merge only */
  readonly uncles?: readonly Header[];
}

/** The parts of the parent block that a draft needs. */
export interface Parent {
  readonly hash: Uint8Array;
  readonly header: ParentHeader;
}

/** A block's content before it is sealed: the fields that were fixed when it was opened, and the transactions added so far. */
export interface BlockContent {
  readonly parent: Parent;
  readonly plan: BlockPlan;
  readonly hardfork: Hardfork;
  readonly env: BlockEnv;
  readonly excessBlobGas: bigint | undefined;
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  /** gas that the senders have paid for: the last receipt's cumulative gas. The header's `gasUsed` follows from `counted` instead. */
  readonly gasUsed: bigint;
  readonly counted: CountedGas;
  readonly blobGasUsed: bigint;
  /** EIP-7928: the accounts and slots accessed so far; absent before Amsterdam */
  readonly accesses?: Accesses | undefined;
  readonly storedItems?: StoredItems | undefined;
}

/** A block being built, without its state. Immutable. */
export interface BlockDraft extends BlockContent {
  /** size in bytes of the transactions in the block's RLP */
  readonly transactionBytes: number;
  readonly logsBloom: Uint8Array;
  readonly transactionList: RootedList;
  readonly receiptList: RootedList;
}

/** Fixes the header fields of the block after `parent`. @param hashOf hashes of the blocks before the parent */
export function draftBlock(
  parent: Parent,
  plan: BlockPlan,
  engine: Engine,
  hashOf: BlockEnv['blockHash'],
): BlockDraft {
  const number = parent.header.number + 1n;
  const hardfork = engine.schedule.at(number, plan.timestamp, plan.difficulty);
  const baseFeePerGas = baseFeeOf(plan, parent.header, hardfork);
  const excessBlobGas = nextExcessBlobGas(parent.header, hardfork);
  const blobFee = blobBaseFee(excessBlobGas, hardfork);
  const env: { -readonly [K in keyof BlockEnv]: BlockEnv[K] } = {
    number,
    timestamp: plan.timestamp,
    coinbase: plan.coinbase,
    gasLimit: plan.gasLimit,
    difficulty: plan.difficulty ?? 0n,
    prevRandao: plan.prevRandao,
    blockHash: (n) => (n === number - 1n ? parent.hash : hashOf(n)),
  };
  if (baseFeePerGas !== undefined) env.baseFeePerGas = baseFeePerGas;
  if (blobFee !== undefined) env.blobBaseFee = blobFee;
  if (hardfork.has(7843)) env.slotNumber = plan.slotNumber ?? nextSlot(parent.header);
  return {
    parent,
    plan,
    hardfork,
    env,
    excessBlobGas,
    transactions: [],
    receipts: [],
    gasUsed: 0n,
    counted: NO_GAS,
    blobGasUsed: 0n,
    logsBloom: EMPTY_BLOOM,
    transactionList: RootedList.EMPTY,
    receiptList: RootedList.EMPTY,
    transactionBytes: 0,
  };
}

/** EIP-7843: without a beacon chain, every slot has a block. */
function nextSlot({ slotNumber, number }: ParentHeader): bigint {
  return (slotNumber ?? number) + 1n;
}

/** The header's gas used (EIP-8037). */
export function headerGas({ execution, state }: CountedGas): bigint {
  return execution > state ? execution : state;
}

/** Base fee of the block after `parent`, in wei per gas: the plan's, or else as in EIP-1559; `undefined` before London. */
export function baseFeeOf(plan: BlockPlan, parent: ParentHeader, hardfork: Hardfork): bigint | undefined {
  if (!hardfork.has(1559)) return undefined;
  return plan.baseFeePerGas ?? nextBaseFee(parent, hardfork);
}

/** The data for the end-of-block processing. @param strict see {@link BlockFinish.strict} */
export function finishOf(
  { plan, hardfork, receipts, blobGasUsed }: BlockContent,
  { strict }: Pick<BlockFinish, 'strict'>,
): BlockFinish {
  return {
    withdrawals: withdrawalsOf({ plan, hardfork }) ?? [],
    uncles: plan.uncles ?? [],
    receipts,
    blobGasUsed,
    strict,
  };
}

/** The withdrawals of a block; `undefined` before Shanghai (EIP-4895). */
export function withdrawalsOf({ plan, hardfork }: Pick<BlockContent, 'plan' | 'hardfork'>) {
  return hardfork.has(4895) ? (plan.withdrawals ?? []) : undefined;
}
