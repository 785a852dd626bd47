import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CheckedLevel } from '../../../src/chain/store/checked-level.ts';
import { GatheredWrites } from '../../../src/chain/store/gathered-writes.ts';
import { runs } from '../../fuzz.ts';

const key = fc.integer({ min: 0, max: 12 });
const operation = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    // Three of the largest fill the room for what is gathered.
    puts: fc.array(fc.tuple(key, fc.constantFrom(0, 10, 400_000)), { maxLength: 4 }),
    deletes: fc.array(key, { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('read' as const), key }),
  // So many that they are a batch of their own.
  fc.record({ kind: fc.constant('many' as const) }),
  fc.record({ kind: fc.constant('list' as const) }),
  fc.record({ kind: fc.constant('reopen' as const) }),
);

async function inDirectories(task: (open: () => Promise<CheckedLevel[]>) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-gathered-'));
  let opened: CheckedLevel[] = [];
  const open = async () => {
    await Promise.all(opened.map((db) => db.close()));
    opened = [false, true].map((scratch) => {
      const path = join(dir, `${scratch}`);
      return new CheckedLevel({ path, dir: path, create: true, fsync: false, scratch });
    });
    for (const db of opened) await db.open();
    return opened;
  };
  try {
    await task(open);
  } finally {
    await Promise.all(opened.map((db) => db.close()));
    rmSync(dir, { recursive: true });
  }
}

async function list(db: CheckedLevel): Promise<number[]> {
  const keys: number[] = [];
  for await (const [first] of db.keys()) keys.push(first!);
  return keys;
}

it('a database that gathers its writes reads like one that does not, after it was opened again too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (operations) => {
      await inDirectories(async (open) => {
        let [plain, gathering] = (await open()) as [CheckedLevel, CheckedLevel];
        for (const [i, step] of operations.entries()) {
          if (step.kind === 'reopen') [plain, gathering] = (await open()) as [CheckedLevel, CheckedLevel];
          else if (step.kind === 'list') expect(await list(gathering)).toEqual(await list(plain));
          else if (step.kind === 'many') {
            const keys = Array.from({ length: 600 }, (_, n) =>
              Uint8Array.of(...(n < 13 ? [n] : [n >> 8, n])),
            );
            const puts = keys.map((name) => [name, Uint8Array.of(i)] as const);
            await Promise.all([plain.write(puts), gathering.write(puts)]);
          } else if (step.kind === 'read') {
            const at = Uint8Array.of(step.key);
            // By its bytes in one go: element by element takes seconds for the large ones.
            const [found, wanted] = [gathering.get(at), plain.get(at)];
            expect(found && Buffer.compare(found, wanted ?? new Uint8Array())).toBe(wanted && 0);
          } else {
            const puts = step.puts.map(
              ([name, length]) => [Uint8Array.of(name), new Uint8Array(length).fill(i)] as const,
            );
            const deletes = step.deletes.map((name) => Uint8Array.of(name));
            await Promise.all([plain.write(puts, deletes), gathering.write(puts, deletes)]);
          }
        }
      });
    }),
    { numRuns: runs(20) },
  );
});

it('what is written while the gathered is on its way to the disk stays', async () => {
  await inDirectories(async (open) => {
    const [, db] = (await open()) as [CheckedLevel, CheckedLevel];
    await db.write([[Uint8Array.of(1), Uint8Array.of(1)]]);
    const listed = list(db);
    await db.write([[Uint8Array.of(2), Uint8Array.of(2)]]);
    await listed;
    expect(db.get(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
    expect(db.get(Uint8Array.of(2))).toEqual(Uint8Array.of(2));
    expect(await list(db)).toEqual([1, 2]);
  });
});

it('a write that fails meanwhile is told to whoever writes next, and what it held is still read', async () => {
  const full = new Error('no space left');
  const gathered = new GatheredWrites({ write: () => Promise.reject(full) });
  gathered.add(Uint8Array.of(1), Uint8Array.of(7));
  await gathered.spill();
  gathered.add(Uint8Array.of(2), Uint8Array.of(8));
  await expect(gathered.spill()).rejects.toBe(full);
  await expect(gathered.flush()).rejects.toBe(full);
  expect([1, 2].map((key) => gathered.find(Uint8Array.of(key))?.stored)).toEqual([
    Uint8Array.of(7),
    Uint8Array.of(8),
  ]);
});
