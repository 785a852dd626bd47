import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';
import { replayRecording } from '../../src/replay/replay-recording.ts';
import { agree, closeNodesAfterEachTest, follower, sequencer } from '../follow/nodes.ts';
import { callsOf } from '../wire.ts';

closeNodesAfterEachTest();

const FIRST = 20_000_000n;
const ZERO = `0x${'0'.repeat(64)}`;
const hex = (number: bigint | number) => `0x${number.toString(16)}`;
/** A block's number by its place in the chain. */
const at = (place: number) => hex(FIRST + BigInt(place));

let dir: string;
const open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-number-'));
});
afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
  rmSync(dir, { recursive: true });
});

async function start(options: DevnetOptions = {}) {
  const node = await createDevnet({
    number: FIRST,
    automine: true,
    manualClock: true,
    timestamp: 1_700_000_000,
    ...options,
  });
  open.push(node);
  const call = callsOf(node);
  const [from, to] = node.accounts.map(({ address }) => address.toLowerCase());
  return {
    node,
    call,
    from: from!,
    to: to!,
    transfer: (value = '0x1') => call('eth_sendTransaction', { from, to, value }) as Promise<string>,
    /** Init code that logs one topic. */
    emit: () => call('eth_sendTransaction', { from, data: '0x602a60006000a1', gas: '0x186a0' }),
    numberOf: async (tag: string) => (await call('eth_getBlockByNumber', tag, false))?.number,
  };
}

describe('a chain whose genesis block has a number', () => {
  it('begins there: tags, heads and receipts', async () => {
    const { call, transfer, numberOf } = await start();
    expect(await call('eth_blockNumber')).toBe(hex(FIRST));
    const genesis = await call('eth_getBlockByNumber', 'earliest', false);
    expect(genesis).toMatchObject({ number: hex(FIRST), parentHash: ZERO });
    for (const tag of ['latest', 'safe', 'finalized']) expect(await numberOf(tag)).toBe(hex(FIRST));
    expect(await numberOf('pending')).toBe(at(1));
    const hash = await transfer();
    expect(await call('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: at(1) });
    expect(await call('eth_getBlockByNumber', at(1), false)).toMatchObject({ parentHash: genesis.hash });
    expect((await call('eth_capabilities')).blocks.oldestBlock).toBe(hex(FIRST));
    expect((await call('eth_config')).current.activationTime).toBe(0);
  });

  it('has no block below it, and no logs', async () => {
    const { call, from, emit, transfer } = await start();
    await emit();
    for (const number of ['0x0', '0x1', at(-1)]) {
      expect(await call('eth_getBlockByNumber', number, false)).toBeNull();
      expect(await call('eth_getBlockReceipts', number)).toBeNull();
      await expect(call('eth_getBalance', from, number)).rejects.toMatchObject({ code: -32000 });
      await expect(call('eth_call', { to: from }, number)).rejects.toMatchObject({ code: -32000 });
    }
    const logs = (fromBlock: string, toBlock: string) => call('eth_getLogs', { fromBlock, toBlock });
    for (const number of ['0x0', at(-1), at(0), 'earliest'])
      expect(await logs(number, 'latest')).toHaveLength(1);
    expect(await logs('0x0', at(-1))).toEqual([]);
    expect(await logs('0x0', at(0))).toEqual([]);
    await expect(logs(at(-1), '0x5')).rejects.toMatchObject({ code: -32602 });
    await expect(logs(at(0), '0x5')).rejects.toMatchObject({ code: -32602 });
    await transfer();
    expect(await call('eth_getTransactionBySenderAndNonce', from, '0x0')).toMatchObject({
      blockNumber: at(1),
    });
  });

  it('reads fees, traces and simulations at its first blocks', async () => {
    const { call, from, to, transfer } = await start();
    const hash = await transfer();
    expect(await call('eth_feeHistory', '0x10', 'latest', [50])).toMatchObject({
      oldestBlock: hex(FIRST),
      gasUsedRatio: [0, 21_000 / 30_000_000],
    });
    const trace = { tracer: 'callTracer' };
    expect(await call('debug_traceTransaction', hash, trace)).toMatchObject({ type: 'CALL', to });
    await expect(call('debug_traceBlockByNumber', at(0), trace)).rejects.toMatchObject({ code: -32000 });
    expect(await call('trace_block', at(0))).toEqual([]);
    expect(await call('trace_block', at(1))).toHaveLength(1);
    const [first, second] = await call(
      'eth_simulateV1',
      { blockStateCalls: [{ calls: [{ from, to, value: '0x1' }] }, {}] },
      at(0),
    );
    expect([first.number, second.number]).toEqual([at(1), at(2)]);
    expect(first.calls[0].status).toBe('0x1');
  });

  it('BLOCKHASH is zero below it, and what it is from it on', async () => {
    const { call, transfer } = await start();
    for (let i = 0; i < 3; i++) await transfer();
    // PUSH32 number, BLOCKHASH, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
    const blockHash = (number: string) =>
      call('eth_call', { data: `0x7f${BigInt(number).toString(16).padStart(64, '0')}405f5260205ff3` });
    for (const place of [-200, -1]) expect(await blockHash(at(place))).toBe(ZERO);
    for (const place of [0, 1, 2])
      expect(await blockHash(at(place))).toBe((await call('eth_getBlockByNumber', at(place), false)).hash);
    // EIP-2935: the parents since the genesis block.
    const history = (number: string) =>
      call('eth_call', {
        to: '0x0000f90827f1c53a10cb7a02335b175320002935',
        data: `0x${BigInt(number).toString(16).padStart(64, '0')}`,
      });
    expect(await history(at(-1))).toBe(ZERO);
    expect(await history(at(0))).toBe((await call('eth_getBlockByNumber', at(0), false)).hash);
  });

  it('goes back to it, and no further: reset, rollback, reorg, snapshots', async () => {
    const { call, transfer, numberOf } = await start();
    const genesis = (await call('eth_getBlockByNumber', 'latest', false)).hash;
    const snapshot = await call('evm_snapshot');
    await transfer();
    await transfer();
    await expect(call('anvil_rollback', 3)).rejects.toMatchObject({ code: -32602 });
    await call('anvil_rollback', 2);
    expect((await call('eth_getBlockByNumber', 'latest', false)).hash).toBe(genesis);
    expect(await call('evm_revert', snapshot)).toBe(true);
    await transfer();
    await call('anvil_reorg', 1, []);
    expect(await numberOf('latest')).toBe(at(1));
    await call('anvil_reset');
    expect((await call('eth_getBlockByNumber', 'latest', false)).hash).toBe(genesis);
    await transfer();
    expect(await numberOf('latest')).toBe(at(1));
  });

  it('keeps it when history is pruned', async () => {
    const { call, numberOf } = await start({ pruneHistory: 5, noMining: true, automine: false });
    const snapshot = await call('evm_snapshot');
    await call('anvil_mine', '0x64');
    expect(await numberOf('earliest')).toBe(at(96));
    expect(await numberOf(at(0))).toBe(at(0));
    expect(await numberOf(at(50))).toBeUndefined();
    await expect(call('eth_getLogs', { fromBlock: '0x0' })).rejects.toMatchObject({ code: 4444 });
    expect(await call('evm_revert', snapshot)).toBe(true);
    expect(await call('eth_blockNumber')).toBe(hex(FIRST));
  });

  it('is reopened from its directory, also after it was pruned', async () => {
    for (const options of [{}, { pruneHistory: 2 }]) {
      const dataDir = join(dir, String(Object.keys(options)));
      const one = await start({ dataDir, ...options });
      for (let i = 0; i < 60; i++) await one.transfer();
      const head = await one.call('eth_getBlockByNumber', 'latest', false);
      await one.node.close();
      const { node, call, numberOf } = await start({ dataDir, ...options });
      expect(await call('eth_getBlockByNumber', 'latest', false)).toEqual(head);
      expect(await numberOf(at(-1))).toBeUndefined();
      await call('anvil_reset');
      expect(await call('eth_blockNumber')).toBe(hex(FIRST));
      await node.close();
      await expect(start({ dataDir, number: 7 })).rejects.toMatchObject({ code: 'otherGenesis' });
    }
  });

  it('is recorded and replayed to the same hashes', async () => {
    const record = join(dir, 'chain.jsonl');
    const { node, call, transfer } = await start({ record });
    await transfer();
    await call('anvil_reset');
    await transfer('0x2');
    const head = await call('eth_getBlockByNumber', 'latest', false);
    await node.close();
    expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: head.hash, blocks: 2 });
  });

  it('is followed, whether the follower was told the number or not', async () => {
    const live = await sequencer({ number: FIRST });
    await live.send();
    await live.seal();
    const one = await follower(live, { number: FIRST });
    await live.send();
    await live.tick();
    await agree(live, one);
    await agree(live, await follower(live));
  });

  it('may be the one of a genesis file', async () => {
    const alloc = { '0x00000000000000000000000000000000000000aa': { balance: '0x7' } };
    const config = { chainId: 5, shanghaiTime: 0, terminalTotalDifficulty: 0, londonBlock: 0 };
    const number = hex(FIRST);
    const { call } = await startFrom({ config, alloc, number, difficulty: '0x0', gasLimit: '0x1c9c380' });
    expect((await call('eth_getBlockByNumber', 'earliest', false)).number).toBe(number);
    expect(await call('eth_getBalance', Object.keys(alloc)[0], number)).toBe('0x7');
    await call('evm_mine');
    await call('anvil_reset');
    expect(await call('eth_blockNumber')).toBe(number);
  });
});

async function startFrom(init: object) {
  const node = await createDevnet({ init, noMining: true });
  open.push(node);
  return { call: callsOf(node) };
}
