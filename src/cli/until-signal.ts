import type { Io } from './main.ts';
import { PARENT_ENDED, type Signal } from './signal.ts';

/** The first signal asks for a clean end, and so does the end of the parent; a second signal ends the process at once. */
export function untilSignal(io: Io): { requested: Promise<void>; readonly asked: boolean } & Disposable {
  const listeners = new Map<Signal | typeof PARENT_ENDED, () => void>();
  let asked = false;
  const requested = new Promise<void>((resolve) => {
    for (const [signal, number] of [
      ['SIGINT', 2],
      ['SIGTERM', 15],
      // The terminal was closed. Node ends at it by default, also where the shell's `nohup` asked for it to be ignored.
      ['SIGHUP', 1],
    ] as const)
      listeners.set(signal, () => {
        if (asked) io.exit(128 + number);
        asked = true;
        resolve();
      });
    // Not a second signal, where the parent passed on the first one that ended it.
    listeners.set(PARENT_ENDED, () => {
      asked = true;
      resolve();
    });
  });
  for (const [signal, listener] of listeners) io.signals.on(signal, listener);
  return {
    requested,
    get asked() {
      return asked;
    },
    [Symbol.dispose]: () => {
      for (const [signal, listener] of listeners) io.signals.off(signal, listener);
    },
  };
}
