import type { DevnetError } from '../errors.ts';
import type { RpcCall } from './inputs.ts';

/** The task that changes the chain now, and which calls can still be ended because their time is over. */
export class CurrentTask {
  #call: RpcCall | undefined;
  /** Until when the running task can be ended before each of its writes, and then leaves nothing. */
  #limit: 'firstWrite' | 'end' | undefined;
  /** calls whose time is over, and which were answered with an error */
  readonly #expired = new WeakMap<RpcCall, DevnetError>();
  /** calls of which a task has begun */
  readonly #begun = new WeakSet<RpcCall>();
  /** calls that have changed something */
  readonly #done = new WeakSet<RpcCall>();

  /**
   * @param call that enqueued the task; absent = nobody waits for it
   * @throws the error with which the call was answered, when its time is over already
   */
  begin(call: RpcCall | undefined): void {
    this.assertWanted(call);
    this.#call = call;
    if (call) this.#begun.add(call);
  }

  end(): void {
    if (this.#call) this.#done.add(this.#call);
    this.#call = undefined;
    this.#limit = undefined;
  }

  /** To be called when a call has changed something without a task. */
  changed(call: RpcCall): void {
    this.#begun.add(call);
    this.#done.add(call);
  }

  /**
   * Ends a call whose time is over, where it leaves nothing then: a task that still waits isn't begun, and one that runs takes back
   * what it has done.
   * @returns whether its task waits or runs; `undefined` where the call can't be ended any more: it is to be answered when it is done
   */
  expire(call: RpcCall, error: DevnetError): 'waits' | 'runs' | undefined {
    const runs = this.#call === call;
    const isBegun = runs ? this.#limit === undefined : this.#begun.has(call);
    if (isBegun || this.#done.has(call)) return undefined;
    this.#expired.set(call, error);
    return runs ? 'runs' : 'waits';
  }

  /** The same in a replay, for the task that runs. */
  expireNow(error: DevnetError): void {
    if (this.#call) this.#expired.set(this.#call, error);
  }

  /**
   * From now on the task can be ended before each of its writes: it leaves nothing then.
   * @param until its first write, after which it goes on to its end; or its end, before which it takes back what it has written
   */
  limit(until: 'firstWrite' | 'end'): void {
    this.#limit = until;
  }

  /** The task goes on to its end. */
  unlimit(): void {
    this.#limit = undefined;
  }

  /** To be called before each write. @throws as {@link assertInTime} */
  writes(): void {
    this.assertInTime();
    if (this.#limit === 'firstWrite') this.#limit = undefined;
  }

  /** @throws the error with which the call was answered, when its time is over and its task can be ended */
  assertInTime(): void {
    if (this.#limit) this.assertWanted(this.#call);
  }

  /** @throws the error with which a call was answered, when its time is over and it was ended */
  assertWanted(call: RpcCall | undefined): void {
    const error = call && this.#expired.get(call);
    if (error) throw error;
  }
}
