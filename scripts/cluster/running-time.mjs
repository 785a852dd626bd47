/** Milliseconds between two measurements, and the maximum that counts for one of them. */
const LOOK_MS = 20;
const MAX_MS = 60;

let ran = 0;
let last = performance.now();
const waiting = new Set();

const look = () => {
  const now = performance.now();
  ran += Math.min(now - last, MAX_MS);
  last = now;
  for (const one of waiting)
    if (ran >= one.due) {
      waiting.delete(one);
      one.task();
    }
};
setInterval(look, LOOK_MS).unref();

/**
 * Milliseconds for which this process has run. Time without processor time counts little. Time limits for nodes use this clock, so that a
 * busy machine doesn't make them fail.
 */
export const runningTime = () => ran;

/** Calls a function once after this process has run for `ms` milliseconds. */
export function afterRunning(ms, task) {
  const one = { due: ran + ms, task };
  waiting.add(one);
  return { clear: () => waiting.delete(one) };
}
