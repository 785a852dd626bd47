import type { Awaitable } from '../../state/view.ts';

/** What a run waits for: a promise, or nothing but its next turn. */
export type Wait = Promise<void> | undefined;
/** Work that can stand still: it yields what it waits for. */
export type Run<T> = Generator<Wait, T, void>;

/** Work that has stood still, and what goes on with it. */
export class Unfinished<T> {
  readonly rest: Run<T>;

  constructor(rest: Run<T>) {
    this.rest = rest;
  }

  /** Work that begins once this has ended. */
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

/** Goes on with work where it is {@link Unfinished}. */
export function* finished<T>(work: T | Unfinished<T>): Run<T> {
  return work instanceof Unfinished ? yield* work.rest : work;
}

/** Does something once work has ended, also by an error. */
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

/** The value, after the run has waited for it where it is a promise. */
export function* settled<T>(value: T | Promise<T>): Run<T> {
  if (!(value instanceof Promise)) return value;
  let result: T | undefined;
  yield value.then((settledValue) => {
    result = settledValue;
  });
  return result as T;
}

/** @throws Error when the run has to wait for a promise */
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
 * Runs without a promise as long as nothing has to be waited for.
 * @param giveWay returns a promise when other work should go on between two slices of the run; absent = never
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
 * @param giveWay see {@link finish}
 * @param first what the run waits for already
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
