import { listenerOfAll, type RunListener } from '../run-listener.ts';
import { TraceText } from '../wasm/trace-text.ts';

/** Maximum length of an event in the message about a difference, in characters. */
const MAX_CHARACTERS = 600;

/**
 * Compares the calls and steps that two runs of one message report to a listener. Of the first run only a hash of each event is kept, since
 * a run may have millions of events.
 */
export class ComparedTrace {
  readonly #listener: RunListener;
  readonly #expected: number[] = [];
  #told = 0;
  #difference: string | undefined;

  constructor(listener: RunListener) {
    this.#listener = listener;
  }

  /** The listener for the first run: passes its events on to the given listener, which may abort the run. */
  get first(): RunListener {
    const kept = this.#textOf((event) => void this.#expected.push(hashOf(event)));
    return listenerOfAll([this.#listener, kept])!;
  }

  /** The listener for the second run, whose events are compared. */
  get second(): RunListener {
    return this.#textOf((event) => {
      const at = this.#told++;
      if (this.#difference === undefined && hashOf(event) !== this.#expected[at])
        this.#difference = `event ${at} of its trace, for the former: ${event.slice(0, MAX_CHARACTERS)}`;
    });
  }

  /** The first difference, as text. */
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
