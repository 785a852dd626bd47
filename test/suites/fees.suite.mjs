// Fees that a node was asked for, and header fields that its hardfork doesn't have: the same on each node and on devnet.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startAnvil, startDevnet, startHardhat2 } from './nodes.mjs';

const TO = `0x${'77'.repeat(20)}`;

/** Starts a node for a group of tests. @returns what gives its calls */
function startedBy(start) {
  let node;
  before(async () => {
    node = await start();
  });
  after(() => node.close());
  return (method, ...params) => node.rpc(method, ...params);
}

/** The receipt: anvil answers a send before the block is there. */
async function mined(rpc, hash) {
  for (;;) {
    const receipt = await rpc('eth_getTransactionReceipt', hash);
    if (receipt) return receipt;
    await setTimeout(20);
  }
}

for (const [name, start] of [
  ['anvil', startAnvil],
  ['devnet --compat anvil', (...flags) => startDevnet('--compat', 'anvil', ...flags)],
  ['devnet --compat hardhat2', (...flags) => startDevnet('--compat', 'hardhat2', ...flags)],
  ['devnet --automine', (...flags) => startDevnet('--automine', ...flags)],
])
  describe(`base fee 0 of ${name}`, () => {
    const rpc = startedBy(() => start('--block-base-fee-per-gas', '0'));

    it('stays 0 after a full block, and a transaction without a price is mined', async () => {
      const [from] = await rpc('eth_accounts');
      await rpc('evm_setBlockGasLimit', '0x5208');
      for (let i = 0; i < 3; i++) {
        const free = { from, to: TO, gas: '0x5208', gasPrice: '0x0' };
        const { blockNumber, status } = await mined(rpc, await rpc('eth_sendTransaction', free));
        const { baseFeePerGas, gasUsed, gasLimit } = await rpc('eth_getBlockByNumber', blockNumber, false);
        assert.deepEqual([status, baseFeePerGas, gasUsed], ['0x1', '0x0', gasLimit]);
      }
      assert.equal((await rpc('eth_getBlockByNumber', 'pending', false)).baseFeePerGas, '0x0');
    });
  });

for (const [name, start] of [
  ['hardhat 2', () => startHardhat2("{ solidity: '0.8.28', networks: { hardhat: { hardfork: 'berlin' } } }")],
  ['devnet --compat hardhat2', () => startDevnet('--compat', 'hardhat2', '--hardfork', 'berlin')],
  ['anvil', () => startAnvil('--hardfork', 'berlin')],
  ['devnet --compat anvil', () => startDevnet('--compat', 'anvil', '--hardfork', 'berlin')],
])
  describe(`before London, ${name}`, () => {
    const rpc = startedBy(start);

    it('refuses to set a base fee, and the next block has none', async () => {
      const isHardhat = name.includes('hardhat');
      await assert.rejects(rpc('hardhat_setNextBlockBaseFeePerGas', '0x64'), {
        code: isHardhat ? -32000 : -32602,
        message: isHardhat
          ? 'hardhat_setNextBlockBaseFeePerGas is disabled because EIP-1559 is not active'
          : 'anvil_setNextBlockBaseFeePerGas is only supported when EIP-1559 is active',
      });
      if (isHardhat)
        await assert.rejects(rpc('hardhat_setPrevRandao', `0x${'11'.repeat(32)}`), {
          code: -32000,
          message:
            'hardhat_setPrevRandao is only available in post-merge hardforks, the current hardfork is BERLIN',
        });
      await rpc('evm_mine');
      assert.equal((await rpc('eth_getBlockByNumber', 'latest', false)).baseFeePerGas, undefined);
    });

    it('refuses fees of EIP-1559 in what is sent', async () => {
      const [from] = await rpc('eth_accounts');
      for (const fees of [{ maxFeePerGas: '0x77359400' }, { maxPriorityFeePerGas: '0x1' }])
        await assert.rejects(rpc('eth_sendTransaction', { from, to: TO, gas: '0x5208', ...fees }));
    });
  });

for (const [name, start] of [
  ['anvil', startAnvil],
  ['hardhat 2', () => startHardhat2()],
  ['devnet --compat anvil', () => startDevnet('--compat', 'anvil')],
  ['devnet --compat hardhat', () => startDevnet('--compat', 'hardhat')],
  ['devnet --compat hardhat2', () => startDevnet('--compat', 'hardhat2')],
  ['devnet', startDevnet],
])
  describe(`fees of ${name}`, () => {
    const rpc = startedBy(start);

    it('a transaction that says only its tip is estimated and sent', async () => {
      const [from] = await rpc('eth_accounts');
      const request = { from, to: TO, value: '0x1', maxPriorityFeePerGas: '0x3b9aca00' };
      assert.equal((await mined(rpc, await rpc('eth_sendTransaction', request))).status, '0x1');
      assert.ok(BigInt(await rpc('eth_estimateGas', request)) >= 21_000n);
    });

    it('the fee history ends with a base fee that was set, which is that of pending', async () => {
      await rpc('hardhat_setNextBlockBaseFeePerGas', '0x12345678');
      const pending = await rpc('eth_getBlockByNumber', 'pending', false);
      const { baseFeePerGas } = await rpc('eth_feeHistory', '0x2', 'latest', []);
      assert.equal(baseFeePerGas.at(-1), pending.baseFeePerGas);
      // In a block that is open and has a transaction the fee stays: what was set is for the one after it.
      if (name !== 'devnet') assert.equal(pending.baseFeePerGas, '0x12345678');
    });
  });
