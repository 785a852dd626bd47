import { listenerOfAll, type RunListener } from '../run-listener.ts';
import { TraceText } from '../wasm/trace-text.ts';

/** Characters of an event in the words about a difference. */
const MOST_CHARACTERS = 600;

/**
 * Compares what two runs of one message tell a listener of calls and steps. Of the first run it keeps a number for each event, since a
 * run may have millions.
 */
export class ComparedTrace {
  readonly #listener: RunListener;
  readonly #expected: number[] = [];
  #told = 0;
  #difference: string | undefined;

  constructor(listener: RunListener) {
    this.#listener = listener;
  }

  /** Passes the first run on to the listener, which may end it. */
  get first(): RunListener {
    const kept = this.#textOf((event) => void this.#expected.push(hashOf(event)));
    return listenerOfAll([this.#listener, kept])!;
  }

  /** Compares the second run. */
  get second(): RunListener {
    return this.#textOf((event) => {
      const at = this.#told++;
      if (this.#difference === undefined && hashOf(event) !== this.#expected[at])
        this.#difference = `event ${at} of its trace, for the former: ${event.slice(0, MOST_CHARACTERS)}`;
    });
  }

  /** The first difference, in words. */
  get difference(): string | undefined {
    const { length } = this.#expected;
    if (this.#difference !== undefined || this.#told === length) return this.#difference;
    return `the number of events of its trace: ${this.#told} and ${length}`;
  }

  #textOf(onEvent: (event: string) => void): RunListener {
    const { calls, steps } = this.#listener;
    return new TraceText({ start: () => {}, ...(calls && { calls }), ...(steps && { steps }) }, onEvent);
  }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
