import type { Clock } from '../clock.ts';
import type { Retry } from '../remote/endpoint.ts';

/** Milliseconds until the first line, and between two further ones. */
const FIRST = 2_000;
const NEXT = 5_000;

/** Logs how long the start has been waiting for the forked node, and each retry. */
export class ForkWait implements Disposable {
  readonly #node: string;
  readonly #start: number;
  readonly #clock: Clock;
  readonly #tell: ((line: string) => void) | undefined;
  #timer: Disposable | undefined;
  #isOver = false;

  /** @param options.url URL of the forked node @param deps.clock wall time @param deps.tell receives each line; absent = no log */
  constructor(options: { url: string }, deps: { clock: Clock; tell?: ((line: string) => void) | undefined }) {
    const { protocol, host } = new URL(options.url);
    this.#node = `${protocol}//${host}`;
    this.#clock = deps.clock;
    this.#tell = deps.tell;
    this.#start = deps.clock.now();
    if (deps.tell) this.#arm(FIRST);
  }

  readonly retried = ({ reason, attempt, attempts, wait }: Retry): void => {
    if (!this.#isOver)
      this.#tell?.(
        `${this.#node}: ${reason}; attempt ${attempt} of ${attempts} in ${wait / 1000} s (--retries)`,
      );
  };

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
  }

  #arm(ms: number): void {
    this.#timer = this.#clock.after(ms, () => {
      const seconds = Math.round((this.#clock.now() - this.#start) / 1000);
      this.#tell?.(`waiting for ${this.#node} ... ${seconds} s`);
      this.#arm(NEXT);
    });
  }
}
