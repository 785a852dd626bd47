import type { DevnetError } from '../errors.ts';
import type { Cause, RpcCall } from './inputs.ts';

/** The task that changes the chain now, and whether the time of the call that enqueued it is over. */
export class CurrentTask {
  #cause: Cause | undefined;
  #isLimited = false;
  /** calls whose time is over */
  readonly #expired = new WeakMap<RpcCall, DevnetError>();

  /** @throws the error with which the call was answered, when its time is over already */
  begin(cause: Cause): void {
    const error = this.#errorOf(cause);
    if (error) throw error;
    this.#cause = cause;
  }

  end(): void {
    this.#cause = undefined;
    this.#isLimited = false;
  }

  /**
   * Ends a call whose time is over. Its task isn't begun, if it still waits.
   * @returns whether it runs
   */
  expire(call: RpcCall, error: DevnetError): boolean {
    this.#expired.set(call, error);
    return this.#cause === call;
  }

  /** The same in a replay, for the task that runs. */
  expireNow(error: DevnetError): void {
    if (typeof this.#cause === 'object') this.#expired.set(this.#cause, error);
  }

  /** From now on the task can be ended before each of its writes: it leaves nothing then. */
  limit(): void {
    this.#isLimited = true;
  }

  /** The task goes on to its end: it takes back what it has done. */
  unlimit(): void {
    this.#isLimited = false;
  }

  /** @throws the error with which the call was answered, when its time is over and its task can be ended */
  assertInTime(): void {
    const error = this.#isLimited && this.#cause ? this.#errorOf(this.#cause) : undefined;
    if (error) throw error;
  }

  #errorOf(cause: Cause): DevnetError | undefined {
    return typeof cause === 'object' ? this.#expired.get(cause) : undefined;
  }
}
