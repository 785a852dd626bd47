import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, concatBytes, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { getContractAddress } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Trie } from '../../../src/state/trie.ts';
import { BOB, optimismNode, POOR, REVERTING, VAULTS } from './deposits.ts';

let live: Awaited<ReturnType<typeof optimismNode>>;
beforeEach(async () => {
  live = await optimismNode({ automine: true });
  await live.call('anvil_setCode', REVERTING, '0x60206000fd');
});
afterEach(() => live.close());

describe('a deposit', () => {
  it('mints, pays its value out of it, counts the nonce and costs nobody gas', async () => {
    const { baseFeePerGas, miner } = await live.call('eth_getBlockByNumber', 'latest', false);
    expect(BigInt(baseFeePerGas)).toBeGreaterThan(0n);
    const hash = await live.deposit({ mint: 7n, value: 3n });
    expect(await live.receipt(hash)).toMatchObject({
      type: '0x7e',
      status: '0x1',
      gasUsed: '0x5208',
      effectiveGasPrice: '0x0',
      depositNonce: '0x0',
      depositReceiptVersion: '0x1',
      from: POOR,
    });
    expect([await live.balance(POOR), await live.balance(BOB), await live.nonce(POOR)]).toEqual([4n, 3n, 1]);
    expect([await live.balance(miner), await live.balance(VAULTS.baseFee)]).toEqual([0n, 0n]);
  });

  it('that reverts keeps its mint and its nonce, and uses the gas that it used', async () => {
    const receipt = await live.receipt(await live.deposit({ to: REVERTING, mint: 7n, value: 3n }));
    expect(receipt).toMatchObject({ status: '0x0', depositNonce: '0x0', logs: [] });
    expect(Number(receipt.gasUsed)).toBe(21_000 + 6 + 3);
    expect([await live.balance(POOR), await live.balance(REVERTING), await live.nonce(POOR)]).toEqual([
      7n,
      0n,
      1,
    ]);
  });

  it('of the system fails since Regolith: it uses all its gas, keeps mint and nonce', async () => {
    const receipt = await live.receipt(await live.deposit({ isSystemTx: true, mint: 7n, value: 3n }));
    expect(receipt).toMatchObject({ status: '0x0', gasUsed: '0x186a0', depositNonce: '0x0' });
    expect([await live.balance(POOR), await live.balance(BOB), await live.nonce(POOR)]).toEqual([7n, 0n, 1]);
  });

  it('whose value went away before its turn stands in its block, and fails', async () => {
    await live.call('evm_setAutomine', false);
    const spends = await live.deposit({ mint: 5n, value: 5n });
    await live.call('anvil_setBalance', POOR, '0x5');
    const later = await live.deposit({ mint: 1n, value: 6n });
    const creates = await live.deposit({ to: null, value: 5n, data: '0x00' });
    await live.call('anvil_setBalance', POOR, '0x0');
    await live.call('evm_mine');
    const { transactions } = await live.call('eth_getBlockByNumber', 'latest', false);
    expect(transactions).toEqual([spends, later, creates]);
    expect(await live.receipt(later)).toMatchObject({
      status: '0x0',
      gasUsed: '0x186a0',
      depositNonce: '0x1',
      contractAddress: null,
    });
    expect(await live.receipt(creates)).toMatchObject({
      status: '0x0',
      depositNonce: '0x2',
      // As of any creation that fails.
      contractAddress: getContractAddress({ from: POOR, nonce: 2n }).toLowerCase(),
    });
    expect([await live.balance(POOR), await live.balance(BOB), await live.nonce(POOR)]).toEqual([1n, 5n, 3]);
    const trace = await live.call('debug_traceTransaction', later, { tracer: 'callTracer' });
    expect(trace).toMatchObject({
      from: POOR,
      gasUsed: '0x186a0',
      error: expect.stringMatching(/insufficient funds/),
    });
    expect(await live.call('debug_traceTransaction', later)).toMatchObject({ failed: true, structLogs: [] });
  });

  it('creates a contract where its nonce says, and sees no gas price', async () => {
    await live.deposit();
    // GASPRICE, then CALLVALUE, then ORIGIN, in 96 bytes of code
    const hash = await live.deposit({
      to: null,
      mint: 9n,
      value: 2n,
      data: ('0x3a6000523460205232604052606060' + '00f3') as `0x${string}`,
    });
    const { contractAddress, status } = await live.receipt(hash);
    expect(status).toBe('0x1');
    expect(contractAddress).toBe(getContractAddress({ from: POOR, nonce: 1n }).toLowerCase());
    const words = [0n, 2n, BigInt(POOR)].map((word) => word.toString(16).padStart(64, '0'));
    expect(await live.call('eth_getCode', contractAddress, 'latest')).toBe(`0x${words.join('')}`);
  });

  it('may come from a contract, and ask for more gas than EIP-7825 gives others', async () => {
    await live.call('anvil_setBalance', REVERTING, '0x9');
    const hash = await live.deposit({ from: REVERTING, value: 1n, gas: 20_000_000n });
    expect(await live.receipt(hash)).toMatchObject({ status: '0x1', gasUsed: '0x5208' });
  });

  it('has the receipt of Canyon in its block: nonce and version stand behind the logs', async () => {
    await live.deposit();
    await live.deposit({ isSystemTx: true });
    const { receiptsRoot, logsBloom } = await live.call('eth_getBlockByNumber', 'latest', false);
    // status 0, 100000 gas, bloom, no logs, nonce 1, version 1
    const fields = [
      new Uint8Array(),
      hexToBytes('0x0186a0'),
      hexToBytes(logsBloom),
      [],
      hexToBytes('0x01'),
      hexToBytes('0x01'),
    ];
    const encoded = concatBytes(Uint8Array.of(0x7e), RLP.encode(fields));
    expect(bytesToHex(Trie.rootOfList([encoded]))).toBe(receiptsRoot);
    expect(await live.call('debug_getRawReceipts', 'latest')).toEqual([bytesToHex(encoded)]);
  });

  it('that is in a block already is refused: it would hide the other', async () => {
    const hash = await live.deposit({ source: 77_777 });
    await expect(live.deposit({ source: 77_777 })).rejects.toMatchObject({
      code: -32003,
      message: expect.stringMatching(/already known: block 1 .*sourceHash/),
    });
    expect(await live.receipt(hash)).toMatchObject({ blockNumber: '0x1' });
  });

  it('that fails is an error for who sends it as to Hardhat, with those before it in the block', async () => {
    await live.close();
    live = await optimismNode({ compat: 'hardhat', automine: false, noMining: true });
    // Reverts with two words of what CALLVALUE says.
    await live.call('hardhat_setCode', REVERTING, '0x346000523460205260406000fd');
    const waits = await live.deposit({ to: REVERTING, mint: 5n, value: 5n });
    await live.call('evm_setAutomine', true);
    await expect(live.deposit({ to: REVERTING, mint: 3n, value: 2n })).rejects.toMatchObject({
      code: 3,
      data: `0x${'2'.padStart(64, '0')}${'2'.padStart(64, '0')}`,
    });
    expect(await live.receipt(waits)).toMatchObject({ status: '0x0' });
    expect(await live.balance(POOR)).toBe(8n);
  });

  it('needs --optimism', async () => {
    await live.close();
    live = await optimismNode({ automine: true, optimism: false });
    const refusal = { code: -32003, message: expect.stringMatching(/0x7e.*--optimism/) };
    const request = { from: POOR, to: BOB, sourceHash: `0x${'1'.repeat(64)}`, gas: '0x186a0' };
    await expect(live.deposit()).rejects.toMatchObject(refusal);
    for (const method of ['eth_sendTransaction', 'eth_call', 'eth_estimateGas'])
      await expect(live.call(method, request)).rejects.toMatchObject(refusal);
  });
});

describe('the fees of others', () => {
  it('go to the vault and not up in smoke: nothing of what the sender paid is gone', async () => {
    const { first } = live.accounts;
    const before = await live.balance(first);
    const { effectiveGasPrice, gasUsed, blockNumber } = await live.receipt(await live.send());
    const { baseFeePerGas, miner } = await live.call('eth_getBlockByNumber', blockNumber, false);
    const vault = await live.balance(VAULTS.baseFee);
    expect(vault).toBe(BigInt(baseFeePerGas) * BigInt(gasUsed));
    expect(await live.balance(miner)).toBe(
      (BigInt(effectiveGasPrice) - BigInt(baseFeePerGas)) * BigInt(gasUsed),
    );
    expect(before - (await live.balance(first))).toBe(vault + (await live.balance(miner)) + 1n);
    expect([await live.balance(VAULTS.l1Fee), await live.balance(VAULTS.operatorFee)]).toEqual([0n, 0n]);
  });

  it('burn without --optimism', async () => {
    await live.close();
    live = await optimismNode({ automine: true, optimism: false });
    await live.send();
    expect(await live.balance(VAULTS.baseFee)).toBe(0n);
  });

  it('count what the L1Block contract says: bytes on L1 and the operator', async () => {
    const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}` as PrefixedHexString;
    const slots: [string, bigint][] = [
      ['0x1', 7_123_456_789n],
      ['0x3', (5_227n << 96n) | (1_014_213n << 64n) | 77n],
      ['0x7', 1_234_567n],
      ['0x8', (321n << 64n) | 98_765n],
    ];
    for (const [slot, value] of slots)
      await live.call('anvil_setStorageAt', '0x4200000000000000000000000000000000000015', slot, word(value));
    const { first } = live.accounts;
    const before = await live.balance(first);
    const call = { from: first, to: BOB, value: word(before) };
    // Who only asks pays neither.
    expect(await live.call('eth_call', call)).toBe('0x');
    const { gasUsed } = await live.receipt(await live.send(first, { gas: '0x30d40' }));
    const paid = before - (await live.balance(first));
    const [baseFee, l1Fee, operatorFee, tip] = await Promise.all(
      [...Object.values(VAULTS), '0x0000000000000000000000000000000000000000'].map((of) => live.balance(of)),
    );
    // 100 bytes, the least that there is, as anvil charges it. The operator's is for the gas that was used.
    expect(l1Fee).toBe(59_700_105_207n);
    expect(operatorFee).toBe(BigInt(gasUsed) * 321n * 100n + 98_765n);
    expect(paid).toBe(baseFee! + l1Fee! + operatorFee! + tip! + 1n);
    await live.call('anvil_setBalance', POOR, '0x1319718a5000');
    await live.call('anvil_impersonateAccount', POOR);
    await expect(
      live.call('eth_sendTransaction', { from: POOR, to: BOB, gas: '0x5208', gasPrice: '0x3b9aca00' }),
    ).rejects.toMatchObject({ code: -32003, message: expect.stringMatching(/insufficient funds/) });
  });
});
