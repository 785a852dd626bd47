import { signal } from '@preact/signals';
import { clock } from '../app.ts';

const now = signal(clock.now());
const STEP_MS = 1_000;
let running = false;

function step(): void {
  clock.after(STEP_MS, () => {
    if (!document.hidden) now.value = clock.now();
    step();
  });
}

/** The time in milliseconds, which goes on once a second: for ages. */
export function useNow(): number {
  if (!running) {
    running = true;
    step();
  }
  return now.value;
}
