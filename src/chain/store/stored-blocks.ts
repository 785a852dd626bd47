import type { Block, Header } from '../block.ts';
import { decodeHeader } from '../header.ts';
import { type DecodeTransaction, decodeBody, decodeReceipts } from './block-codec.ts';
import type { CheckedLevel } from './checked-level.ts';
import { keyOf, PREFIX } from './keys.ts';

/** What stands in the database under a block's hash, whether the chain has it or took it back; undefined when it was pruned. */
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

  /** undefined also where only a part of it is there */
  block(hash: Uint8Array): Block | undefined {
    const header = this.header(hash);
    const body = header && this.#db.get(keyOf(PREFIX.body, hash));
    const receipts = body && this.#db.get(keyOf(PREFIX.receipts, hash));
    if (!receipts) return undefined;
    return {
      header,
      hash: Uint8Array.from(hash),
      ...decodeBody(body, header, this.#decodeTransaction),
      receipts: decodeReceipts(receipts),
    };
  }
}
