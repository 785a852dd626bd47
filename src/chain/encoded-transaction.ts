import type { Address } from '@ethereumjs/util';
import type { ChainTransaction } from '../protocol/op-stack/deposit-transaction.ts';
import type { Transaction } from './block.ts';

/** Decodes transactions of types 0 to 2. */
export interface EncodedTransactionDecoder {
  /** @throws DevnetError */
  decode(raw: Uint8Array): Transaction;
  /** Decodes without checks, and without recovering the sender. */
  decodeStored(raw: Uint8Array): { readonly tx: ChainTransaction };
}

/**
 * A sent transaction that is decoded lazily, when one of its fields is first read. An engine that makes its block decodes the
 * bytes itself, and provides sender and hash.
 */
export class EncodedTransaction implements Transaction {
  readonly raw: Uint8Array;
  readonly impersonated = false;
  readonly #decoder: EncodedTransactionDecoder;
  #tx: ChainTransaction | undefined;
  #from: Address | undefined;
  #hash: Uint8Array | undefined;

  constructor(raw: Uint8Array, decoder: EncodedTransactionDecoder) {
    this.raw = raw;
    this.#decoder = decoder;
  }

  /** @throws DevnetError like {@link EncodedTransactionDecoder.decode} */
  get tx(): ChainTransaction {
    if (!this.#tx && this.#from) this.#tx = this.#decoder.decodeStored(this.raw).tx;
    return this.#tx ?? this.#decode().tx;
  }

  /** @throws DevnetError like {@link EncodedTransactionDecoder.decode} */
  get from(): Address {
    return this.#from ?? this.#decode().from;
  }

  /** @throws DevnetError like {@link EncodedTransactionDecoder.decode} */
  get hash(): Uint8Array {
    return this.#hash ?? this.#decode().hash;
  }

  get isEncoded(): boolean {
    return !this.#from;
  }

  /** Sets the sender and hash that the engine found when it accepted the transaction. */
  accept({ from, hash }: Pick<Transaction, 'from' | 'hash'>): void {
    this.#from = from;
    this.#hash = hash;
  }

  #decode(): Transaction {
    const decoded = this.#decoder.decode(this.raw);
    this.#tx = decoded.tx;
    this.accept(decoded);
    return decoded;
  }
}
