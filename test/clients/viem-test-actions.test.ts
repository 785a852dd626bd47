import { createTestClient, http, parseEther, publicActions, type TestClient, walletActions } from 'viem';
import { foundry } from 'viem/chains';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { ALICE, BOB } from './node.ts';
import { PATIENT } from './viem-clients.ts';

const TIME = 1_700_000_000n;

function clientOf(url: string, mode: 'anvil' | 'hardhat') {
  return createTestClient({
    mode,
    chain: foundry,
    transport: http(url, { ...PATIENT, retryCount: 0 }),
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions);
}

// The client's own mode changes the names it sends; the node's changes the shapes it answers in.
describe.each([
  ['anvil', undefined],
  ['hardhat', undefined],
  ['hardhat', 'hardhat'],
] as const)("viem's test client in %s mode, --compat %s", (mode, compat) => {
  let node: Devnet;
  let client: ReturnType<typeof clientOf>;
  beforeEach(async () => {
    const options = { port: 0, automine: true, timestamp: TIME, manualClock: true } as const;
    node = await createDevnet(compat ? { ...options, compat } : options);
    client = clientOf(node.url!, mode);
  });
  afterEach(() => node.close());
  const [from] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266' as const];
  const send = (value = 1n) =>
    client.sendTransaction({ account: from, to: BOB, value, gas: 21_000n, maxFeePerGas: 10n ** 11n });

  it('setBalance, setCode, setNonce, setStorageAt', async () => {
    await client.setBalance({ address: ALICE, value: parseEther('2') });
    await client.setCode({ address: ALICE, bytecode: '0x6001' });
    await client.setNonce({ address: ALICE, nonce: 7 });
    await client.setStorageAt({ address: ALICE, index: 2, value: `0x${'0'.repeat(62)}45` });
    expect(await client.getBalance({ address: ALICE })).toBe(parseEther('2'));
    expect(await client.getCode({ address: ALICE })).toBe('0x6001');
    expect(await client.getTransactionCount({ address: ALICE })).toBe(7);
    expect(await client.getStorageAt({ address: ALICE, slot: '0x2' })).toBe(`0x${'0'.repeat(62)}45`);
  });

  it('mine, increaseTime, setNextBlockTimestamp', async () => {
    await client.mine({ blocks: 3, interval: 10 });
    expect(await client.getBlockNumber()).toBe(3n);
    const { timestamp } = await client.getBlock();
    await client.increaseTime({ seconds: 500 });
    await client.mine({ blocks: 1 });
    expect((await client.getBlock()).timestamp).toBeGreaterThanOrEqual(timestamp + 500n);
    await client.setNextBlockTimestamp({ timestamp: TIME + 9_000n });
    await client.mine({ blocks: 1 });
    expect((await client.getBlock()).timestamp).toBe(TIME + 9_000n);
  });

  it('setBlockTimestampInterval, removeBlockTimestampInterval', async () => {
    // viem sends milliseconds in Hardhat mode, where such a method never was.
    const interval = mode === 'hardhat' && !compat ? 0.005 : 5;
    await client.setBlockTimestampInterval({ interval });
    await client.mine({ blocks: 2 });
    expect((await client.getBlock()).timestamp).toBe(TIME + 10n);
    await client.removeBlockTimestampInterval();
  });

  it('setAutomine, getAutomine, setIntervalMining', async () => {
    expect(await client.getAutomine()).toBe(true);
    await client.setAutomine(false);
    expect(await client.getAutomine()).toBe(false);
    await client.setIntervalMining({ interval: 1 });
    await client.setIntervalMining({ interval: 0 });
    await client.setAutomine(true);
    expect(await client.getAutomine()).toBe(true);
  });

  it('setBlockGasLimit, setCoinbase, setNextBlockBaseFeePerGas, setMinGasPrice', async () => {
    await client.setBlockGasLimit({ gasLimit: 20_000_000n });
    await client.setCoinbase({ address: ALICE });
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 77n });
    await client.mine({ blocks: 1 });
    const block = await client.getBlock();
    expect(block).toMatchObject({ gasLimit: 20_000_000n, baseFeePerGas: 77n, miner: ALICE.toLowerCase() });
    await client.setMinGasPrice({ gasPrice: 10n ** 12n });
    await expect(send()).rejects.toThrow(/underpriced/);
  });

  it('impersonateAccount, stopImpersonatingAccount, sendUnsignedTransaction', async () => {
    await client.setBalance({ address: ALICE, value: parseEther('2') });
    await client.impersonateAccount({ address: ALICE });
    await client.sendTransaction({ account: ALICE, to: BOB, value: 1n });
    await client.stopImpersonatingAccount({ address: ALICE });
    await expect(client.sendTransaction({ account: ALICE, to: BOB, value: 1n })).rejects.toThrow();
    const hash = await client.sendUnsignedTransaction({ from: ALICE, to: BOB, value: 1n });
    expect((await client.getTransactionReceipt({ hash })).status).toBe('success');
    expect(await client.getBalance({ address: BOB })).toBe(2n);
  });

  it('snapshot, revert', async () => {
    const id = await client.snapshot();
    await send();
    await client.revert({ id });
    expect(await client.getBalance({ address: BOB })).toBe(0n);
    expect(await client.getBlockNumber()).toBe(0n);
  });

  it('dropTransaction, getTxpoolStatus, getTxpoolContent, inspectTxpool', async () => {
    await client.setAutomine(false);
    const hash = await send();
    expect(await client.getTxpoolStatus()).toEqual({ pending: 1, queued: 0 });
    const { pending } = await client.getTxpoolContent();
    expect(Object.values(Object.values(pending)[0]!)[0]!.hash).toBe(hash);
    expect(Object.keys((await client.inspectTxpool()).pending)).toHaveLength(1);
    await client.dropTransaction({ hash });
    expect(await client.getTxpoolStatus()).toEqual({ pending: 0, queued: 0 });
    await client.mine({ blocks: 1 });
    expect((await client.getBlock()).transactions).toEqual([]);
  });

  it('dumpState, loadState, reset', async () => {
    await send(5n);
    const state = await client.dumpState();
    await client.reset();
    expect(await client.getBalance({ address: BOB })).toBe(0n);
    await client.loadState({ state });
    expect(await client.getBalance({ address: BOB })).toBe(5n);
  });

  it('setLoggingEnabled; setRpcUrl is refused', async () => {
    await client.setLoggingEnabled(false);
    await expect((client as TestClient).setRpcUrl('http://localhost')).rejects.toThrow(/fork/);
  });
});
