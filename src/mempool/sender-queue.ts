import type { Address } from '@ethereumjs/util';
import type { Transaction } from '../chain/block.ts';
import type { OfferedFees } from './fees.ts';
import type { Ranked } from './selection.ts';

/** A transaction in the mempool. */
export interface Entry {
  readonly transaction: Transaction;
  /** the transaction hash in `0x` hex */
  readonly hash: string;
  readonly nonce: bigint;
  readonly fees: OfferedFees;
  /** position in the order of arrival */
  readonly arrival: number;
}

/**
 * One sender's transactions by nonce, and its deposits, which have no nonce and come first. Each deposit increments
 * the account's nonce. Transactions from the nonce after the deposits up to the first gap are executable; the others are
 * queued.
 */
export class SenderQueue {
  readonly address: Address;
  /** this sender's current entry in the mempool's heap; maintained by the mempool */
  ranked: Ranked | undefined;
  readonly #entries = new Map<bigint, Entry>();
  readonly #deposits: Entry[] = [];
  #base: bigint;
  /** the account's nonce after the deposits */
  #start: bigint;
  #end: bigint;

  /** @param base the account's nonce in the newest view */
  constructor(address: Address, base: bigint) {
    this.address = address;
    this.#base = base;
    this.#start = base;
    this.#end = base;
  }

  /** The account's nonce, as last set. */
  get base(): bigint {
    return this.#base;
  }

  /** The first free nonce after the deposits. Updated incrementally, because a sender may have thousands of transactions. */
  get end(): bigint {
    return this.#end;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0 && this.#deposits.length === 0;
  }

  /** in order of arrival */
  get deposits(): readonly Entry[] {
    return this.#deposits;
  }

  /** The executable transaction with the lowest nonce; never a deposit. */
  get head(): Entry | undefined {
    return this.#entries.get(this.#start);
  }

  at(nonce: bigint): Entry | undefined {
    return this.#entries.get(nonce);
  }

  /** All transactions except deposits, by ascending nonce. */
  sorted(): Entry[] {
    return [...this.#entries.values()].sort((a, b) => (a.nonce < b.nonce ? -1 : 1));
  }

  isExecutable(nonce: bigint): boolean {
    return nonce >= this.#start && nonce < this.#end;
  }

  /** The first gap: the sender's next nonces that are missing. The caller must ensure that there is a transaction after the gap. */
  get gap(): { readonly first: bigint; readonly last: bigint } {
    const behind = this.sorted().find(({ nonce }) => nonce > this.#end)!;
    return { first: this.#end, last: behind.nonce - 1n };
  }

  /** @returns the first free nonce from `from` on */
  endFrom(from: bigint): bigint {
    if (from >= this.#start && from <= this.#end) return this.#end;
    let end = from;
    while (this.#entries.has(end)) end++;
    return end;
  }

  /**
   * The nonce for the sender's next transaction.
   * @param nonce the account's nonce in a view, in which the deposits may already have been executed
   */
  next(nonce: bigint): bigint {
    return this.endFrom(this.#deposits.length > 0 && nonce < this.#start ? this.#start : nonce);
  }

  put(entry: Entry): void {
    this.#entries.set(entry.nonce, entry);
    if (entry.nonce === this.#end) while (this.#entries.has(this.#end)) this.#end++;
  }

  delete(nonce: bigint): void {
    this.#entries.delete(nonce);
    if (this.isExecutable(nonce)) this.#end = nonce;
  }

  putDeposit(entry: Entry): void {
    this.#deposits.push(entry);
    this.#restart();
  }

  deleteDeposit(entry: Entry): void {
    this.#deposits.splice(this.#deposits.indexOf(entry), 1);
    this.#restart();
  }

  #restart(): void {
    const start = this.#base + BigInt(this.#deposits.length);
    this.#end = this.endFrom(start);
    this.#start = start;
  }

  /** Sets the account's nonce, which may decrease (revert, reorg). @returns the removed transactions, whose nonce is lower */
  setBase(base: bigint): Entry[] {
    if (base === this.#base) return [];
    const passed: Entry[] = [];
    // An included transaction increments the nonce by one. This common case must not visit all entries.
    if (base - this.#base === 1n) {
      const entry = this.#entries.get(this.#base);
      if (entry) passed.push(entry);
    } else if (base > this.#base) {
      for (const entry of this.#entries.values()) if (entry.nonce < base) passed.push(entry);
    }
    for (const entry of passed) this.#entries.delete(entry.nonce);
    this.#base = base;
    this.#restart();
    return passed;
  }
}
