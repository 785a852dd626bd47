import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Follower, type Mismatch } from '../../src/follow/follower.ts';
import type { Ask } from '../../src/follow/remote-chain.ts';
import type { DevnetOptions } from '../../src/options/options.ts';
import { type FlashblockMessage, flashblockMessage } from '../../src/sequencer/feed/message.ts';
import { startChain, type TestChain } from '../sequencer/start-chain.ts';

const STRANGER = `0x${'77'.repeat(20)}`;

describe('the sender of an impersonated transaction, which only the other node knows', () => {
  let theirs: TestChain;
  let own: TestChain;
  let follower: Follower;
  const mismatches: Mismatch[] = [];
  const messages: FlashblockMessage[] = [];
  const ask: Ask = (method, params = []) => theirs.call(method, ...params);
  const follow = async () => {
    for (const message of messages.splice(0)) await follower.message(message, ask);
  };

  beforeEach(async () => {
    theirs = await startChain({ blockTime: 2, flashblockInterval: 200 });
    own = await startChain({ noMining: true });
    mismatches.length = 0;
    messages.length = 0;
    theirs.feed.on('flashblock', (flashblock) => messages.push(flashblockMessage(flashblock)));
    const { chain, replica } = own.node;
    follower = new Follower({ chain, replica, onMismatch: (mismatch) => mismatches.push(mismatch) });
    await theirs.call('anvil_impersonateAccount', STRANGER);
    await theirs.send({ to: STRANGER, value: 10n ** 18n });
    await theirs.clock.advance(2000);
    await follow();
    await follower.head({ ...idOf(theirs), parentHash: theirs.chain.latest.header.parentHash }, ask);
    expect(own.chain.latest.hash).toEqual(theirs.chain.latest.hash);
  });
  afterEach(async () => {
    await theirs.node.close();
    await own.node.close();
  });

  const idOf = ({ chain }: TestChain) => ({
    number: chain.latest.header.number,
    hash: chain.latest.hash,
  });
  const sendAsStranger = async (): Promise<string> => {
    const hash = await theirs.call('eth_sendTransaction', { from: STRANGER, to: STRANGER, gas: '0x5208' });
    await theirs.clock.advance(200);
    return hash;
  };

  test('is found when the block was sealed before it was asked for', async () => {
    const hash = await sendAsStranger();
    const [...seen] = messages.splice(0);
    await theirs.clock.advance(2000);
    for (const message of seen) await follower.message(message, ask);
    expect((await own.block('pending')).transactions).toEqual([hash]);
    expect(mismatches).toEqual([]);
  });

  test('is no mismatch when the block was begun anew before it was asked for', async () => {
    const hash = await sendAsStranger();
    const [...seen] = messages.splice(0);
    await theirs.call('devnet_dropPreconfirmed', hash);
    for (const message of seen) await follower.message(message, ask);
    expect(own.node.replica.pending).toBeUndefined();
    expect(mismatches).toEqual([]);
    await follow();
    expect(own.node.replica.pending?.hash).toEqual((await theirs.chain.resolve({ tag: 'pending' }))!.hash);
  });
});

/** A chain that mines on demand, and one that follows it. */
async function pair(options: DevnetOptions = {}) {
  const theirs = await startChain({ noMining: true, ...options });
  const own = await startChain({ noMining: true });
  const { chain, replica } = own.node;
  const follower = new Follower({ chain, replica, onMismatch: () => {} });
  let asked = 0;
  const ask: Ask = (method, params = []) => {
    if (method === 'eth_getBlockByNumber') asked++;
    return theirs.call(method, ...params);
  };
  return {
    theirs,
    chain,
    replica,
    /** @returns how many blocks were asked for */
    catchUp: async () => {
      asked = 0;
      await follower.restart(ask);
      return asked;
    },
    [Symbol.asyncDispose]: async () => {
      await own.node.close();
      await theirs.node.close();
    },
  };
}

test.each([0, 5])('a chain at block %i whose next blocks are pruned there stays as it is', async (height) => {
  await using both = await pair({ pruneHistory: 10 });
  const { theirs, chain, catchUp } = both;
  await theirs.call('anvil_mine', 5);
  if (height > 0) await catchUp();
  await theirs.call('anvil_mine', 100);
  await expect(catchUp()).rejects.toMatchObject({ name: 'PrunedAway' });
  expect(chain.latest.header.number).toBe(BigInt(height));
});

test('a chain that is within what is kept there catches up', async () => {
  await using both = await pair({ pruneHistory: 10 });
  const { theirs, chain, catchUp } = both;
  for (let round = 0; round < 12; round++) {
    await theirs.call('anvil_mine', 9);
    await catchUp();
  }
  expect(chain.latest.hash).toEqual(theirs.chain.latest.hash);
});

test.each([1, 7, 300, 400])(
  'the newest common block is found in few questions, %i blocks below',
  async (depth) => {
    await using both = await pair();
    const { theirs, chain, replica, catchUp } = both;
    await theirs.call('anvil_mine', 400);
    await catchUp();
    const kept = chain.hashOf(BigInt(400 - depth));
    const back = vi.spyOn(replica, 'rollback');
    await theirs.call('devnet_reorg', depth);
    const asked = await catchUp();
    expect(chain.latest.hash).toEqual(theirs.chain.latest.hash);
    expect(chain.hashOf(BigInt(400 - depth))).toEqual(kept);
    expect(back).toHaveBeenCalledExactlyOnceWith(BigInt(400 - depth));
    expect(asked).toBeLessThanOrEqual(4 + 2 * Math.ceil(Math.log2(depth + 1)));
  },
);

test('a chain whose head stands just below what is kept there goes on from it', async () => {
  await using both = await pair({ pruneHistory: 10 });
  const { theirs, chain, catchUp } = both;
  await theirs.call('anvil_mine', 5);
  await catchUp();
  await theirs.call('anvil_mine', 10);
  expect(theirs.chain.first).toBe(6n);
  await catchUp();
  expect(chain.latest.hash).toEqual(theirs.chain.latest.hash);
});

test('the head of a block that was replaced since, told late, leaves what is pending', async () => {
  await using theirs = await startChain({ blockTime: 2, flashblockInterval: 200 });
  await using own = await startChain({ noMining: true });
  const { chain, replica } = own.node;
  const follower = new Follower({ chain, replica, onMismatch: () => {} });
  const ask: Ask = (method, params = []) => theirs.call(method, ...params);
  const messages: FlashblockMessage[] = [];
  theirs.feed.on('flashblock', (flashblock) => messages.push(flashblockMessage(flashblock)));
  const follow = async () => {
    for (const message of messages.splice(0)) await follower.message(message, ask);
  };
  await theirs.clock.advance(2000);
  const { header, hash } = theirs.chain.latest;
  await theirs.call('devnet_reorg', 1);
  await follow();
  await follower.head({ number: header.number, hash, parentHash: header.parentHash }, ask);
  await theirs.send();
  await theirs.clock.advance(200);
  await follow();
  expect(replica.pending?.transactions).toHaveLength(1);
});
