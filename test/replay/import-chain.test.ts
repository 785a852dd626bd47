import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex } from '@ethereumjs/util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Block, Header } from '../../src/chain/block.ts';
import { hashUncles, headerFields } from '../../src/chain/header.ts';
import { encodeBlock } from '../../src/chain/store/block-codec.ts';
import { createDevnet, ImportError } from '../../src/index.ts';
import type { DevnetOptions } from '../../src/options/options.ts';
import { Trie } from '../../src/state/trie.ts';
import { chainFile, GENESIS, sampleChain } from './sample-chain.ts';

let blocks: Block[];
beforeAll(async () => {
  blocks = await sampleChain();
});

const open = (path: string, options: DevnetOptions = {}) =>
  createDevnet({ init: GENESIS, import: path, ...options });

/** What the import of these says, `undefined` when all is well. */
async function refusal(items: readonly (Block | Uint8Array)[]): Promise<ImportError | undefined> {
  using file = chainFile(items);
  try {
    await (await open(file.path)).close();
    return undefined;
  } catch (error) {
    if (error instanceof ImportError) return error;
    throw error;
  }
}

const withHeader = (block: Block, header: Partial<Header>): Block => ({
  ...block,
  header: { ...block.header, ...header },
});
const rootOf = (items: readonly Uint8Array[]) =>
  Trie.empty().update(items.map((item, i) => [RLP.encode(i), item])).root;

describe('a chain file', () => {
  it('is served as it was made, and its head is final', async () => {
    using file = chainFile(blocks);
    const node = await open(file.path);
    try {
      const ask = (method: string, ...params: unknown[]) => node.provider.request({ method, params });
      const head = blocks.at(-1)!;
      for (const tag of ['latest', 'safe', 'finalized'])
        expect(await ask('eth_getBlockByNumber', tag, false)).toMatchObject({
          hash: bytesToHex(head.hash),
          size: `0x${encodeBlock(head).length.toString(16)}`,
        });
      expect(await ask('eth_chainId')).toBe('0x1092');
      expect(await ask('eth_getTransactionCount', node.accounts[0]!.address.toLowerCase(), 'latest')).toBe(
        '0x8',
      );
      expect(await ask('eth_getLogs', { fromBlock: '0x0' })).toHaveLength(blocks.length);
    } finally {
      await node.close();
    }
  });

  it('is not mined upon: a send waits in the mempool and shows in pending', async () => {
    using file = chainFile(blocks);
    const node = await open(file.path, { manualClock: true });
    try {
      const [from, to] = node.accounts.map(({ address }) => address.toLowerCase());
      const ask = (method: string, ...params: unknown[]) => node.provider.request({ method, params });
      const hash = await ask('eth_sendTransaction', { from, to, value: '0x1' });
      expect(await ask('eth_blockNumber')).toBe('0x4');
      expect(await ask('eth_getTransactionReceipt', hash)).toBeNull();
      expect(await ask('eth_getBlockByNumber', 'pending', false)).toMatchObject({
        number: '0x5',
        parentHash: bytesToHex(blocks[3]!.hash),
        gasLimit: '0x1c9c380',
        transactions: [hash],
      });
    } finally {
      await node.close();
    }
  });

  it('reports each block', async () => {
    using file = chainFile(blocks);
    const seen: bigint[] = [];
    const hooks = { onImport: ({ number }: { number: bigint }) => seen.push(number) };
    const node = await createDevnet({ init: GENESIS, import: file.path }, hooks);
    await node.close();
    expect(seen).toEqual([1n, 2n, 3n, 4n]);
  });

  it('may begin with the genesis block', async () => {
    using empty = chainFile([]);
    const node = await open(empty.path);
    const genesis = await node.provider.request({ method: 'eth_getBlockByNumber', params: ['0x0', false] });
    await node.close();
    expect((genesis as { hash: string }).hash).toBe(bytesToHex(blocks[0]!.header.parentHash));
  });
});

describe('a data directory', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'devnet-import-dir-'));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  it('keeps what came before a bad block, and the import goes on from there', async () => {
    const bad = withHeader(blocks[2]!, { gasUsed: 1n });
    using broken = chainFile([...blocks.slice(0, 2), bad]);
    await expect(open(broken.path, { dataDir: dir })).rejects.toMatchObject({ number: 3n, field: 'gasUsed' });
    using whole = chainFile(blocks);
    for (let run = 0; run < 2; run++) {
      const node = await open(whole.path, { dataDir: dir });
      expect(await node.provider.request({ method: 'eth_blockNumber', params: [] })).toBe('0x4');
      await node.close();
    }
  });

  it('refuses another chain over its own', async () => {
    const other = withHeader(blocks[0]!, { extraData: Uint8Array.of(1) });
    using file = chainFile([other]);
    await expect(open(file.path, { dataDir: dir })).rejects.toMatchObject({ number: 1n, field: 'hash' });
  });
});

describe('a bad block is refused by its first wrong field', () => {
  const zero = new Uint8Array(32);
  const last = () => blocks.at(-1)!;
  const cases: [field: string, change: () => Partial<Header>][] = [
    ['parentHash', () => ({ parentHash: zero })],
    ['number', () => ({ number: 9n })],
    ['timestamp', () => ({ timestamp: blocks[2]!.header.timestamp })],
    ['extraData', () => ({ extraData: new Uint8Array(33) })],
    ['gasLimit', () => ({ gasLimit: last().header.gasLimit + last().header.gasLimit / 1024n })],
    ['gasUsed', () => ({ gasUsed: last().header.gasLimit + 1n })],
    ['gasUsed', () => ({ gasUsed: last().header.gasUsed + 1n })],
    ['difficulty', () => ({ difficulty: 1n })],
    ['nonce', () => ({ nonce: new Uint8Array(8).fill(1) })],
    ['unclesHash', () => ({ unclesHash: zero })],
    ['baseFeePerGas', () => ({ baseFeePerGas: last().header.baseFeePerGas! + 1n })],
    ['blobGasUsed', () => ({ blobGasUsed: 16n << 17n })],
    ['blobGasUsed', () => ({ blobGasUsed: 1n << 17n })],
    ['excessBlobGas', () => ({ excessBlobGas: 1n << 17n })],
    ['transactionsRoot', () => ({ transactionsRoot: zero })],
    ['withdrawalsRoot', () => ({ withdrawalsRoot: zero })],
    ['receiptsRoot', () => ({ receiptsRoot: zero })],
    ['logsBloom', () => ({ logsBloom: new Uint8Array(256) })],
    ['requestsHash', () => ({ requestsHash: zero })],
    ['stateRoot', () => ({ stateRoot: zero })],
    // It enters the state by EIP-4788.
    ['stateRoot', () => ({ parentBeaconBlockRoot: new Uint8Array(32).fill(1) })],
  ];
  it.each(cases)('%s', async (field, change) => {
    const error = await refusal([...blocks.slice(0, 3), withHeader(last(), change())]);
    expect(error).toMatchObject({ number: field === 'number' ? 9n : 4n, field });
    expect(error?.expected).not.toBe(error?.got);
  });

  it('a field that its fork demands, or does not know', async () => {
    const { requestsHash: _, ...header } = blocks[1]!.header;
    expect(await refusal([blocks[0]!, { ...blocks[1]!, header }])).toMatchObject({ field: 'requestsHash' });
    const early = withHeader(blocks[0]!, { requestsHash: zero });
    expect(await refusal([early])).toMatchObject({ number: 1n, field: 'requestsHash' });
  });

  it('a nonce out of order', async () => {
    const [, ...transactions] = blocks[0]!.transactions;
    const header = { ...blocks[0]!.header, transactionsRoot: rootOf(transactions.map(({ raw }) => raw)) };
    const error = await refusal([{ ...blocks[0]!, header, transactions }]);
    expect(error).toMatchObject({ number: 1n, field: 'transactions[0]' });
    expect(error?.got).toMatch(/nonce too high/);
  });

  it('a transaction over the gas that is left in the block', async () => {
    const gasLimit = 30_000_000n - 30_000_000n / 1024n + 1n;
    const many = Array.from({ length: 2 }, () => blocks[0]!.transactions[0]!);
    const header = { ...blocks[0]!.header, gasLimit, transactionsRoot: rootOf(many.map(({ raw }) => raw)) };
    const error = await refusal([{ ...blocks[0]!, header, transactions: many }]);
    expect(error).toMatchObject({ field: 'transactions[1]' });
  });

  it('uncles after the merge', async () => {
    const uncles = [blocks[2]!.header];
    const block = withHeader(last(), { unclesHash: hashUncles(uncles) });
    expect(await refusal([...blocks.slice(0, 3), { ...block, uncles }])).toMatchObject({
      field: 'unclesHash',
    });
  });

  it('a body that is not the header’s', async () => {
    expect(await refusal([{ ...blocks[0]!, transactions: [] }])).toMatchObject({ field: 'transactionsRoot' });
    expect(await refusal([{ ...blocks[0]!, uncles: [blocks[1]!.header] }])).toMatchObject({
      field: 'unclesHash',
    });
    const { withdrawals: _, ...bare } = blocks[0]!;
    expect(await refusal([bare])).toMatchObject({ field: 'withdrawalsRoot', expected: 'none' });
  });

  it('what is no block at all', async () => {
    expect(await refusal([RLP.encode([])])).toMatchObject({ number: 1n, field: 'block' });
    expect(await refusal([RLP.encode([[], [], []])])).toMatchObject({ number: 1n, field: 'header' });
    const fields = headerFields(blocks[0]!.header);
    const foreign = RLP.encode([fields, [Uint8Array.of(9)], [], []]);
    expect(await refusal([foreign])).toMatchObject({ field: 'transactions[0]' });
  });

  it('a header that is not encoded as it should be', async () => {
    expect(await refusal([withHeader(blocks[0]!, { mixHash: new Uint8Array(31) })])).toMatchObject({
      field: 'mixHash',
    });
    const [header, ...body] = RLP.decode(encodeBlock(blocks[0]!)) as [Uint8Array[], ...Uint8Array[][]];
    const zeros = header.map((field, i) => (i === 8 ? Uint8Array.of(0, 1) : field));
    expect(await refusal([RLP.encode([zeros, ...body])])).toMatchObject({ number: 1n, field: 'block' });
  });

  it('a transaction over the cap of its fork', async () => {
    const gas = (1n << 24n) + 1n;
    const chain = await sampleChain({ enableTxGasLimit: false }, gas);
    // Osaka is the third of its forks (EIP-7825).
    expect(await refusal(chain)).toMatchObject({ number: 3n, field: 'transactions[0]' });
  });

  it('a block that comes without its parent', async () => {
    expect(await refusal([blocks[1]!])).toMatchObject({ number: 2n, field: 'parentHash' });
  });

  it('a file that ends inside a block', async () => {
    using file = chainFile([blocks[0]!, encodeBlock(blocks[1]!).subarray(0, 100)]);
    await expect(open(file.path)).rejects.toThrow(/ends inside a block: 100 bytes/);
  });
});
