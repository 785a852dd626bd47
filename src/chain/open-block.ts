import { type Address, intToBytes } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { Engine } from '../evm/engine.ts';
import type { Fork } from '../evm/fork.ts';
import type { BlockEnv } from '../evm/types.ts';
import { NEW_ACCOUNT } from '../state/account.ts';
import type { ChainState } from '../state/chain-state.ts';
import { integerBytes } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import { Overlay } from '../state/overlay.ts';
import { encodeRlp } from '../state/rlp-items.ts';
import { Trie } from '../state/trie.ts';
import type { StateView, StateWrites } from '../state/view.ts';
import type { Block, BlockView, Header, Receipt, Transaction, Withdrawal } from './block.ts';
import { EMPTY_BLOOM, mergeBlooms } from './bloom.ts';
import { applyDaoFork } from './dao-fork.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from './fees.ts';
import { encodeHeader, hashUncles, headerFields } from './header.ts';
import { collectRequests, requestsHash } from './requests.ts';
import { payRewards } from './rewards.ts';
import { encodeReceipt, withdrawalFields } from './store/block-codec.ts';
import { writeSystemState } from './system-state.ts';

export const ZERO_HASH = new Uint8Array(32);
const ZERO_NONCE = new Uint8Array(8);
/** keccak256(rlp([])) */
export const NO_UNCLES = keccak256(encodeRlp([]));
const GWEI = 1_000_000_000n;

/** A block that others are built on. */
export interface TrieBlock extends BlockView {
  readonly state: ChainState;
}

/** What is decided when a block is opened and stays. */
export interface BlockPlan {
  /** seconds */
  readonly timestamp: bigint;
  readonly coinbase: Address;
  readonly gasLimit: bigint;
  readonly prevRandao: Uint8Array;
  readonly extraData: Uint8Array;
  /** wei per gas, instead of what EIP-1559 says */
  readonly baseFeePerGas?: bigint;
  /** EIP-4788; zero where nothing else is known */
  readonly parentBeaconBlockRoot?: Uint8Array;
  /** EIP-4895 */
  readonly withdrawals?: readonly Withdrawal[];
  /** of a block of proof of work, which is rewarded; absent = 0 */
  readonly difficulty?: bigint;
  /** 8 bytes of a block of proof of work; absent = zeros */
  readonly nonce?: Uint8Array;
  /** before the merge */
  readonly uncles?: readonly Header[];
}

/** A block being built: an immutable value, `append` makes the next one. */
export interface OpenBlock {
  readonly parent: BlockView;
  readonly plan: BlockPlan;
  readonly fork: Fork;
  readonly env: BlockEnv;
  readonly excessBlobGas: bigint | undefined;
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
  readonly logsBloom: Uint8Array;
  /** after the transactions; withdrawals and requests, which end a block, are not in it */
  readonly state: ChainState;
  readonly transactionTrie: Trie;
  readonly receiptTrie: Trie;
  /** bytes of the transactions in the block's RLP */
  readonly transactionBytes: number;
}

/** What a block is before its state is: all that opening it fixes, and no transactions. */
export type Frame = Omit<OpenBlock, 'state'>;

/** Fixes the header fields of the block after `parent`. */
export function frameOf(
  parent: BlockView,
  plan: BlockPlan,
  engine: Engine,
  hashOf: BlockEnv['blockHash'],
): Frame {
  const number = parent.header.number + 1n;
  const fork = engine.schedule.at(number, plan.timestamp, plan.difficulty);
  const baseFeePerGas = plan.baseFeePerGas ?? nextBaseFee(parent.header, fork);
  const excessBlobGas = nextExcessBlobGas(parent.header, fork);
  const blobFee = blobBaseFee(excessBlobGas, fork);
  const env: BlockEnv = {
    number,
    timestamp: plan.timestamp,
    coinbase: plan.coinbase,
    gasLimit: plan.gasLimit,
    difficulty: plan.difficulty ?? 0n,
    prevRandao: plan.prevRandao,
    ...(baseFeePerGas !== undefined && { baseFeePerGas }),
    ...(blobFee !== undefined && { blobBaseFee: blobFee }),
    blockHash: (n) => (n === number - 1n ? parent.hash : hashOf(n)),
  };
  return {
    parent,
    plan,
    fork,
    env,
    excessBlobGas,
    transactions: [],
    receipts: [],
    gasUsed: 0n,
    blobGasUsed: 0n,
    logsBloom: EMPTY_BLOOM,
    transactionTrie: Trie.empty(),
    receiptTrie: Trie.empty(),
    transactionBytes: 0,
  };
}

/** Opens the block after `parent`: fixes its header fields and makes the calls that start a block. */
export async function openBlock(
  parent: TrieBlock,
  plan: BlockPlan,
  engine: Engine,
  hashOf: BlockEnv['blockHash'],
): Promise<OpenBlock> {
  const frame = frameOf(parent, plan, engine, hashOf);
  const { env } = frame;
  const start = new Overlay(parent.state);
  const { daoFork } = engine.schedule;
  if (daoFork?.supported && env.number === daoFork.block) await applyDaoFork(start);
  const beaconRoot = plan.parentBeaconBlockRoot ?? ZERO_HASH;
  await writeSystemState({ hash: parent.hash, number: parent.header.number }, beaconRoot, env, start, engine);
  return { ...frame, state: parent.state.fold(start.writes()) };
}

/** Appends executed transactions with their receipts and folds what they wrote. */
export function append(
  open: OpenBlock,
  transactions: readonly Transaction[],
  receipts: readonly Receipt[],
  writes: StateWrites,
): OpenBlock {
  const first = open.transactions.length;
  const key = (i: number) => encodeRlp(integerBytes(BigInt(first + i)));
  const transactionBytes = open.transactionBytes + bytesOf(transactions);
  return {
    ...open,
    transactions: [...open.transactions, ...transactions],
    receipts: [...open.receipts, ...receipts],
    gasUsed: receipts.at(-1)?.cumulativeGasUsed ?? open.gasUsed,
    blobGasUsed: receipts.reduce((sum, receipt) => sum + (receipt.blobGasUsed ?? 0n), open.blobGasUsed),
    logsBloom: mergeBlooms([open.logsBloom, ...receipts.map((receipt) => receipt.logsBloom)]),
    state: open.state.fold(writes),
    transactionTrie: open.transactionTrie.update(transactions.map(({ raw }, i) => [key(i), raw])),
    receiptTrie: open.receiptTrie.update(receipts.map((receipt, i) => [key(i), encodeReceipt(receipt)])),
    transactionBytes,
  };
}

/** Folds a dev write into the block being built. */
export function patch(open: OpenBlock, writes: StateWrites): OpenBlock {
  return { ...open, state: open.state.fold(writes) };
}

/**
 * The block as if it were sealed now. Withdrawals and request calls, which end a block, run on a scratch overlay, so
 * the open block can go on.
 * @param options.strict throws where a system contract is missing or fails, which makes a block invalid (EIP-7002, 7251).
 *   Without it the block has no requests then: on our own chain a dev write may have replaced the contract.
 */
export async function asSealed(
  open: OpenBlock,
  engine: Engine,
  { strict = false }: { strict?: boolean } = {},
): Promise<Block & { state: ChainState }> {
  const { plan, fork, env } = open;
  const { uncles = [] } = plan;
  let { state } = open;
  if (env.difficulty > 0n) {
    const end = new Overlay(state);
    await payRewards(env, uncles, fork, end);
    state = state.fold(end.writes());
  }
  const withdrawals = fork.has(4895) ? (plan.withdrawals ?? []) : undefined;
  if (withdrawals?.length) state = state.fold(await payWithdrawals(withdrawals, state));
  let requests: Uint8Array[] | undefined;
  if (fork.has(7685)) {
    const end = new Overlay(state);
    try {
      requests = await collectRequests(open.receipts, env, end, engine);
      state = state.fold(end.writes());
    } catch (error) {
      // What couldn't be fetched of a forked chain is another matter: it may well have requests.
      if (strict || error instanceof DevnetError) throw error;
      requests = [];
    }
  }
  return { ...sealedBlock(open, { stateRoot: state.root, withdrawals, requests }), state };
}

/** The block, of what is in it and what came of that. @param end what the block's fork doesn't know is absent */
export function sealedBlock(
  open: Frame,
  end: {
    stateRoot: Uint8Array;
    withdrawals: readonly Withdrawal[] | undefined;
    requests: readonly Uint8Array[] | undefined;
  },
): Block {
  const { parent, plan, fork, env } = open;
  const { uncles = [] } = plan;
  const { stateRoot, withdrawals, requests } = end;
  const header: Header = {
    parentHash: parent.hash,
    unclesHash: uncles.length === 0 ? NO_UNCLES : hashUncles(uncles),
    coinbase: plan.coinbase,
    stateRoot,
    transactionsRoot: open.transactionTrie.root,
    receiptsRoot: open.receiptTrie.root,
    logsBloom: open.logsBloom,
    difficulty: env.difficulty,
    number: env.number,
    gasLimit: plan.gasLimit,
    gasUsed: open.gasUsed,
    timestamp: plan.timestamp,
    extraData: plan.extraData,
    mixHash: plan.prevRandao,
    nonce: plan.nonce ?? ZERO_NONCE,
    ...(env.baseFeePerGas !== undefined && { baseFeePerGas: env.baseFeePerGas }),
    ...(withdrawals && { withdrawalsRoot: withdrawalsRoot(withdrawals) }),
    ...(open.excessBlobGas !== undefined && {
      blobGasUsed: open.blobGasUsed,
      excessBlobGas: open.excessBlobGas,
    }),
    ...(fork.has(4788) && { parentBeaconBlockRoot: plan.parentBeaconBlockRoot ?? ZERO_HASH }),
    ...(requests && { requestsHash: requestsHash(requests) }),
  };
  return {
    header,
    ...hashAndSize(header, open.transactionBytes, withdrawals, uncles),
    transactions: open.transactions,
    receipts: open.receipts,
    ...(withdrawals && { withdrawals }),
    uncles,
  };
}

/** EIP-4895: amounts are gwei. An account that ends up empty disappears. */
export async function payWithdrawals(
  withdrawals: readonly Withdrawal[],
  state: StateView,
): Promise<StateWrites> {
  const overlay = new Overlay(state);
  for (const { address, amount } of withdrawals) {
    const account = (await overlay.getAccount(address)) ?? NEW_ACCOUNT;
    if (amount > 0n) overlay.setAccount(address, { ...account, balance: account.balance + amount * GWEI });
  }
  return overlay.writes();
}

/** EIP-4895 */
export function withdrawalsRoot(withdrawals: readonly Withdrawal[]): Uint8Array {
  return Trie.rootOfList(withdrawals.map((w) => encodeRlp(withdrawalFields(w))));
}

/** Bytes of transactions as items of a block's RLP. */
export function bytesOf(transactions: readonly Transaction[]): number {
  return transactions.reduce(
    (sum, { raw, tx }) => sum + (tx.type === 0 ? raw.length : rlpLength(raw.length)),
    0,
  );
}

/** A block's hash, and the bytes of its RLP: header, transactions, uncles, withdrawals. */
export function hashAndSize(
  header: Header,
  transactionBytes: number,
  withdrawals: readonly Withdrawal[] | undefined,
  uncles: readonly Header[] = [],
): { hash: Uint8Array; size: number } {
  const encoded = encodeHeader(header);
  const uncleBytes = uncles.length === 0 ? 1 : encodeRlp(uncles.map(headerFields)).length;
  const withdrawalBytes = withdrawals ? encodeRlp(withdrawals.map(withdrawalFields)).length : 0;
  const payload = encoded.length + rlpLength(transactionBytes) + uncleBytes + withdrawalBytes;
  return { hash: keccak256(encoded), size: rlpLength(payload) };
}

/** Bytes of an RLP list or string of `payload` bytes (more than one). */
function rlpLength(payload: number): number {
  return payload < 56 ? 1 + payload : 1 + intToBytes(payload).length + payload;
}
