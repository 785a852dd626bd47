import type { Address } from '@ethereumjs/util';
import type { Transaction } from '../chain/block.ts';
import type { OfferedFees } from './fees.ts';
import type { Ranked } from './selection.ts';

/** A waiting transaction. */
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
 * One sender's waiting transactions by nonce, and its deposits, which have none and come first. Each deposit counts the
 * account's nonce up: those from the nonce after them up to the first gap are executable, the rest is queued.
 */
export class SenderQueue {
  readonly address: Address;
  /** This sender's place among the heads of all senders; kept by the mempool. */
  ranked: Ranked | undefined;
  readonly #entries = new Map<bigint, Entry>();
  readonly #deposits: Entry[] = [];
  #base: bigint;
  /** the account's nonce after the deposits */
  #start: bigint;
  #end: bigint;

  /** @param base the account's nonce in the pending view */
  constructor(address: Address, base: bigint) {
    this.address = address;
    this.#base = base;
    this.#start = base;
    this.#end = base;
  }

  /** The account's nonce in the pending view, as last told. */
  get base(): bigint {
    return this.#base;
  }

  /** The first nonce after the deposits that no transaction has. Kept up to date, since one sender may have thousands. */
  get end(): bigint {
    return this.#end;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0 && this.#deposits.length === 0;
  }

  /** in the order of arrival */
  get deposits(): readonly Entry[] {
    return this.#deposits;
  }

  /** The executable transaction with a nonce that is first in line. */
  get head(): Entry | undefined {
    return this.#entries.get(this.#start);
  }

  at(nonce: bigint): Entry | undefined {
    return this.#entries.get(nonce);
  }

  /** All that have a nonce, by ascending nonce. */
  sorted(): Entry[] {
    return [...this.#entries.values()].sort((a, b) => (a.nonce < b.nonce ? -1 : 1));
  }

  isExecutable(nonce: bigint): boolean {
    return nonce >= this.#start && nonce < this.#end;
  }

  /** @returns the first nonce from `from` on that no transaction has */
  endFrom(from: bigint): bigint {
    if (from >= this.#start && from <= this.#end) return this.#end;
    let end = from;
    while (this.#entries.has(end)) end++;
    return end;
  }

  /** @param nonce the account's in a view, in which the deposits may have been executed */
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

  /**
   * Tells the account's nonce, which may have gone back too (revert, reorg).
   * @returns the transactions that fell below it; they are gone
   */
  setBase(base: bigint): Entry[] {
    if (base === this.#base) return [];
    const passed: Entry[] = [];
    // An included transaction moves the base by one: that must not cost a walk over all.
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
