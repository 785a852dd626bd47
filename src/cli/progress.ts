import { type Clock, SystemClock } from '../clock.ts';
import type { Output } from '../log/colors.ts';
import type { Progress } from '../progress.ts';
import type { Io } from './main.ts';

/** Milliseconds between two lines if the output isn't a terminal, and before the first one. */
const LINE_EVERY = 5_000;
/** Milliseconds before the first line on a terminal, and between two updates: short work shows nothing. */
const DRAW_AFTER = 1_000;
const DRAW_EVERY = 100;
/** Milliseconds after which a terminal updates the elapsed time although nothing was reported. */
const DRAW_IDLE = 1_000;
/** The rate is averaged over at most so many milliseconds, and is known after the first second. */
const WINDOW = 10_000;
const RATE_AFTER = 1_000;
/** Milliseconds between two samples of the progress. */
const SAMPLE_EVERY = 500;
/** Default width of a terminal in columns, if it is unknown. */
const COLUMNS = 80;

const CLEAR = '\r\x1b[K';

/**
 * How progress is shown. `redrawn`: in one line of a terminal, which is removed at the end; `lines`: a line every five seconds; `records`:
 * the same as JSON.
 */
export type Style = 'redrawn' | 'lines' | 'records';

interface Sample {
  readonly at: number;
  readonly done: number;
  readonly also: number;
}

/** Shows the progress of long work, with its rate and the time left. Work that ends soon shows nothing. */
export class ProgressLine implements Disposable {
  readonly #style: Style;
  readonly #clock: Clock;
  readonly #output: Output;
  #progress: Progress | undefined;
  /** samples of the current task, oldest first */
  #samples: Sample[] = [];
  /** when the current task started */
  #begun = 0;
  /** when the next line is due */
  #due = Number.POSITIVE_INFINITY;
  /** whether a line is shown on the terminal */
  #isShown = false;
  #isOver = false;
  #timer: Disposable | undefined;

  /** @param deps.clock wall time */
  constructor(options: { readonly style: Style }, deps: { clock: Clock; output: Output }) {
    this.#style = options.style;
    this.#clock = deps.clock;
    this.#output = deps.output;
  }

  /** Reports the state of the work. A task with another name starts from the beginning. */
  readonly report = (progress: Progress): void => {
    if (this.#isOver) return;
    const now = this.#clock.now();
    if (!this.#progress) {
      this.#due = now + (this.#style === 'redrawn' ? DRAW_AFTER : LINE_EVERY);
      this.#arm(this.#due - now);
    }
    if (progress.task !== this.#progress?.task) {
      this.#begun = now;
      this.#samples = [];
    }
    this.#progress = progress;
    const { done = 0 } = progress;
    // The count was restarted: the first part of the work is done, and more work has arrived.
    if (done < (this.#samples.at(-1)?.done ?? 0)) this.#samples = [];
    const last = this.#samples.at(-1);
    if (!last || now - last.at >= SAMPLE_EVERY) this.#sample(now);
    if (now >= this.#due) this.#draw(now);
  };

  /** Returns the same output for other texts: the progress line is removed before each of them. */
  over(output: Output): Output {
    return {
      ...(output.isTTY !== undefined && { isTTY: output.isTTY }),
      write: (text) => {
        this.#clear();
        return output.write(text);
      },
    };
  }

  /** Removes the line. Later reports aren't shown. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
    this.#clear();
  }

  /** Starts the timer that also shows progress while nothing is reported. */
  #arm(ms: number): void {
    const task = () => {
      const now = this.#clock.now();
      if (now >= this.#due) this.#draw(now);
      const idle = this.#style === 'redrawn' ? DRAW_IDLE : LINE_EVERY;
      this.#arm(Math.max(1, this.#style === 'redrawn' ? idle : this.#due - now));
    };
    this.#timer = this.#clock.after(ms, task, { keepsProcess: false });
  }

  #sample(now: number): void {
    const { done = 0, also } = this.#progress!;
    this.#samples.push({ at: now, done, also: also?.done ?? 0 });
    while (this.#samples.length > 2 && this.#samples[1]!.at <= now - WINDOW) this.#samples.shift();
  }

  #draw(now: number): void {
    const facts = this.#facts(now);
    if (this.#style === 'redrawn') {
      const columns = this.#output.columns ?? COLUMNS;
      // Uses one column less, because some terminals wrap a full line.
      this.#output.write(`${CLEAR}${fitting(facts, columns - 1)}`);
      this.#isShown = true;
      this.#due = now + DRAW_EVERY;
      return;
    }
    this.#due = now + LINE_EVERY;
    this.#output.write(`${this.#style === 'lines' ? textOf(facts) : recordOf(now, facts)}\n`);
  }

  #clear(): void {
    if (this.#isShown) this.#output.write(CLEAR);
    this.#isShown = false;
  }

  #facts(now: number): Facts {
    const progress = this.#progress!;
    const { done, total, also } = progress;
    const [first] = this.#samples;
    const seconds = (now - (first?.at ?? now)) / 1000;
    const isKnown = now - this.#begun >= RATE_AFTER && seconds > 0;
    const rate = (value: number, before: number) => (isKnown ? (value - before) / seconds : undefined);
    const doneRate = done === undefined ? undefined : rate(done, first?.done ?? 0);
    return {
      progress,
      seconds: (now - this.#begun) / 1000,
      rate: also ? rate(also.done, first?.also ?? 0) : doneRate,
      left:
        done !== undefined && total !== undefined && doneRate
          ? Math.max(0, total - done) / doneRate
          : undefined,
    };
  }
}

interface Facts {
  readonly progress: Progress;
  /** seconds since the task started */
  readonly seconds: number;
  /** units per second of `also` if present, else of `done`; `undefined` until it is known */
  readonly rate: number | undefined;
  /** seconds left; `undefined` until it is known */
  readonly left: number | undefined;
}

/** Returns the text, without its least important parts if it is too long. */
function fitting(facts: Facts, columns: number): string {
  const text = textOf(facts);
  return (text.length <= columns ? text : textOf(facts, { isShort: true })).slice(0, columns);
}

/** `Importing chain.rlp: 45 %, 12.3 of 27.4 MB, block 1,234, 210 blocks/s, 1 min 20 s left` */
function textOf({ progress, seconds, rate, left }: Facts, { isShort } = { isShort: false }): string {
  const { task, done, total, unit = '', also } = progress;
  if (done === undefined) return `${task}: ${durationOf(seconds)}`;
  const share = total === undefined || isShort ? [] : [`${percentOf(done, total)} %`];
  const count = total === undefined ? amountOf(done, unit) : amountsOf(done, total, unit);
  const counted = also && !isShort ? [amountOf(also.done, also.unit)] : [];
  const speed = rate === undefined ? [] : [`${amountOf(rate, also?.unit ?? unit)}/s`];
  const rest = left === undefined ? [] : [`${durationOf(left)} left`];
  return `${task}: ${[...share, count, ...counted, ...speed, ...rest].join(', ')}`;
}

/** The same as a log record, see docs/log.md. */
function recordOf(now: number, { progress, rate, left }: Facts): string {
  const { task, done, total, unit, also } = progress;
  const perSecond = rate !== undefined && { rate: Number(rate.toPrecision(3)), rateUnit: also?.unit ?? unit };
  return JSON.stringify({
    time: new Date(now).toISOString(),
    ...{ level: 'info', event: 'progress', task, done, total, unit },
    ...perSecond,
    ...(left !== undefined && { secondsLeft: Math.round(left) }),
  });
}

const percentOf = (done: number, total: number): number =>
  Math.min(100, Math.floor((100 * done) / Math.max(1, total)));

function amountsOf(done: number, total: number, unit: string): string {
  if (unit === 'bytes') return `${numberOf(done / 1e6)} of ${numberOf(total / 1e6)} MB`;
  return `${numberOf(Math.floor(done))} of ${numberOf(total)} ${unit}`;
}

function amountOf(amount: number, unit: string): string {
  return unit === 'bytes' ? `${numberOf(amount / 1e6)} MB` : `${numberOf(amount)} ${unit}`;
}

/** Formats a number: without decimals from 100 on or if it is whole, else with one decimal, or two below 1. */
function numberOf(value: number): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 1 ? 1 : 2;
  const [whole = '', ...decimals] = value.toFixed(digits).split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','), ...decimals].join('.');
}

/** `45 s`, `1 min 20 s`, `2 h 5 min` */
function durationOf(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/**
 * Opens the progress display of a command: on stderr, so that stdout contains only results; with `logFormat: 'json'` as log records on the
 * log's output.
 * @returns `undefined` if the command is silent
 */
export function openProgress(
  { silent, logFormat }: { readonly silent?: boolean | undefined; readonly logFormat?: unknown },
  { stderr, env }: Pick<Io, 'stderr' | 'env'>,
  log: Output = stderr,
): ProgressLine | undefined {
  if (silent) return undefined;
  const clock = new SystemClock();
  if (logFormat === 'json') return new ProgressLine({ style: 'records' }, { clock, output: log });
  return new ProgressLine({ style: styleOn(stderr, env) }, { clock, output: stderr });
}

/**
 * Shows the progress of work that a running node does from time to time, as lines in its log, one every five seconds.
 * @returns a function that takes the state of the work, and `undefined` at its end
 */
export function openRecurringProgress(
  { silent, logFormat }: { readonly silent?: boolean | undefined; readonly logFormat?: unknown },
  log: Output,
): (progress: Progress | undefined) => void {
  if (silent) return () => {};
  const clock = new SystemClock();
  let line: ProgressLine | undefined;
  return (progress) => {
    line ??= new ProgressLine({ style: logFormat === 'json' ? 'records' : 'lines' }, { clock, output: log });
    if (progress) return line.report(progress);
    line[Symbol.dispose]();
    line = undefined;
  };
}

/** Chooses the style. A build service may present its output as a terminal, and keep each update as a separate line. */
export function styleOn({ isTTY }: Output, env: Io['env']): 'redrawn' | 'lines' {
  const isBuild = env.CI !== undefined && env.CI !== '' && env.CI !== 'false' && env.CI !== '0';
  return isTTY === true && env.TERM !== 'dumb' && !isBuild ? 'redrawn' : 'lines';
}
