import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet } from '../../../src/index.ts';
import { resolveOptions } from '../../../src/options/options.ts';
import { exportChain } from '../../../src/replay/export-chain.ts';
import { replayRecording } from '../../../src/replay/replay-recording.ts';
import { agree, closeNodesAfterEachTest, follower, sequencer } from '../../follow/nodes.ts';
import { callsOf, type Wire } from '../../wire.ts';
import { optimismNode, POOR, rawDeposit, VAULTS } from './deposits.ts';

closeNodesAfterEachTest();

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-optimism-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Of the beacon roots (EIP-4788): reverts for data that isn't a word. */
const REVERTS = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';

/** Deposits of all kinds beside a transfer: one that succeeds, reverts, can't begin, creates. */
async function fill({ deposit, send, seal }: Awaited<ReturnType<typeof optimismNode>>) {
  const hashes = [
    await deposit({ mint: 7n, value: 3n }),
    await deposit({ to: REVERTS, mint: 1n, data: '0x01' }),
    await deposit({ isSystemTx: true, mint: 1n }),
    await deposit({ to: null, data: '0x60206000f3' }),
  ];
  await send();
  await seal();
  return hashes;
}

/** What readers see of the chain's newest block. */
async function read(call: (method: string, ...params: unknown[]) => Promise<Wire>) {
  return {
    block: await call('eth_getBlockByNumber', '0x1', true),
    receipts: await call('eth_getBlockReceipts', '0x1'),
    raw: await call('debug_getRawReceipts', '0x1'),
    balances: await Promise.all([POOR, VAULTS.baseFee].map((of) => call('eth_getBalance', of, 'latest'))),
    traces: await call('trace_block', '0x1'),
  };
}

describe('a chain with deposits', () => {
  it('is the same after a restart from its directory, and takes more', async () => {
    const dataDir = join(dir, 'data');
    const first = await optimismNode({ noMining: true, dataDir });
    await fill(first);
    const before = await read(first.call);
    await first.close();
    const again = await optimismNode({ noMining: true, dataDir });
    expect(await read(again.call)).toEqual(before);
    expect(before.receipts).toHaveLength(5);
    await again.deposit({ mint: 1n });
    await again.seal();
    expect(await again.balance(POOR)).toBe(BigInt(before.balances[0]) + 1n);
    await again.close();
  });

  it.each([
    [true, false, /made with --optimism\. Start with it/],
    [false, true, /made without --optimism\. Start without it/],
  ])('made with --optimism %s is not opened with %s', async (made, opened, message) => {
    const dataDir = join(dir, 'data');
    await (await optimismNode({ dataDir, optimism: made })).close();
    await expect(createDevnet({ port: 0, dataDir, optimism: opened })).rejects.toMatchObject({
      code: 'otherRules',
      message: expect.stringMatching(message),
    });
  });

  it('is replayed from its recording to the same hashes', async () => {
    const record = join(dir, 'chain.jsonl');
    const live = await optimismNode({ record });
    await fill(live);
    await live.call('eth_sendTransaction', { from: POOR, sourceHash: `0x${'9'.repeat(64)}`, gas: '0xf4240' });
    await live.tick();
    const hash = await live.deposit();
    await live.tick();
    await live.call('devnet_dropPreconfirmed', hash);
    await live.seal();
    const head = await live.call('eth_getBlockByNumber', 'latest', false);
    await live.close();
    expect(readFileSync(record, 'utf8')).toContain('"optimism":true');
    expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: head.hash });
  });

  it('goes through a state file, blocks and receipts as they were', async () => {
    const state = join(dir, 'state.json');
    const live = await optimismNode({ noMining: true, dumpState: state });
    await fill(live);
    const { call } = live;
    const hashes = await call('eth_getBlockByNumber', 'latest', false);
    const receipts = await call('eth_getBlockReceipts', 'latest');
    const blocks = await call('debug_getRawReceipts', 'latest');
    await live.close();
    const { blocks: dumped } = JSON.parse(readFileSync(state, 'utf8'));
    const deposits = dumped.flatMap(({ transactions }: Wire) => transactions).slice(0, 4);
    expect(deposits.map(({ transaction }: Wire) => transaction)).toMatchObject([
      { type: '0x7e', from: POOR, mint: '0x7', value: '0x3', gas: '0x186a0' },
      { type: '0x7e', input: '0x01' },
      { type: '0x7e', isSystemTx: '0x1' },
      { type: '0x7e', from: POOR },
    ]);
    expect(deposits[3].transaction).not.toHaveProperty('to');
    const other = await optimismNode({ noMining: true, loadState: state });
    expect(await other.call('eth_getBlockByNumber', hashes.number, false)).toEqual(hashes);
    expect(await other.call('eth_getBlockReceipts', hashes.number)).toEqual(receipts);
    expect(await other.call('debug_getRawReceipts', hashes.number)).toEqual(blocks);
    await other.close();
    await expect(createDevnet({ port: 0, loadState: state })).rejects.toThrow(/--optimism/);
  });

  it('is not exported for clients of Ethereum: the block is named, and why', async () => {
    const dataDir = join(dir, 'data');
    const options = { dataDir, timestamp: 1_700_000_000, optimism: true } as const;
    const live = await optimismNode({ ...options, noMining: true });
    await live.seal();
    await live.deposit();
    await live.seal();
    await live.close();
    const exported = exportChain(resolveOptions(options), join(dir, 'out'), { version: '' });
    await expect(exported).rejects.toMatchObject({ name: 'ExportError', number: 2n });
    await expect(exported).rejects.toThrow(/transaction 0 is a deposit \(type 0x7e\)/);
  });

  it('nor are the fees of its other transactions', async () => {
    const options = { dataDir: join(dir, 'data'), timestamp: 1_700_000_000, optimism: true } as const;
    const live = await optimismNode({ ...options, noMining: true });
    await live.send();
    await live.seal();
    await live.close();
    const exported = exportChain(resolveOptions(options), join(dir, 'out'), { version: '' });
    await expect(exported).rejects.toThrow(/block 1 can't be exported: .*not burnt/);
  });

  it('is followed, pre-confirmed and sealed', async () => {
    const live = await sequencer({ optimism: true });
    const other = await follower(live, { optimism: true });
    await live.call('eth_sendRawTransaction', rawDeposit({ mint: 7n, value: 3n }));
    await live.call('eth_sendRawTransaction', rawDeposit({ isSystemTx: true }));
    await live.send();
    await live.tick();
    await agree(live, other);
    await live.seal();
    await agree(live, other);
    expect(BigInt(await other.call('eth_getBalance', POOR, 'latest'))).toBe(4n);
    // One that comes later reads the blocks.
    const late = await follower(live, { optimism: true });
    await agree(live, late);
    // The other node tells that it is one of the OP Stack.
    await agree(live, await follower(live));
  });

  it('builds a block of given deposits aside', async () => {
    const live = await optimismNode({ noMining: true });
    const { hash, timestamp } = await live.call('eth_getBlockByNumber', 'latest', false);
    const encoded = rawDeposit({ mint: 1n });
    const { executionPayload } = await live.call(
      'testing_buildBlockV1',
      hash,
      {
        timestamp: `0x${(Number(timestamp) + 2).toString(16)}`,
        prevRandao: `0x${'0'.repeat(64)}`,
        suggestedFeeRecipient: POOR,
        withdrawals: [],
        parentBeaconBlockRoot: `0x${'0'.repeat(64)}`,
      },
      [encoded],
      '0x',
    );
    expect(executionPayload.transactions).toEqual([encoded]);
    await live.close();
  });

  it('starts from blocks in RLP', async () => {
    const live = await optimismNode({ noMining: true });
    await fill(live);
    const genesis = await live.call('eth_getBlockByNumber', '0x0', false);
    const encoded = await live.call('debug_getRawBlock', '0x1');
    const expected = await live.call('eth_getBlockReceipts', '0x1');
    await live.close();
    const file = join(dir, 'chain.rlp');
    writeFileSync(file, Buffer.from(encoded.slice(2), 'hex'));
    const timestamp = Number(genesis.timestamp);
    const node = await createDevnet({ port: 0, timestamp, import: file, optimism: true, depositsOnly: true });
    expect(await callsOf(node)('eth_getBlockReceipts', '0x1')).toEqual(expected);
    await node.close();
  });
});
