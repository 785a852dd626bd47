import type { Awaitable } from '../../state/view.ts';

/** What a paused run waits for: a promise, or only its next turn. */
export type Wait = Promise<void> | undefined;
/** Work that can be paused: it yields the promise it waits for. */
export type Run<T> = Generator<Wait, T, void>;

/** Paused work, with its continuation. */
export class Unfinished<T> {
  readonly rest: Run<T>;

  constructor(rest: Run<T>) {
    this.rest = rest;
  }

  /** Returns work that continues with `next` when this has ended. */
  before<Next>(next: () => Next | Unfinished<Next>): Unfinished<Next> {
    const { rest } = this;
    return new Unfinished(
      (function* (): Run<Next> {
        yield* rest as Run<unknown>;
        return yield* finished(next());
      })(),
    );
  }
}

/** Returns a finished result, or continues {@link Unfinished} work. */
export function* finished<T>(work: T | Unfinished<T>): Run<T> {
  return work instanceof Unfinished ? yield* work.rest : work;
}

/** Calls `end` when work has ended, even if it failed. */
export function ending<T>(begin: () => T | Unfinished<T>, end: () => void): T | Unfinished<T> {
  let work: T | Unfinished<T> | undefined;
  try {
    work = begin();
  } finally {
    if (!(work instanceof Unfinished)) end();
  }
  return work instanceof Unfinished ? new Unfinished(endingLater(work.rest, end)) : work;
}

function* endingLater<T>(rest: Run<T>, end: () => void): Run<T> {
  try {
    return yield* rest;
  } finally {
    end();
  }
}

/** The value; if it is a promise, the run waits for it. */
export function* awaited<T>(value: T | Promise<T>): Run<T> {
  if (!(value instanceof Promise)) return value;
  let result: T | undefined;
  yield value.then((fulfilled) => {
    result = fulfilled;
  });
  return result as T;
}

/** Runs work to its end synchronously. @throws Error when the run has to wait for a promise */
export function finishNow<T>(run: Run<T>): T {
  for (;;) {
    const { done, value } = run.next();
    if (done) return value;
    if (value === undefined) continue;
    value.catch(() => {});
    run.throw(new Error('this run has to wait: use the asynchronous form'));
  }
}

/**
 * Runs work synchronously as long as it needn't wait; otherwise returns a promise.
 * @param giveWay returns a promise when other work should run between two slices of the run; absent = never
 */
export function finish<T>(
  run: Run<T>,
  giveWay: () => Promise<void> | undefined = () => undefined,
): Awaitable<T> {
  for (;;) {
    const { done, value } = run.next();
    if (done) return value;
    const wait = value ?? giveWay();
    if (wait) return finishLater(run, giveWay, wait);
  }
}

/**
 * Continues work asynchronously.
 * @param giveWay see {@link finish}
 * @param first a promise that the run already waits for
 */
export async function finishLater<T>(
  run: Run<T>,
  giveWay: () => Promise<void> | undefined,
  first?: Promise<void>,
): Promise<T> {
  for (let wait: Wait = first; ; ) {
    try {
      await wait;
    } catch (error) {
      run.throw(error);
    }
    const { done, value } = run.next();
    if (done) return value;
    wait = value ?? giveWay();
  }
}
