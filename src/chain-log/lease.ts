import type { Clock } from '../clock.ts';
import { isRefusalToAll, replyCode } from '../redis/refusal.ts';
import { LeaseHeld, type LogStore } from './log-store.ts';
import type { Position } from './position.ts';

/** Interval at which a candidate checks a lease that isn't renewed, in milliseconds. */
const CHECK_MS = 250;
/** Number of renewals within the length of a lease. */
const RENEWALS = 4;
/** Share of a lease that its holder doesn't use: work that it has begun by then ends before another node can acquire the next lease. */
const RESERVE = 0.1;

/** A lease granted to this node. */
export interface Granted {
  /** the fencing number */
  readonly fence: number;
  /** when it was requested, milliseconds on the clock: the lease lasts from then on */
  readonly at: number;
}

/**
 * Becomes the leader. If the last leader didn't release its lease, waits for the length of a lease: by then a leader that can't renew the
 * lease has stopped making blocks, and one that can has renewed it.
 * @param options.known fencing number of the newest leader that this node knows of, in case Redis has lost it; 0 = none
 * @throws LeaseHeld when the leader is alive, Error when Redis can't be reached or rejects writes
 */
export async function acquireLease(
  { address, known }: { address: string; known: number },
  { store, clock }: { store: LogStore; clock: Clock },
): Promise<Granted> {
  let end = Number.POSITIVE_INFINITY;
  let held: LeaseHeld | undefined;
  for (;;) {
    const at = clock.now();
    const isOver = at >= end;
    try {
      return { fence: await store.acquire(address, { ranOut: isOver, known }), at };
    } catch (error) {
      if (!(error instanceof LeaseHeld)) throw error;
      // A lease that existed at the beginning may have expired since; a newer one means that its leader is alive.
      const isRenewed = held && error.left > held.left;
      if (isOver || isRenewed) throw error;
      if (!held) end = clock.now() + (error.left > 0 ? error.left + 1 : store.leaseMs);
      held = error;
    }
    const wait = Math.min(CHECK_MS, Math.max(1, end - clock.now()));
    await new Promise<void>((resolve) => clock.after(wait, resolve));
  }
}

export interface LeaseDeps {
  readonly store: LogStore;
  readonly clock: Clock;
  /** this node's last task, which may not have been written to the log yet */
  readonly made: () => Position;
  /** called when there is a later leader */
  readonly onSuperseded: () => void;
  /** called when Redis has renewed the lease, or with the reason why Redis rejects that */
  readonly onAnswer: (refusal?: unknown) => void;
  /** called when the lease has expired: this node must make no more blocks, although no later leader is known */
  readonly onHalt: () => void;
  /** called when the lease is held again */
  readonly onResume: () => void;
}

/**
 * Keeps a lease while this node is the leader. The lease expires by time: a leader that can't renew it has to stop before another node can
 * acquire one. The only exception: if no node can acquire a lease, because no Redis listens at its address or Redis rejects all writes, the
 * leader continues.
 */
export class Lease {
  readonly #deps: LeaseDeps;
  readonly #timer: Disposable;
  readonly #listening: Disposable;
  readonly fence: number;
  #address: string;
  /** when this node must stop, milliseconds on the clock */
  #end = 0;
  #limit: Disposable | undefined;
  #isHalted = false;
  #renewing: Promise<void> | undefined;
  #isOver = false;
  #onChange: (() => void)[] = [];

  constructor({ fence, at }: Granted, address: string, deps: LeaseDeps) {
    const { store, clock } = deps;
    this.fence = fence;
    this.#address = address;
    this.#deps = deps;
    this.#hold(at);
    this.#timer = clock.every(store.leaseMs / RENEWALS, () => this.#renew());
    this.#listening = store.onLease({ ready: () => this.#renew(), refused: () => this.#extend() });
  }

  get address(): string {
    return this.#address;
  }

  /** Whether this node may make blocks: no other node can be the leader. */
  get isHeld(): boolean {
    return this.#deps.clock.now() < this.#end;
  }

  /** Milliseconds since the last renewal. */
  get age(): number {
    const { store, clock } = this.#deps;
    return clock.now() - (this.#end - store.leaseMs * (1 - RESERVE));
  }

  /** Resolves as soon as the lease is held. @throws Error when the lease is given up meanwhile */
  async held(): Promise<void> {
    while (!this.isHeld) {
      if (this.#isOver) throw new Error('this node leads the chain no more');
      await new Promise<void>((resolve) => this.#onChange.push(resolve));
    }
  }

  /** Tells followers where this node listens. If Redis doesn't answer now, the next renewal tells them. */
  async moveTo(address: string): Promise<void> {
    this.#address = address;
    // A renewal in flight still has the previous address.
    await this.#renewing;
    await this.#renew();
  }

  /** Releases the lease immediately, so that another node needn't wait. */
  async release(): Promise<void> {
    this.#stop();
    await this.#deps.store.release(this.fence);
  }

  #renew(): Promise<void> {
    this.#renewing ??= this.#ask().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #ask(): Promise<void> {
    const { store, clock, made, onSuperseded, onAnswer } = this.#deps;
    if (this.#isOver) return;
    const at = clock.now();
    try {
      const isLeader = await store.renew(this.fence, { address: this.#address, made });
      onAnswer();
      if (isLeader) this.#hold(at);
      else {
        this.#stop();
        onSuperseded();
      }
    } catch (error) {
      // Any other error is a connection error.
      if (replyCode(error) === undefined) return;
      if (isRefusalToAll(error)) this.#extend();
      onAnswer(error);
    }
  }

  /**
   * Extends the lease, since no node can become the leader now. If it has already expired, another node may have become the leader before.
   */
  #extend(): void {
    if (this.isHeld) this.#hold(this.#deps.clock.now());
  }

  /** @param at when the lease was requested, milliseconds on the clock */
  #hold(at: number): void {
    const { store, clock, onHalt, onResume } = this.#deps;
    this.#end = at + store.leaseMs * (1 - RESERVE);
    this.#limit?.[Symbol.dispose]();
    const halt = () => {
      this.#isHalted = true;
      onHalt();
    };
    this.#limit = clock.after(this.#end - clock.now(), halt, { keepsProcess: false });
    if (this.#isHalted) onResume();
    this.#isHalted = false;
    this.#tellChange();
  }

  #tellChange(): void {
    for (const tell of this.#onChange.splice(0)) tell();
  }

  #stop(): void {
    this.#isOver = true;
    this.#tellChange();
    this.#timer[Symbol.dispose]();
    this.#listening[Symbol.dispose]();
    this.#limit?.[Symbol.dispose]();
  }
}
