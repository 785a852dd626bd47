import { afterEach, describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { ALICE, MODES, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());

const RANDAO = `0x${'ab'.repeat(32)}`;
const BASE_FEE = ['anvil_setNextBlockBaseFeePerGas', 'hardhat_setNextBlockBaseFeePerGas'];
const PREV_RANDAO = ['anvil_setNextBlockPrevRandao', 'anvil_setPrevRandao', 'hardhat_setPrevRandao'];
const MODES_BEFORE = Object.entries(MODES).map(([name, mode]): [string, DevnetOptions] => [name, mode]);

describe.each(MODES_BEFORE)('before London in %s mode', (_, mode) => {
  it.each(BASE_FEE)('%s is refused, and the next block has no base fee', async (method) => {
    node = await startNode({ ...mode, hardfork: 'berlin', baseFee: 5n } as DevnetOptions);
    for (const fee of ['0x64', '0x0'])
      await expect(node.rpc(method, fee)).rejects.toMatchObject({
        code: -32602,
        message: 'anvil_setNextBlockBaseFeePerGas is only supported when EIP-1559 is active',
      });
    await node.rpc('evm_mine');
    for (const tag of ['0x0', 'latest', 'pending'])
      expect(await node.block(tag)).not.toHaveProperty('baseFeePerGas');
  });

  it.each(PREV_RANDAO)('%s is refused until the merge', async (method) => {
    for (const hardfork of ['berlin', 'london', 'grayGlacier'] as const) {
      node = await startNode({ ...mode, hardfork });
      expect(await node.codeOf(method, RANDAO)).toBe(-32602);
      await node.rpc('evm_mine');
      expect((await node.block()).mixHash).not.toBe(RANDAO);
      await node.close();
    }
    node = await startNode({ ...mode, hardfork: 'paris' });
    await node.rpc(method, RANDAO);
    await node.rpc('evm_mine');
    expect((await node.block()).mixHash).toBe(RANDAO);
  });
});

describe.each(['hardhat', 'hardhat2'] as const)('with %s', (compat) => {
  it("the refusals have Hardhat's code and words", async () => {
    node = await startNode({ compat, hardfork: 'arrowGlacier' });
    await expect(node.rpc('hardhat_setPrevRandao', RANDAO)).rejects.toMatchObject({
      code: -32000,
      message:
        'hardhat_setPrevRandao is only available in post-merge hardforks, the current hardfork is ARROW_GLACIER',
    });
    await node.rpc('hardhat_setNextBlockBaseFeePerGas', '0x64');
    await node.close();
    node = await startNode({ compat, hardfork: 'berlin' });
    await expect(node.rpc('hardhat_setNextBlockBaseFeePerGas', '0x64')).rejects.toMatchObject({
      code: -32000,
      message: 'hardhat_setNextBlockBaseFeePerGas is disabled because EIP-1559 is not active',
    });
  });
});

describe('overrides of a block before London', () => {
  it('make no base fee, and no price too low for it', async () => {
    node = await startNode({ automine: true, hardfork: 'berlin' });
    const later = { baseFeePerGas: '0x77359400', prevRandao: RANDAO, withdrawals: [], beaconRoot: RANDAO };
    const [block] = await node.rpc(
      'eth_simulateV1',
      { blockStateCalls: [{ blockOverrides: later }] },
      'latest',
    );
    for (const field of ['baseFeePerGas', 'withdrawalsRoot', 'parentBeaconBlockRoot', 'blobGasUsed'])
      expect(block).not.toHaveProperty(field);
    const call = { from: node.accounts[0], to: ALICE, gasPrice: '0x1' };
    expect(await node.rpc('eth_call', call, 'latest', {}, { baseFeePerGas: '0x64' })).toBe('0x');
  });
});

describe('with a genesis file whose London is block 3', () => {
  const init = {
    config: { chainId: 1, berlinBlock: 0, londonBlock: 3, mergeNetsplitBlock: 5, terminalTotalDifficulty: 0 },
    gasLimit: '0x1c9c380',
    baseFeePerGas: '0x7',
    timestamp: '0x6553f100',
    alloc: {},
  };
  const options = { automine: true, init, timestamp: undefined } as unknown as DevnetOptions;

  it('the settings are taken for the blocks that have the fields', async () => {
    node = await startNode(options);
    expect(await node.block('0x0')).not.toHaveProperty('baseFeePerGas');
    const taken = [];
    for (let next = 1; next <= 6; next++) {
      const baseFee = await node.codeOf('anvil_setNextBlockBaseFeePerGas', '0x64');
      const randao = await node.codeOf('anvil_setNextBlockPrevRandao', RANDAO);
      taken.push([next, baseFee, randao]);
      await node.rpc('evm_mine');
      const { baseFeePerGas, mixHash } = await node.block();
      expect(baseFeePerGas).toBe(next < 3 ? undefined : '0x64');
      expect(mixHash === RANDAO).toBe(next >= 5);
    }
    expect(taken).toEqual([
      [1, -32602, -32602],
      [2, -32602, -32602],
      [3, undefined, -32602],
      [4, undefined, -32602],
      [5, undefined, undefined],
      [6, undefined, undefined],
    ]);
  });

  it('a setting does not go back before London with the chain', async () => {
    node = await startNode(options);
    await node.rpc('anvil_mine', '0x2');
    await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x64');
    await node.rpc('anvil_rollback', '0x2');
    expect(await node.block('pending')).not.toHaveProperty('baseFeePerGas');
    await node.rpc('evm_mine');
    expect(await node.block()).not.toHaveProperty('baseFeePerGas');
  });
});
