import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALICE, MODES, startNode, type TestNode } from './node.ts';

describe.each(Object.entries(MODES))('dev writes in %s mode', (_, options) => {
  let node: TestNode;
  beforeEach(async () => {
    node = await startNode(options);
  });
  afterEach(() => node.close());

  it.each(['anvil_setBalance', 'hardhat_setBalance', 'tenderly_setBalance', 'evm_setAccountBalance'])(
    '%s shows at latest and pending at once, without a block',
    async (method) => {
      await node.rpc(method, ALICE, '0x64');
      expect(await node.balance(ALICE)).toBe(100n);
      expect(await node.balance(ALICE, 'pending')).toBe(100n);
      expect(await node.number()).toBe(0);
    },
  );

  it('the sealed header keeps its root, the next block has the write in its', async () => {
    const before = await node.block();
    await node.rpc('anvil_setBalance', ALICE, '0x64');
    expect((await node.block()).stateRoot).toBe(before.stateRoot);
    await node.rpc('evm_mine');
    const { stateRoot } = await node.block();
    expect(stateRoot).not.toBe(before.stateRoot);
    expect(await node.balance(ALICE, '0x1')).toBe(100n);
  });

  it('anvil_addBalance adds to what the account has', async () => {
    await node.rpc('anvil_setBalance', ALICE, '0x64');
    await node.rpc('anvil_addBalance', ALICE, '0x1');
    expect(await node.balance(ALICE)).toBe(101n);
  });

  it('anvil_addBalance refuses what would bring a balance above 256 bits, and the account stays as it was', async () => {
    await node.rpc('anvil_setBalance', ALICE, `0x${'f'.repeat(63)}e`);
    const answer = node.rpc('anvil_addBalance', ALICE, '0x2426993f');
    await expect(answer).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('params[1]: expected at most 1 wei more'),
    });
    await node.rpc('anvil_addBalance', ALICE, '0x1');
    await node.rpc('anvil_setStorageAt', ALICE, '0x1', `0x${'0'.repeat(63)}5`);
    await node.rpc('evm_mine');
    expect(await node.balance(ALICE)).toBe(2n ** 256n - 1n);
    expect(await node.rpc('eth_getStorageAt', ALICE, '0x1', 'latest')).toBe(`0x${'0'.repeat(63)}5`);
  });

  it('code, nonce and storage are set', async () => {
    await node.rpc('anvil_setCode', ALICE, '0x6001');
    await node.rpc('hardhat_setNonce', ALICE, '0x7');
    expect(await node.rpc('anvil_setStorageAt', ALICE, '0x1', `0x${'0'.repeat(63)}5`)).toBe(true);
    expect(await node.rpc('eth_getCode', ALICE, 'pending')).toBe('0x6001');
    expect(await node.rpc('eth_getTransactionCount', ALICE, 'latest')).toBe('0x7');
    expect(await node.rpc('eth_getStorageAt', ALICE, '0x1', 'latest')).toBe(`0x${'0'.repeat(63)}5`);
  });

  it('a write to an account of the open block leaves what its transaction did', async () => {
    const [sender] = node.accounts;
    await node.transfer();
    await node.tick();
    await node.rpc('anvil_setCode', sender, '0x');
    await node.rpc('anvil_addBalance', ALICE, '0xa');
    expect(await node.balance(ALICE, 'pending')).toBe(11n);
    await node.rpc('evm_mine');
    expect(await node.rpc('eth_getTransactionCount', sender, 'latest')).toBe('0x1');
    expect(await node.balance(ALICE)).toBe(11n);
  });
});

describe('dev writes', () => {
  it('survive a snapshot that was taken after them, and not one before', async () => {
    const node = await startNode();
    const before = await node.rpc('evm_snapshot');
    await node.rpc('anvil_setBalance', ALICE, '0x64');
    const after = await node.rpc('evm_snapshot');
    await node.rpc('anvil_setBalance', ALICE, '0x65');
    await node.rpc('evm_revert', after);
    expect(await node.balance(ALICE)).toBe(100n);
    await node.rpc('evm_revert', before);
    expect(await node.balance(ALICE)).toBe(0n);
    await node.close();
  });
});
