import { expect, it } from 'vitest';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { agree, cleanAfterEachTest, follower, leader, type Shared } from './nodes.ts';

const redis = useRedis();
cleanAfterEachTest(redis);

const lists = ({ call }: Shared) =>
  Promise.all(
    ['0x1', '0x2', 'latest', 'pending'].flatMap((tag) => [
      call('debug_getRawBlockAccessList', tag),
      call('devnet_blockAccesses', tag, '0x1'),
    ]),
  );

it.skipIf(!HAS_REDIS)('access lists of amsterdam are there on followers, also on a late one', async () => {
  const live = await leader(redis.url, { hardfork: 'amsterdam', blockTime: 2 });
  const one = await follower(redis.url);
  const [from, to] = live.node.accounts.map(({ address }) => address);
  for (let i = 0; i < 3; i++) {
    await live.call('eth_sendTransaction', { from, to, value: '0x1' });
    if (i < 2) await live.call('devnet_seal');
    else await live.call('devnet_tick', 200);
  }
  await agree(live, one);
  const expected = await lists(live);
  expect(new Set(expected.map((each) => JSON.stringify(each))).size).toBeGreaterThan(3);
  expect(await lists(one)).toEqual(expected);
  const late = await follower(redis.url);
  await agree(live, late);
  expect(await lists(late)).toEqual(expected);
});
