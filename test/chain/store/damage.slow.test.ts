import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../fuzz.ts';
import { Chronicle, openOrRefuse, repair } from './chronicle.ts';
import { fingerprint, newStore, openStore, refusal, removeDirectoriesAfterEachTest } from './directories.ts';
import { Bytes, blockOn, nodesOf } from './sample-blocks.ts';

removeDirectoriesAfterEachTest();

/** Each change is a batch of LevelDB's own, so that as few as possible are lost with a byte of its log. */
const apart = { room: 0 };

describe('a damaged directory', () => {
  const chronicle = new Chronicle();
  let root: string;
  let pristine: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'store-test-'));
    pristine = join(root, 'pristine');
    let store = await newStore(pristine, apart);
    chronicle.note(store);
    for (let i = 0; i < 4; i++) await chronicle.block(store);
    await chronicle.patch(store);
    await chronicle.block(store);
    await store.close();
    // Opened anew, LevelDB moves what was in its log to a table: both kinds of file are there to be damaged.
    store = await openStore(pristine, apart);
    await chronicle.block(store);
    await chronicle.back(store, 3);
    for (let i = 0; i < 3; i++) await chronicle.block(store);
    await chronicle.patch(store);
    await chronicle.reserve(store, 300);
    await chronicle.block(store);
    await chronicle.back(store, 200);
    await chronicle.block(store);
    await chronicle.reserve(store, 2);
    await chronicle.patch(store);
    await store.close();
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function files(kind: RegExp): string[] {
    return (readdirSync(pristine, { recursive: true }) as string[]).filter((name) => kind.test(name));
  }

  function copy(name: string): string {
    const dir = join(root, name);
    rmSync(dir, { recursive: true, force: true });
    cpSync(pristine, dir, { recursive: true });
    return dir;
  }

  function flip(dir: string, file: string, offset: number, mask: number): void {
    const bytes = readFileSync(join(dir, file));
    bytes[offset] = bytes[offset]! ^ mask;
    writeFileSync(join(dir, file), bytes);
  }

  async function fuzz(
    kind: RegExp,
    count: number,
  ): Promise<{ outcomes: string[]; repaired: (number | 'lost')[] }> {
    const outcomes: string[] = [];
    const repaired: (number | 'lost')[] = [];
    const random = new Bytes(String(kind));
    const names = files(kind);
    expect(names.length).toBeGreaterThan(0);
    for (let round = 0; round < count; round++) {
      const file = names[round % names.length]!;
      const size = readFileSync(join(pristine, file)).length;
      const offset = Math.floor((size * (round + Number(random.number(1000n)) / 1000)) / count);
      const mask = 1 << Number(random.number(8n));
      const label = `${file} offset ${offset} mask ${mask}`;
      const dir = copy('flipped');
      flip(dir, file, offset, mask);
      const outcome = await openOrRefuse(dir, chronicle, label);
      outcomes.push(outcome);
      if (outcome === 'damaged') {
        // Both what the refused open left behind, and what it would have found.
        if (round % 2 === 0) {
          copy('flipped');
          flip(dir, file, offset, mask);
        }
        repaired.push(await repair(dir, chronicle, label));
      }
    }
    return { outcomes, repaired };
  }

  it('is whole to begin with, and a repair leaves it so', async () => {
    expect(await openOrRefuse(copy('same'), chronicle, 'pristine')).toBe('whole');
    expect(await repair(copy('same'), chronicle, 'pristine')).toBe(chronicle.states.length - 1);
  });

  it('with a flipped byte in the log is always found out, and repaired to a whole earlier block', async () => {
    const { outcomes, repaired } = await fuzz(/\.log$/, runs(60));
    // Every byte of the log is part of a batch: none goes unnoticed.
    expect(outcomes.filter((outcome) => outcome === 'whole')).toEqual([]);
    expect(repaired).not.toContain('lost');
    expect(new Set(repaired).size).toBeGreaterThan(3);
  });

  it('with a flipped byte in a table is found out, or answers everything', async () => {
    const { outcomes, repaired } = await fuzz(/\.ldb$/, runs(30));
    expect(outcomes).toContain('damaged');
    expect(repaired.some((index) => index !== 'lost')).toBe(true);
  });

  it('with a flipped byte in what LevelDB or the store keeps beside is found out, or answers everything', async () => {
    const { repaired } = await fuzz(/MANIFEST|CURRENT|last-batch/, runs(24));
    expect(repaired).not.toContain('lost');
  });

  it('with a corrupt log is refused before LevelDB drops anything of it', async () => {
    const [log] = files(/\.log$/);
    const dir = copy('untouched');
    flip(dir, log!, 3000, 1);
    const before = fingerprint(dir);
    expect(await refusal(openStore(dir))).toBe('damaged');
    expect(fingerprint(dir)).toEqual(before);
  });

  it('with an unfinished batch at the end, as a killed process leaves it, is not damaged', async () => {
    const dir = copy('torn');
    const announced = readFileSync(join(dir, 'last-batch'));
    const store = await openStore(dir, apart);
    const [log] = readdirSync(join(dir, 'db')).filter((name) => name.endsWith('.log'));
    const block = blockOn(store.getBlock(store.head.number)!, new Bytes('unfinished'));
    await store.commit({
      block,
      stateRoot: block.header.stateRoot,
      nodes: nodesOf(600, new Bytes('large')),
      code: [],
    });
    await store.close();
    const size = readFileSync(join(dir, 'db', log!)).length;
    expect(size).toBeGreaterThan(2 * 32_768);
    writeFileSync(join(dir, 'last-batch'), announced);
    for (const length of [size - 1, 40_000, 32_768, 32_770, 500, 5]) {
      const torn = join(root, 'torn-copy');
      rmSync(torn, { recursive: true, force: true });
      cpSync(dir, torn, { recursive: true });
      truncateSync(join(torn, 'db', log!), length);
      expect(await openOrRefuse(torn, chronicle, `torn at ${length}`)).toBe('whole');
    }
  });

  it('whose log lost its end is found out', async () => {
    const [log] = files(/\.log$/);
    const size = readFileSync(join(pristine, log!)).length;
    for (const cut of [1, 100, Math.floor(size / 2), size]) {
      const dir = copy('cut');
      truncateSync(join(dir, log!), size - cut);
      expect(await openOrRefuse(dir, chronicle, `cut by ${cut}`)).toBe('damaged');
      expect(await repair(dir, chronicle, `cut by ${cut}`)).toBeLessThan(chronicle.states.length - 1);
    }
  });

  it('says what a repair gave up', async () => {
    const [log] = files(/\.log$/);
    const dir = copy('report');
    truncateSync(join(dir, log!), readFileSync(join(dir, log!)).length - 1);
    const store = await openStore(dir, { repair: true });
    expect(store.repaired).toMatchObject({ batches: 1, head: chronicle.states.at(-2)!.head, meta: [] });
    await store.close();
  });

  it('is refused again until it is repaired', async () => {
    const [log] = files(/\.log$/);
    const dir = copy('twice');
    flip(dir, log!, 5000, 1);
    expect(await refusal(openStore(dir))).toBe('damaged');
    expect(await refusal(openStore(dir))).toBe('damaged');
    expect(await refusal(openStore(dir, { repair: true }))).toBeUndefined();
    expect(await refusal(openStore(dir))).toBeUndefined();
  });

  it('can be damaged and repaired once more', async () => {
    const dir = copy('more');
    const [log] = files(/\.log$/);
    flip(dir, log!, 5000, 1);
    let store = await openStore(dir, { ...apart, repair: true });
    const { head } = store;
    const block = blockOn(store.getBlock(head.number)!, new Bytes('more'));
    await store.commit({ block, stateRoot: block.header.stateRoot, nodes: [], code: [] });
    await store.close();
    const newest = (readdirSync(join(dir, 'db')) as string[]).filter((name) => name.endsWith('.log')).at(-1)!;
    flip(dir, join('db', newest), readFileSync(join(dir, 'db', newest)).length - 3, 1);
    expect(await refusal(openStore(dir))).toBe('damaged');
    store = await openStore(dir, { repair: true });
    expect(store.head).toEqual(head);
    await store.close();
  });
});
