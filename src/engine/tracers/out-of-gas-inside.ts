import type { Tracer } from '../engine.ts';
import type { CallEnd, CallListener } from '../run-listener.ts';

/** Notices whether a call or creation inside a run, a call of a precompile too, runs out of gas. */
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
      // A creation that can't pay for storing its code ends with "contract creation code storage out of gas".
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
