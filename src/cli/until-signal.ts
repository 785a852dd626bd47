import type { Io } from './main.ts';
import { PARENT_ENDED, type Signal } from './signal.ts';

/** Handles signals: the first one, or the end of the parent, requests a clean end; a second signal ends the process at once. */
export function untilSignal(io: Io): { requested: Promise<void>; readonly asked: boolean } & Disposable {
  const listeners = new Map<Signal | typeof PARENT_ENDED, () => void>();
  let asked = false;
  const requested = new Promise<void>((resolve) => {
    for (const [signal, number] of [
      ['SIGINT', 2],
      ['SIGTERM', 15],
      // The terminal was closed. By default Node ends the process, even if it was started with the shell's `nohup`.
      ['SIGHUP', 1],
    ] as const)
      listeners.set(signal, () => {
        if (asked) io.exit(128 + number);
        asked = true;
        resolve();
      });
    // Doesn't count as a second signal, because the parent may have forwarded the signal that ended it.
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
