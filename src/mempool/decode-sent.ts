import type { Common } from '@ethereumjs/common';
import type { Transaction } from '../chain/block.ts';
import { EncodedTransaction } from '../chain/encoded-transaction.ts';
import type { ChainTransaction } from '../protocol/op-stack/deposit-transaction.ts';
import type { TransactionDecoder } from './decode.ts';

/** The first byte of a list in RLP, as a transaction of type 0 is one, is at least this. */
const LIST = 0xc0;

/** Decodes transactions that are sent now, by the rules of the block that comes next. */
export class SentTransactionDecoder {
  readonly #decoder: TransactionDecoder;
  readonly #next: () => Common;

  /** @param deps.next the Common of the block that comes next */
  constructor(deps: { decoder: TransactionDecoder; next: () => Common }) {
    this.#decoder = deps.decoder;
    this.#next = deps.next;
  }

  /** See {@link TransactionDecoder.decode}. */
  decode(raw: Uint8Array, inBlock = this.#next()): Transaction {
    return this.#decoder.decode(raw, inBlock);
  }

  /**
   * The same, but a transaction of type 0 to 2 is decoded when a field of it is first read, which may be never: see
   * {@link EncodedTransaction}.
   */
  decodeLater(raw: Uint8Array): Transaction {
    const [first = 0] = raw;
    return first === 1 || first === 2 || first >= LIST ? new EncodedTransaction(raw, this) : this.decode(raw);
  }

  /** See {@link TransactionDecoder.decodeStored}. */
  decodeStored(raw: Uint8Array): { tx: ChainTransaction; raw: Uint8Array } {
    return this.#decoder.decodeStored(raw, this.#next());
  }

  /** The Common that transactions for the next block are made with; not to be changed. */
  get common(): Common {
    return this.#decoder.commonFor(this.#next());
  }

  /** @throws DevnetError where the chain has no deposits */
  checkDeposits(): void {
    this.#decoder.checkDeposits();
  }
}
