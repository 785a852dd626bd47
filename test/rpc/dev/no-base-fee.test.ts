import { afterEach, describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { ALICE, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node?.close());

const feesFrom = async (first: number) => {
  const head = await node.number();
  const all = Array.from({ length: head - first + 1 }, (_, i) => node.block(`0x${(first + i).toString(16)}`));
  return (await Promise.all(all)).map(({ baseFeePerGas }) => Number(baseFeePerGas));
};

/** A transaction that takes most of a block's gas, at a price of 0. */
async function fill(): Promise<string | undefined> {
  await node.rpc('anvil_setCode', ALICE, '0x5b600056');
  await node.rpc('evm_setBlockGasLimit', '0xf4240');
  return node.transfer('0x0', { gas: '0xc3500', gasPrice: '0x0' }).catch(() => undefined);
}

const ZERO: [string, DevnetOptions][] = [
  ['by default', {}],
  ['on EthereumJS', { engine: 'ethereumjs' }],
  ['in both engines', { engine: 'shadow' }],
  ['as anvil', { compat: 'anvil' }],
  ['as Hardhat 3', { compat: 'hardhat' }],
  ['as Hardhat 2', { compat: 'hardhat2' }],
];

describe.each(ZERO)('baseFee 0 %s', (_, options) => {
  it('stays 0 after full blocks, and a transaction with price 0 is mined', async () => {
    node = await startNode({ automine: true, baseFee: 0n, ...options } as DevnetOptions);
    await fill();
    await fill();
    expect(await feesFrom(0)).toEqual([0, 0, 0]);
    const { baseFeePerGas } = await node.rpc('eth_feeHistory', '0x2', 'latest', []);
    expect(baseFeePerGas).toEqual(['0x0', '0x0', '0x0']);
    expect(await node.block('pending')).toMatchObject({ baseFeePerGas: '0x0' });
    const simulated = { blockStateCalls: [{}, {}], validation: true };
    expect(await node.rpc('eth_simulateV1', simulated, 'latest')).toMatchObject([
      { baseFeePerGas: '0x0' },
      { baseFeePerGas: '0x0' },
    ]);
    const hash = await node.transfer('0x1', { gasPrice: '0x0', to: node.accounts[1] });
    expect(await node.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ effectiveGasPrice: '0x0' });
  });
});

// anvil 1.7.1 and Hardhat 2 were asked.
describe('anvil_setNextBlockBaseFeePerGas with 0', () => {
  it('is for all blocks, until it is set again, as in anvil', async () => {
    node = await startNode();
    await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x0');
    await fill();
    await fill();
    expect(await feesFrom(1)).toEqual([0, 0]);
    await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x64');
    await node.rpc('anvil_mine', '0x3');
    expect(await feesFrom(3)).toEqual([100, 88, 77]);
  });

  it('is for one block, as in Hardhat: EIP-1559 raises it after a full one', async () => {
    node = await startNode({ compat: 'hardhat' });
    await node.rpc('hardhat_setNextBlockBaseFeePerGas', '0x0');
    await fill();
    await node.rpc('hardhat_mine');
    expect(await feesFrom(1)).toEqual([0, 1]);
  });
});

describe('a base fee of 0 in a genesis file', () => {
  it('follows EIP-1559: other clients make the same blocks', async () => {
    const init = {
      config: { chainId: 1, londonBlock: 0, terminalTotalDifficulty: 0, shanghaiTime: 0 },
      gasLimit: '0xf4240',
      baseFeePerGas: '0x0',
      timestamp: '0x6553f100',
      alloc: { [ALICE]: { balance: '0x0', code: '0x5b600056' } },
    };
    node = await startNode({ automine: true, init, timestamp: undefined } as unknown as DevnetOptions);
    await node.rpc('anvil_setBalance', node.accounts[0], '0xde0b6b3a7640000');
    await fill();
    await node.rpc('evm_mine');
    expect(await feesFrom(0)).toEqual([0, 0, 1]);
  });
});
