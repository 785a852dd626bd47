import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Head } from '../../../src/chain/store/batch-record.ts';
import { BatchWriter } from '../../../src/chain/store/batch-writer.ts';
import { CheckedLevel } from '../../../src/chain/store/checked-level.ts';
import { metaKey } from '../../../src/chain/store/keys.ts';
import { LastBatchFile } from '../../../src/chain/store/last-batch-file.ts';
import { genesis, removeDirectoriesAfterEachTest, scratch } from './directories.ts';

removeDirectoriesAfterEachTest();

const head: Head = { number: 0n, hash: genesis.hash, stateRoot: genesis.header.stateRoot };

/** A writer whose database takes writes unless `full` says otherwise. */
async function writerOf(full: () => boolean) {
  const dir = scratch();
  const db = new CheckedLevel({ path: join(dir, 'db'), dir, create: true, fsync: false });
  await db.open();
  for (const method of ['commit', 'write'] as const) {
    const write = db[method].bind(db) as (...args: unknown[]) => Promise<void>;
    db[method] = (...args: unknown[]) =>
      full() ? Promise.reject(new Error('no space left')) : write(...args);
  }
  const lastBatch = new LastBatchFile({ path: join(dir, 'last-batch'), dir });
  const writer = new BatchWriter({ sequence: 0, head, genesis: 0n }, { db, lastBatch });
  const put = (name: string) => writer.write('meta', { [name]: 1 }, () => ({ entries: [], head }));
  return { db, writer, put, lastBatch };
}

it('nothing is written after a batch that could not be, with space or without', async () => {
  let full = false;
  const { db, writer, put, lastBatch } = await writerOf(() => full);
  await put('one');
  full = true;
  const waiting = [put('two'), put('three')];
  for (const write of waiting) await expect(write).rejects.toThrow('no space left');
  full = false;
  await expect(put('four')).rejects.toThrow('no space left');
  await expect(writer.alone(() => db.write([]))).rejects.toThrow('no space left');
  expect(await writer.failed).toMatchObject({ message: 'no space left' });
  expect(writer.sequence).toBe(1);
  expect(db.get(metaKey('one'))).toBeDefined();
  expect(['two', 'three', 'four'].map((name) => db.get(metaKey(name)))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  await db.close();
  lastBatch.close();
});

it('nothing is written after removals that failed', async () => {
  let full = true;
  const { db, writer, put } = await writerOf(() => full);
  await expect(writer.alone(() => db.write([]))).rejects.toThrow('no space left');
  full = false;
  await expect(put('one')).rejects.toThrow('no space left');
  await db.close();
});
