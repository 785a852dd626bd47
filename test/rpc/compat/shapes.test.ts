import { afterEach, describe, expect, it } from 'vitest';
import { ALICE, GENESIS_TIME, startNode, type TestNode } from '../dev/node.ts';

let node: TestNode;
afterEach(() => node.close());
const startHardhat = () => startNode({ compat: 'hardhat' });

/** Init code that reverts with Error("boom"). */
const REVERTS = `0x${[
  '7f08c379a0',
  '00'.repeat(28),
  '600052',
  '6020600452',
  '6004602452',
  '7f626f6f6d',
  '00'.repeat(28),
  '604452',
  '60646000fd',
].join('')}`;

describe('hardhat_dropTransaction', () => {
  it("answers whether it was there whatever the shapes are, for Hardhat's helpers take nothing else", async () => {
    node = await startNode({ noMining: true });
    const [first, second] = [await node.transfer(), await node.transfer()];
    expect(await node.rpc('hardhat_dropTransaction', second)).toBe(true);
    expect(await node.rpc('hardhat_dropTransaction', second)).toBe(false);
    expect(await node.rpc('anvil_dropTransaction', first)).toBe(first);
  });
});

describe('--compat hardhat', () => {
  it("answers in Hardhat's shapes", async () => {
    node = await startHardhat();
    expect(await node.rpc('evm_mine')).toBe('0');
    expect(await node.rpc('evm_increaseTime', 100)).toMatch(/^\d+$/);
    expect(await node.rpc('evm_setNextBlockTimestamp', GENESIS_TIME + 900)).toBe(String(GENESIS_TIME + 900));
    for (const [method, ...params] of [
      ['hardhat_mine'],
      ['evm_setAutomine', true],
      ['hardhat_setBalance', ALICE, '0x1'],
      ['hardhat_impersonateAccount', ALICE],
      ['hardhat_setCoinbase', ALICE],
    ] as const)
      expect(await node.rpc(method, ...params), method).toBe(true);
    expect(await node.rpc('hardhat_dropTransaction', `0x${'00'.repeat(32)}`)).toBe(false);
    expect(await node.rpc('evm_snapshot')).toBe('0x1');
  });

  it('a send that automine could not seal at once is refused', async () => {
    node = await startHardhat();
    const request = { from: node.accounts[0], to: ALICE, gas: '0x5208' };
    const refusal = (fields: object) =>
      node.rpc('eth_sendTransaction', { ...request, ...fields }).catch((reason) => reason);
    expect(await refusal({ nonce: '0x63' })).toMatchObject({
      code: -32000,
      message:
        "Nonce too high. Expected nonce to be 0 but got 99. Note that transactions can't be queued when automining.",
    });
    await node.rpc('hardhat_setNextBlockBaseFeePerGas', '0x64');
    for (const fields of [{ maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' }, { gasPrice: '0x1' }])
      expect(await refusal(fields)).toMatchObject({
        code: -32000,
        message: `Transaction ${Object.keys(fields)[0]} (1) is too low for the next block, which has a baseFeePerGas of 100`,
      });
    await node.rpc('evm_setAutomine', false);
    expect(await refusal({ nonce: '0x1' })).toMatch(/^0x/);
    expect(await refusal({ nonce: '0x0' })).toMatch(/^0x/);
    await node.rpc('evm_mine');
    expect((await node.block()).transactions).toHaveLength(2);
  });

  it('hardhat_mine leaves a second between blocks', async () => {
    node = await startHardhat();
    await node.rpc('hardhat_mine', '0x3');
    expect(Number((await node.block()).timestamp)).toBe(GENESIS_TIME + 3);
  });

  it('a send that reverts is mined, and fails with 3 and the data', async () => {
    node = await startHardhat();
    const request = { from: node.accounts[0], data: REVERTS, gas: '0x186a0' };
    const error = await node.rpc('eth_sendTransaction', request).catch((reason) => reason);
    expect(error).toMatchObject({
      code: 3,
      message: "VM Exception while processing transaction: reverted with reason string 'boom'",
    });
    expect(error.data).toMatch(/^0x08c379a0/);
    expect(await node.number()).toBe(1);
    const raw = await node.rpc('eth_signTransaction', request);
    expect(await node.codeOf('eth_sendRawTransaction', raw)).toBe(3);
    expect(await node.number()).toBe(2);
  });

  it('intervals are milliseconds and go beside automine', async () => {
    node = await startHardhat();
    await node.rpc('evm_setIntervalMining', 3000);
    expect(await node.rpc('anvil_getIntervalMining')).toBe(3);
    expect(await node.rpc('hardhat_getAutomine')).toBe(true);
    await node.rpc('evm_setAutomine', false);
    await node.clock.advance(3000);
    expect(await node.number()).toBe(1);
    await node.rpc('evm_setIntervalMining', 0);
    expect(await node.rpc('hardhat_getAutomine')).toBe(false);
  });

  it("errors have Hardhat's codes", async () => {
    node = await startHardhat();
    await node.transfer();
    expect(await node.codeOf('eth_sendTransaction', { from: ALICE })).toBe(-32000);
    const request = { from: node.accounts[0], to: ALICE, gas: '0x5208' };
    expect(await node.codeOf('eth_sendTransaction', { ...request, nonce: '0x0' })).toBe(-32000);
    expect(await node.codeOf('eth_sendTransaction', { ...request, value: `0x1${'0'.repeat(40)}` })).toBe(
      -32000,
    );
    expect(await node.codeOf('evm_setNextBlockTimestamp', 1)).toBe(-32000);
  });
});

describe("anvil's shapes", () => {
  it('are the default', async () => {
    node = await startNode();
    expect(await node.rpc('evm_mine')).toBe('0x0');
    expect(await node.rpc('hardhat_setBalance', ALICE, '0x1')).toBeNull();
    expect(await node.rpc('hardhat_mine')).toBeNull();
    expect(
      await node.rpc('eth_sendTransaction', { from: node.accounts[0], data: REVERTS, gas: '0x186a0' }),
    ).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('anvil_nodeInfo and hardhat_metadata say which chain this is', async () => {
    node = await startNode();
    const id = await node.rpc('evm_snapshot');
    await node.transfer();
    const { hash } = await node.block();
    expect(await node.rpc('anvil_nodeInfo')).toMatchObject({
      currentBlockNumber: '0x1',
      currentBlockHash: hash,
      hardFork: 'Osaka',
      transactionOrder: 'fees',
      environment: { chainId: 31337, gasLimit: '0x1c9c380' },
      forkConfig: { forkUrl: null },
    });
    const metadata = await node.rpc('hardhat_metadata');
    expect(metadata).toMatchObject({ chainId: 31337, latestBlockNumber: 1, latestBlockHash: hash });
    expect(metadata.clientVersion).toMatch(/^anvil\//);
    expect(metadata.snapshots[id][0]).toBe(0);
  });

  it('what only a fork has is refused', async () => {
    node = await startNode();
    expect(await node.codeOf('anvil_setRpcUrl', 'http://localhost')).toBe(-32000);
  });
});
