import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { cpuOf } from './node.mjs';
import { startRedis } from './scale.mjs';
import { ms, percentile } from './stats.mjs';

const READERS = [1, 10, 50, 100, 200];
const SECONDS = 10;
/** Entries per second, and bytes per entry: five ticks with their block's transactions, as in `scale`. */
const RATE = 25;
const BYTES = 2_000;

/**
 * Many readers of one Redis stream, as many followers would be, but without the followers: the load on Redis, and the delay of the
 * readers. All readers are in this process, so that the delay is an upper limit. Needs redis-server.
 */
export async function fleet({ progress }) {
  const rows = [];
  for (const count of READERS) {
    progress(`  ${count} readers`);
    const redis = await startRedis();
    const writer = await createClient({ url: redis.url }).connect();
    const pid = Number(/process_id:(\d+)/.exec(await writer.info('server'))[1]);
    const readers = await Promise.all(
      Array.from({ length: count }, () => createClient({ url: redis.url }).connect()),
    );
    for (const reader of readers) reader.on('error', () => {});
    const delays = [];
    let ended = false;
    const reading = readers.map(async (reader) => {
      for (let last = '0-0'; !ended; ) {
        const answer = await reader.xRead({ key: 'log', id: last }, { BLOCK: 500 });
        for (const { id, message } of answer?.[0]?.messages ?? []) {
          last = id;
          delays.push(performance.now() - Number(message.at));
        }
      }
    });
    const before = cpuOf(pid);
    const tasks = 'x'.repeat(BYTES);
    for (let i = 1; i <= SECONDS * RATE; i++) {
      await writer.xAdd('log', `1-${i}`, { at: `${performance.now()}`, tasks });
      await sleep(1000 / RATE);
    }
    const cpu = cpuOf(pid) - before;
    ended = true;
    await Promise.all(reading);
    for (const client of [writer, ...readers]) client.destroy();
    await redis.stop();
    rows.push([
      `fleet: delay of ${count} readers, p50 / p99`,
      `${ms(percentile(delays, 0.5))} / ${ms(percentile(delays, 0.99))}`,
      `Redis takes ${(cpu / SECONDS / 10).toFixed(1)} % of a core, sends ${((count * RATE * BYTES) / 1e6).toFixed(2)} MB/s`,
    ]);
  }
  return rows;
}
