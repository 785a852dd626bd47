import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { CheckedLevel, type Entry } from '../../../src/chain/store/checked-level.ts';
import { keyOf, PREFIX, uint64 } from '../../../src/chain/store/keys.ts';
import { WriteAheadLog } from '../../../src/chain/store/write-ahead-log.ts';
import { removeDirectoriesAfterEachTest, scratch } from './directories.ts';

removeDirectoriesAfterEachTest();

const head = { number: 0n, hash: new Uint8Array(32), stateRoot: new Uint8Array(32) };

/** A database whose buffers are given to a thread with this script, in which MARK is the path of a file. */
async function databaseWith(script: string) {
  const dir = scratch();
  const mark = join(dir, 'asked');
  writeFileSync(
    join(dir, 'thread.mjs'),
    `import { writeFileSync } from 'node:fs'; import { parentPort } from 'node:worker_threads'; const MARK = ${JSON.stringify(mark)}; ${script}`,
  );
  const paths = [join(dir, 'log-0'), join(dir, 'log-1')];
  const thread = pathToFileURL(join(dir, 'thread.mjs'));
  const open = async () => {
    const log = new WriteAheadLog({ paths, fsync: false });
    const path = join(dir, 'db');
    const db = new CheckedLevel(
      { path, dir, create: true, fsync: false, room: 20_000, thread, threadAfter: 40_000 },
      { log },
    );
    await db.open();
    return db;
  };
  let commits = 0;
  const keyAt = (number: number) => keyOf(PREFIX.node, uint64(BigInt(number)));
  const commit = async (db: CheckedLevel) => {
    const entries = Array.from({ length: 20 }, (_, i): Entry => {
      const number = commits * 20 + i;
      return [keyAt(number), new Uint8Array(300).fill(number)];
    });
    const changes = [{ kind: 'block' as const, head, entries }];
    await db.commit({ first: commits + 1, before: undefined, changes });
    commits++;
    // For the thread's messages.
    await new Promise(setImmediate);
  };
  const expectAll = (db: CheckedLevel) => {
    for (let number = 0; number < commits * 20; number++)
      if (db.get(keyAt(number))?.[299] !== number % 256) expect.fail(`${number} is lost`);
  };
  return { open, commit, expectAll, mark, paths };
}

it('a thread that ends before it has done its work is done without', async () => {
  const { open, commit, expectAll, mark } = await databaseWith(
    "parentPort.on('message', () => { writeFileSync(MARK, ''); process.exit(1); }); parentPort.postMessage({});",
  );
  const db = await open();
  while (!existsSync(mark)) await commit(db);
  for (let i = 0; i < 10; i++) await commit(db);
  expectAll(db);
  await db.close();
  const again = await open();
  expectAll(again);
  await again.close();
});

it('a thread that never starts is not waited for', async () => {
  const { open, commit, expectAll } = await databaseWith('throw new Error();');
  const db = await open();
  for (let i = 0; i < 60; i++) await commit(db);
  await db.close();
  const again = await open();
  expectAll(again);
  await again.close();
});

it('what a thread can not write fails the next change, and the log keeps it', async () => {
  const { open, commit, expectAll, mark, paths } = await databaseWith(
    `parentPort.on('message', (request) => {
      if (!request) parentPort.close();
      else { writeFileSync(MARK, ''); parentPort.postMessage({ error: { message: 'IO error: full', code: 'LEVEL_IO_ERROR' } }); }
    }); parentPort.postMessage({});`,
  );
  const db = await open();
  const all = async () => {
    for (;;) await commit(db);
  };
  await expect(all()).rejects.toMatchObject({ message: 'IO error: full', code: 'LEVEL_IO_ERROR' });
  expect(existsSync(mark)).toBe(true);
  expectAll(db);
  await db.close();
  expect(paths.map((path) => existsSync(path))).toEqual([true, true]);
});
