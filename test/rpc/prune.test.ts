import { afterEach, describe, expect, it } from 'vitest';
import { createNode, type Node } from '../../src/boot/node.ts';
import type { ManualClock } from '../../src/clock.ts';
import { resolveOptions } from '../../src/options/options.ts';
import { withLogs } from '../sequencer/start-chain.ts';
import { callsOf } from '../wire.ts';

let node: Node;
afterEach(() => node.close());

const hex = (value: number) => `0x${value.toString(16)}`;

async function start(options: Record<string, unknown> = {}) {
  node = await createNode(
    resolveOptions({ noMining: true, manualClock: true, timestamp: 1_700_000_000, ...options }),
    {
      version: 'test',
      onFatal: (error) => {
        throw error;
      },
    },
  );
  const rpc = callsOf(node);
  const mine = (count: number) => rpc('anvil_mine', hex(count));
  const [account] = node.accounts.map(({ address }) => address.toString());
  return { rpc, mine, account: account! };
}

describe('with --prune-history 10', () => {
  it('earliest is the tenth block from the head, and those before are as if they had never been', async () => {
    const { rpc, mine, account } = await start({ pruneHistory: 10 });
    const hash = await rpc('eth_sendTransaction', { from: account, to: account });
    await mine(1);
    const old = await rpc('eth_getBlockByNumber', '0x1', false);
    expect(old.transactions).toEqual([hash]);
    await mine(9);
    expect((await rpc('eth_getBlockByNumber', 'earliest', false)).number).toBe('0x1');
    await mine(1);
    expect((await rpc('eth_getBlockByNumber', 'earliest', false)).number).toBe('0x2');
    for (const more of [0, 89]) {
      if (more > 0) await mine(more);
      const head = 11 + more;
      expect((await rpc('eth_getBlockByNumber', 'earliest', false)).number).toBe(hex(head - 9));
      expect(await rpc('eth_getBlockByNumber', '0x1', false)).toBeNull();
      expect(await rpc('eth_getBlockByHash', old.hash, false)).toBeNull();
      expect(await rpc('eth_getTransactionByHash', hash)).toBeNull();
      expect(await rpc('eth_getTransactionReceipt', hash)).toBeNull();
      await expect(rpc('eth_getBalance', account, '0x1')).rejects.toMatchObject({ code: -32000 });
      await expect(rpc('eth_getBalance', account, hex(head - 10))).rejects.toMatchObject({ code: -32000 });
      expect(await rpc('eth_getBalance', account, hex(head - 9))).toMatch(/^0x/);
      for (const tag of ['safe', 'finalized'])
        expect((await rpc('eth_getBlockByNumber', tag, false)).number).toBe(hex(head - 9));
      const history = await rpc('eth_feeHistory', '0x40', 'latest', []);
      expect([history.oldestBlock, history.gasUsedRatio.length]).toEqual([hex(head - 9), 10]);
      expect((await rpc('eth_capabilities')).state.oldestBlock).toBe(hex(head - 9));
    }
  });

  it('logs from before the first kept block are refused as geth refuses them, from earliest on they are found', async () => {
    const { rpc, mine } = await start({ pruneHistory: 10 });
    await mine(60);
    await expect(rpc('eth_getLogs', { fromBlock: '0x1' })).rejects.toMatchObject({ code: 4444 });
    await expect(rpc('eth_getLogs', { fromBlock: '0x0' })).rejects.toMatchObject({ code: 4444 });
    expect(await rpc('eth_getLogs', { fromBlock: 'earliest' })).toEqual([]);
    expect(await rpc('eth_getLogs', { fromBlock: hex(51) })).toEqual([]);
  });

  it('BLOCKHASH still answers for the last 256 blocks', async () => {
    const { rpc, mine } = await start({ pruneHistory: 1 });
    const hashes: string[] = [];
    for (let i = 0; i < 300; i++) {
      await mine(1);
      hashes.push((await rpc('eth_getBlockByNumber', 'latest', false)).hash);
    }
    // BLOCKHASH(calldata) as init code's result: PUSH0 CALLDATALOAD BLOCKHASH PUSH0 MSTORE PUSH1 32 PUSH0 RETURN
    const to = '0x00000000000000000000000000000000000c0de0';
    await rpc('anvil_setCode', to, '0x5f35405f5260205ff3');
    const hashOf = (number: number) =>
      rpc('eth_call', { to, data: `0x${number.toString(16).padStart(64, '0')}` }, 'latest');
    for (const number of [45, 100, 298, 299]) expect(await hashOf(number)).toBe(hashes[number - 1]);
  });

  it('a revert to a pruned block answers false and changes nothing, one to a kept block goes back', async () => {
    const { rpc, mine, account } = await start({ pruneHistory: 10 });
    await mine(2);
    const old = await rpc('evm_snapshot');
    await mine(80);
    const head = await rpc('eth_getBlockByNumber', 'latest', false);
    expect(await rpc('evm_revert', old)).toBe(false);
    expect(await rpc('eth_getBlockByNumber', 'latest', false)).toEqual(head);
    const id = await rpc('evm_snapshot');
    // The state which the snapshot names isn't that of any block any more.
    await rpc('anvil_setBalance', account, '0x7');
    await mine(9);
    expect(await rpc('evm_revert', id)).toBe(true);
    expect(await rpc('eth_getBlockByNumber', 'latest', false)).toEqual(head);
    expect(await rpc('eth_getBalance', account, 'latest')).not.toBe('0x7');
  });

  it('a rollback or a reorg that is deeper than what is kept is refused', async () => {
    const { rpc, mine } = await start({ pruneHistory: 10 });
    await mine(80);
    await expect(rpc('anvil_rollback', 10)).rejects.toMatchObject({ code: -32602 });
    await expect(rpc('devnet_reorg', 10)).rejects.toMatchObject({ code: -32602 });
    await rpc('anvil_rollback', 9);
    expect(await rpc('eth_blockNumber')).toBe(hex(71));
  });

  it('a reset goes back to the genesis block, and the chain grows again', async () => {
    const { rpc, mine, account } = await start({ pruneHistory: 10 });
    const genesis = await rpc('eth_getBlockByNumber', '0x0', false);
    const snapshot = await rpc('evm_snapshot');
    const balance = await rpc('eth_getBalance', account, 'latest');
    await mine(1);
    await rpc('anvil_setBalance', account, '0x7');
    await mine(100);
    expect(await rpc('eth_getBlockByNumber', '0x0', false)).toEqual(genesis);
    // The genesis block is always kept, and so are the snapshots on it.
    expect(await rpc('evm_revert', snapshot)).toBe(true);
    expect(await rpc('eth_getBalance', account, 'latest')).toBe(balance);
    await mine(85);
    const logger = '0x0000000000000000000000000000000000001090';
    await rpc('anvil_setCode', logger, '0x60006000a000');
    for (let i = 0; i < 15; i++) {
      await rpc('eth_sendTransaction', { from: account, to: logger });
      await mine(1);
    }
    const removed: number[] = [];
    node.feed.on('removed', (blocks) =>
      removed.push(...withLogs(blocks).map(({ header }) => Number(header.number))),
    );
    await rpc('anvil_reset');
    expect(removed).toEqual(Array.from({ length: 10 }, (_, i) => 100 - i));
    expect(await rpc('eth_blockNumber')).toBe('0x0');
    await mine(5);
    expect((await rpc('eth_getBlockByNumber', '0x3', false)).number).toBe('0x3');
    expect((await rpc('eth_getBlockByNumber', 'earliest', false)).number).toBe('0x0');
  });

  it('partial blocks go on over many passes', async () => {
    const { rpc, account } = await start({
      pruneHistory: 3,
      noMining: false,
      blockTime: 1,
      flashblockInterval: 250,
    });
    const other = '0x0000000000000000000000000000000000000b0b';
    for (let i = 1; i <= 120; i++) {
      await rpc('eth_sendTransaction', { from: account, to: other, value: '0x1' });
      await (node.clock as ManualClock).advance(1000);
      expect(BigInt(await rpc('eth_getBalance', other, 'latest'))).toBe(BigInt(i));
    }
    expect((await rpc('eth_getBlockByNumber', 'earliest', false)).number).toBe(hex(118));
  });
});

it('--prune-history is a number from 1 on', () => {
  for (const pruneHistory of [0, -1, 1.5])
    expect(() => resolveOptions({ pruneHistory })).toThrow(/prune-?history/i);
});
