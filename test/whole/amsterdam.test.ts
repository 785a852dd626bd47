import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts';
import { resolveOptions } from '../../src/options/options.ts';
import { exportChain } from '../../src/replay/export-chain.ts';
import { replayFile } from '../../src/replay/replay-file.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { agree, closeNodesAfterEachTest, follower, sequencer } from '../follow/nodes.ts';
import { listen } from '../live-node.ts';
import { type Call, callsOf, type Wire } from '../wire.ts';

const NEW = '0x00000000000000000000000000000000000000aa';
const DEPOSITS = '0x0000bff46984e3725691fa540a8c7589300d8282';
const AMSTERDAM = { hardfork: 'amsterdam', manualClock: true, timestamp: 1_700_000_000 } as const;

const dir = mkdtempSync(join(tmpdir(), 'devnet-amsterdam-'));
const open: Devnet[] = [];
closeNodesAfterEachTest();
afterEach(async () => {
  for (const node of open.splice(0).toReversed()) await node.close();
});

async function start(options: DevnetOptions = {}) {
  const node = await createDevnet({ ...AMSTERDAM, automine: true, ...options });
  open.push(node);
  const call = callsOf(node);
  const from = node.accounts[0]!.address.toLowerCase();
  /** Sends a transfer of one wei, by default to an account that doesn't exist before the first one. */
  const send = (to = NEW): Promise<string> =>
    call('eth_sendTransaction', { from, to, value: '0x1', gas: '0x40000' });
  return { node, call, from, send, close: () => open.splice(open.indexOf(node), 1)[0]!.close() };
}

/** The lists of blocks, each checked against the hash in its header. */
async function listsOf(call: Call, ...tags: string[]): Promise<string[]> {
  const lists: string[] = [];
  for (const tag of tags) {
    const { blockAccessListHash, slotNumber, number } = await call('eth_getBlockByNumber', tag, false);
    const raw = await call('debug_getRawBlockAccessList', tag);
    expect(bytesToHex(keccak256(hexToBytes(raw)))).toBe(blockAccessListHash);
    expect(slotNumber).toBe(number);
    const accounts: Wire[] = await call('eth_getBlockAccessList', tag);
    expect(accounts.map(({ address }) => address)).toEqual(
      (RLP.decode(hexToBytes(raw)) as Uint8Array[][]).map(([address]) => bytesToHex(address!)),
    );
    lists.push(raw);
  }
  return lists;
}

const touches = (raw: string, address: string) => raw.includes(address.slice(2));

describe('access lists at amsterdam', () => {
  it('are those of the new blocks after a revert', async () => {
    const { call, send } = await start();
    const snapshot = await call('evm_snapshot');
    await send();
    const [before] = await listsOf(call, '0x1');
    await call('evm_revert', snapshot);
    expect(await call('eth_getBlockAccessList', '0x1')).toBeNull();
    await send('0x00000000000000000000000000000000000000bb');
    const [after, pending] = await listsOf(call, '0x1', 'pending');
    expect([touches(before!, NEW), touches(after!, NEW), touches(pending!, NEW)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('of pending have the transactions that wait for their block', async () => {
    const { call, send } = await start({ automine: false, noMining: true });
    await send();
    const [pending] = await listsOf(call, 'pending');
    expect(touches(pending!, NEW)).toBe(true);
    await call('evm_mine');
    expect((await listsOf(call, 'latest', 'pending')).map((list) => touches(list, NEW))).toEqual([
      true,
      false,
    ]);
  });

  it.each<[string, DevnetOptions]>([
    ['automine', {}],
    ['interval', { automine: false, blockTime: 2 }],
    ['manual', { automine: false, noMining: true }],
  ])('are the same when a recording is replayed: %s', async (mode, options) => {
    const file = join(dir, `${mode}.jsonl`);
    const { call, send, node, close } = await start({ ...options, record: file });
    await send();
    await call('anvil_setBalance', NEW, '0x10');
    if (mode === 'interval') await call('devnet_tick', 4_000);
    else await call('evm_mine');
    await send(node.accounts[1]!.address.toLowerCase());
    await call('evm_mine');
    await close();
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0]!).options.hardfork).toBe('amsterdam');
    expect(await replayFile(file)).toMatchObject({ pass: true });
  });

  it('are there after an export and an import, by the file of the chain alone', async () => {
    const dataDir = join(dir, 'exported-chain');
    const first = await start({ dataDir });
    await first.send();
    await first.send();
    const lists = await listsOf(first.call, '0x0', '0x1', '0x2');
    const head = await first.call('eth_getBlockByNumber', 'latest', false);
    await first.close();
    const folder = join(dir, 'exported');
    await exportChain(resolveOptions({ ...AMSTERDAM, automine: true, dataDir }), folder, { version: 'test' });
    const files = { init: join(folder, 'genesis.json'), import: join(folder, 'chain.rlp') };
    const node = await createDevnet({ ...files, manualClock: true });
    open.push(node);
    const call = callsOf(node);
    expect((await call('eth_getBlockByNumber', 'latest', false)).hash).toBe(head.hash);
    expect(await listsOf(call, '0x0', '0x1', '0x2')).toEqual(lists);
    expect(await replayFile(folder)).toMatchObject({ pass: true });
  });

  it("are not in anvil's state files, whose blocks keep their headers", async () => {
    const file = join(dir, 'state.json');
    const first = await start({ dumpState: file });
    await first.send();
    const block = await first.call('eth_getBlockByNumber', '0x1', false);
    await first.close();
    const { call } = await start({ loadState: file });
    expect(await call('eth_getBlockByNumber', '0x1', false)).toEqual(block);
    await expect(call('eth_getBlockAccessList', '0x1')).rejects.toMatchObject({ code: 4444 });
    await call('evm_mine');
    await listsOf(call, '0x2', 'pending');
  });

  it('begin with the time of a genesis file: before it blocks have none', async () => {
    const folder = join(dir, 'init');
    const dataDir = join(dir, 'for-genesis');
    const source = await start({ dataDir });
    await source.close();
    await exportChain(resolveOptions({ ...AMSTERDAM, automine: true, dataDir }), folder, { version: 'test' });
    const genesis = JSON.parse(readFileSync(join(folder, 'genesis.json'), 'utf8'));
    const time = 1_700_000_010;
    genesis.config.amsterdamTime = time;
    for (const name of ['blockAccessListHash', 'slotNumber']) delete genesis[name];
    const file = join(dir, 'genesis.json');
    writeFileSync(file, JSON.stringify(genesis));
    const node = await createDevnet({ init: file, automine: true, manualClock: true });
    open.push(node);
    const call = callsOf(node);
    const from = node.accounts[0]!.address.toLowerCase();
    await call('eth_sendTransaction', { from, to: NEW, value: '0x1', gas: '0x5208' });
    const old = await call('eth_getBlockByNumber', '0x1', false);
    expect(old).not.toHaveProperty('blockAccessListHash');
    expect(old).not.toHaveProperty('slotNumber');
    await expect(call('eth_getBlockAccessList', '0x1')).rejects.toMatchObject({ code: -32001 });
    await call('evm_setNextBlockTimestamp', time);
    await call('eth_sendTransaction', { from, to: from, value: '0x1', gas: '0x5208' });
    await listsOf(call, '0x2', 'pending');
    const [receipt] = await call('eth_getBlockReceipts', '0x2');
    expect(receipt.gasUsed).toBe('0x2ee0');
  });

  it('begin on a forked chain after the fork block, which gets the contracts of EIP-8282', async () => {
    const other = await start({ hardfork: 'osaka', port: 0 });
    await other.send();
    const { call, send } = await start({
      forkUrl: other.node.url!,
      noForkCache: true,
      timestamp: undefined!,
    });
    expect(await call('eth_getCode', DEPOSITS, 'latest')).not.toBe('0x');
    await send('0x00000000000000000000000000000000000000bb');
    const { status, gasUsed } = (await call('eth_getBlockReceipts', '0x2'))[0];
    expect([status, gasUsed]).toEqual(['0x1', `0x${(204_600).toString(16)}`]);
    const { blockAccessListHash } = await call('eth_getBlockByNumber', '0x2', false);
    const raw = await call('debug_getRawBlockAccessList', '0x2');
    expect(bytesToHex(keccak256(hexToBytes(raw)))).toBe(blockAccessListHash);
    expect(touches(raw, DEPOSITS)).toBe(true);
    // Blocks of the other chain have none.
    await expect(call('eth_getBlockAccessList', '0x1')).rejects.toMatchObject({ code: -32001 });
  });

  it('of blocks before the fork are those of the other chain', async () => {
    const other = await start({ port: 0 });
    await other.send();
    await other.send();
    const { call, send } = await start({
      forkUrl: other.node.url!,
      noForkCache: true,
      timestamp: undefined!,
    });
    await send();
    expect(await listsOf(call, '0x1', '0x2')).toEqual(await listsOf(other.call, '0x1', '0x2'));
    await listsOf(call, '0x3', 'pending');
    expect(await call('devnet_blockAccesses', '0x1', '0x1')).toEqual(
      await other.call('devnet_blockAccesses', '0x1', '0x1'),
    );
  });

  it('are there on a follower of the stream, of pending too', async () => {
    const live = await sequencer({ ...AMSTERDAM, blockTime: 2 });
    const one = await follower(live);
    await live.send();
    await live.tick(200);
    await agree(live, one);
    expect(await listsOf(one.call, 'pending')).toEqual(await listsOf(live.call, 'pending'));
    await live.send();
    await live.seal();
    await agree(live, one);
    expect(await listsOf(one.call, 'latest', 'pending')).toEqual(
      await listsOf(live.call, 'latest', 'pending'),
    );
    for (const index of ['0x0', '0x1', '0x2', '0x3'])
      expect(await one.call('devnet_blockAccesses', 'latest', index)).toEqual(
        await live.call('devnet_blockAccesses', 'latest', index),
      );
  });

  it('come in the stream by parts, each with the indexes that its flashblock adds', async () => {
    const live = await sequencer({ ...AMSTERDAM, blockTime: 2 });
    const socket = await listen(`${live.url}/flashblocks`);
    await live.seal();
    const hashes = [];
    for (let i = 0; i < 3; i++) {
      hashes.push(await live.send());
      if (i === 1) hashes.push(await live.send());
      await live.tick(200);
    }
    await live.seal();
    const messages: Wire[] = (await socket.rest()).filter(({ metadata }) => metadata.block_number === 2);
    const parts = messages.flatMap(({ metadata }) => metadata.access_list ?? []);
    let next = 0;
    for (const { first_index, last_index, list } of parts) {
      expect(first_index).toBe(next);
      next = last_index + 1;
      const changed = RLP.decode(hexToBytes(list)) as Uint8Array[][];
      expect(changed.length).toBeGreaterThan(0);
    }
    expect(next).toBeGreaterThan(hashes.length);
    socket.socket.close();
  });
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));
