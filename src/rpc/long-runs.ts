import { DevnetError } from '../errors.ts';
import type { Pauses } from '../turns.ts';
import { JsonStream } from './json-stream.ts';

/** A run that holds more bytes than this is a long one, however little time it has taken. */
const MAX_SHORT_BYTES = 8 * 2 ** 20;

/** The long runs of one caller. `waiting` are those that wait for their next slice, in the order in which they paused. */
interface Share {
  readonly runs: Set<LongRun>;
  readonly waiting: LongRun[];
}

/**
 * Shares the time for background work among requests that compute, such as calls and traces. A request runs freely until the time slice is
 * used up or it holds much memory, so a short request never waits here. After that it is a long run and gets one slice at a time: callers
 * take turns, and so do the requests of one caller. All long runs together get the same time as one piece of background work.
 *
 * The number of long runs is limited. When the limit is reached, a caller with less than its share displaces the newest run of the caller
 * with the most runs. A run without a place ends, and starts again when there is a place: {@link placeFor}. Paused runs hold memory, which
 * is limited in total: above the limit, the run that holds most is ended. The limit is higher for a run that is the only long one.
 */
export class LongRuns {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #mostBytes: number;
  readonly #mostBytesAlone: number;
  readonly #turns: Pauses;
  readonly #onBusy: (() => void) | undefined;
  readonly #onQuiet: ((isQuiet: () => boolean) => void) | undefined;
  /** by caller; the caller whose turn is next is first */
  readonly #shares = new Map<object, Share>();
  /** requests that wait for a place, in the order in which they came */
  readonly #queue: Waiting[] = [];
  #count = 0;
  /** bytes that the long runs hold in total */
  #held = 0;
  #givingTurns = false;
  readonly #places: Places = {
    enter: (run) => this.#enter(run),
    wait: (run) => this.#wait(run),
    leave: (run) => this.#leave(run),
    hold: (bytes) => this.#hold(bytes),
  };

  /**
   * @param options.most maximum number of concurrent long runs
   * @param options.mostWaiting maximum number of requests that wait for a place
   * @param options.mostBytes memory that several long runs may hold together, bytes
   * @param options.mostBytesAlone memory that a long run may hold if it is the only one, bytes
   * @param deps.onBusy called when a run becomes long and no other run is long
   * @param deps.onQuiet called when no run is long any more, with a function that tells whether this is still true
   */
  constructor(
    options: { most: number; mostWaiting: number; mostBytes: number; mostBytesAlone: number },
    deps: {
      turns: Pauses;
      onBusy?: (() => void) | undefined;
      onQuiet?: ((isQuiet: () => boolean) => void) | undefined;
    },
  ) {
    this.#most = options.most;
    this.#mostWaiting = options.mostWaiting;
    this.#mostBytes = options.mostBytes;
    this.#mostBytesAlone = options.mostBytesAlone;
    this.#turns = deps.turns;
    this.#onBusy = deps.onBusy;
    this.#onQuiet = deps.onQuiet;
  }

  /** Whether any run is long. */
  get isBusy(): boolean {
    return this.#count > 0;
  }

  /** Starts a run for a request. @param caller an object that is the same for all requests of a connection */
  begin(caller: object): LongRun {
    return new LongRun(caller, this.#turns, this.#places);
  }

  /**
   * Waits for a place, for a run that ended because there was none.
   * @param signal aborted, with a reason, when the place is no longer wanted
   * @returns a new run that has a place
   * @throws DevnetError `tooManyLong` if too many requests wait, or the signal's reason
   */
  async placeFor(caller: object, signal: AbortSignal): Promise<LongRun> {
    signal.throwIfAborted();
    if (this.#count < this.#most) return this.#placed(caller);
    if (this.#queue.length >= this.#mostWaiting)
      throw new DevnetError('tooManyLong', { most: this.#most, waiting: this.#mostWaiting });
    return new Promise((resolve, reject) => {
      const waiting = { caller, resolve: () => resolve(this.#placed(caller)), reject };
      this.#queue.push(waiting);
      signal.addEventListener('abort', () => this.#giveUp(waiting, signal.reason));
    });
  }

  /** Ends all long runs of a caller that has disconnected. */
  end(caller: object, error: DevnetError): void {
    for (const waiting of this.#queue.filter((it) => it.caller === caller)) this.#giveUp(waiting, error);
    for (const run of [...(this.#shares.get(caller)?.runs ?? [])]) run.end(error);
  }

  #giveUp(waiting: Waiting, error: DevnetError): void {
    const at = this.#queue.indexOf(waiting);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    waiting.reject(error);
  }

  #placed(caller: object): LongRun {
    const run = this.begin(caller);
    run.enter();
    return run;
  }

  /** @throws DevnetError `noPlace` */
  #enter(run: LongRun): void {
    const { caller } = run;
    if (this.#count >= this.#most) {
      const own = this.#shares.get(caller)?.runs.size ?? 0;
      const largest = [...this.#shares.values()].reduce((a, b) => (b.runs.size > a.runs.size ? b : a));
      const error = new DevnetError('noPlace', { most: this.#most });
      if (largest.runs.size < own + 2) throw error;
      // The count keeps the displaced run's place for this run, so that no waiting request gets it.
      this.#count++;
      [...largest.runs].at(-1)!.end(error);
      this.#count--;
    }
    const share = this.#shares.get(caller) ?? { runs: new Set(), waiting: [] };
    this.#shares.set(caller, share);
    share.runs.add(run);
    if (this.#count++ === 0) this.#onBusy?.();
    this.#held += run.held;
    this.#limitMemory();
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    if (bytes > 0) this.#limitMemory();
  }

  #limitMemory(): void {
    const most = this.#count > 1 ? this.#mostBytes : this.#mostBytesAlone;
    if (this.#held <= most) return;
    const runs = [...this.#shares.values()].flatMap((share) => [...share.runs]);
    const largest = runs.reduce((a, b) => (b.held > a.held ? b : a));
    largest.end(new DevnetError('tooMuchMemory', { most }));
  }

  #wait(run: LongRun): void {
    this.#shares.get(run.caller)!.waiting.push(run);
    if (!this.#givingTurns) void this.#giveTurns();
  }

  #leave(run: LongRun): void {
    const share = this.#shares.get(run.caller);
    if (!share?.runs.delete(run)) return;
    this.#count--;
    this.#held -= run.held;
    const at = share.waiting.indexOf(run);
    if (at >= 0) share.waiting.splice(at, 1);
    if (share.runs.size === 0) this.#shares.delete(run.caller);
    this.#givePlaces();
    if (this.#count === 0) void this.#becomeQuiet();
  }

  /** Gives free places to waiting requests: first to callers with the fewest runs. */
  #givePlaces(): void {
    const sizeOf = ({ caller }: Waiting) => this.#shares.get(caller)?.runs.size ?? 0;
    while (this.#queue.length > 0 && this.#count < this.#most) {
      const next = this.#queue.reduce((a, b) => (sizeOf(b) < sizeOf(a) ? b : a));
      this.#queue.splice(this.#queue.indexOf(next), 1);
      next.resolve();
    }
  }

  async #becomeQuiet(): Promise<void> {
    // After this pause the answers are being sent.
    await this.#turns.pause();
    if (this.#count > 0) return;
    this.#onQuiet?.(() => this.#count === 0);
  }

  async #giveTurns(): Promise<void> {
    this.#givingTurns = true;
    do await this.#turns.pause();
    while (this.#goOn());
    this.#givingTurns = false;
  }

  /** Lets the next run continue. @returns whether a run was waiting */
  #goOn(): boolean {
    for (const [caller, share] of this.#shares) {
      const run = share.waiting.shift();
      if (!run) continue;
      this.#shares.delete(caller);
      this.#shares.set(caller, share);
      run.goOn();
      return true;
    }
    return false;
  }
}

/** A request that waits for a place. */
interface Waiting {
  readonly caller: object;
  readonly resolve: () => void;
  readonly reject: (error: DevnetError) => void;
}

interface Places {
  enter(run: LongRun): void;
  wait(run: LongRun): void;
  leave(run: LongRun): void;
  hold(bytes: number): void;
}

/** The computation of one request, which may become long. */
export class LongRun implements Pauses {
  readonly caller: object;
  readonly #turns: Pauses;
  readonly #places: Places;
  /** bytes that the run holds */
  held = 0;
  #isLong = false;
  #error: DevnetError | undefined;
  /** set while the run is paused */
  #paused: { readonly resolve: () => void; readonly reject: (error: DevnetError) => void } | undefined;
  #work: Promise<unknown> | undefined;

  constructor(caller: object, turns: Pauses, places: Places) {
    this.caller = caller;
    this.#turns = turns;
    this.#places = places;
  }

  get due(): boolean {
    if (this.#error) return true;
    return this.#turns.due || (!this.#isLong && this.held > MAX_SHORT_BYTES);
  }

  /** @throws DevnetError, as a rejection: `noPlace`, or the error that {@link end} was given */
  async pause(): Promise<void> {
    if (this.#error) throw this.#error;
    if (!this.#isLong) {
      this.enter();
      if (this.#error) throw this.#error;
      this.#leaveAfterwards();
    }
    return new Promise((resolve, reject) => {
      this.#paused = { resolve, reject };
      this.#places.wait(this);
    });
  }

  /** Takes a place. @throws DevnetError `noPlace` */
  enter(): void {
    this.#places.enter(this);
    this.#isLong = true;
  }

  hold(bytes: number): void {
    this.held += bytes;
    if (this.#isLong && !this.#error) this.#places.hold(bytes);
  }

  /** Continues the run with its next slice. */
  goOn(): void {
    const paused = this.#paused;
    this.#paused = undefined;
    paused?.resolve();
  }

  /** Ends the run with an error, at its next pause or at once if it is paused. Has no effect on a run that has ended. */
  end(error: DevnetError): void {
    this.#error ??= error;
    this.#places.leave(this);
    const paused = this.#paused;
    this.#paused = undefined;
    paused?.reject(this.#error);
  }

  /** Frees the run's place when the work has ended, including the stream that it may result in. */
  until(work: Promise<unknown>): void {
    this.#work = work;
    if (this.#isLong) this.#leaveAfterwards();
  }

  #leaveAfterwards(): void {
    const leave = () => this.#places.leave(this);
    this.#work
      ?.then((result) => (result instanceof JsonStream ? result.finished : undefined))
      .then(leave, leave);
  }
}
