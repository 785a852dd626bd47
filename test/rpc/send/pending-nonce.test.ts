import { afterEach, describe, expect, it } from 'vitest';
import { ALICE, MODES, startNode, type TestNode } from '../dev/node.ts';

let node: TestNode;

afterEach(() => node.close());

/** Creates an empty contract with each call. */
const CREATING = '0x5f5f5ff0';
const CONTRACT = `0x${'c0'.repeat(20)}`;

async function pendingNonces(...addresses: readonly string[]): Promise<number[]> {
  const nonces = await Promise.all(
    addresses.map((address) => node.rpc('eth_getTransactionCount', address, 'pending')),
  );
  return nonces.map(Number);
}

describe('without mining, the pending nonce counts', () => {
  it("the sender's waiting transactions, one after the other, and goes back with one that is dropped", async () => {
    node = await startNode(MODES.manual);
    const [first = '', second = ''] = node.accounts;
    const hashes = [await node.transfer(), await node.transfer(), await node.transfer()];
    expect(await pendingNonces(first, second, ALICE)).toEqual([3, 0, 0]);
    await node.transfer('0x1', { nonce: '0x7' });
    expect(await pendingNonces(first)).toEqual([3]);
    await node.rpc('anvil_dropTransaction', hashes[1]);
    expect(await pendingNonces(first)).toEqual([1]);
    await node.rpc('evm_mine');
    expect(await pendingNonces(first)).toEqual([1]);
  });

  it('a waiting transaction whose sender can not pay for it any more', async () => {
    node = await startNode(MODES.manual);
    const [first = ''] = node.accounts;
    await node.transfer();
    await node.rpc('anvil_setBalance', first, '0x0');
    expect(await pendingNonces(first)).toEqual([1]);
  });

  it('an authorization in a transaction of somebody else (EIP-7702)', async () => {
    node = await startNode(MODES.manual);
    const [first = '', second = ''] = node.accounts;
    const { privateKeyToAccount } = await import('viem/accounts');
    const signer = privateKeyToAccount(node.keys[1]!.privateKey);
    await node.transfer('0x1', { from: second });
    const signed = await signer.signAuthorization({
      chainId: 31337,
      nonce: 1,
      address: CONTRACT as `0x${string}`,
    });
    const authorization = {
      chainId: '0x7a69',
      address: signed.address,
      nonce: '0x1',
      r: signed.r,
      s: signed.s,
      yParity: `0x${signed.yParity}`,
    };
    await node.rpc('eth_sendTransaction', {
      from: first,
      to: ALICE,
      gas: '0x186a0',
      authorizationList: [authorization],
      // Behind the transfer of the account that it is for.
      maxPriorityFeePerGas: '0x1',
    });
    expect(await pendingNonces(first, second)).toEqual([1, 2]);
  });

  it('what a contract creates in waiting transactions, and what a delegated sender does', async () => {
    node = await startNode(MODES.manual);
    const [first = '', second = ''] = node.accounts;
    await node.rpc('anvil_setCode', CONTRACT, CREATING);
    await node.transfer('0x0', { to: CONTRACT, gas: '0x30d40' });
    await node.transfer('0x0', { to: CONTRACT, gas: '0x30d40' });
    expect(await pendingNonces(CONTRACT, first)).toEqual([2, 2]);
    // An account with code that creates, called by another one while its own transaction waits.
    await node.rpc('anvil_setCode', second, `0xef0100${CONTRACT.slice(2)}`);
    await node.transfer('0x0', { from: second });
    await node.transfer('0x0', { to: second, gas: '0x30d40', maxPriorityFeePerGas: '0x1' });
    expect(await pendingNonces(second)).toEqual([2]);
  });
});
