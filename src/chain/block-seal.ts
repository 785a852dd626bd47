import type { AccessListMade, MadeBlock, MadeHeader } from '../engine/block-maker.ts';
import { typeOf } from '../engine/message.ts';
import { requestsHash } from '../protocol/requests.ts';
import { EMPTY_ROOT, ZERO_HASH } from '../state/account.ts';
import { keccak256 } from '../state/keccak.ts';
import { encodeRlp, headerSize } from '../state/rlp-items.ts';
import { Trie } from '../state/trie.ts';
import type { Block, Header, Transaction, Withdrawal } from './block.ts';
import { type BlockContent, type BlockDraft, headerGas, withdrawalsOf } from './block-draft.ts';
import { encodeHeader, hashUncles, headerFields, NO_UNCLES, ZERO_NONCE } from './header.ts';
import { withdrawalFields } from './store/block-codec.ts';

/** Assembles a sealed block whose header the engine has made. */
export function assembleMade(
  content: BlockContent,
  made: MadeBlock & { readonly header: MadeHeader },
): Block {
  const withdrawals = withdrawalsOf(content);
  const header = headerOf(metered(content), { ...made, ...made.header });
  return blockOf(content, header, made.header, withdrawals, made.accessList);
}

/** Assembles a sealed block from its lists. */
export function assembleBlock(draft: BlockDraft, made: MadeBlock): Block {
  const { logsBloom, transactionList, receiptList } = draft;
  const withdrawals = withdrawalsOf(draft);
  const header = headerOf(metered(draft), {
    stateRoot: made.stateRoot,
    logsBloom,
    transactionsRoot: transactionList.root,
    receiptsRoot: receiptList.root,
    withdrawalsRoot: withdrawals && (made.withdrawalsRoot ?? withdrawalsRoot(withdrawals)),
    requests: made.requests,
    accessList: made.accessList,
  });
  const encoded = encodeHeader(header);
  return blockOf(draft, header, { hash: keccak256(encoded), encoded }, withdrawals, made.accessList);
}

/** What a header is put together from, with its own gas used. */
function metered(content: BlockContent): BlockContent {
  return { ...content, gasUsed: headerGas(content.counted) };
}

/** The one place where a header is put together. @param content with the gas used of the header */
function headerOf(
  {
    parent,
    plan,
    hardfork,
    env,
    gasUsed,
    blobGasUsed,
    excessBlobGas,
  }: Omit<BlockContent, 'transactions' | 'receipts' | 'transactionBytes' | 'counted'>,
  roots: Omit<MadeBlock, 'header'> & Omit<MadeHeader, 'hash' | 'encoded'>,
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
  if (roots.accessList) header.blockAccessListHash = roots.accessList.hash;
  if (env.slotNumber !== undefined) header.slotNumber = env.slotNumber;
  return header;
}

function blockOf(
  { plan, transactions, receipts, transactionBytes, storedItems }: BlockContent,
  header: Header,
  { hash, encoded }: Pick<MadeHeader, 'hash' | 'encoded'>,
  withdrawals: readonly Withdrawal[] | undefined,
  accessList: AccessListMade | undefined,
): Block {
  const { uncles = [] } = plan;
  const uncleBytes = uncles.length === 0 ? 1 : encodeRlp(uncles.map(headerFields)).length;
  const withdrawalBytes = withdrawals?.length
    ? encodeRlp(withdrawals.map(withdrawalFields)).length
    : Number(withdrawals !== undefined);
  const size = rlpLength(encoded.length + rlpLength(transactionBytes) + uncleBytes + withdrawalBytes);
  const block: { -readonly [K in keyof Block]: Block[K] } = {
    header,
    encodedHeader: encoded,
    hash,
    size,
    transactions,
    receipts,
    uncles,
    storedItems,
  };
  if (withdrawals) block.withdrawals = withdrawals;
  if (accessList) block.accessList = accessList.encoded;
  return block;
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
    (sum, { raw }) => sum + (typeOf(raw) === 0 ? raw.length : rlpLength(raw.length)),
    0,
  );
}

/** Size in bytes of an RLP list or string with this payload length (more than 1). */
function rlpLength(payload: number): number {
  return headerSize(payload) + payload;
}
