import type { Clock } from '../clock.ts';
import type { Redis } from '../redis/connect.ts';
import { Liveness, secondsOf } from '../remote/liveness.ts';

/** Interval of pings to Redis, and the time after which its silence is reported, in milliseconds. */
const ASK_EVERY = 2_000;
const SILENT_MS = 10_000;

/** Reports when Redis doesn't answer, so that there is no progress, and when it answers again. @param tell called with a sentence */
export function watchRedis(redis: Redis, deps: { clock: Clock; tell: (line: string) => void }): Disposable {
  const { clock, tell } = deps;
  const liveness = new Liveness(
    { limit: SILENT_MS },
    {
      clock,
      onSilent: (ms) => tell(`Redis has not answered for ${secondsOf(ms)}: nothing goes on until it does`),
      onAlive: (ms) => tell(`Redis answers again, after ${secondsOf(ms)}`),
    },
  );
  const asking = clock.every(ASK_EVERY, async () => {
    await redis.ping().then(
      () => liveness.sawSign(),
      () => {},
    );
  });
  return {
    [Symbol.dispose]: () => {
      asking[Symbol.dispose]();
      liveness.close();
    },
  };
}
