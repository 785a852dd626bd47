import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CheckedLevel } from '../../../src/chain/store/checked-level.ts';
import { removeDirectoriesAfterEachTest, scratch } from './directories.ts';

removeDirectoriesAfterEachTest();

const VALUES = 200;
const VALUE = new Uint8Array(1_000);

/** Writes values of zeros. @returns the bytes that the tables take */
async function sizeOfTables(options: { scratch: boolean }): Promise<number> {
  const dir = scratch();
  const level = new CheckedLevel({ path: join(dir, 'db'), dir, create: true, fsync: false, ...options });
  await level.open();
  await level.write(Array.from({ length: VALUES }, (_, i) => [Uint8Array.of(0x73, i), VALUE] as const));
  await level.flush();
  expect(level.get(Uint8Array.of(0x73, 7))).toHaveLength(VALUE.length);
  await level.close();
  const tables = readdirSync(join(dir, 'db')).filter((name) => name.endsWith('.ldb'));
  return tables.reduce((sum, name) => sum + statSync(join(dir, 'db', name)).size, 0);
}

test('tables are compressed, but for those that are gone with the process', async () => {
  expect(await sizeOfTables({ scratch: false })).toBeLessThan((VALUES * VALUE.length) / 4);
  expect(await sizeOfTables({ scratch: true })).toBeGreaterThan(VALUES * VALUE.length);
});
