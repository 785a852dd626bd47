import type { Block, Header, Receipt } from '../block.ts';
import { decodeHeader } from '../header.ts';
import {
  type DecodeTransaction,
  decodeBody,
  decodeReceipts,
  decodeTransactionHashes,
} from './block-codec.ts';
import type { CheckedLevel } from './checked-level.ts';
import { keyOf, PREFIX } from './keys.ts';

/**
 * The data stored under a block's hash, whether the block is canonical or was rolled back; undefined when it was
 * pruned.
 */
export class StoredBlocks {
  readonly #db: Pick<CheckedLevel, 'get'>;
  readonly #decodeTransaction: DecodeTransaction;

  constructor(deps: { db: Pick<CheckedLevel, 'get'>; decodeTransaction: DecodeTransaction }) {
    this.#db = deps.db;
    this.#decodeTransaction = deps.decodeTransaction;
  }

  header(hash: Uint8Array): Header | undefined {
    const bytes = this.#db.get(keyOf(PREFIX.header, hash));
    return bytes && decodeHeader(bytes);
  }

  /**
   * Root of the state that the block's view reads.
   * @param header the block's, where it is known
   */
  rootOf(hash: Uint8Array, header?: Header): Uint8Array | undefined {
    return this.#db.get(keyOf(PREFIX.stateRoot, hash)) ?? (header ?? this.header(hash))?.stateRoot;
  }

  receipts(hash: Uint8Array): Receipt[] | undefined {
    const bytes = this.#db.get(keyOf(PREFIX.receipts, hash));
    return bytes && decodeReceipts(bytes);
  }

  /** The hashes of the block's transactions. */
  transactionHashes(hash: Uint8Array): Uint8Array[] | undefined {
    const bytes = this.#db.get(keyOf(PREFIX.body, hash));
    return bytes && decodeTransactionHashes(bytes);
  }

  /** undefined also when only a part of the block is there */
  block(hash: Uint8Array): Block | undefined {
    const header = this.header(hash);
    const body = header && this.#db.get(keyOf(PREFIX.body, hash));
    const receipts = body && this.receipts(hash);
    if (!receipts) return undefined;
    return {
      header,
      hash: Uint8Array.from(hash),
      ...decodeBody(body, header, this.#decodeTransaction),
      receipts,
    };
  }
}
