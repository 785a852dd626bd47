import type { Tracer } from '../engine.ts';
import type { CallEnd, CallListener } from '../run-listener.ts';

/** Detects whether a call or creation within a run, including a call of a precompile, runs out of gas. */
export class OutOfGasInside implements Tracer {
  #depth = 0;
  #found = false;

  get found(): boolean {
    return this.#found;
  }

  readonly #calls: CallListener = {
    begin: () => {
      this.#depth++;
    },
    end: ({ error }: CallEnd) => {
      this.#depth--;
      // `endsWith`, since a creation that can't pay its code deposit ends with "contract creation code storage out of gas".
      if (this.#depth > 0 && error?.endsWith('out of gas')) this.#found = true;
    },
    refuse: () => {},
    log: () => {},
    selfDestruct: () => {},
  };

  readonly listener = {
    start: () => {
      this.#depth = 0;
      this.#found = false;
    },
    calls: this.#calls,
  };
}
