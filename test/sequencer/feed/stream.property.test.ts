import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../fuzz.ts';
import { listen, liveNode } from '../../live-node.ts';
import type { Wire } from '../../wire.ts';

type Live = Awaited<ReturnType<typeof liveNode>>;

const small = fc.integer({ min: 1, max: 3 });

/** What happens to a node, in any order. */
const step: fc.Arbitrary<(live: Live) => Promise<unknown>> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .boolean()
      .map((first) => (live: Live) => live.send(first ? live.accounts.first : live.accounts.second)),
  },
  { weight: 4, arbitrary: small.map((ticks) => (live: Live) => live.tick(200 * ticks)) },
  { weight: 1, arbitrary: fc.constant((live: Live) => live.seal()) },
  { weight: 1, arbitrary: fc.constant((live: Live) => live.call('evm_mine')) },
  { weight: 1, arbitrary: small.map((slots) => (live: Live) => live.call('devnet_skipFlashblocks', slots)) },
  {
    weight: 1,
    arbitrary: small.map((count) => (live: Live) => live.call('devnet_holdFlashblocks', { count })),
  },
  { weight: 1, arbitrary: small.map((n) => (live: Live) => live.call('devnet_delaySeal', 150 * n)) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(), fc.boolean()).map(([at, fails]) => async (live: Live) => {
      const { transactions } = await live.call('eth_getBlockByNumber', 'pending', false);
      if (transactions.length === 0) return;
      const hash = transactions[at % transactions.length];
      await live.call(fails ? 'devnet_failPreconfirmed' : 'devnet_dropPreconfirmed', hash);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map((reinclude) => async (live: Live) => {
      if ((await live.call('eth_blockNumber')) === '0x0') return;
      await live.call('devnet_reorg', 1, { reinclude });
    }),
  },
);

test('whatever happens, the messages of a payload make the block that is sealed', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
    const live = await liveNode();
    try {
      const reader = await listen(`${live.url}/flashblocks?backfill=1`);
      const heads = new Set<string>();
      live.node.provider.on('message', ({ data }) => {
        heads.add((data.result as Wire).hash);
      });
      await live.call('eth_subscribe', 'newHeads');
      for (const run of steps) await run(live);
      await live.tick(4_000);
      await live.call('evm_mine');
      const payloads = new Map<string, Wire[]>();
      for (const message of await reader.rest()) {
        const own = payloads.get(message.payload_id) ?? [];
        payloads.set(message.payload_id, [...own, message]);
      }
      for (const messages of payloads.values()) {
        expect(messages.map(({ index }) => index)).toEqual(messages.map((_, i) => i));
        expect(messages.filter(({ base }) => base)).toHaveLength(1);
        expect(messages[0].base).toBeDefined();
        const gas = messages.map(({ diff }) => Number(diff.gas_used));
        expect(gas).toEqual(gas.toSorted((a, b) => a - b));
      }
      const height = Number(await live.call('eth_blockNumber'));
      for (let number = 1; number <= height; number++) {
        const block = await live.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
        const own = [...payloads.values()].find((messages) => messages.at(-1).diff.block_hash === block.hash);
        // The blocks that a reorg makes are not streamed; the newest one wasn't made by a reorg.
        if (number === height) expect(own).toBeDefined();
        if (!own) continue;
        const deltas = own.flatMap(({ diff }) => diff.transactions);
        const hashes = await Promise.all(deltas.map((raw: string) => live.call('web3_sha3', raw)));
        expect(hashes).toEqual(block.transactions);
      }
      const { hash, transactions } = await live.call('eth_getBlockByNumber', 'latest', false);
      expect(heads.has(hash)).toBe(true);
      for (const transaction of transactions)
        expect(await live.call('eth_getTransactionReceipt', transaction)).toMatchObject({ blockHash: hash });
      for (const account of Object.values(live.accounts)) {
        const latest = await live.call('eth_getTransactionCount', account, 'latest');
        expect(Number(await live.call('eth_getTransactionCount', account, 'pending'))).toBeGreaterThanOrEqual(
          Number(latest),
        );
      }
    } finally {
      await live.close();
    }
  });
  await fc.assert(property, { numRuns: runs(12) });
});
