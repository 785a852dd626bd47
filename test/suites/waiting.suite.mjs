// What waits when automine is switched on, and what interval mining keeps in the pool: the same on each node and on devnet.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startAnvil, startDevnet, startHardhat, startHardhat2 } from './nodes.mjs';

const NODES = {
  'hardhat 2': () => startHardhat2(),
  'hardhat 3': () => startHardhat(),
  anvil: () => startAnvil(),
  devnet: () => startDevnet('--automine'),
  'devnet --compat anvil': () => startDevnet('--compat', 'anvil'),
  'devnet --compat hardhat': () => startDevnet('--compat', 'hardhat'),
  'devnet --compat hardhat2': () => startDevnet('--compat', 'hardhat2'),
};
const FEES = { gas: '0x5208', maxFeePerGas: '0x174876e800' };

for (const [name, start] of Object.entries(NODES))
  describe(`waiting transactions of ${name}`, () => {
    const isHardhat = name.includes('hardhat');
    let node;
    let accounts;
    before(async () => {
      node = await start();
      accounts = await node.rpc('eth_accounts');
    });
    after(() => node.close());

    const send = (account, tip = '0x1') =>
      node.rpc('eth_sendTransaction', {
        ...FEES,
        from: accounts[account],
        to: accounts[account],
        maxPriorityFeePerGas: tip,
      });

    /** The transactions of the blocks after `head`, once they are `count`: anvil answers before the block is there. */
    async function blocksAfter(head, count) {
      for (;;) {
        const last = Number(await node.rpc('eth_blockNumber'));
        const numbers = Array.from({ length: last - head }, (_, i) => `0x${(head + 1 + i).toString(16)}`);
        const blocks = await Promise.all(numbers.map((n) => node.rpc('eth_getBlockByNumber', n, false)));
        const found = blocks.map(({ transactions }) => transactions);
        if (found.flat().length >= count) return found;
        await setTimeout(20);
      }
    }

    it('are sealed in one block when automine goes on; in Hardhat with the next one', async () => {
      const head = Number(await node.rpc('eth_blockNumber'));
      await node.rpc('evm_setAutomine', false);
      const waiting = [await send(0), await send(0), await send(0)];
      await node.rpc('evm_setAutomine', true);
      if (!isHardhat) assert.deepEqual(await blocksAfter(head, 3), [waiting]);
      const fourth = await send(0);
      const expected = isHardhat ? [[...waiting, fourth]] : [waiting, [fourth]];
      assert.deepEqual(await blocksAfter(head, 4), expected);
    });

    it('are ordered by fee, the new one among them in Hardhat', async () => {
      const head = Number(await node.rpc('eth_blockNumber'));
      await node.rpc('evm_setAutomine', false);
      const waiting = [await send(0), await send(0)];
      await node.rpc('evm_setAutomine', true);
      if (!isHardhat) await blocksAfter(head, 2);
      const better = await send(1, '0x9');
      const expected = isHardhat ? [[better, ...waiting]] : [waiting, [better]];
      assert.deepEqual(await blocksAfter(head, 3), expected);
    });

    if (!isHardhat) return;

    it('with interval mining have no receipt, and can be dropped, until their block', async () => {
      await node.rpc('evm_setAutomine', false);
      await node.rpc('evm_setIntervalMining', 60_000);
      const hash = await send(0);
      await setTimeout(500);
      assert.equal(await node.rpc('eth_getTransactionReceipt', hash), null);
      assert.equal(await node.rpc('hardhat_dropTransaction', hash), true);
      assert.equal(await node.rpc('eth_getTransactionByHash', hash), null);
    });
  });
