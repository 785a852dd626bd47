import type { Clock } from '../clock.ts';
import { LEASE_MS, LeaseHeld, type LogStore } from './log-store.ts';

/**
 * Becomes the leader. Where the last one didn't give its lease back, waits until that ends.
 * @returns the fencing number
 * @throws LeaseHeld when the leader is alive
 */
export async function acquireLease(store: LogStore, address: string, clock: Clock): Promise<number> {
  try {
    return await store.acquire(address);
  } catch (error) {
    if (!(error instanceof LeaseHeld)) throw error;
    await new Promise<void>((resolve) => clock.after(error.left + 1, resolve));
    return store.acquire(address);
  }
}

/** Keeps a lease while this node is the leader. */
export class Lease {
  readonly #store: LogStore;
  readonly #timer: Disposable;
  readonly fence: number;
  #address: string;

  /** @param deps.onSuperseded called when there is a later leader */
  constructor(
    options: { fence: number; address: string },
    deps: { store: LogStore; clock: Clock; onSuperseded: () => void },
  ) {
    this.fence = options.fence;
    this.#address = options.address;
    this.#store = deps.store;
    this.#timer = deps.clock.every(LEASE_MS / 4, () => this.#renew(deps.onSuperseded));
  }

  get address(): string {
    return this.#address;
  }

  /** Tells followers where this node listens. */
  async moveTo(address: string): Promise<void> {
    this.#address = address;
    await this.#store.renew(this.fence, address);
  }

  /** Ends the lease at once, so that another node needn't wait. */
  async release(): Promise<void> {
    this.#timer[Symbol.dispose]();
    await this.#store.release(this.fence);
  }

  async #renew(onSuperseded: () => void): Promise<void> {
    // While Redis is away, nobody else can become the leader either.
    const isLeader = await this.#store.renew(this.fence, this.#address).catch(() => true);
    if (isLeader) return;
    this.#timer[Symbol.dispose]();
    onSuperseded();
  }
}
