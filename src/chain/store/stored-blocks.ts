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
import type { Reservations } from './reservations.ts';

/**
 * Reads the data stored under a block's hash, whether the block is canonical or was rolled back; undefined if it was
 * pruned.
 */
export class StoredBlocks {
  readonly #db: Pick<CheckedLevel, 'get'>;
  readonly #decodeTransaction: DecodeTransaction;
  readonly #reservations: Reservations;

  constructor(deps: {
    db: Pick<CheckedLevel, 'get'>;
    decodeTransaction: DecodeTransaction;
    reservations: Reservations;
  }) {
    this.#db = deps.db;
    this.#reservations = deps.reservations;
    this.#decodeTransaction = deps.decodeTransaction;
  }

  header(hash: Uint8Array): Header | undefined {
    const bytes = this.#db.get(keyOf(PREFIX.header, hash));
    return bytes ? decodeHeader(bytes) : this.#reservations.header(hash);
  }

  /**
   * Root of the state that the block's view reads.
   * @param header the block's header, if known
   */
  rootOf(hash: Uint8Array, header?: Header): Uint8Array | undefined {
    return this.#db.get(keyOf(PREFIX.stateRoot, hash)) ?? (header ?? this.header(hash))?.stateRoot;
  }

  receipts(hash: Uint8Array): Receipt[] | undefined {
    const bytes = this.#db.get(keyOf(PREFIX.receipts, hash));
    if (bytes) return decodeReceipts(bytes);
    return this.#reservations.find(hash) && [];
  }

  /** The hashes of the block's transactions. */
  transactionHashes(hash: Uint8Array): Uint8Array[] | undefined {
    const bytes = this.#db.get(keyOf(PREFIX.body, hash));
    if (bytes) return decodeTransactionHashes(bytes);
    return this.#reservations.find(hash) && [];
  }

  /** undefined also if the block is only partly stored */
  block(hash: Uint8Array): Block | undefined {
    const encoded = this.#db.get(keyOf(PREFIX.header, hash));
    if (!encoded) return this.#reservations.block(hash);
    const header = decodeHeader(encoded);
    const body = this.#db.get(keyOf(PREFIX.body, hash));
    const receipts = body && this.receipts(hash);
    if (!receipts) return undefined;
    const accessList = header.blockAccessListHash && this.#db.get(keyOf(PREFIX.accessList, hash));
    return {
      header,
      hash: Uint8Array.from(hash),
      ...decodeBody(body, header, this.#decodeTransaction),
      receipts,
      ...(accessList && { accessList }),
    };
  }
}
