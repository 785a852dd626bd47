import { bytesToHex } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { CallInput } from './inputs.ts';

/** The end of a task that didn't get what it needed of the node that the chain is forked from. */
interface Refusal {
  /** how many points it had passed, see {@link CurrentTask.assertFetched} */
  readonly points: number;
  readonly error: DevnetError;
}

/** The task that changes the chain now, and which calls can still be ended because their time is over. */
export class CurrentTask {
  #call: CallInput | undefined;
  /** Until when the running task can be ended before each of its writes, and then leaves nothing. */
  #limit: 'firstWrite' | 'end' | undefined;
  /** calls whose time is over, and which were answered with an error */
  readonly #expired = new WeakMap<CallInput, DevnetError>();
  /** calls of which a task has begun */
  readonly #begun = new WeakSet<CallInput>();
  /** calls that have changed something */
  readonly #done = new WeakSet<CallInput>();
  /** how a replay ends the next task, and the running one */
  #nextRefusal: Refusal | undefined;
  #refusal: Refusal | undefined;
  /** in a replay: hashes of transactions that the coming blocks leave out, and the error for which they do */
  #leftOut: { readonly hashes: string[]; readonly error: DevnetError } | undefined;
  #onLeftOut: (hash: Uint8Array) => void = () => {};
  /** whether the listener knows that the running task has failed */
  #isTold = false;
  #onOutsideFailure: (points: number) => void = () => {};
  /** how often the running task had what it needed, see {@link assertFetched} */
  #points = 0;

  /**
   * @param listener called once for a task that fails because the node that a chain is forked from doesn't answer. The same task may
   *   succeed in a replay, which therefore has to be told; called before the task takes back what it has done, with the number of
   *   points that it has passed, see {@link assertFetched}
   */
  onOutsideFailure(listener: (points: number) => void): void {
    this.#onOutsideFailure = listener;
  }

  /**
   * @param listener called with the hash of a transaction that a block leaves out, and drops, because the node that the chain is forked
   *   from doesn't give what it needs. The same transaction may succeed in a replay, which therefore has to be told
   */
  onLeftOut(listener: (hash: Uint8Array) => void): void {
    this.#onLeftOut = listener;
  }

  /** To be called when a block of the running task leaves out a transaction. @param error for which it does */
  leftOut(hash: Uint8Array, error: DevnetError): void {
    if (isOutsideFailure(error)) this.#onLeftOut(hash);
  }

  /** In a replay: the next blocks leave out these transactions, each once. `undefined`: none. @param given.hashes `0x` hex */
  leaveOut(given: { readonly hashes: readonly string[]; readonly error: DevnetError } | undefined): void {
    this.#leftOut = given && { hashes: [...given.hashes], error: given.error };
  }

  /** To be called before a block of the running task takes a transaction. @throws in a replay, where the recorded block left it out */
  assertTaken(hash: Uint8Array): void {
    if (!this.#leftOut?.hashes.length) return;
    const { hashes, error } = this.#leftOut;
    const at = hashes.indexOf(bytesToHex(hash));
    if (at < 0) return;
    hashes.splice(at, 1);
    throw error;
  }

  /** To be called with the error of the running task, before it takes back what it has done. */
  failed(error: unknown): void {
    if (this.#isTold || !isOutsideFailure(error)) return;
    this.#refusal = undefined;
    this.#isTold = true;
    this.#onOutsideFailure(this.#points);
  }

  /**
   * @param call that enqueued the task; absent = nobody waits for it
   * @throws the error with which the call was answered, when its time is over already
   */
  begin(call: CallInput | undefined): void {
    this.assertWanted(call);
    this.#refusal = this.#nextRefusal;
    this.#nextRefusal = undefined;
    this.#points = 0;
    this.#call = call;
    if (call) this.#begun.add(call);
  }

  end(): void {
    if (this.#call) this.#done.add(this.#call);
    this.#call = undefined;
    this.#limit = undefined;
    this.#refusal = undefined;
    this.#isTold = false;
  }

  /** Whether a task of a call has begun, or it has changed something without one. */
  hasBegun(call: CallInput): boolean {
    return this.#begun.has(call);
  }

  /** To be called when a call has changed something without a task. */
  changed(call: CallInput): void {
    this.#begun.add(call);
    this.#done.add(call);
  }

  /**
   * Ends a call whose time is over, where it leaves nothing then: a task that still waits isn't begun, and one that runs takes back
   * what it has done.
   * @returns whether its task waits, runs and has written nothing, or runs and takes back what it has written; `undefined` where the
   *   call can't be ended any more: it is to be answered when it is done
   */
  expire(call: CallInput, error: DevnetError): 'waits' | 'runs' | 'takesBack' | undefined {
    const runs = this.#call === call;
    const isBegun = runs ? this.#limit === undefined : this.#begun.has(call);
    if (isBegun || this.#done.has(call)) return undefined;
    this.#expired.set(call, error);
    if (!runs) return 'waits';
    return this.#limit === 'end' ? 'takesBack' : 'runs';
  }

  /** The same in a replay, for the task that runs. */
  expireNow(error: DevnetError): void {
    if (this.#call) this.#expired.set(this.#call, error);
  }

  /** In a replay: the next task fails as it did when it was recorded. `undefined`: it doesn't. */
  refuseNext(refusal: Refusal | undefined): void {
    this.#nextRefusal = refusal;
  }

  /**
   * To be called where a task has fetched what it needs, before anything comes of that: a point.
   * @throws in a replay, where the recorded task got nothing
   */
  assertFetched(): void {
    if (this.#refusal?.points === this.#points) throw this.#refusal.error;
    this.#points++;
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
    this.assertFetched();
    if (this.#limit === 'firstWrite') this.#limit = undefined;
  }

  /** @throws the error with which the call was answered, when its time is over and its task can be ended */
  assertInTime(): void {
    if (this.#limit) this.assertWanted(this.#call);
  }

  /** @throws the error with which a call was answered, when its time is over and it was ended */
  assertWanted(call: CallInput | undefined): void {
    const error = call && this.#expired.get(call);
    if (error) throw error;
  }
}

/** Whether the node that a chain is forked from didn't give what was needed. A later attempt may succeed. */
export function isOutsideFailure(error: unknown): boolean {
  return error instanceof DevnetError && (error.kind === 'remoteFailed' || error.kind === 'notCached');
}
