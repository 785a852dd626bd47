import type { Io, Signal } from './main.ts';

/** The first signal asks for a clean end; a second one ends the process at once. */
export function untilSignal(io: Io): { requested: Promise<void>; readonly asked: boolean } & Disposable {
  const listeners = new Map<Signal, () => void>();
  let asked = false;
  const requested = new Promise<void>((resolve) => {
    for (const [signal, number] of [
      ['SIGINT', 2],
      ['SIGTERM', 15],
    ] as const)
      listeners.set(signal, () => {
        if (asked) io.exit(128 + number);
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
