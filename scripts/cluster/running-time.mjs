/** Milliseconds between two looks, and the most that one of them counts. */
const LOOK_MS = 20;
const MOST_MS = 60;

let ran = 0;
let last = performance.now();
const waiting = new Set();

const look = () => {
  const now = performance.now();
  ran += Math.min(now - last, MOST_MS);
  last = now;
  for (const one of waiting)
    if (ran >= one.due) {
      waiting.delete(one);
      one.task();
    }
};
setInterval(look, LOOK_MS).unref();

/**
 * Milliseconds for which this process has run: what passes while it gets no processor time counts little. What nodes have to have done
 * within some time is judged by it.
 */
export const runningTime = () => ran;

/** Runs a function once, when this process has run for some time. @param ms milliseconds */
export function afterRunning(ms, task) {
  const one = { due: ran + ms, task };
  waiting.add(one);
  return { clear: () => waiting.delete(one) };
}
