import type { Clock } from '../clock.ts';
import { isRefusalToAll, replyCode } from '../redis/refusal.ts';
import { LeaseHeld, type LogStore } from './log-store.ts';
import type { Position } from './position.ts';

/** Milliseconds between two looks of a candidate at a lease that isn't renewed. */
const LOOK_MS = 250;
/** The lease is renewed that often while it lasts. */
const RENEWALS = 4;
/** Part of a lease that its holder doesn't use: what it has begun by then ends before another node can get the next one. */
const RESERVE = 0.1;

/** A lease that was given to this node. */
export interface Granted {
  /** the fencing number */
  readonly fence: number;
  /** when it was asked for, milliseconds on the clock: it lasts from then on */
  readonly at: number;
}

/**
 * Becomes the leader. Where the last one didn't give its lease back, waits for the length of a lease: by then a leader that
 * can't renew it makes no blocks any more, and one that can has renewed it.
 * @param options.known fencing number of the newest leader that this node knows of, in case Redis lost it; 0 = none
 * @throws LeaseHeld when the leader is alive, Error when Redis can't be reached or takes no writes
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
      // One that was there at the beginning may have run out since; one that comes later is of a leader that is alive.
      const isRenewed = held && error.left > held.left;
      if (isOver || isRenewed) throw error;
      if (!held) end = clock.now() + (error.left > 0 ? error.left + 1 : store.leaseMs);
      held = error;
    }
    const wait = Math.min(LOOK_MS, Math.max(1, end - clock.now()));
    await new Promise<void>((resolve) => clock.after(wait, resolve));
  }
}

export interface LeaseDeps {
  readonly store: LogStore;
  readonly clock: Clock;
  /** this node's last task, which may still have to be written to the log */
  readonly made: () => Position;
  /** called when there is a later leader */
  readonly onSuperseded: () => void;
  /** called when Redis has renewed it, or with the reason why Redis refuses that */
  readonly onAnswer: (refusal?: unknown) => void;
  /** called when the lease is over: this node may make no more blocks, though no later leader is known */
  readonly onHalt: () => void;
  /** called when it is held again */
  readonly onResume: () => void;
}

/**
 * Keeps a lease while this node is the leader. It ends by time: a leader that can't renew it has to stop before another node
 * can get one. Only while nobody can get one, because nobody listens at the address of Redis, or it takes no writes of anybody,
 * it goes on.
 */
export class Lease {
  readonly #deps: LeaseDeps;
  readonly #timer: Disposable;
  readonly #listening: Disposable;
  readonly fence: number;
  #address: string;
  /** when this node must have stopped, milliseconds on the clock */
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

  /** Whether this node may make blocks: no other one can be the leader. */
  get isHeld(): boolean {
    return this.#deps.clock.now() < this.#end;
  }

  /** Milliseconds since it was renewed last. */
  get age(): number {
    const { store, clock } = this.#deps;
    return clock.now() - (this.#end - store.leaseMs * (1 - RESERVE));
  }

  /** Resolves as soon as the lease is held. @throws Error when it is given up meanwhile */
  async held(): Promise<void> {
    while (!this.isHeld) {
      if (this.#isOver) throw new Error('this node leads the chain no more');
      await new Promise<void>((resolve) => this.#onChange.push(resolve));
    }
  }

  /** Tells followers where this node listens. Where Redis doesn't answer now, the next renewal does. */
  async moveTo(address: string): Promise<void> {
    this.#address = address;
    // One that is under way has the address before.
    await this.#renewing;
    await this.#renew();
  }

  /** Ends the lease at once, so that another node needn't wait. */
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
      // Any other error is that of a connection.
      if (replyCode(error) === undefined) return;
      if (isRefusalToAll(error)) this.#extend();
      onAnswer(error);
    }
  }

  /** Nobody can be the leader at this moment. Where the lease is over already, somebody may have become it before. */
  #extend(): void {
    if (this.isHeld) this.#hold(this.#deps.clock.now());
  }

  /** @param at when the lease was asked for, milliseconds on the clock */
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
