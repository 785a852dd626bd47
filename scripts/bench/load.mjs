import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `task(i)` in `lanes` parallel loops, each waiting for its own response, for `seconds` or until `most` calls were made.
 * @returns the number of calls, and the elapsed milliseconds
 */
export async function forSeconds(seconds, lanes, task, most = Number.POSITIVE_INFINITY) {
  const start = performance.now();
  const end = start + seconds * 1000;
  let count = 0;
  const lane = async () => {
    while (count < most && performance.now() < end) await task(count++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { count, elapsed: performance.now() - start };
}

/**
 * Calls `send(i)` `rate` times per second, evenly, without waiting for responses.
 * @returns the number of calls, and how many failed, with the first error
 */
export async function atRate(seconds, rate, send) {
  const start = performance.now();
  const waiting = new Set();
  const result = { sent: 0, failed: 0, error: undefined };
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - start) / 1000) {
    while (result.sent < elapsed * rate) {
      const answer = send(result.sent++)
        .catch((error) => {
          result.failed++;
          result.error ??= error.message;
        })
        .finally(() => waiting.delete(answer));
      waiting.add(answer);
    }
    await sleep(2);
  }
  await Promise.all(waiting);
  return result;
}

/** Polls a receipt every 5 ms until it exists; with `gapMs` 0 without a pause. */
export async function receiptOf(client, hash, { limitMs = 30_000, gapMs = 5 } = {}) {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const receipt = await client.call('eth_getTransactionReceipt', [hash]);
    if (receipt) return receipt;
    if (gapMs > 0) await sleep(gapMs);
  }
  throw new Error(`no receipt of ${hash} within ${limitMs} ms`);
}
