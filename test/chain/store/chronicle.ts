import { bytesToHex } from '@ethereumjs/util';
import { expect } from 'vitest';
import type { Block } from '../../../src/chain/block.ts';
import { Reservation } from '../../../src/chain/reservation.ts';
import type { Head } from '../../../src/chain/store/batch-record.ts';
import { encodeBlock, encodeReceipts } from '../../../src/chain/store/block-codec.ts';
import type { BlockStore } from '../../../src/chain/store/block-store.ts';
import { DataDirError } from '../../../src/chain/store/data-dir-error.ts';
import { genesis, openStore } from './directories.ts';
import { Bytes, blockOn, nodesOf, signed } from './sample-blocks.ts';

/** What a store must answer after a batch. */
interface Truth {
  readonly head: Head;
  readonly chain: readonly { block: Block; stateRoot: Uint8Array }[];
  readonly nodes: readonly (readonly [Uint8Array, Uint8Array])[];
}

/** A store under test along with what it must answer after each of its batches. */
export class Chronicle {
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

  /** Reserves blocks. */
  async reserve(store: BlockStore, count: number): Promise<void> {
    const parent = this.#chain.at(-1)!.block;
    const { header } = blockOn(parent, this.#bytes);
    const reservation = new Reservation({
      header: { ...header, timestamp: 1_700_000_000n },
      count,
      step: 3n,
      seed: this.#bytes.take(5),
      fees: [{ baseFeePerGas: 1_000n }, { baseFeePerGas: 7n }],
    });
    const nodes = nodesOf(3, this.#bytes);
    await store.commitAll([{ reservation, nodes, code: [] }]);
    for (let number = reservation.first; number <= reservation.last; number++) {
      const block = reservation.block(number);
      this.#chain = [...this.#chain, { block, stateRoot: block.header.stateRoot }];
    }
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

export const hex = (bytes: Uint8Array | undefined) => bytes && bytesToHex(bytes);
/** All of a block in one text, which is compared much faster than its fields. */
export const content = (block: Block | undefined) =>
  block && hex(encodeBlock(block))! + hex(block.hash) + hex(encodeReceipts(block)) + block.size;

/** Asserts that the store answers everything as it must. */
export function expectTruth(store: BlockStore, truth: Truth, blocks: readonly Block[], label: string): void {
  expect(store.head, label).toEqual(truth.head);
  const canonical = new Map(truth.chain.map(({ block }) => [hex(block.hash), block]));
  for (const [number, { block, stateRoot }] of truth.chain.entries()) {
    expect(content(store.getBlock(BigInt(number))), label).toBe(content(block));
    expect(hex(store.stateRootOf(BigInt(number))), label).toBe(hex(stateRoot));
  }
  expect(store.getBlock(BigInt(truth.chain.length)), label).toBeUndefined();
  for (const block of blocks) {
    const known = canonical.has(hex(block.hash));
    expect(store.getBlock(block.hash)?.header.number, label).toBe(known ? block.header.number : undefined);
    for (const [index, { hash }] of block.transactions.entries())
      expect(store.findTransaction(hash), label).toEqual(
        known ? { number: block.header.number, index } : undefined,
      );
  }
  for (const [hash, node] of truth.nodes) expect(hex(store.getNode(hash)), label).toBe(hex(node));
}

/** Opens what may be damaged: it must be refused, or answer everything. Says which. */
export async function openOrRefuse(
  dir: string,
  chronicle: Chronicle,
  label: string,
): Promise<'damaged' | 'whole'> {
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
export async function repair(dir: string, chronicle: Chronicle, label: string): Promise<number | 'lost'> {
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
