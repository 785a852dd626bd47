import { typeOf } from '../engine/message.ts';
import type { MadeBlock, MadeHeader } from '../engine/workspace.ts';
import { requestsHash } from '../protocol/requests.ts';
import { EMPTY_ROOT, ZERO_HASH } from '../state/account.ts';
import { keccak256 } from '../state/keccak.ts';
import { encodeRlp, headerSize } from '../state/rlp-items.ts';
import { Trie } from '../state/trie.ts';
import type { Block, Header, Transaction, Withdrawal } from './block.ts';
import { type BlockContent, type BlockDraft, headerGas, withdrawalsOf } from './block-draft.ts';
import { encodeHeader, hashUncles, headerFields, NO_UNCLES, ZERO_NONCE } from './header.ts';
import { withdrawalFields } from './store/block-codec.ts';

/** Assembles a sealed block from a header that the engine has made. */
export function assembleMade(content: BlockContent, made: MadeBlock, ends: MadeHeader): Block {
  const { hash, encoded } = ends;
  const header = headerOf(content, made, ends, made.withdrawalsRoot);
  const size =
    made.records?.size ?? sizeOf(content, encoded ?? encodeHeader(header), bytesOf(content.transactions));
  return blockOf(content, { header, encodedHeader: encoded, hash, size }, made);
}

/** Assembles a sealed block, and computes its header from the draft's lists. */
export function assembleBlock(draft: BlockDraft, made: MadeBlock): Block {
  const { logsBloom, transactionList, receiptList } = draft;
  const withdrawals = withdrawalsOf(draft);
  const roots = { logsBloom, transactionsRoot: transactionList.root, receiptsRoot: receiptList.root };
  const ofWithdrawals = withdrawals && (made.withdrawalsRoot ?? withdrawalsRoot(withdrawals));
  const header = headerOf(draft, made, roots, ofWithdrawals);
  const encodedHeader = encodeHeader(header);
  const size = sizeOf(draft, encodedHeader, draft.transactionBytes);
  return blockOf(draft, { header, encodedHeader, hash: keccak256(encodedHeader), size }, made);
}

/** The only function that builds a header. */
function headerOf(
  { parent, plan, hardfork, env, counted, blobGasUsed, excessBlobGas }: BlockContent,
  { stateRoot, requests, accessList }: MadeBlock,
  { logsBloom, transactionsRoot, receiptsRoot }: Omit<MadeHeader, 'hash' | 'encoded'>,
  withdrawalsRoot: Uint8Array | undefined,
): Header {
  const { uncles = [] } = plan;
  const header: { -readonly [K in keyof Header]: Header[K] } = {
    parentHash: parent.hash,
    unclesHash: uncles.length === 0 ? NO_UNCLES : hashUncles(uncles),
    coinbase: env.coinbase,
    stateRoot,
    transactionsRoot,
    receiptsRoot,
    logsBloom,
    difficulty: env.difficulty,
    number: env.number,
    gasLimit: env.gasLimit,
    gasUsed: headerGas(counted),
    timestamp: env.timestamp,
    extraData: plan.extraData,
    mixHash: env.prevRandao,
    nonce: plan.nonce ?? ZERO_NONCE,
  };
  if (env.baseFeePerGas !== undefined) header.baseFeePerGas = env.baseFeePerGas;
  if (withdrawalsRoot) header.withdrawalsRoot = withdrawalsRoot;
  if (excessBlobGas !== undefined) {
    header.blobGasUsed = blobGasUsed;
    header.excessBlobGas = excessBlobGas;
  }
  if (hardfork.has(4788)) header.parentBeaconBlockRoot = plan.parentBeaconBlockRoot ?? ZERO_HASH;
  if (requests) header.requestsHash = requestsHash(requests);
  if (accessList) header.blockAccessListHash = accessList.hash;
  if (env.slotNumber !== undefined) header.slotNumber = env.slotNumber;
  return header;
}

function blockOf(
  content: BlockContent,
  { header, encodedHeader, hash, size }: Pick<Block, 'header' | 'encodedHeader' | 'hash' | 'size'>,
  { records, requests, accessList }: MadeBlock,
): Block {
  const { plan, transactions, receipts, storedItems } = content;
  const { uncles = [] } = plan;
  const withdrawals = withdrawalsOf(content);
  const block: { -readonly [K in keyof Block]: Block[K] } = {
    header,
    encodedHeader,
    hash,
    size,
    transactions,
    receipts,
    uncles,
    storedItems,
    records: records?.entries,
  };
  if (withdrawals) block.withdrawals = withdrawals;
  if (requests) block.requests = requests;
  if (accessList) block.accessList = accessList.encoded;
  return block;
}

/** Size in bytes of the block's RLP. @param transactionBytes see {@link bytesOf} */
function sizeOf(content: BlockContent, header: Uint8Array, transactionBytes: number): number {
  const { uncles = [] } = content.plan;
  const withdrawals = withdrawalsOf(content);
  const uncleBytes = uncles.length === 0 ? 1 : encodeRlp(uncles.map(headerFields)).length;
  const withdrawalBytes = withdrawals?.length
    ? encodeRlp(withdrawals.map(withdrawalFields)).length
    : Number(withdrawals !== undefined);
  return rlpLength(header.length + rlpLength(transactionBytes) + uncleBytes + withdrawalBytes);
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
