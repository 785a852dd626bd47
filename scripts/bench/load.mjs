import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `task(i)` on `lanes` lanes, each waiting for its own answer, for `seconds` or until it was called `most` times.
 * @returns how many calls were answered, and in how many milliseconds
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
 * Calls `send(i)` `rate` times a second, evenly, without waiting for the answers before going on.
 * @returns how many were sent and how many failed, with the first error
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

/** Asks for a receipt until it is there, every 5 ms; with `gapMs` 0 again as soon as it is answered. */
export async function receiptOf(client, hash, { limitMs = 30_000, gapMs = 5 } = {}) {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const receipt = await client.call('eth_getTransactionReceipt', [hash]);
    if (receipt) return receipt;
    if (gapMs > 0) await sleep(gapMs);
  }
  throw new Error(`no receipt of ${hash} within ${limitMs} ms`);
}
