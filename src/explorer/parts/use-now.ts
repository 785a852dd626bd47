import { signal } from '@preact/signals';
import { clock, store } from '../app.ts';

const now = signal(clock.now());
const STEP_MS = 1_000;
let running = false;

function step(): void {
  clock.after(STEP_MS, () => {
    if (!document.hidden) now.value = clock.now();
    step();
  });
}

/** The chain's time in milliseconds, updated once a second. It may differ from the machine's time. */
export function useNow(): number {
  if (!running) {
    running = true;
    step();
  }
  return now.value + 1_000 * (store.status.value?.timeMoved ?? 0);
}
