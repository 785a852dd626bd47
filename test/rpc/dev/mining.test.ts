import { afterEach, describe, expect, it } from 'vitest';
import { ALICE, MODES, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());

describe.each(Object.entries(MODES))('the next block in %s mode', (_, options) => {
  it('takes base fee, prevRandao, coinbase and gas limit that were set', async () => {
    node = await startNode(options);
    const randao = `0x${'ab'.repeat(32)}`;
    await node.rpc('hardhat_setNextBlockBaseFeePerGas', '0x64');
    await node.rpc('hardhat_setPrevRandao', randao);
    await node.rpc('hardhat_setCoinbase', ALICE);
    expect(await node.rpc('evm_setBlockGasLimit', '0x1312d00')).toBe(true);
    const expected = { baseFeePerGas: '0x64', mixHash: randao, miner: ALICE, gasLimit: '0x1312d00' };
    expect(await node.block('pending')).toMatchObject(expected);
    expect(await node.rpc('eth_coinbase')).toBe(ALICE);
    await node.rpc('evm_mine');
    expect(await node.block()).toMatchObject(expected);
    await node.rpc('evm_mine');
    const after = await node.block();
    expect(after).toMatchObject({ miner: ALICE, gasLimit: '0x1312d00' });
    expect(after.mixHash).not.toBe(randao);
    expect(after.baseFeePerGas).not.toBe('0x64');
  });

  it('evm_mine_detailed answers the block with its transactions', async () => {
    node = await startNode(options);
    const blocks = await node.rpc('anvil_mine_detailed', { blocks: 2 });
    expect(blocks.map(({ number }: { number: string }) => number)).toEqual(['0x1', '0x2']);
  });
});

describe('anvil_mine', () => {
  it('and its like refuse more blocks than can be waited for', async () => {
    node = await startNode();
    const refused = { code: -32602 };
    await expect(node.rpc('anvil_mine', '0x4c4b41')).rejects.toMatchObject(refused);
    await expect(node.rpc('evm_mine', { blocks: '0x4c4b41' })).rejects.toMatchObject(refused);
    await expect(node.rpc('evm_mine_detailed', { blocks: 10_001 })).rejects.toMatchObject({ code: -32000 });
    expect(await node.number()).toBe(0);
  });

  it('makes the blocks that so many calls of evm_mine make, and each is read like those', async () => {
    node = await startNode(MODES.manual);
    for (let i = 0; i < 150; i++) await node.rpc('evm_mine');
    const head = await node.block();
    const middle = await node.block('0x50');
    await node.close();
    node = await startNode(MODES.manual);
    await node.rpc('anvil_mine', 150);
    expect(await node.block()).toEqual(head);
    expect(await node.block('0x50')).toEqual(middle);
    // EIP-2935: the history contract knows the parents of all of them.
    const history = '0x0000f90827f1c53a10cb7a02335b175320002935';
    const data = `0x${'50'.padStart(64, '0')}`;
    expect(await node.rpc('eth_call', { to: history, data }, 'latest')).toBe(middle.hash);
    expect(await node.rpc('eth_getBalance', ALICE, '0x51')).toBe('0x0');
    await node.transfer();
    await node.rpc('anvil_mine', 3);
    expect(await node.balance(ALICE, '0x97')).toBe(1n);
    expect(await node.balance(ALICE, '0x96')).toBe(0n);
  });
});

describe('settings for the open block', () => {
  it('are for the one after it, once it has a transaction', async () => {
    node = await startNode(MODES.interval);
    await node.transfer();
    await node.tick();
    await node.rpc('anvil_setCoinbase', ALICE);
    expect((await node.block('pending')).miner).not.toBe(ALICE);
    await node.clock.advance(2000);
    expect((await node.block('pending')).miner).toBe(ALICE);
  });
});

describe('switching modes', () => {
  it('automine off and on', async () => {
    node = await startNode();
    expect(await node.rpc('anvil_getAutomine')).toBe(true);
    await node.rpc('evm_setAutomine', false);
    await node.transfer();
    expect(await node.number()).toBe(0);
    expect(await node.rpc('hardhat_getAutomine')).toBe(false);
    await node.rpc('anvil_setAutomine', true);
    await node.transfer();
    expect(await node.balance(ALICE)).toBe(2n);
  });

  it('an interval in seconds; 0 leaves blocks on demand', async () => {
    node = await startNode();
    expect(await node.rpc('anvil_getIntervalMining')).toBeNull();
    await node.rpc('evm_setIntervalMining', 1);
    expect(await node.rpc('anvil_getIntervalMining')).toBe(1);
    await node.clock.advance(2000);
    expect(await node.number()).toBe(2);
    await node.rpc('anvil_setIntervalMining', 0);
    await node.clock.advance(5000);
    expect(await node.number()).toBe(2);
    expect(await node.codeOf('evm_setIntervalMining', -1)).toBe(-32602);
  });

  it('automine off leaves an interval as it is', async () => {
    node = await startNode(MODES.interval);
    await node.rpc('evm_setAutomine', false);
    await node.clock.advance(2000);
    expect(await node.number()).toBe(1);
  });

  it('miner_stop and miner_start', async () => {
    node = await startNode(MODES.interval);
    expect(await node.rpc('miner_stop')).toBe(true);
    expect(await node.rpc('eth_mining')).toBe(false);
    await node.clock.advance(4000);
    expect(await node.number()).toBe(0);
    await node.rpc('miner_start');
    expect(await node.rpc('eth_mining')).toBe(true);
    await node.clock.advance(2000);
    expect(await node.number()).toBe(1);
  });
});

describe('the mempool', () => {
  it('a waiting transaction is dropped by hash, by sender, or with all', async () => {
    node = await startNode(MODES.manual);
    const hash = await node.transfer();
    expect(await node.rpc('anvil_dropTransaction', hash)).toBe(hash);
    expect(await node.rpc('hardhat_dropTransaction', hash)).toBe(false);
    await node.transfer();
    await node.rpc('anvil_removePoolTransactions', ALICE);
    await node.rpc('anvil_removePoolTransactions', node.accounts[0]);
    await node.transfer('0x1', { from: node.accounts[1] });
    await node.rpc('anvil_dropAllTransactions');
    await node.rpc('evm_mine');
    expect((await node.block()).transactions).toEqual([]);
  });

  it('a pre-confirmed transaction is not dropped', async () => {
    node = await startNode(MODES.interval);
    const hash = await node.transfer();
    await node.tick();
    expect(await node.rpc('anvil_dropTransaction', hash)).toBeNull();
    expect(await node.balance(ALICE, 'pending')).toBe(1n);
  });

  it('a least gas price is asked for from now on', async () => {
    node = await startNode(MODES.manual);
    await node.rpc('anvil_setMinGasPrice', '0x174876e800');
    expect(
      await node.codeOf('eth_sendTransaction', {
        from: node.accounts[0],
        to: ALICE,
        gasPrice: '0x2540be400',
      }),
    ).toBe(-32003);
  });

  it('a raised nonce lets go of the transactions below it', async () => {
    node = await startNode(MODES.manual);
    await node.transfer();
    await node.rpc('anvil_setNonce', node.accounts[0], '0x5');
    expect(await node.rpc('eth_getTransactionCount', node.accounts[0], 'pending')).toBe('0x5');
    await node.transfer('0x2');
    await node.rpc('evm_mine');
    expect(await node.balance(ALICE)).toBe(2n);
  });
});

describe('the chain id', () => {
  it('changes for CHAINID, new transactions and what is asked, and old blocks are still read', async () => {
    node = await startNode();
    const hash = await node.transfer();
    await node.rpc('anvil_setChainId', 1337);
    expect(await node.rpc('eth_chainId')).toBe('0x539');
    expect(await node.rpc('net_version')).toBe('1337');
    const [call] = [{ data: '0x4660005260206000f3' }];
    expect(BigInt(await node.rpc('eth_call', call, 'latest'))).toBe(1337n);
    const later = await node.transfer();
    expect((await node.rpc('eth_getTransactionByHash', later)).chainId).toBe('0x539');
    expect((await node.rpc('eth_getTransactionByHash', hash)).chainId).toBe('0x7a69');
  });

  it('changes at once, whatever was asked of the next block before', async () => {
    node = await startNode();
    const code = '0x4660005260206000f3';
    for (const id of ['0x7a69', '0x539']) {
      await node.rpc('anvil_setChainId', id);
      expect(BigInt(await node.rpc('eth_call', { data: code }, 'pending'))).toBe(BigInt(id));
      const { tx } = await node.rpc('eth_fillTransaction', { from: node.accounts[0], to: ALICE });
      expect(tx.chainId).toBe(id);
    }
    const hash = await node.transfer();
    expect((await node.rpc('eth_getTransactionByHash', hash)).chainId).toBe('0x539');
  });

  it('changes between two calls on the same block, with code that is there', async () => {
    node = await startNode();
    await node.rpc('anvil_setCode', ALICE, '0x4660005260206000f3');
    const asked = async () => BigInt(await node.rpc('eth_call', { to: ALICE }, 'latest'));
    for (const id of [31337n, 31337n, 5n, 5n, 31337n]) {
      await node.rpc('anvil_setChainId', `0x${id.toString(16)}`);
      expect([await asked(), await asked()]).toEqual([id, id]);
    }
  });

  it.each(['0x0', '0x7fffffffffffffff'])('%s has no signatures of EIP-155', async (id) => {
    node = await startNode();
    await node.rpc('anvil_setChainId', id);
    const [from] = node.accounts;
    const fields = { from, to: ALICE, value: '0x1', gas: '0x5208' };
    const legacy = { ...fields, type: '0x0', gasPrice: '0x1e8480000' };
    for (const method of ['eth_signTransaction', 'eth_sendTransaction', 'eth_sendUnsignedTransaction'])
      expect(await node.codeOf(method, legacy)).toBe(-32003);
    await node.rpc('eth_sendTransaction', fields);
    expect(await node.balance(ALICE)).toBe(1n);
  });
});
