import { bytesToHex } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { CallInput } from './inputs.ts';

/** The failure of a task that didn't get data that it needed from the forked node (the node that the chain is forked from). */
interface Refusal {
  /** how many points the task had passed, see {@link CurrentTask.assertFetched} */
  readonly points: number;
  readonly error: DevnetError;
}

/**
 * The task that changes the chain now. Decides whether a call that has timed out can still be ended, and lets a replay end tasks at the
 * point at which the recorded task ended.
 */
export class CurrentTask {
  #call: CallInput | undefined;
  /** Until when the running task can be ended, see {@link allowExpiry}; `undefined` when it can't be. */
  #limit: 'firstWrite' | 'end' | undefined;
  /** calls that timed out and were answered with an error */
  readonly #expired = new WeakMap<CallInput, DevnetError>();
  /** calls with a task that has begun */
  readonly #begun = new WeakSet<CallInput>();
  /** calls that have changed the chain or the mempool */
  readonly #done = new WeakSet<CallInput>();
  // In a replay: the failures with which the next and the running task end.
  #nextRefusal: Refusal | undefined;
  #refusal: Refusal | undefined;
  /** in a replay: hashes of transactions that the next blocks leave out, and the error with which they do */
  #leftOut: { readonly hashes: string[]; readonly error: DevnetError } | undefined;
  #onLeftOut: (hash: Uint8Array) => void = () => {};
  /** whether the listener was called for the running task */
  #isReported = false;
  #onOutsideFailure: (points: number) => void = () => {};
  /** how many points the running task has passed, see {@link assertFetched} */
  #points = 0;

  /**
   * @param listener called once for a task that fails because the forked node doesn't answer, before the task rolls back its changes,
   *   with the number of points that it has passed, see {@link assertFetched}. Needed for replays, in which the same task might succeed
   */
  onOutsideFailure(listener: (points: number) => void): void {
    this.#onOutsideFailure = listener;
  }

  /**
   * @param listener called with the hash of a transaction that is dropped and left out of a block because the forked node doesn't answer.
   *   Needed for replays, in which the same transaction might succeed
   */
  onLeftOut(listener: (hash: Uint8Array) => void): void {
    this.#onLeftOut = listener;
  }

  /** Must be called when a block of the running task leaves out a transaction. @param error the reason */
  leftOut(hash: Uint8Array, error: DevnetError): void {
    if (isOutsideFailure(error)) this.#onLeftOut(hash);
  }

  /** In a replay: makes the next blocks leave out these transactions, each once; `undefined`: none. @param given.hashes `0x` hex */
  leaveOut(given: { readonly hashes: readonly string[]; readonly error: DevnetError } | undefined): void {
    this.#leftOut = given && { hashes: [...given.hashes], error: given.error };
  }

  /** Must be called before a transaction is added to a block. @throws in a replay, if the recorded block left it out */
  assertNotLeftOut(hash: Uint8Array): void {
    if (!this.#leftOut?.hashes.length) return;
    const { hashes, error } = this.#leftOut;
    const at = hashes.indexOf(bytesToHex(hash));
    if (at < 0) return;
    hashes.splice(at, 1);
    throw error;
  }

  /** Must be called with the error of the running task, before the task rolls back its changes. */
  failed(error: unknown): void {
    if (this.#isReported || !isOutsideFailure(error)) return;
    this.#refusal = undefined;
    this.#isReported = true;
    this.#onOutsideFailure(this.#points);
  }

  /**
   * @param call the call that enqueued the task; absent if no call waits for it
   * @throws the error with which the call was answered, if the call has already timed out
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
    this.#isReported = false;
  }

  /** Whether a task of the call has begun, or the call has changed the mempool without a task. */
  hasBegun(call: CallInput): boolean {
    return this.#begun.has(call);
  }

  /** Must be called when a call has changed the mempool without a task. */
  changed(call: CallInput): void {
    this.#begun.add(call);
    this.#done.add(call);
  }

  /**
   * Ends a call that has timed out, if it can end without leaving any change: a waiting task isn't begun, and a running task rolls back
   * its changes.
   * @returns the state of the task: `waits`; `runs` (it has written nothing); `rollsBack` (it runs and rolls back its writes).
   *   `undefined` if the call can't be ended any more: it must then be answered when it has finished
   */
  expire(call: CallInput, error: DevnetError): 'waits' | 'runs' | 'rollsBack' | undefined {
    const runs = this.#call === call;
    const isBegun = runs ? this.#limit === undefined : this.#begun.has(call);
    if (isBegun || this.#done.has(call)) return undefined;
    this.#expired.set(call, error);
    if (!runs) return 'waits';
    return this.#limit === 'end' ? 'rollsBack' : 'runs';
  }

  /** In a replay: ends the running task with `error`, as {@link expire} did in the recording. */
  expireNow(error: DevnetError): void {
    if (this.#call) this.#expired.set(this.#call, error);
  }

  /** In a replay: makes the next task fail as it did when it was recorded; `undefined`: it doesn't fail. */
  failNext(refusal: Refusal | undefined): void {
    this.#nextRefusal = refusal;
  }

  /**
   * Counts a point. Must be called each time a task has read the data that it needs, before it makes any change with it.
   * @throws in a replay, at the point at which the recorded task failed because the forked node didn't answer
   */
  assertFetched(): void {
    if (this.#refusal?.points === this.#points) throw this.#refusal.error;
    this.#points++;
  }

  /**
   * Allows the running task to be ended from now on, without leaving any change.
   * @param until `firstWrite`: only before its first write; `end`: before each write up to its end, since it rolls back earlier ones
   */
  allowExpiry(until: 'firstWrite' | 'end'): void {
    this.#limit = until;
  }

  /** The running task can't be ended any more. */
  forbidExpiry(): void {
    this.#limit = undefined;
  }

  /** Must be called before each write. @throws like {@link assertInTime} and {@link assertFetched} */
  writes(): void {
    this.assertInTime();
    this.assertFetched();
    if (this.#limit === 'firstWrite') this.#limit = undefined;
  }

  /** @throws the error with which the current call was answered, if it has timed out and its task can be ended */
  assertInTime(): void {
    if (this.#limit) this.assertWanted(this.#call);
  }

  /** @throws the error with which a call was answered, if it has timed out and was ended */
  assertWanted(call: CallInput | undefined): void {
    const error = call && this.#expired.get(call);
    if (error) throw error;
  }
}

/** Whether the error means that the forked node didn't provide the data. A later attempt may succeed. */
export function isOutsideFailure(error: unknown): boolean {
  return error instanceof DevnetError && (error.kind === 'remoteFailed' || error.kind === 'notCached');
}
