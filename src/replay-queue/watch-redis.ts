import type { Clock } from '../clock.ts';
import type { Redis } from '../redis/connect.ts';
import { Hearing, secondsOf } from '../remote/hearing.ts';

/** Milliseconds between two questions to Redis, and after which its silence is told. */
const ASK_EVERY = 2_000;
const SILENT_MS = 10_000;

/** Tells when Redis is silent, so that nothing goes on, and when it answers again. @param tell called with a sentence */
export function watchRedis(redis: Redis, deps: { clock: Clock; tell: (line: string) => void }): Disposable {
  const { clock, tell } = deps;
  const hearing = new Hearing(
    { limit: SILENT_MS },
    {
      clock,
      onSilent: (ms) => tell(`Redis has not answered for ${secondsOf(ms)}: nothing goes on until it does`),
      onHeard: (ms) => tell(`Redis answers again, after ${secondsOf(ms)}`),
    },
  );
  const asking = clock.every(ASK_EVERY, async () => {
    await redis.ping().then(
      () => hearing.heard(),
      () => {},
    );
  });
  return {
    [Symbol.dispose]: () => {
      asking[Symbol.dispose]();
      hearing.close();
    },
  };
}
