import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BlockFile } from '../../../src/fork-cache/block-file.ts';
import { keyOf } from '../../../src/fork-cache/cache-entry.ts';
import { folder, removeFoldersAfterEachTest } from './cache-folder.ts';

removeFoldersAfterEachTest();

const clock = { now: () => 1_700_000_000_000 };
const entry = (i: number, bytes = 10) => ({
  method: 'eth_getCode',
  params: [`0x${i}`, '0x1'],
  result: `0x${'60'.repeat(bytes)}`,
});
const key = (i: number) => keyOf('eth_getCode', [`0x${i}`, '0x1']);

it('a small file is read once: entries that it has held are there when its bytes have changed', () => {
  const path = join(folder(), 'block');
  const file = new BlockFile({ path }, { clock });
  file.add([entry(1), entry(2)]);
  writeFileSync(path, Buffer.alloc(readFileSync(path).length, 0x20));
  expect(file.find(key(1), false)).toMatchObject(entry(1));
  expect(file.find(key(2), false)).toMatchObject(entry(2));
  file.close();
  const again = new BlockFile({ path }, { clock });
  expect(again.find(key(1), false)).toBeUndefined();
  again.close();
});

it('of a large file the first 8 MiB are held, and the rest is read where it is needed', () => {
  const path = join(folder(), 'block');
  const writer = new BlockFile({ path }, { clock });
  for (let i = 0; i < 5; i++) writer.add([entry(i, 2 ** 20)]);
  writer.close();
  const file = new BlockFile({ path }, { clock });
  expect(file.count).toBe(5);
  for (let i = 0; i < 5; i++) expect(file.find(key(i), false)).toMatchObject(entry(i, 2 ** 20));
  writeFileSync(path, Buffer.alloc(readFileSync(path).length, 0x20));
  const held = [0, 1, 2, 3, 4].filter((i) => file.find(key(i), false));
  expect(held).toEqual([0, 1, 2]);
  file.close();
});
