import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Block } from '../../../src/chain/block.ts';
import type { Head } from '../../../src/chain/store/batch-record.ts';
import { encodeBlock, encodeReceipts } from '../../../src/chain/store/block-codec.ts';
import type { BlockStore } from '../../../src/chain/store/block-store.ts';
import { DataDirError } from '../../../src/chain/store/data-dir-error.ts';
import { fingerprint, genesis, newStore, openStore, refusal } from './directories.ts';
import { Bytes, blockOn, nodesOf, signed } from './sample-blocks.ts';

/** What a store must answer after a batch. */
interface Truth {
  readonly head: Head;
  readonly chain: readonly { block: Block; stateRoot: Uint8Array }[];
  readonly nodes: readonly (readonly [Uint8Array, Uint8Array])[];
}

/** A store under test along with what it must answer after each of its batches. */
class Chronicle {
  readonly states: Truth[] = [];
  readonly blocks: Block[] = [genesis];
  readonly #bytes = new Bytes('chronicle');
  #nodes: [Uint8Array, Uint8Array][] = [];
  #chain = [{ block: genesis, stateRoot: genesis.header.stateRoot }];

  async block(store: BlockStore): Promise<void> {
    const nonce = this.blocks.length;
    const block = blockOn(this.#chain.at(-1)!.block, this.#bytes, [
      signed(0, nonce, this.#bytes),
      signed(2, nonce, this.#bytes),
    ]);
    const nodes = nodesOf(5, this.#bytes);
    const { stateRoot } = block.header;
    await store.commit({ block, stateRoot, nodes, code: [] });
    this.blocks.push(block);
    this.#chain = [...this.#chain, { block, stateRoot }];
    this.#nodes = [...this.#nodes, ...nodes];
    this.note(store);
  }

  async patch(store: BlockStore): Promise<void> {
    const stateRoot = this.#bytes.take(32);
    const nodes = nodesOf(2, this.#bytes);
    await store.commitPatch({ stateRoot, nodes, code: [] });
    this.#chain = [...this.#chain.slice(0, -1), { block: this.#chain.at(-1)!.block, stateRoot }];
    this.#nodes = [...this.#nodes, ...nodes];
    this.note(store);
  }

  async back(store: BlockStore, number: number): Promise<void> {
    await store.setHead(BigInt(number));
    this.#chain = this.#chain.slice(0, number + 1);
    this.note(store);
  }

  note(store: BlockStore): void {
    this.states.push({ head: store.head, chain: this.#chain, nodes: this.#nodes });
  }
}

const hex = (bytes: Uint8Array | undefined) => bytes && bytesToHex(bytes);
const content = (block: Block | undefined) =>
  block && hex(encodeBlock(block))! + hex(block.hash) + hex(encodeReceipts(block.receipts)) + block.size;

/** Asserts that the store answers everything as it must. */
function expectTruth(store: BlockStore, truth: Truth, blocks: readonly Block[], label: string): void {
  expect(store.head, label).toEqual(truth.head);
  const canonical = new Map(truth.chain.map(({ block }) => [hex(block.hash), block]));
  for (const [number, { block, stateRoot }] of truth.chain.entries()) {
    expect(content(store.getBlock(BigInt(number))), label).toBe(content(block));
    expect(hex(store.stateRootOf(BigInt(number))), label).toBe(hex(stateRoot));
  }
  expect(store.getBlock(BigInt(truth.chain.length)), label).toBeUndefined();
  for (const block of blocks) {
    const known = canonical.has(hex(block.hash));
    expect(store.numberOf(block.hash), label).toBe(known ? block.header.number : undefined);
    for (const [index, { hash }] of block.transactions.entries())
      expect(store.findTransaction(hash), label).toEqual(
        known ? { number: block.header.number, index } : undefined,
      );
  }
  for (const [hash, node] of truth.nodes) expect(hex(store.getNode(hash)), label).toBe(hex(node));
}

/** Opens what may be damaged: it must be refused, or answer everything. Says which. */
async function openOrRefuse(dir: string, chronicle: Chronicle, label: string): Promise<'damaged' | 'whole'> {
  let store: BlockStore;
  try {
    store = await openStore(dir);
  } catch (error) {
    if (!(error instanceof DataDirError)) throw new Error(label, { cause: error });
    expect(error.code, label).toBe('damaged');
    return 'damaged';
  }
  expectTruth(store, chronicle.states.at(-1)!, chronicle.blocks, label);
  await store.close();
  return 'whole';
}

/** Repairs what is damaged: it must answer as it did after one of its batches, and go on from there. */
async function repair(dir: string, chronicle: Chronicle, label: string): Promise<number | 'lost'> {
  let store: BlockStore;
  try {
    store = await openStore(dir, { repair: true });
  } catch (error) {
    if (!(error instanceof DataDirError)) throw new Error(label, { cause: error });
    expect(error.code, label).toBe('damaged');
    return 'lost';
  }
  const index = store.repaired
    ? chronicle.states.length - 1 - store.repaired.batches
    : chronicle.states.length - 1;
  const truth = chronicle.states[index]!;
  expectTruth(store, truth, chronicle.blocks, label);
  const next = blockOn(truth.chain.at(-1)!.block, new Bytes(label));
  await store.commit({ block: next, stateRoot: next.header.stateRoot, nodes: [], code: [] });
  await store.close();
  const again = await openStore(dir);
  expect(again.head.hash, label).toEqual(next.hash);
  expect(again.repaired).toBeUndefined();
  await again.close();
  return index;
}

describe('a damaged directory', () => {
  const chronicle = new Chronicle();
  let root: string;
  let pristine: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'store-test-'));
    pristine = join(root, 'pristine');
    let store = await newStore(pristine);
    chronicle.note(store);
    for (let i = 0; i < 4; i++) await chronicle.block(store);
    await chronicle.patch(store);
    await chronicle.block(store);
    await store.close();
    // Opened anew, LevelDB moves what was in its log to a table: both kinds of file are there to be damaged.
    store = await openStore(pristine);
    await chronicle.block(store);
    await chronicle.back(store, 3);
    for (let i = 0; i < 3; i++) await chronicle.block(store);
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
    const { outcomes, repaired } = await fuzz(/\.log$/, 120);
    // Every byte of the log is part of a batch: none goes unnoticed.
    expect(outcomes.filter((outcome) => outcome === 'whole')).toEqual([]);
    expect(repaired).not.toContain('lost');
    expect(new Set(repaired).size).toBeGreaterThan(3);
  });

  it('with a flipped byte in a table is found out, or answers everything', async () => {
    const { outcomes, repaired } = await fuzz(/\.ldb$/, 60);
    expect(outcomes).toContain('damaged');
    expect(repaired.some((index) => index !== 'lost')).toBe(true);
  });

  it('with a flipped byte in what LevelDB or the store keeps beside is found out, or answers everything', async () => {
    const { repaired } = await fuzz(/MANIFEST|CURRENT|last-batch/, 45);
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
    const store = await openStore(dir);
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
    let store = await openStore(dir, { repair: true });
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
