import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Frame } from '../../../src/chain/store/change-frame.ts';
import { CheckedLevel, type Entry } from '../../../src/chain/store/checked-level.ts';
import { DISK } from '../../../src/chain/store/disk.ts';
import { GatheredWrites } from '../../../src/chain/store/gathered-writes.ts';
import { PREFIX } from '../../../src/chain/store/keys.ts';
import { readLogs, WriteAheadLog } from '../../../src/chain/store/write-ahead-log.ts';
import { runs } from '../../fuzz.ts';

const key = fc.integer({ min: 0, max: 12 });
const operation = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    // Three of the largest fill a buffer of 1 MiB, six one of 2 MiB, and four are written at once.
    puts: fc.array(fc.tuple(key, fc.constantFrom(0, 10, 300_000)), { maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('delete' as const), keys: fc.array(key, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('read' as const), key }),
  // So many that the index grows.
  fc.record({ kind: fc.constant('many' as const) }),
  fc.record({ kind: fc.constant('list' as const) }),
  fc.record({ kind: fc.constant('reopen' as const) }),
);

const head = { number: 0n, hash: new Uint8Array(32), stateRoot: new Uint8Array(32) };
let first = 0;
const frameOf = (...changes: (readonly Entry[])[]): Frame => {
  const frame = {
    first: first + 1,
    before: undefined,
    changes: changes.map((entries) => ({ kind: 'meta' as const, head, entries })),
  };
  first += changes.length;
  return frame;
};

type Stores = [plain: CheckedLevel, scratch: CheckedLevel, logged: CheckedLevel];

/** Databases that should be alike: without a buffer, with one, and with one and a log. */
async function inDirectories(task: (open: () => Promise<Stores>) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-gathered-'));
  let opened: CheckedLevel[] = [];
  const open = async () => {
    await Promise.all(opened.map((db) => db.close()));
    opened = [{ room: 0 }, { scratch: true, room: 2 ** 21 }, {}].map((options, i) => {
      const path = join(dir, `${i}`);
      const log = new WriteAheadLog({ paths: [`${path}-a`, `${path}-b`], fsync: false });
      return new CheckedLevel(
        { path, dir: path, create: true, fsync: false, ...options },
        i < 2 ? {} : { log },
      );
    });
    for (const db of opened) await db.open();
    return opened as Stores;
  };
  try {
    await task(open);
  } finally {
    await Promise.all(opened.map((db) => db.close()));
    rmSync(dir, { recursive: true });
  }
}

/** The first bytes of all keys but the batch records'. */
async function list(db: CheckedLevel): Promise<number[]> {
  const keys: number[] = [];
  for await (const [first] of db.keys()) if (first !== PREFIX.batch) keys.push(first!);
  return keys;
}

it('a database that gathers its writes reads like one that does not, after it was opened again too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (operations) => {
      await inDirectories(async (open) => {
        let [plain, ...others] = await open();
        const write = (puts: readonly Entry[]) => {
          const frame = frameOf(puts, []);
          return Promise.all([plain, ...others].map((db) => db.commit(frame)));
        };
        for (const [i, step] of operations.entries()) {
          if (step.kind === 'reopen') [plain, ...others] = await open();
          else if (step.kind === 'list') {
            for (const db of others) expect(await list(db)).toEqual(await list(plain));
          } else if (step.kind === 'many')
            await write(
              Array.from({ length: 3_000 }, (_, n) => [
                Uint8Array.of(...(n < 13 ? [n] : [n >> 8, n])),
                Uint8Array.of(i),
              ]),
            );
          else if (step.kind === 'read') {
            const at = Uint8Array.of(step.key);
            const wanted = plain.get(at);
            for (const db of others) {
              // By its bytes in one go: element by element takes seconds for the large ones.
              const found = db.get(at);
              expect(found && Buffer.compare(found, wanted ?? new Uint8Array())).toBe(wanted && 0);
            }
          } else if (step.kind === 'delete') {
            const deletes = step.keys.map((name) => Uint8Array.of(name));
            for (const db of [plain, ...others]) {
              // What is gathered can't be removed.
              await db.settled();
              await db.write([], deletes);
            }
          } else
            await write(
              step.puts.map(([name, length]) => [Uint8Array.of(name), new Uint8Array(length).fill(i)]),
            );
        }
      });
    }),
    { numRuns: runs(20) },
  );
});

it('what is written while the gathered is on its way to the disk stays', async () => {
  await inDirectories(async (open) => {
    const [, db] = await open();
    await db.commit(frameOf([[Uint8Array.of(1), Uint8Array.of(1)]]));
    const listed = list(db);
    await db.commit(frameOf([[Uint8Array.of(2), Uint8Array.of(2)]]));
    await listed;
    expect(db.get(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
    expect(db.get(Uint8Array.of(2))).toEqual(Uint8Array.of(2));
    expect(await list(db)).toEqual([1, 2]);
  });
});

it('a write to LevelDB that fails is told to whoever writes next, and what it held is still read', async () => {
  const full = new Error('no space left');
  const gathered = new GatheredWrites({ room: 1_000 }, { fill: () => Promise.reject(full) });
  const put = (name: number) =>
    gathered.add(frameOf([[Uint8Array.of(name), new Uint8Array(600).fill(name)]]));
  expect(await put(1)).toBe(true);
  expect(await put(2)).toBe(true);
  await expect(put(3)).rejects.toBe(full);
  await expect(gathered.flush()).rejects.toBe(full);
  expect([1, 2, 3].map((name) => gathered.find(Uint8Array.of(name))?.[0])).toEqual([1, 2, undefined]);
});

it('memory is prepared behind what is written, also behind what waits for the disk', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-gathered-'));
  try {
    let onDisk!: () => void;
    const sync = () =>
      new Promise<void>((resolve) => {
        onDisk = resolve;
      });
    const disk = { ...DISK, sync };
    const log = new WriteAheadLog({ paths: [join(dir, 'a'), join(dir, 'b')], fsync: true }, { disk });
    const gathered = new GatheredWrites({ room: 2 ** 18 }, { log, fill: async () => {} });
    const value = (name: number) => new Uint8Array(1_000).fill(name);
    for (const name of [1, 2, 3]) {
      const added = gathered.add(frameOf([[Uint8Array.of(name), value(name)]]));
      if (name > 1) while (gathered.prepare());
      onDisk();
      expect(await added).toBe(true);
    }
    for (const name of [1, 2, 3]) expect(gathered.find(Uint8Array.of(name))).toEqual(value(name));
    expect(readLogs([join(dir, 'a')])[0]?.frames).toHaveLength(3);
    log.close();
  } finally {
    rmSync(dir, { recursive: true });
  }
});
