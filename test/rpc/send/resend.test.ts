import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ALICE, startNode, type TestNode } from '../dev/node.ts';

const GWEI = 10n ** 9n;
const hex = (value: bigint) => `0x${value.toString(16)}`;

let node: TestNode;
let legacy: Record<string, string>;
beforeEach(async () => {
  node = await startNode({ noMining: true });
  legacy = {
    from: node.accounts[0]!,
    to: ALICE,
    value: '0x5',
    gas: '0x5208',
    nonce: '0x0',
    gasPrice: hex(5n * GWEI),
  };
});
afterEach(() => node.close());

const send = (request: object) => node.rpc('eth_sendTransaction', request);

describe('eth_resend', () => {
  test('replaces a waiting transaction with one at another gas price and limit', async () => {
    const first = await send(legacy);
    const second = await node.rpc('eth_resend', legacy, hex(9n * GWEI), '0x7530');
    expect(second).not.toBe(first);
    await node.rpc('evm_mine');
    expect(await node.rpc('eth_getTransactionReceipt', first)).toBeNull();
    expect(await node.rpc('eth_getTransactionByHash', second)).toMatchObject({
      type: '0x0',
      gasPrice: hex(9n * GWEI),
      gas: '0x7530',
      to: ALICE,
      value: '0x5',
      nonce: '0x0',
    });
    expect(await node.balance(ALICE)).toBe(5n);
  });

  test('gives a transaction with fee cap and tip the price for both', async () => {
    const { gasPrice: _, ...rest } = legacy;
    await send({ ...rest, maxFeePerGas: hex(5n * GWEI), maxPriorityFeePerGas: hex(GWEI) });
    const hash = await node.rpc('eth_resend', rest, hex(8n * GWEI), null);
    await node.rpc('evm_mine');
    expect(await node.rpc('eth_getTransactionByHash', hash)).toMatchObject({
      type: '0x2',
      maxFeePerGas: hex(8n * GWEI),
      maxPriorityFeePerGas: hex(8n * GWEI),
      gas: '0x5208',
    });
    expect((await node.rpc('eth_getTransactionReceipt', hash)).effectiveGasPrice).toBe(hex(8n * GWEI));
  });

  test('leaves the price as it is without one', async () => {
    const { gasPrice: _, ...rest } = legacy;
    await send(legacy);
    expect(await node.codeOf('eth_resend', rest)).toBe(-32003);
    expect(await node.codeOf('eth_resend', rest, '0x0', '0x7530')).toBe(-32003);
  });

  test('needs a price that is enough higher, as every replacement does', async () => {
    await send(legacy);
    expect(await node.codeOf('eth_resend', legacy, hex(5n * GWEI + 1n))).toBe(-32003);
  });

  test('finds only a transaction that waits and is as the request says', async () => {
    await expect(node.rpc('eth_resend', legacy, hex(9n * GWEI))).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^transaction .* not found/),
    });
    await send(legacy);
    for (const other of [
      { value: '0x6' },
      { to: node.accounts[3] },
      { nonce: '0x1' },
      { gas: '0x7530' },
      { gasPrice: '0x1' },
      { data: '0x01' },
      { from: node.accounts[1] },
    ])
      expect(await node.codeOf('eth_resend', { ...legacy, ...other }, hex(9n * GWEI))).toBe(-32000);
    await node.rpc('evm_mine');
    expect(await node.codeOf('eth_resend', legacy, hex(9n * GWEI))).toBe(-32000);
    const { nonce: _, ...withoutNonce } = legacy;
    expect(await node.codeOf('eth_resend', withoutNonce, hex(9n * GWEI))).toBe(-32602);
  });

  test('finds one behind a nonce gap, also with partial blocks', async () => {
    const interval = await startNode({ blockTime: 2, flashblockInterval: 200 });
    const queued = { ...legacy, from: interval.accounts[0], nonce: '0x1' };
    const first = await interval.rpc('eth_sendTransaction', queued);
    const second = await interval.rpc('eth_resend', queued, hex(9n * GWEI));
    await interval.transfer('0x1', { nonce: '0x0' });
    await interval.tick();
    expect(await interval.rpc('eth_getTransactionReceipt', first)).toBeNull();
    expect((await interval.rpc('eth_getTransactionReceipt', second)).status).toBe('0x1');
    await interval.close();
  });
});
