import { DevnetError } from '../errors.ts';
import type { MadeBlock } from '../evm/block-maker.ts';
import type { Engine } from '../evm/engine.ts';
import { requestsHash } from '../evm/requests.ts';
import { addBalance } from '../evm/settlement.ts';
import type { SingleBlock } from '../evm/single-block.ts';
import { EMPTY_ROOT, ZERO_HASH } from '../state/account.ts';
import type { ChainState } from '../state/chain-state.ts';
import { keccak256 } from '../state/keccak.ts';
import { Overlay } from '../state/overlay.ts';
import { encodeRlp, headerSize } from '../state/rlp-items.ts';
import { Trie } from '../state/trie.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import type { Block, Header, Transaction, Withdrawal } from './block.ts';
import type { BlockContent, BlockDraft, OpenBlock } from './block-draft.ts';
import { EncodedBlock } from './encoded-block.ts';
import { encodeHeader, hashUncles, headerFields, NO_UNCLES, ZERO_NONCE } from './header.ts';
import { messagesRoot } from './messages-root.ts';
import { collectRequests } from './requests.ts';
import { payRewards } from './rewards.ts';
import { withdrawalFields } from './store/block-codec.ts';

const GWEI = 1_000_000_000n;

/** The data that sealing adds to a block. A member is absent when the block's hardfork lacks it. */
export interface BlockEnd {
  readonly withdrawals: readonly Withdrawal[] | undefined;
  /** EIP-7685: type byte ++ data each, without the empty ones */
  readonly requests: readonly Uint8Array[] | undefined;
}

/**
 * Seals the open block: adds its end and folds the state. The end is written to a scratch overlay, so the open block
 * can still be extended.
 * @param options.strict throws when a system contract is missing or fails, which makes a block invalid (EIP-7002,
 *   7251). Otherwise the block then has no requests: on devnet's own chain a dev write may have replaced the
 *   contract.
 */
export function sealBlock(
  open: OpenBlock,
  engine: Engine,
  { strict = false }: { strict?: boolean } = {},
): Awaitable<Block & { state: ChainState }> {
  const state = new Overlay(open.state);
  return andThen(endBlock(open, state, engine, { strict }), ({ withdrawals, requests }) =>
    andThen(engine.fold(open.state, state.writes()), (sealed) =>
      andThen(open.hardfork.rollup === 'jovian' ? messagesRoot(sealed) : undefined, (withdrawalsRoot) => {
        const block = assembleBlock(open, { withdrawals, requests, stateRoot: sealed.root, withdrawalsRoot });
        return Object.assign(block, { state: sealed });
      }),
    ),
  );
}

/**
 * Writes the end of a block to `state`: rewards of proof of work, withdrawals (EIP-4895), and the system calls that
 * collect requests (EIP-7685), in the order of the execution specs.
 * @param options.strict see {@link sealBlock}
 */
export function endBlock(
  draft: BlockDraft,
  state: Overlay,
  engine: Engine,
  { strict }: { strict: boolean },
): Awaitable<BlockEnd> {
  const { plan, hardfork, env } = draft;
  const rewarded = env.difficulty > 0n ? payRewards(env, plan.uncles ?? [], hardfork, state) : undefined;
  return andThen(rewarded, () => {
    const withdrawals = hardfork.has(4895) ? (plan.withdrawals ?? []) : undefined;
    const paid = withdrawals?.length ? payWithdrawals(withdrawals, state) : undefined;
    return andThen(paid, () =>
      andThen(hardfork.has(7685) ? requestsOf(draft, state, engine, strict) : undefined, (requests) => ({
        withdrawals,
        requests,
      })),
    );
  });
}

/** @param strict see {@link sealBlock} */
function requestsOf(
  { receipts, env }: BlockDraft,
  state: Overlay,
  engine: Engine,
  strict: boolean,
): Awaitable<readonly Uint8Array[]> {
  const calls = new Overlay(state);
  const keep = (requests: readonly Uint8Array[]) => {
    state.apply(calls.writes());
    return requests;
  };
  const fail = (error: unknown) => {
    // A DevnetError means that state of a forked chain couldn't be fetched: the block may well have requests.
    if (strict || error instanceof DevnetError) throw error;
    return [];
  };
  try {
    const requests = collectRequests(receipts, env, calls, engine);
    return requests instanceof Promise ? requests.then(keep).catch(fail) : keep(requests);
  } catch (error) {
    return fail(error);
  }
}

/** Assembles a block from its draft and its end. @param end.withdrawalsRoot default: that of the withdrawals */
export function assembleBlock(
  draft: BlockDraft,
  end: BlockEnd & { stateRoot: Uint8Array; withdrawalsRoot?: Uint8Array | undefined },
): Block {
  const { logsBloom, transactionList, receiptList } = draft;
  const { withdrawals, requests } = end;
  const header = headerOf(draft, {
    stateRoot: end.stateRoot,
    logsBloom,
    transactionsRoot: transactionList.root,
    receiptsRoot: receiptList.root,
    ...(withdrawals && { withdrawalsRoot: end.withdrawalsRoot ?? withdrawalsRoot(withdrawals) }),
    requests,
  });
  const encoded = encodeHeader(header);
  return blockOf(draft, header, { hash: keccak256(encoded), headerLength: encoded.length }, withdrawals);
}

/** Assembles a block that an engine has made whole. */
export function assembleMade(content: BlockContent, made: MadeBlock): Block {
  return blockOf(content, headerOf(content, made), made, content.plan.withdrawals ?? []);
}

/** Assembles a block that an engine has made in one step. */
export function assembleSingle(draft: BlockDraft, transaction: Transaction, made: SingleBlock): Block {
  const { parent, plan, hardfork, env, excessBlobGas } = draft;
  const { hash, size, gasUsed, receiptJson, succeeded, receipts } = made;
  const content = { parent, plan, hardfork, env, gasUsed, blobGasUsed: 0n, excessBlobGas };
  return new EncodedBlock(transaction, {
    header: headerOf(content, made),
    hash,
    size,
    receipts,
    receiptJson,
    succeeded,
  });
}

/** The one place where a header is put together. */
function headerOf(
  {
    parent,
    plan,
    hardfork,
    env,
    gasUsed,
    blobGasUsed,
    excessBlobGas,
  }: Omit<BlockContent, 'transactions' | 'receipts' | 'transactionBytes'>,
  roots: Pick<MadeBlock, 'stateRoot' | 'transactionsRoot' | 'receiptsRoot' | 'logsBloom' | 'requests'> & {
    readonly withdrawalsRoot?: Uint8Array;
  },
): Header {
  const { uncles = [] } = plan;
  const header: { -readonly [K in keyof Header]: Header[K] } = {
    parentHash: parent.hash,
    unclesHash: uncles.length === 0 ? NO_UNCLES : hashUncles(uncles),
    coinbase: env.coinbase,
    stateRoot: roots.stateRoot,
    transactionsRoot: roots.transactionsRoot,
    receiptsRoot: roots.receiptsRoot,
    logsBloom: roots.logsBloom,
    difficulty: env.difficulty,
    number: env.number,
    gasLimit: env.gasLimit,
    gasUsed,
    timestamp: env.timestamp,
    extraData: plan.extraData,
    mixHash: env.prevRandao,
    nonce: plan.nonce ?? ZERO_NONCE,
  };
  if (env.baseFeePerGas !== undefined) header.baseFeePerGas = env.baseFeePerGas;
  if (roots.withdrawalsRoot) header.withdrawalsRoot = roots.withdrawalsRoot;
  if (excessBlobGas !== undefined) {
    header.blobGasUsed = blobGasUsed;
    header.excessBlobGas = excessBlobGas;
  }
  if (hardfork.has(4788)) header.parentBeaconBlockRoot = plan.parentBeaconBlockRoot ?? ZERO_HASH;
  if (roots.requests) header.requestsHash = requestsHash(roots.requests);
  return header;
}

function blockOf(
  { plan, transactions, receipts, transactionBytes, storedItems }: BlockContent,
  header: Header,
  { hash, headerLength }: Pick<MadeBlock, 'hash' | 'headerLength'>,
  withdrawals: readonly Withdrawal[] | undefined,
): Block {
  const { uncles = [] } = plan;
  const uncleBytes = uncles.length === 0 ? 1 : encodeRlp(uncles.map(headerFields)).length;
  const withdrawalBytes = withdrawals?.length
    ? encodeRlp(withdrawals.map(withdrawalFields)).length
    : Number(withdrawals !== undefined);
  const size = rlpLength(headerLength + rlpLength(transactionBytes) + uncleBytes + withdrawalBytes);
  const block = { header, hash, size, transactions, receipts, uncles, storedItems };
  return withdrawals ? Object.assign(block, { withdrawals }) : block;
}

/** EIP-4895: amounts are in gwei. A withdrawal of 0 creates no account. */
async function payWithdrawals(withdrawals: readonly Withdrawal[], state: Overlay): Promise<void> {
  for (const { address, amount } of withdrawals)
    if (amount > 0n) await addBalance(state, address, amount * GWEI);
}

/** EIP-4895 */
export function withdrawalsRoot(withdrawals: readonly Withdrawal[]): Uint8Array {
  return withdrawals.length === 0
    ? EMPTY_ROOT
    : Trie.rootOfList(withdrawals.map((w) => encodeRlp(withdrawalFields(w))));
}

/** Size in bytes of the transactions as items of a block's RLP. */
export function bytesOf(transactions: readonly Transaction[]): number {
  return transactions.reduce(
    (sum, { raw, tx }) => sum + (tx.type === 0 ? raw.length : rlpLength(raw.length)),
    0,
  );
}

/** Size in bytes of an RLP list or string with this payload length (more than 1). */
function rlpLength(payload: number): number {
  return headerSize(payload) + payload;
}
