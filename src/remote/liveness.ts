import type { Clock } from '../clock.ts';

/** Number of checks within the limit. */
const CHECKS = 5;

export interface LivenessOptions {
  /** milliseconds without a sign after which the data here may be outdated */
  readonly limit: number;
}

export interface LivenessDeps {
  /** the machine's clock */
  readonly clock: Clock;
  /** called once when the limit is exceeded. @param ms milliseconds since the last sign */
  readonly onSilent: (ms: number) => void;
  /** called when there is a sign again. @param ms duration of the silence in milliseconds */
  readonly onAlive: (ms: number) => void;
}

/** Tracks the last sign of life of another machine on which the data here depends, and reports when it is too long ago. */
export class Liveness {
  readonly #options: LivenessOptions;
  readonly #deps: LivenessDeps;
  readonly #timer: Disposable;
  #at: number;
  #isSilent = false;

  constructor(options: LivenessOptions, deps: LivenessDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#at = deps.clock.now();
    this.#timer = deps.clock.every(options.limit / CHECKS, () => this.#check());
  }

  /**
   * The caller must call this at each sign of life.
   * @param at milliseconds on the clock. For an answer, the time of the question: the answer says nothing about the time after it. Default: now
   */
  sawSign(at = this.#deps.clock.now()): void {
    const { ms } = this;
    this.#at = Math.max(this.#at, at);
    if (!this.#isSilent || this.isSilent) return;
    this.#isSilent = false;
    this.#deps.onAlive(ms);
  }

  /** The caller must call this if recent signs turn out not to come from the other machine: the limit counts as exceeded now. */
  expire(): void {
    this.#at = Math.min(this.#at, this.#deps.clock.now() - this.#options.limit - 1);
    this.#check();
  }

  /** Milliseconds since the last sign. */
  get ms(): number {
    return this.#deps.clock.now() - this.#at;
  }

  /** Whether the time since the last sign exceeds the limit. */
  get isSilent(): boolean {
    return this.ms > this.#options.limit;
  }

  close(): void {
    this.#timer[Symbol.dispose]();
  }

  #check(): void {
    if (this.#isSilent || !this.isSilent) return;
    this.#isSilent = true;
    this.#deps.onSilent(this.ms);
  }
}

/** A duration in whole seconds, for messages. @param ms milliseconds */
export function secondsOf(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
