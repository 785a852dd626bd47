import type { Address } from '@ethereumjs/util';
import type { Transaction } from '../chain/block.ts';
import { DevnetError } from '../errors.ts';
import { DEPOSIT_TYPE } from '../protocol/op-stack/deposit-transaction.ts';
import { hexKey } from '../state/hex-key.ts';
import { type AdmissionRules, checkAdmission, type SenderView } from './admission.ts';
import { feesOf, replacementMinimum } from './fees.ts';
import { Heap } from './heap.ts';
import { BEFORE, type Order, type Ranked, rank, Selection } from './selection.ts';
import { type Entry, SenderQueue } from './sender-queue.ts';

export type PoolStatus = 'executable' | 'queued';

/** Why a transaction can't be in the next block. */
export type Obstacle =
  /** the sender's transactions from `first` to `last` are missing */
  | { readonly kind: 'nonceGap'; readonly first: bigint; readonly last: bigint }
  /** Fee cap and base fee in wei per gas, or per blob gas. */
  | {
      readonly kind: 'baseFee' | 'blobBaseFee';
      /** the transaction whose fee cap is too low: the given one, or an earlier one of the same sender */
      readonly transaction: Transaction;
      readonly feeCap: bigint;
      readonly baseFee: bigint;
    };

/** EIP-7702 */
const AUTHORIZING_TYPE = 4;

/** A copy of the mempool's content. Holds references to the transactions, which are immutable. */
export interface PoolSnapshot {
  readonly entries: readonly Entry[];
  /** the senders' account nonces, by `0x` address */
  readonly bases: ReadonlyMap<string, bigint>;
}

export interface MempoolOptions {
  /** most transactions in the mempool; default 50,000 */
  readonly maxSize?: number;
  /** most bytes of their raw encodings together; default 128 MiB */
  readonly maxBytes?: number;
}

/** Called with every added transaction, replacements included. */
export type AddListener = (transaction: Transaction, status: PoolStatus) => void;

/** Called with the hash (`0x` hex) of every transaction that leaves the mempool: included in a block, dropped, or replaced. */
export type LeaveListener = (hash: string) => void;

/**
 * Transactions that wait for a block, by sender and nonce. A transaction leaves the mempool when it is pre-confirmed.
 *
 * A heap contains each sender's head (its next executable transaction), ranked for one base fee, so that a tick doesn't
 * have to visit all transactions. A new base fee, once per block, rebuilds the heap.
 */
export class Mempool {
  readonly #maxSize: number;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  readonly #queues = new Map<string, SenderQueue>();
  /** the entries that are deposits, in order of arrival */
  readonly #deposits = new Set<Entry>();
  /** number of transactions with authorizations (EIP-7702) */
  #authorizing = 0;
  readonly #listeners = new Set<AddListener>();
  readonly #leaveListeners = new Set<LeaveListener>();
  #bytes = 0;
  #arrivals = 0;
  #version = 0;
  /** see {@link freeze} */
  #frozen: (() => PoolSnapshot) | undefined;
  #heads: { readonly baseFee: bigint; readonly order: Order; readonly heap: Heap<Ranked> } | undefined;

  constructor(options: MempoolOptions = {}) {
    this.#maxSize = options.maxSize ?? 50_000;
    this.#maxBytes = options.maxBytes ?? 128 * 2 ** 20;
  }

  /** Grows with every change of the content. */
  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Whether any transaction has authorizations (EIP-7702), which increment the nonces of accounts other than its sender's. */
  get authorizes(): boolean {
    return this.#authorizing > 0;
  }

  /**
   * Adds a transaction.
   * @param view the sender's account in the newest view
   * @returns whether it is executable now, or queued behind a nonce gap
   * @throws DevnetError -32003 with geth's messages
   */
  add(transaction: Transaction, view: SenderView, rules: AdmissionRules): PoolStatus {
    const hash = hexKey(transaction.hash);
    if (this.#entries.has(hash))
      throw new DevnetError('alreadyKnown', {
        hash,
        ...(!isDeposit(transaction) && { nonce: transaction.tx.nonce }),
      });
    checkAdmission(transaction, view, rules);

    const key = hexKey(transaction.from.bytes);
    if (this.#queues.has(key)) this.setNonce(transaction.from, view.nonce);
    const existing = isDeposit(transaction) ? undefined : this.#queues.get(key)?.at(transaction.tx.nonce);
    if (rules.refusesGaps) checkNoGap(transaction, this.nextNonce(transaction.from, view.nonce));
    const entry: Entry = {
      transaction,
      hash,
      nonce: transaction.tx.nonce,
      fees: feesOf(transaction.tx),
      arrival: this.#arrivals,
    };
    if (existing) checkReplacement(existing, entry);
    const grown = this.#bytes + transaction.raw.length - (existing?.transaction.raw.length ?? 0);
    if ((!existing && this.#entries.size >= this.#maxSize) || grown > this.#maxBytes)
      throw new DevnetError('transactionRejected', { reason: 'txpool is full' });
    this.#keepFrozen();
    if (existing) this.#forget(existing);
    this.#arrivals++;
    const status = this.#place(entry, view.nonce);
    for (const listener of this.#listeners) listener(transaction, status);
    return status;
  }

  /** Calls the listeners for a transaction that is included in a block without having been in the mempool. */
  pass(transaction: Transaction): void {
    for (const listener of this.#listeners) listener(transaction, 'executable');
  }

  /** Begins a pass over the executable transactions, best first. Base fees are in wei per gas and per blob gas. */
  select(options: { baseFee: bigint; order: Order; blobBaseFee?: bigint }): Selection {
    const { baseFee, order } = options;
    let heads = this.#heads;
    // Outdated entries stay in the heap until they reach its top. Rebuild it when there are too many of them.
    const crowded = heads && heads.heap.size > 2 * this.#queues.size + 64;
    if (!heads || crowded || heads.baseFee !== baseFee || heads.order !== order) {
      const ranked: Ranked[] = [];
      for (const queue of this.#queues.values()) {
        queue.ranked = queue.head && rank(queue, queue.head, baseFee);
        if (queue.ranked) ranked.push(queue.ranked);
      }
      heads = { baseFee, order, heap: new Heap(BEFORE[order], ranked) };
      this.#heads = heads;
    }
    for (let top = heads.heap.peek(); top && top.queue.ranked !== top; top = heads.heap.peek())
      heads.heap.pop();
    return new Selection(
      { baseFee, blobBaseFee: options.blobBaseFee ?? 0n },
      { heads: heads.heap.copy(), until: this.#arrivals, deposits: [...this.#deposits] },
    );
  }

  isSender(address: Address): boolean {
    return this.#queues.has(hexKey(address.bytes));
  }

  get(hash: Uint8Array): Transaction | undefined {
    return this.#entries.get(hexKey(hash))?.transaction;
  }

  has(hash: Uint8Array): boolean {
    return this.#entries.has(hexKey(hash));
  }

  /** The sender's transaction with this nonce. */
  at(sender: Address, nonce: bigint): Transaction | undefined {
    return this.#queues.get(hexKey(sender.bytes))?.at(nonce)?.transaction;
  }

  /**
   * The nonce for the sender's next transaction: the account's nonce, plus one for each of its deposits and executable
   * transactions here.
   * @param stateNonce the account's nonce in the newest view
   */
  nextNonce(sender: Address, stateNonce: bigint): bigint {
    return this.#queues.get(hexKey(sender.bytes))?.next(stateNonce) ?? stateNonce;
  }

  /** Removes a transaction; the sender's later ones are then queued behind a nonce gap. @returns whether it was here */
  remove(hash: Uint8Array): boolean {
    const entry = this.#entries.get(hexKey(hash));
    if (!entry) return false;
    this.#keepFrozen();
    this.#forget(entry);
    const key = hexKey(entry.transaction.from.bytes);
    const queue = this.#queues.get(key)!;
    if (this.#deposits.delete(entry)) {
      queue.deleteDeposit(entry);
      // Rebuilt for the same reason as after a decrease of a nonce, see setNonce.
      this.#heads = undefined;
    } else queue.delete(entry.nonce);
    this.#settle(key, queue);
    return true;
  }

  /** A sender's transactions: its deposits, then the others by nonce. */
  ofSender(sender: Address): Transaction[] {
    const queue = this.#queues.get(hexKey(sender.bytes));
    return queue ? [...queue.deposits, ...queue.sorted()].map(({ transaction }) => transaction) : [];
  }

  clear(): void {
    this.#keepFrozen();
    this.#version++;
    for (const listener of this.#leaveListeners) for (const hash of this.#entries.keys()) listener(hash);
    this.#entries.clear();
    this.#bytes = 0;
    this.#authorizing = 0;
    this.#deposits.clear();
    this.#queues.clear();
    this.#heads = undefined;
  }

  /** Updates an account's nonce, after an inclusion or a revert. @returns the removed transactions, whose nonce is now too low */
  setNonce(sender: Address, nonce: bigint): Transaction[] {
    const key = hexKey(sender.bytes);
    const queue = this.#queues.get(key);
    if (!queue || queue.base === nonce) return [];
    this.#keepFrozen();
    // After a decrease the heap contains a former head that is executable, but no longer the sender's next transaction.
    if (nonce < queue.base) this.#heads = undefined;
    const passed = queue.setBase(nonce);
    for (const entry of passed) this.#forget(entry);
    this.#settle(key, queue);
    return passed.map((entry) => entry.transaction);
  }

  /** Calls {@link setNonce} for every sender here whose nonce `nonceOf` knows. @returns all removed transactions */
  prune(nonceOf: (sender: Address) => bigint | undefined): Transaction[] {
    return this.senders().flatMap((sender) => {
      const nonce = nonceOf(sender);
      return nonce === undefined ? [] : this.setNonce(sender, nonce);
    });
  }

  /** The senders that have transactions here. */
  senders(): Address[] {
    return [...this.#queues.values()].map((queue) => queue.address);
  }

  /** The executable transactions by sender (`0x` hex): deposits, then the others by nonce. */
  pending(): Map<string, Transaction[]> {
    return this.#list((queue) => [
      ...queue.deposits,
      ...queue.sorted().filter((entry) => queue.isExecutable(entry.nonce)),
    ]);
  }

  /** The transactions behind a nonce gap, by sender (`0x` hex), ordered by nonce. */
  queued(): Map<string, Transaction[]> {
    return this.#list((queue) => queue.sorted().filter((entry) => !queue.isExecutable(entry.nonce)));
  }

  onAdd(listener: AddListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  onLeave(listener: LeaveListener): Disposable {
    this.#leaveListeners.add(listener);
    return { [Symbol.dispose]: () => this.#leaveListeners.delete(listener) };
  }

  /**
   * Finds out why a block with these base fees (wei per gas and per blob gas) can't include a transaction: there is a nonce gap before
   * it, or a fee cap of this or an earlier transaction of the sender is below the base fee.
   * @returns `undefined` if the block can include the transaction, or it isn't in the mempool
   */
  obstacleTo(hash: Uint8Array, baseFee: bigint, blobBaseFee: bigint): Obstacle | undefined {
    const entry = this.#entries.get(hexKey(hash));
    if (!entry || isDeposit(entry.transaction)) return undefined;
    const queue = this.#queues.get(hexKey(entry.transaction.from.bytes))!;
    if (!queue.isExecutable(entry.nonce)) return { kind: 'nonceGap', ...queue.gap };
    for (let nonce = queue.head!.nonce; nonce <= entry.nonce; nonce++) {
      const { transaction, fees } = queue.at(nonce)!;
      const { feeCap, blobFeeCap } = fees;
      if (feeCap < baseFee) return { kind: 'baseFee', transaction, feeCap, baseFee };
      if (blobFeeCap !== undefined && blobFeeCap < blobBaseFee)
        return { kind: 'blobBaseFee', transaction, feeCap: blobFeeCap, baseFee: blobBaseFee };
    }
    return undefined;
  }

  /** @returns a function that returns the content at this moment; copied lazily, when it is called or before the next change */
  freeze(): () => PoolSnapshot {
    let copy: PoolSnapshot | undefined;
    this.#frozen ??= () => {
      copy ??= this.snapshot();
      return copy;
    };
    return this.#frozen;
  }

  /** Another mempool with the same content and limits. */
  copy(): Mempool {
    const copy = new Mempool({ maxSize: this.#maxSize, maxBytes: this.#maxBytes });
    copy.restore(this.snapshot());
    return copy;
  }

  snapshot(): PoolSnapshot {
    const bases = [...this.#queues].map(([key, queue]) => [key, queue.base] as const);
    return { entries: [...this.#entries.values()], bases: new Map(bases) };
  }

  /** Restores a snapshot's content with its order of arrival. Listeners aren't called. */
  restore(snapshot: PoolSnapshot): void {
    this.clear();
    for (const entry of snapshot.entries) {
      const key = hexKey(entry.transaction.from.bytes);
      // In a new mempool, too, later arrivals must get higher numbers; otherwise a selection would skip the restored entries.
      this.#arrivals = Math.max(this.#arrivals, entry.arrival + 1);
      this.#place(entry, snapshot.bases.get(key)!);
    }
  }

  #place(entry: Entry, base: bigint): PoolStatus {
    const { from } = entry.transaction;
    const key = hexKey(from.bytes);
    let queue = this.#queues.get(key);
    if (!queue) {
      queue = new SenderQueue(from, base);
      this.#queues.set(key, queue);
    }
    const deposit = isDeposit(entry.transaction);
    if (deposit) {
      queue.putDeposit(entry);
      this.#deposits.add(entry);
    } else queue.put(entry);
    this.#entries.set(entry.hash, entry);
    this.#bytes += entry.transaction.raw.length;
    if (entry.transaction.tx.type === AUTHORIZING_TYPE) this.#authorizing++;
    this.#settle(key, queue);
    return deposit || queue.isExecutable(entry.nonce) ? 'executable' : 'queued';
  }

  #keepFrozen(): void {
    this.#frozen?.();
    this.#frozen = undefined;
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry.hash);
    this.#bytes -= entry.transaction.raw.length;
    if (entry.transaction.tx.type === AUTHORIZING_TYPE) this.#authorizing--;
    for (const listener of this.#leaveListeners) listener(entry.hash);
  }

  /** Must be called after each change of a queue: updates its head in the heap, or deletes the queue if it is empty. */
  #settle(key: string, queue: SenderQueue): void {
    this.#version++;
    if (queue.isEmpty) this.#queues.delete(key);
    const { head } = queue;
    if (queue.ranked?.entry === head) return;
    queue.ranked = head && this.#heads && rank(queue, head, this.#heads.baseFee);
    if (queue.ranked) this.#heads!.heap.push(queue.ranked);
  }

  #list(entriesOf: (queue: SenderQueue) => readonly Entry[]): Map<string, Transaction[]> {
    const bySender = new Map<string, Transaction[]>();
    for (const [key, queue] of this.#queues) {
      const entries = entriesOf(queue);
      if (entries.length > 0)
        bySender.set(
          key,
          entries.map((entry) => entry.transaction),
        );
    }
    return bySender;
  }
}

function isDeposit({ tx }: Transaction): boolean {
  return tx.type === DEPOSIT_TYPE;
}

/** A replacement must raise every fee by 10 %, as in geth. */
function checkReplacement(old: Entry, entry: Entry): void {
  const raise = (from: bigint, to: bigint) => {
    const minimum = replacementMinimum(from);
    if (to < minimum)
      throw new DevnetError('replacementUnderpriced', { minimum, got: to, nonce: entry.nonce });
  };
  raise(old.fees.feeCap, entry.fees.feeCap);
  raise(old.fees.tip, entry.fees.tip);
  if (old.fees.blobFeeCap !== undefined) raise(old.fees.blobFeeCap, entry.fees.blobFeeCap ?? 0n);
}

function checkNoGap({ tx }: Transaction, next: bigint): void {
  if (tx.nonce > next) throw new DevnetError('poolNonceTooHigh', { expected: next, got: tx.nonce });
}
