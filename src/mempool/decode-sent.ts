import type { Common } from '@ethereumjs/common';
import type { Transaction } from '../chain/block.ts';
import { EncodedTransaction } from '../chain/encoded-transaction.ts';
import type { ChainTransaction } from '../protocol/op-stack/deposit-transaction.ts';
import type { TransactionDecoder } from './decode.ts';

/** Lowest first byte of an RLP list. A transaction of type 0 is such a list. */
const LIST = 0xc0;

/** Decodes transactions that are being sent, under the rules of the next block. */
export class SentTransactionDecoder {
  readonly #decoder: TransactionDecoder;
  readonly #next: () => Common;

  /** @param deps.next the next block's Common */
  constructor(deps: { decoder: TransactionDecoder; next: () => Common }) {
    this.#decoder = deps.decoder;
    this.#next = deps.next;
  }

  /** See {@link TransactionDecoder.decode}. */
  decode(raw: Uint8Array, inBlock = this.#next()): Transaction {
    return this.#decoder.decode(raw, inBlock);
  }

  /**
   * Like {@link decode}, but transactions of types 0 to 2 are decoded lazily, which may be never, see
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

  /** The Common of transactions for the next block. The caller must not change it. */
  get common(): Common {
    return this.#decoder.commonFor(this.#next());
  }

  /** @throws DevnetError if the chain doesn't accept deposits */
  checkDeposits(): void {
    this.#decoder.checkDeposits();
  }
}
