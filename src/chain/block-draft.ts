import type { Address } from '@ethereumjs/util';
import type { Engine } from '../evm/engine.ts';
import type { Hardfork } from '../evm/hardfork.ts';
import type { BlockEnv } from '../evm/types.ts';
import { ZERO_HASH } from '../state/account.ts';
import type { ChainState } from '../state/chain-state.ts';
import { Overlay } from '../state/overlay.ts';
import { type Awaitable, andThen, type StateWrites } from '../state/view.ts';
import type { Header, Receipt, StoredItems, Transaction, TrieBlock, Withdrawal } from './block.ts';
import { EMPTY_BLOOM } from './bloom.ts';
import { applyDaoFork } from './dao-fork.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas, type ParentHeader } from './fees.ts';
import { RootedList } from './rooted-list.ts';
import { writeSystemState } from './system-state.ts';

/** The values that are decided when a block is opened and don't change afterwards. */
export interface BlockPlan {
  /** seconds */
  readonly timestamp: bigint;
  readonly coinbase: Address;
  readonly gasLimit: bigint;
  readonly prevRandao: Uint8Array;
  readonly extraData: Uint8Array;
  /** wei per gas, overrides EIP-1559 */
  readonly baseFeePerGas?: bigint;
  /** EIP-4788; zero when unknown */
  readonly parentBeaconBlockRoot?: Uint8Array;
  /** EIP-4895 */
  readonly withdrawals?: readonly Withdrawal[];
  /** above 0 for a block of proof of work, which is rewarded; absent = 0 */
  readonly difficulty?: bigint;
  /** 8 bytes, only for a block of proof of work; absent = zeros */
  readonly nonce?: Uint8Array;
  /** uncle headers; before the merge only */
  readonly uncles?: readonly Header[];
}

/** What a draft needs of its parent block. */
export interface Parent {
  readonly hash: Uint8Array;
  readonly header: ParentHeader;
}

/** What a block consists of before it is sealed: the fields fixed by opening it and what was added so far. */
export interface BlockContent {
  readonly parent: Parent;
  readonly plan: BlockPlan;
  readonly hardfork: Hardfork;
  readonly env: BlockEnv;
  readonly excessBlobGas: bigint | undefined;
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
  /** size in bytes of the transactions in the block's RLP */
  readonly transactionBytes: number;
  readonly storedItems?: StoredItems | undefined;
}

/** A block being built, without its state. Immutable. */
export interface BlockDraft extends BlockContent {
  readonly logsBloom: Uint8Array;
  readonly transactionList: RootedList;
  readonly receiptList: RootedList;
}

/** A block being built on the state of its parent. */
export interface OpenBlock extends BlockDraft {
  /** after the transactions, without withdrawals and requests, which are applied when the block is sealed */
  readonly state: ChainState;
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
  const baseFeePerGas = plan.baseFeePerGas ?? nextBaseFee(parent.header, hardfork);
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
  return {
    parent,
    plan,
    hardfork,
    env,
    excessBlobGas,
    transactions: [],
    receipts: [],
    gasUsed: 0n,
    blobGasUsed: 0n,
    logsBloom: EMPTY_BLOOM,
    transactionList: RootedList.EMPTY,
    receiptList: RootedList.EMPTY,
    transactionBytes: 0,
  };
}

/** Opens the block after `parent`: fixes its header fields and makes the system calls at the start of a block. */
export function openBlock(
  parent: TrieBlock,
  plan: BlockPlan,
  engine: Engine,
  hashOf: BlockEnv['blockHash'],
): Awaitable<OpenBlock> {
  const draft = draftBlock(parent, plan, engine, hashOf);
  const { env } = draft;
  const start = new Overlay(parent.state);
  const { daoFork } = engine.schedule;
  const isDaoFork = daoFork?.supported && env.number === daoFork.block;
  const before = { hash: parent.hash, number: parent.header.number };
  const beaconRoot = plan.parentBeaconBlockRoot ?? ZERO_HASH;
  const written = andThen(isDaoFork ? applyDaoFork(start) : undefined, () =>
    writeSystemState(before, beaconRoot, env, start, engine),
  );
  return andThen(written, () => Object.assign(draft, { state: parent.state.fold(start.writes()) }));
}

/** Folds a dev write (`anvil_setBalance` and the like) into the block being built. */
export function patchBlock(open: OpenBlock, writes: StateWrites): OpenBlock {
  return { ...open, state: open.state.fold(writes) };
}
