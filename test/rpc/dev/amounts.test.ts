import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALICE, startNode, type TestNode } from './node.ts';

describe('dev methods take decimal text for an amount, as anvil and Hardhat do', () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await startNode();
  });
  afterAll(() => node.close());

  it.each([
    ['anvil_setBalance', [ALICE, '1000'], async () => node.balance(ALICE), 1000n],
    ['anvil_setNonce', [ALICE, '12'], async () => node.rpc('eth_getTransactionCount', ALICE), '0xc'],
    ['hardhat_mine', ['3'], async () => node.number(), 3],
    ['evm_setNextBlockTimestamp', ['1800000000'], async () => node.rpc('evm_mine'), '0x0'],
    ['evm_increaseTime', ['100'], async () => Number((await node.block()).timestamp), 1_800_000_000],
    ['evm_mine', ['1900000000'], async () => Number((await node.block()).timestamp), 1_900_000_000],
  ] as const)('%s', async (method, params, read, expected) => {
    await node.rpc(method, ...params);
    expect(await read()).toBe(expected);
  });

  it('up to 256 bits, and no other text', async () => {
    for (const text of [`${2n ** 256n}`, '1e3', '-1', '', '1.5', ' 1'])
      expect(await node.codeOf('anvil_setBalance', ALICE, text), text).toBe(-32602);
  });

  it("the specification's methods take hex alone", async () => {
    expect(await node.codeOf('eth_feeHistory', '4', 'latest', [])).toBe(-32602);
    expect(await node.codeOf('eth_call', { to: ALICE, value: '1' })).toBe(-32602);
  });
});
