import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block } from '../../../src/chain/block.ts';
import { hashHeader } from '../../../src/chain/header.ts';
import { logTerm } from '../../../src/chain/log-terms.ts';
import type { BlockStore } from '../../../src/chain/store/block-store.ts';
import { bloomOf } from '../../../src/protocol/bloom.ts';
import { runs } from '../../fuzz.ts';
import { copyAsKilled } from '../../killed-copy.ts';
import { genesis, newStore, openStore, removeDirectoriesAfterEachTest, scratch } from './directories.ts';
import { forgetLogRecords } from './older-directory.ts';
import { Bytes, blockOn, receiptOf, signed } from './sample-blocks.ts';

removeDirectoriesAfterEachTest();

const TOPICS = Array.from({ length: 4 }, (_, i) => new Bytes(`topic ${i}`).take(32));
const bytes = new Bytes('blocks');
const transaction = signed(2, 0, bytes);

/** A block with one log with these topics; without topics one without logs. */
function withTopics(parent: Block, topics: readonly number[]): Block {
  const block = blockOn(parent, bytes, topics.length > 0 ? [transaction] : []);
  const logs = [{ address: bytes.address(), topics: topics.map((i) => TOPICS[i]!), data: new Uint8Array() }];
  if (topics.length === 0) return block;
  const header = { ...block.header, logsBloom: bloomOf(logs) };
  return { ...block, header, hash: hashHeader(header), receipts: [{ ...receiptOf(2, bytes), logs }] };
}

const topics = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 });
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('blocks' as const),
        all: fc.array(topics, { minLength: 1, maxLength: 8 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('back' as const), count: fc.integer({ min: 0, max: 9 }) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('load' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('reopen' as const),
        how: fc.constantFrom('closed', 'killed', 'older'),
        loadsAtOnce: fc.boolean(),
      }),
    },
  ),
  { minLength: 8, maxLength: 30 },
);

test('every block with a topic is found, and once the records are read no block that never had it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      let dir = join(scratch(), 'chain');
      let store: BlockStore = await newStore(dir);
      const chain: { block: Block; topics: readonly number[] }[] = [{ block: genesis, topics: [] }];
      /** the topics that blocks of a number had, also those that were removed */
      const ever = new Map<number, Set<string>>();
      let isLoaded = true;
      const end = [{ kind: 'reopen' as const, how: 'closed', loadsAtOnce: false }, { kind: 'load' as const }];
      for (const [i, step] of [...all, ...end].entries()) {
        if (step.kind === 'blocks') {
          for (const topics of step.all) {
            const block = withTopics(chain.at(-1)!.block, topics);
            await store.commit({ block, stateRoot: block.header.stateRoot, nodes: [], code: [] });
            const had = ever.get(chain.length) ?? new Set();
            for (const [place, topic] of topics.entries()) had.add(`${topic} ${place}`);
            ever.set(chain.length, had);
            chain.push({ block, topics });
          }
        } else if (step.kind === 'back') {
          chain.length = Math.max(1, chain.length - step.count);
          await store.setHead(BigInt(chain.length - 1));
        } else if (step.kind === 'load') {
          await store.logs.load();
          isLoaded = true;
        } else {
          const copy = join(scratch(), `copy-${i}`);
          if (step.how === 'killed') copyAsKilled(dir, copy);
          await store.close();
          if (step.how === 'killed') dir = copy;
          if (step.how === 'older') await forgetLogRecords(dir);
          store = await openStore(dir);
          isLoaded = false;
          if (step.loadsAtOnce) void store.logs.load();
        }
        const { head } = store;
        for (let topic = 0; topic < TOPICS.length; topic++) {
          for (const place of [0, 1]) {
            const found = await store.logs.find(0n, head, [[logTerm(TOPICS[topic]!, place + 1)]]);
            const wanted = chain.flatMap((one, number) => (one.topics[place] === topic ? [number] : []));
            expect(found).toEqual(expect.arrayContaining(wanted));
            if (!isLoaded) continue;
            for (const number of found!) expect(ever.get(number)).toContain(`${topic} ${place}`);
          }
        }
        expect(await store.logs.find(0n, { ...head, hash: TOPICS[0]! }, [])).toBeUndefined();
      }
      await store.close();
    }),
    { numRuns: runs(16) },
  );
}, 60_000);

test('a block with more topics than its record holds is found, also where a removed block had its number', async () => {
  const dir = join(scratch(), 'chain');
  let store = await newStore(dir);
  const write = (block: Block) =>
    store.commit({ block, stateRoot: block.header.stateRoot, nodes: [], code: [] });
  await write(withTopics(genesis, [0]));
  await store.setHead(0n);
  const many = Array.from({ length: 1_200 }, (_, i) => new Bytes(`one of many ${i}`).take(32));
  const plain = withTopics(genesis, [1]);
  const logs = many.map((topic) => ({ address: bytes.address(), topics: [topic], data: new Uint8Array() }));
  const header = { ...plain.header, logsBloom: bloomOf(logs) };
  await write({ ...plain, header, hash: hashHeader(header), receipts: [{ ...plain.receipts[0]!, logs }] });
  for (const isOpenedAnew of [false, true]) {
    if (isOpenedAnew) {
      await store.close();
      store = await openStore(dir);
      await store.logs.load();
    }
    expect(await store.logs.find(0n, store.head, [[logTerm(many[700]!, 1)]])).toEqual([1]);
  }
  await store.close();
});
