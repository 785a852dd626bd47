import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/options/options.ts';
import type { Feed } from '../../../src/sequencer/feed/feed.ts';
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  CONSOLIDATION_REQUESTS,
  WITHDRAWAL_REQUESTS,
} from '../../../src/state/genesis-code.ts';
import { runs } from '../../fuzz.ts';
import { GENESIS, startChain, type TestChain } from '../start-chain.ts';

const SYSTEM = [BEACON_ROOTS, BLOCK_HASHES, WITHDRAWAL_REQUESTS, CONSOLIDATION_REQUESTS];
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const hex = (value: number | bigint) => `0x${value.toString(16)}`;

/** A chain whose forks come while blocks are mined. */
const FORKING: DevnetOptions = {
  init: {
    config: {
      chainId: 9,
      terminalTotalDifficulty: 0,
      shanghaiTime: Number(GENESIS) + 20,
      cancunTime: Number(GENESIS) + 150,
      pragueTime: Number(GENESIS) + 300,
    },
    alloc: Object.fromEntries(
      SYSTEM.map(({ address, code }) => [address, { balance: '0x0', nonce: '0x1', code }]),
    ),
    timestamp: hex(GENESIS),
    gasLimit: '0x1c9c380',
    difficulty: '0x0',
  },
};

const chains = fc.constantFrom<DevnetOptions>(
  FORKING,
  { hardfork: 'london' },
  { hardfork: 'shanghai' },
  { hardfork: 'cancun' },
  { hardfork: 'osaka' },
  { hardfork: 'osaka', pruneHistory: 40 },
);

/** Code that counts its calls in slot 0, and code that answers one byte. */
const OTHERS = ['0x5f546001015f5500', '0x60015ff3'];

type Call = readonly [method: string, ...params: unknown[]];
const system = fc.constantFrom(...SYSTEM);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      blocks: fc.integer({ min: 60, max: 200 }),
      interval: fc.option(fc.constantFrom(1, 7, 100), { nil: undefined }),
    }),
  },
  // Other code, none, or its own again.
  fc
    .tuple(system, fc.constantFrom(...OTHERS, '0x', undefined))
    .map(([{ address, code }, other]): Call => ['anvil_setCode', address, other ?? code]),
  // The first slots of the request contracts, and some of the rings.
  fc
    .tuple(system, fc.integer({ min: 0, max: 4 }), fc.constantFrom(0, 1, 200))
    .map(([{ address }, slot, value]): Call => ['anvil_setStorageAt', address, word(slot), word(value)]),
  fc.tuple(fc.constantFrom(0, 8191), fc.integer({ min: 0, max: 400 })).map(([ring, at]): Call => {
    const slot = ring + ((Number(GENESIS) + at) % 8191);
    return ['anvil_setStorageAt', BEACON_ROOTS.address, word(slot), word(5)];
  }),
  fc.constantFrom<Call>(
    ['anvil_rollback', 3],
    ['evm_increaseTime', 30],
    ['anvil_setCoinbase', BLOCK_HASHES.address],
  ),
);

/** A chain whose stream nobody watches: only there are empty blocks made many at a time. */
async function chainOf(options: DevnetOptions) {
  const sealed: Uint8Array[] = [];
  const onFeed = (feed: Feed) => feed.on('sealed', ({ hash }) => sealed.push(hash));
  const chain = await startChain({ automine: true, ...options }, { onFeed });
  return { ...chain, hashes: sealed };
}

/** Mines as one call does, a block a call. */
async function mineOneByOne({ call }: TestChain, blocks: number, interval: number | undefined) {
  for (let i = 0; i < blocks; i++)
    if (interval) await call('anvil_mine', '0x1', hex(interval));
    else await call('evm_mine');
}

const proofAt = ({ call }: TestChain, { address }: { address: string }, number: number) =>
  call('eth_getProof', address, [word(number % 8191), word((Number(GENESIS) + number) % 8191)], hex(number));

describe('many empty blocks in one call', () => {
  const changes = SYSTEM.flatMap(({ address }): Call[] => [
    ...[...OTHERS, '0x'].map((code): Call => ['anvil_setCode', address, code]),
    ...[0, 1, 2, 3].map((slot): Call => ['anvil_setStorageAt', address, word(slot), word(200)]),
  ]);

  it.each(changes.map((call) => ({ call })))(
    'are those that as many calls mine, after $call',
    async ({ call: [method, ...params] }) => {
      const hashes: Uint8Array[][] = [];
      for (const mine of [
        ({ call }: TestChain) => call('anvil_mine', hex(90)),
        (chain: TestChain) => mineOneByOne(chain, 90, undefined),
      ]) {
        await using chain = await chainOf({});
        await chain.call(method, ...params);
        await mine(chain);
        hashes.push(chain.hashes);
      }
      expect(hashes[0]).toEqual(hashes[1]);
    },
  );

  it('leave slots whose names are known: a dump has them', async () => {
    await using chain = await chainOf({});
    await chain.call('anvil_mine', hex(90));
    const dump: string = await chain.call('anvil_dumpState');
    const { accounts } = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString());
    const slots = Object.keys(accounts[BLOCK_HASHES.address].storage);
    expect(slots.map(Number).sort((a, b) => a - b)).toEqual([...Array(90).keys()]);
  });

  it('move chain time as one alone does, and a chain that is opened again goes on from there', async () => {
    const root = mkdtempSync(join(tmpdir(), 'devnet-mine-empty-'));
    try {
      const options = { automine: true, dataDir: join(root, 'data') };
      const times: bigint[] = [];
      for (const mine of [['anvil_mine', hex(90), hex(1000)], ['evm_mine']] as const) {
        await using chain = await startChain(options, { onFeed: () => {} });
        await chain.clock.advance(60_000);
        const [method, ...params] = mine;
        await chain.call(method, ...params);
        times.push(BigInt((await chain.block('latest')).timestamp));
      }
      expect(times[0]! - GENESIS).toBe(60n + 90n * 1000n);
      expect(times[1]! - times[0]!).toBe(60n);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('are those that as many calls mine, and their states those too', async () => {
    await fc.assert(
      fc.asyncProperty(chains, fc.array(step, { minLength: 1, maxLength: 6 }), async (options, steps) => {
        await using many = await chainOf(options);
        await using single = await chainOf(options);
        for (const next of steps) {
          if ('blocks' in next) {
            const { blocks, interval } = next;
            await many.call('anvil_mine', hex(blocks), ...(interval ? [hex(interval)] : []));
            await mineOneByOne(single, blocks, interval);
          } else {
            const [method, ...params] = next;
            const answers = [many, single].map(({ call }) =>
              call(method, ...params).catch((error) => error.message),
            );
            expect(await answers[0]).toEqual(await answers[1]);
          }
          expect((await many.block('latest')).hash).toBe((await single.block('latest')).hash);
        }
        expect(many.hashes).toEqual(single.hashes);
        const head = Number((await many.block('latest')).number);
        for (const number of [head, head - 7, head - 31]) {
          if (number < 1) continue;
          for (const contract of [BEACON_ROOTS, BLOCK_HASHES])
            expect(await proofAt(many, contract, number)).toEqual(await proofAt(single, contract, number));
        }
        expect(many.fatal).toEqual([]);
      }),
      { numRuns: runs(6) },
    );
  });
});
