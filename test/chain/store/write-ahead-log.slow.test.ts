import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockStore } from '../../../src/chain/store/block-store.ts';
import { FrameReader, frameEnd } from '../../../src/chain/store/change-frame.ts';
import { LOG_BEGINNING } from '../../../src/chain/store/write-ahead-log.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { copyAsKilled } from '../../killed-copy.ts';
import { Chronicle, expectTruth, openOrRefuse, repair } from './chronicle.ts';
import { newStore, openStore, refusal, removeDirectoriesAfterEachTest, scratch } from './directories.ts';
import { Bytes, blockOn, nodesOf } from './sample-blocks.ts';

removeDirectoriesAfterEachTest();

const LOGS = ['ahead-0', 'ahead-1'];

/** The log that has the newest change, and where its frames end. */
function newestLog(dir: string): { path: string; ends: number[] } {
  const logs = LOGS.map((name) => join(dir, name))
    .filter((path) => existsSync(path))
    .map((path) => {
      const bytes = readFileSync(path);
      const ends: number[] = [];
      let newest = 0;
      for (let at: number | undefined = LOG_BEGINNING.length; at !== undefined; at = frameEnd(bytes, at)) {
        ends.push(at);
        if (frameEnd(bytes, at) === undefined) break;
        const { last } = new FrameReader(bytes, at);
        if (last < newest) break;
        newest = last;
      }
      return { path, ends, newest };
    });
  return logs.sort((one, other) => other.newest - one.newest)[0]!;
}

/** What a kill leaves of a chain that was opened before and has changes of every kind in its logs. */
async function killed(room = 8_000): Promise<{ chronicle: Chronicle; dir: string }> {
  const root = scratch();
  const live = join(root, 'live');
  const dir = join(root, 'killed');
  const chronicle = new Chronicle();
  let store = await newStore(live);
  chronicle.note(store);
  for (let i = 0; i < 3; i++) await chronicle.block(store);
  await store.close();
  store = await openStore(live, { room });
  for (let i = 0; i < 3; i++) await chronicle.block(store);
  await chronicle.patch(store);
  await chronicle.back(store, 4);
  for (let i = 0; i < 3; i++) await chronicle.block(store);
  copyAsKilled(live, dir);
  await store.close();
  return { chronicle, dir };
}

/** Puts another number of the last announced change. */
async function announce(dir: string, of: string): Promise<void> {
  cpSync(join(of, 'last-batch'), join(dir, 'last-batch'));
}

describe('what a kill leaves', () => {
  it('has every change that was announced, whichever of the files it is in', async () => {
    for (const room of [0, 4_000, 8_000, 20_000, undefined]) {
      const { chronicle, dir } = await killed(room);
      expect(await openOrRefuse(dir, chronicle, `room ${room}`)).toBe('whole');
      expect(LOGS.filter((name) => existsSync(join(dir, name)))).toEqual([]);
      expect(await openOrRefuse(dir, chronicle, `room ${room}, again`)).toBe('whole');
    }
  });

  it('lacks nothing that was announced when the change under way is cut at any byte', async () => {
    const { chronicle, dir } = await killed();
    const before = join(scratch(), 'before');
    cpSync(dir, before, { recursive: true });
    const store = await openStore(dir);
    const block = blockOn(store.getBlock(store.head.number)!, new Bytes('under way'));
    await store.commit({
      block,
      stateRoot: block.header.stateRoot,
      nodes: nodesOf(2, new Bytes('nodes')),
      code: [],
    });
    const torn = join(scratch(), 'torn');
    copyAsKilled(dir, torn);
    await store.close();
    await announce(torn, before);
    const { path, ends } = newestLog(torn);
    const whole = readFileSync(path);
    const [from, to] = [ends.at(-2)!, ends.at(-1)!];
    expect(to - from).toBeGreaterThan(500);
    for (let length = from; length < to; length += Math.ceil(61 / FUZZ)) {
      const copy = join(scratch(), 'copy');
      cpSync(torn, copy, { recursive: true });
      truncateSync(join(copy, path.slice(torn.length)), length);
      expect(await openOrRefuse(copy, chronicle, `cut at ${length}`)).toBe('whole');
      // Other bytes may lie there: of older frames, or zeros where the power failed.
      cpSync(torn, copy, { recursive: true });
      const over = Buffer.from(whole);
      over.fill(0, length, to);
      // The frame may end with zeros itself.
      if (over.equals(whole)) continue;
      writeFileSync(join(copy, path.slice(torn.length)), over);
      expect(await openOrRefuse(copy, chronicle, `zeros from ${length}`)).toBe('whole');
      rmSync(copy, { recursive: true });
    }
  });

  it('is found out when an announced change lost its end or has a flipped bit, and goes back to the one before', async () => {
    const { chronicle, dir } = await killed(1_000_000);
    const { path, ends } = newestLog(dir);
    const size = ends.at(-1)!;
    expect(ends.length).toBe(9);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: size - 1 }),
        fc.constantFrom(...Array.from({ length: 8 }, (_, bit) => 1 << bit), 'cut' as const),
        async (at, damage) => {
          const copy = join(scratch(), 'copy');
          cpSync(dir, copy, { recursive: true });
          const log = join(copy, path.slice(dir.length));
          if (damage === 'cut') truncateSync(log, at);
          else {
            const bytes = readFileSync(log);
            bytes[at] = bytes[at]! ^ damage;
            writeFileSync(log, bytes);
          }
          const label = `${damage} at ${at}`;
          expect(await openOrRefuse(copy, chronicle, label)).toBe('damaged');
          expect(await openOrRefuse(copy, chronicle, label)).toBe('damaged');
          // The changes before the damaged frame.
          const kept = ends.slice(1).filter((end) => end <= at).length;
          const first = chronicle.states.length - (ends.length - 1);
          expect(await repair(copy, chronicle, label)).toBe(first + kept - 1);
          rmSync(copy, { recursive: true });
        },
      ),
      { numRuns: runs(20) },
    );
  }, 120_000);

  it('has no older change behind the newest, where all are of one size', async () => {
    const dir = join(scratch(), 'data');
    const store = await newStore(dir, { room: 1_000 });
    for (let value = 100; value < 120; value++) {
      await store.meta.put('value', value);
      const copy = join(scratch(), 'copy');
      copyAsKilled(dir, copy);
      const opened = await openStore(copy);
      expect(opened.meta.get('value')).toBe(value);
      await opened.close();
    }
    await store.close();
  });

  it('is damaged where LevelDB lost the end of its log, and repaired without loss from the logs of the store', async () => {
    const dir = join(scratch(), 'data');
    const chronicle = new Chronicle();
    const store = await newStore(dir, { room: 8_000 });
    chronicle.note(store);
    for (let i = 0; i < 6; i++) await chronicle.block(store);
    await chronicle.patch(store);
    await store.close();
    const [name] = readdirSync(join(dir, 'db')).filter((file) => file.endsWith('.log'));
    const log = join(dir, 'db', name!);
    const bytes = readFileSync(log);
    for (const damage of ['flipped', 'cut']) {
      const copy = join(scratch(), damage);
      cpSync(dir, copy, { recursive: true });
      const at = bytes.length - 100;
      const damagedBytes = Buffer.from(bytes);
      damagedBytes[at]! ^= 1;
      const path = join(copy, 'db', name!);
      writeFileSync(path, damage === 'cut' ? bytes.subarray(0, at) : damagedBytes);
      // What LevelDB has dropped after an unfinished write, the logs give back. It refuses to open what is corrupt.
      expect(await openOrRefuse(copy, chronicle, damage)).toBe(damage === 'cut' ? 'whole' : 'damaged');
      expect(await repair(copy, chronicle, damage)).toBe(chronicle.states.length - 1);
    }
  });

  it('is damaged without its logs', async () => {
    const { dir } = await killed();
    for (const name of LOGS) rmSync(join(dir, name), { force: true });
    expect(await refusal(openStore(dir))).toBe('damaged');
  });

  it('is not mixed with the changes of a version that knows no logs', async () => {
    const { dir } = await killed(1_000_000);
    const stale = join(scratch(), 'stale');
    cpSync(dir, stale, { recursive: true });
    // That version would have repaired it without the logs, and gone on.
    for (const name of LOGS) rmSync(join(stale, name), { force: true });
    let store: BlockStore = await openStore(stale, { repair: true, room: 0 });
    for (let i = 0; i < 2; i++) {
      const block = blockOn(store.getBlock(store.head.number)!, new Bytes(`another ${i}`));
      await store.commit({ block, stateRoot: block.header.stateRoot, nodes: [], code: [] });
    }
    const { head } = store;
    await store.close();
    for (const name of LOGS) if (existsSync(join(dir, name))) cpSync(join(dir, name), join(stale, name));
    store = await openStore(stale);
    expect(store.head).toEqual(head);
    await store.close();
  });
});

it('a chain is the same whether its changes are gathered, logged or written at once', async () => {
  const kind = fc.oneof(
    { weight: 6, arbitrary: fc.constant('block' as const) },
    fc.constant('patch' as const),
    fc.constant('back' as const),
    fc.constantFrom('kill' as const, 'close' as const),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(kind, { minLength: 5, maxLength: 25 }),
      fc.constantFrom(0, 3_000, 9_000, 60_000, undefined),
      fc.boolean(),
      async (kinds, room, fsync) => {
        const options = { ...(room !== undefined && { room }), fsync };
        let dir = join(scratch(), 'data');
        const chronicle = new Chronicle();
        let store = await newStore(dir, options);
        chronicle.note(store);
        for (const [i, kind] of kinds.entries()) {
          if (kind === 'block') await chronicle.block(store);
          else if (kind === 'patch') await chronicle.patch(store);
          else if (kind === 'back') await chronicle.back(store, Math.max(0, Number(store.head.number) - 2));
          else {
            const copy = join(scratch(), 'copy');
            if (kind === 'kill') copyAsKilled(dir, copy);
            await store.close();
            if (kind === 'kill') dir = copy;
            store = await openStore(dir, options);
          }
          expectTruth(store, chronicle.states.at(-1)!, chronicle.blocks, `${i} ${kind}`);
        }
        await store.close();
        expect(await openOrRefuse(dir, chronicle, 'at the end')).toBe('whole');
      },
    ),
    { numRuns: runs(15) },
  );
}, 120_000);
