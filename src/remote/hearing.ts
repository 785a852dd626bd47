import type { Clock } from '../clock.ts';

/** Looks at the time that often within the limit. */
const LOOKS = 5;

export interface HearingOptions {
  /** milliseconds without a word after which what is known here may be old */
  readonly limit: number;
}

export interface HearingDeps {
  /** the machine's clock */
  readonly clock: Clock;
  /** called once when the limit is over. @param ms since the last word */
  readonly onSilent: (ms: number) => void;
  /** called when there is a word again. @param ms that the silence took */
  readonly onHeard: (ms: number) => void;
}

/** When another machine was heard last, on which what is shown here depends; tells when that is too long ago. */
export class Hearing {
  readonly #options: HearingOptions;
  readonly #deps: HearingDeps;
  readonly #timer: Disposable;
  #at: number;
  #isSilent = false;

  constructor(options: HearingOptions, deps: HearingDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#at = deps.clock.now();
    this.#timer = deps.clock.every(options.limit / LOOKS, () => this.#look());
  }

  /**
   * To be called with each word.
   * @param at from when it is, milliseconds on the clock: an answer says nothing of the time after the question. Default: now
   */
  heard(at = this.#deps.clock.now()): void {
    const { ms } = this;
    this.#at = Math.max(this.#at, at);
    if (!this.#isSilent || this.isSilent) return;
    this.#isSilent = false;
    this.#deps.onHeard(ms);
  }

  /** To be called where what was heard lately said nothing of the other machine after all: the limit is over now. */
  expire(): void {
    this.#at = Math.min(this.#at, this.#deps.clock.now() - this.#options.limit - 1);
    this.#look();
  }

  /** Milliseconds since the last word. */
  get ms(): number {
    return this.#deps.clock.now() - this.#at;
  }

  /** Whether that is longer than the limit. */
  get isSilent(): boolean {
    return this.ms > this.#options.limit;
  }

  close(): void {
    this.#timer[Symbol.dispose]();
  }

  #look(): void {
    if (this.#isSilent || !this.isSilent) return;
    this.#isSilent = true;
    this.#deps.onSilent(this.ms);
  }
}

/** A duration in whole seconds, for messages. @param ms milliseconds */
export function secondsOf(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
