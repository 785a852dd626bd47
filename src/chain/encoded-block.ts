import type { ChainState } from '../state/chain-state.ts';
import type { Block, Header, Receipt, Transaction, TrieBlock } from './block.ts';
import { decodeReceipts } from './store/block-codec.ts';

const NONE: readonly never[] = [];

/** What an {@link EncodedBlock} is made of, besides its transaction. */
export interface EncodedBlockParts {
  readonly header: Header;
  readonly hash: Uint8Array;
  /** bytes of the block in the encoding of the network */
  readonly size: number;
  /** as the store has them: see `block-codec.ts` */
  readonly receipts: Uint8Array;
  readonly receiptJson: string | undefined;
  /** whether the transaction succeeded; `undefined` where there is none */
  readonly succeeded: boolean | undefined;
  /** EIP-7928: RLP; absent before Amsterdam */
  readonly accessList?: Uint8Array | undefined;
}

/**
 * A block of one transaction or none, which the engine has made in one step. Its receipts are decoded when they are first read. They are an
 * accessor of the class, so an object spread (`{ ...block }`) doesn't copy them: use `withState`. An accessor in an object literal
 * would be copied, but takes V8 twenty times as long to make.
 */
export class EncodedBlock implements Block {
  readonly header: Header;
  readonly hash: Uint8Array;
  readonly size: number;
  readonly transactions: readonly Transaction[];
  readonly receiptJson: string | undefined;
  readonly succeeded: boolean | undefined;
  readonly accessList: Uint8Array | undefined;
  readonly uncles = NONE;
  readonly withdrawals?: NonNullable<Block['withdrawals']>;
  readonly #encoded: Uint8Array;
  #receipts: readonly Receipt[] | undefined;

  constructor(transaction: Transaction | undefined, parts: EncodedBlockParts) {
    this.header = parts.header;
    this.hash = parts.hash;
    this.size = parts.size;
    this.transactions = transaction ? [transaction] : NONE;
    this.receiptJson = parts.receiptJson;
    this.succeeded = parts.succeeded;
    this.accessList = parts.accessList;
    if (parts.header.withdrawalsRoot) this.withdrawals = NONE;
    this.#encoded = parts.receipts;
  }

  get receipts(): readonly Receipt[] {
    this.#receipts ??= decodeReceipts(this.#encoded);
    return this.#receipts;
  }
}

/** The view of an {@link EncodedBlock}, which leaves its receipts encoded until somebody reads them. */
export class EncodedBlockView implements TrieBlock {
  readonly header: Header;
  readonly hash: Uint8Array;
  readonly size: number;
  readonly transactions: readonly Transaction[];
  readonly receiptJson: string | undefined;
  readonly succeeded: boolean | undefined;
  readonly accessList: Uint8Array | undefined;
  readonly uncles: Block['uncles'];
  readonly withdrawals?: NonNullable<Block['withdrawals']>;
  readonly state: ChainState;
  readonly sealed = true;
  readonly #block: Block;

  constructor(block: Block, state: ChainState) {
    this.header = block.header;
    this.hash = block.hash;
    this.size = block.size;
    this.transactions = block.transactions;
    this.receiptJson = block.receiptJson;
    this.succeeded = block.succeeded;
    this.accessList = block.accessList;
    this.uncles = block.uncles;
    if (block.withdrawals) this.withdrawals = block.withdrawals;
    this.state = state;
    this.#block = block;
  }

  get receipts(): readonly Receipt[] {
    return this.#block.receipts;
  }
}
