import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../../src/index.ts';
import { removeDirectoriesAfterEachTest, scratch } from '../../chain/store/directories.ts';
import { forgetLogRecords } from '../../chain/store/older-directory.ts';
import { runs } from '../../fuzz.ts';
import { type Call, callsOf, type Wire } from '../../wire.ts';

removeDirectoriesAfterEachTest();

/** Contracts that log no, one and two of the words they are called with as topics. */
const LOGGERS = { '0x5f5fa000': 0, '0x5f355f5fa100': 1, '0x6020355f355f5fa200': 2 };
const addresses = Object.keys(LOGGERS).map((_, i) => `0x${'00'.repeat(18)}c0d${i}`);
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const hexOf = (value: number | bigint) => `0x${value.toString(16)}`;

const small = (max: number) => fc.integer({ min: 0, max });
const call = fc.record({ to: small(2), words: fc.tuple(small(4), small(4)) });
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('block' as const), calls: fc.array(call, { maxLength: 4 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('empty' as const), count: small(80) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rollback' as const), count: small(6) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('reorg' as const),
        count: small(6),
        calls: fc.array(call, { maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('snapshot' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('revert' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const), older: fc.boolean() }) },
  ),
  { maxLength: 16 },
);
const choices = <T>(of: fc.Arbitrary<T>) => fc.oneof(fc.constant(null), of, fc.array(of, { maxLength: 3 }));
const filters = fc.array(
  fc.record(
    {
      address: choices(small(3).map((i) => addresses[i] ?? `0x${'ee'.repeat(20)}`)),
      topics: fc.array(choices(small(5).map(word)), { maxLength: 3 }),
      range: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    },
    { requiredKeys: ['range'] },
  ),
  { minLength: 8, maxLength: 12 },
);

/** All logs from a block to another one, from their receipts. */
async function allLogs(rpc: Call, from: number, to: number): Promise<Wire[]> {
  const logs: Wire[] = [];
  for (let number = from; number <= to; number++)
    for (const receipt of await rpc('eth_getBlockReceipts', hexOf(number))) logs.push(...receipt.logs);
  return logs;
}

const listOf = (value: unknown): unknown[] | undefined => {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? (value.length > 0 ? value : undefined) : [value];
};

/** Whether a log is wanted, told from the JSON of both. */
function isWanted(log: Wire, { address, topics = [] }: Wire): boolean {
  if (listOf(address)?.includes(log.address) === false) return false;
  if (topics.length > log.topics.length) return false;
  return topics.every((wanted: unknown, i: number) => listOf(wanted)?.includes(log.topics[i]) !== false);
}

async function start(options: DevnetOptions) {
  const node = await createDevnet({ noMining: true, manualClock: true, ...options });
  return { node, rpc: callsOf(node) };
}

async function check(rpc: Call, wanted: readonly Wire[]): Promise<void> {
  const first = Number((await rpc('eth_getBlockByNumber', 'earliest', false)).number);
  const head = Number(await rpc('eth_blockNumber'));
  const logs = await allLogs(rpc, first, head);
  for (const { range, ...filter } of [{ range: [0, 1] }, ...wanted]) {
    const at = (part: number) => first + Math.round(part * (head - first));
    const [from, to] = range.map(at).sort((a: number, b: number) => a - b);
    expect(await rpc('eth_getLogs', { ...filter, fromBlock: hexOf(from), toBlock: hexOf(to) })).toEqual(
      logs.filter(
        (log) => Number(log.blockNumber) >= from && Number(log.blockNumber) <= to && isWanted(log, filter),
      ),
    );
  }
}

/** Runs the steps on a chain that begins with so many empty blocks. @param check called after each step */
async function run(
  all: typeof steps extends fc.Arbitrary<infer T> ? T : never,
  { options, empty, wanted }: { options: DevnetOptions; empty: number; wanted: readonly Wire[] },
): Promise<void> {
  let { node, rpc } = await start(options);
  try {
    const from = node.accounts[0]!.address.toLowerCase();
    const sent = ({ to, words }: { to: number; words: number[] }) => ({
      from,
      to: addresses[to],
      gas: '0x10000',
      data: `0x${words.map((value) => word(value).slice(2)).join('')}`,
    });
    for (const [i, code] of Object.keys(LOGGERS).entries()) await rpc('anvil_setCode', addresses[i], code);
    if (empty > 0) await rpc('anvil_mine', hexOf(empty));
    let snapshot: string | undefined;
    for (const step of all) {
      const first = Number((await rpc('eth_getBlockByNumber', 'earliest', false)).number);
      const head = Number(await rpc('eth_blockNumber'));
      const depth = (count: number) => Math.min(count, head - first);
      if (step.kind === 'block') {
        for (const one of step.calls) await rpc('eth_sendTransaction', sent(one));
        await rpc('evm_mine');
      } else if (step.kind === 'empty') await rpc('anvil_mine', hexOf(step.count));
      else if (step.kind === 'rollback') await rpc('anvil_rollback', depth(step.count));
      else if (step.kind === 'reorg') {
        const blocks = depth(step.count);
        if (blocks > 0)
          await rpc(
            'anvil_reorg',
            blocks,
            step.calls.map((one, i) => [sent(one), i % blocks]),
          );
      } else if (step.kind === 'snapshot') snapshot = await rpc('evm_snapshot');
      else if (step.kind === 'revert') {
        if (snapshot) await rpc('evm_revert', snapshot);
        snapshot = undefined;
      } else if (options.dataDir) {
        await node.close();
        snapshot = undefined;
        if (step.older) await forgetLogRecords(options.dataDir);
        ({ node, rpc } = await start(options));
      }
      await check(rpc, wanted);
    }
  } finally {
    await node.close();
  }
}

describe('eth_getLogs finds what all receipts have', () => {
  test('as blocks come, go and are replaced', async () => {
    await fc.assert(
      fc.asyncProperty(steps, filters, (all, wanted) => run(all, { options: {}, empty: 0, wanted })),
      { numRuns: runs(12) },
    );
  }, 60_000);

  test('on a chain that is pruned', async () => {
    await fc.assert(
      fc.asyncProperty(steps, filters, (all, wanted) =>
        run(all, { options: { pruneHistory: 20 }, empty: 0, wanted }),
      ),
      { numRuns: runs(8) },
    );
  }, 60_000);

  test.each([0, 1_100])(
    'in a directory that is opened again, also after an older version, with %i empty blocks before',
    async (empty) => {
      await fc.assert(
        fc.asyncProperty(steps, filters, (all, wanted) =>
          run(all, { options: { dataDir: join(scratch(), 'chain') }, empty, wanted }),
        ),
        { numRuns: runs(empty > 0 ? 3 : 10) },
      );
    },
    60_000,
  );
});
