import { Transaction } from 'ethers';
import { afterEach, describe, expect, it } from 'vitest';
import { MODES, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());

/** Init code that reverts with no data, and one that runs into INVALID. */
const FAILING = { 'a revert': '0x5f5ffd', 'a halt': '0xfe' };

describe.each(Object.entries(FAILING))('a send without gas that comes to %s', (_, data) => {
  it.each(Object.entries(MODES))('is mined and fails there in %s mode, as on anvil', async (_, options) => {
    node = await startNode(options);
    const [from] = node.accounts;
    const hash = await node.rpc('eth_sendTransaction', { from, data });
    await node.rpc('evm_mine');
    expect(await node.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x0' });
    // The most that a transaction may have, since there is no estimate.
    expect((await node.rpc('eth_getTransactionByHash', hash)).gas).toBe('0x1c9c380');
  });

  it('is refused by eth_estimateGas and eth_fillTransaction, and signed by eth_signTransaction', async () => {
    node = await startNode();
    const [from] = node.accounts;
    const code = await node.codeOf('eth_estimateGas', { from, data });
    expect([3, -32015]).toContain(code);
    expect(await node.codeOf('eth_fillTransaction', { from, data })).toBe(code);
    const raw = await node.rpc('eth_signTransaction', { from, data });
    expect(Transaction.from(raw).gasLimit).toBe(30_000_000n);
  });

  it("is refused with the estimate's error for Hardhat's users", async () => {
    node = await startNode({ compat: 'hardhat' });
    const [from] = node.accounts;
    await expect(node.rpc('eth_sendTransaction', { from, data })).rejects.toThrow();
    expect(await node.number()).toBe(0);
  });
});

it('a send without gas that fails asks for no more than EIP-7825 allows where its cap is on', async () => {
  node = await startNode({ ...MODES.automine, enableTxGasLimit: true });
  const [from] = node.accounts;
  const hash = await node.rpc('eth_sendTransaction', { from, data: FAILING['a halt'] });
  expect((await node.rpc('eth_getTransactionReceipt', hash)).gasUsed).toBe('0x1000000');
});

it('a halt is reported without the place in the engine where it came', async () => {
  node = await startNode();
  await expect(node.rpc('eth_call', { data: '0x5f56' })).rejects.toMatchObject({
    code: -32015,
    message: 'invalid jump destination',
  });
});
