import {
  encodeDeployData,
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
} from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { TOKEN_ARGS, Token } from '../../clients/contracts.ts';
import { ALICE, MODES, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());

/** A sender that is nobody's: the system contract of EIP-4788. */
const CONTRACT = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';

describe.each(Object.entries(MODES))('impersonation in %s mode', (_, options) => {
  it('sends for an account with code, and without, until it is stopped', async () => {
    node = await startNode(options);
    const request = { from: CONTRACT, to: ALICE, value: '0x1', gas: '0x5208' };
    await node.rpc('anvil_setBalance', CONTRACT, '0xde0b6b3a7640000');
    expect(await node.codeOf('eth_sendTransaction', request)).toBe(-32602);
    await node.rpc('hardhat_impersonateAccount', CONTRACT);
    const hash = await node.rpc('eth_sendTransaction', request);
    await node.rpc('evm_mine');
    const receipt = await node.rpc('eth_getTransactionReceipt', hash);
    expect(receipt).toMatchObject({ from: CONTRACT, to: ALICE, status: '0x1', transactionHash: hash });
    expect(await node.rpc('eth_getTransactionByHash', hash)).toMatchObject({
      from: CONTRACT,
      hash,
      nonce: '0x1',
    });
    await node.rpc('anvil_stopImpersonatingAccount', CONTRACT);
    expect(await node.codeOf('eth_sendTransaction', request)).toBe(-32602);
  });

  it('two senders never make the same hash', async () => {
    node = await startNode(options);
    await node.rpc('anvil_autoImpersonateAccount', true);
    const hashes = [];
    for (const from of [CONTRACT, ALICE]) {
      await node.rpc('anvil_setBalance', from, '0xde0b6b3a7640000');
      hashes.push(
        await node.rpc('eth_sendTransaction', { from, to: node.accounts[0], gas: '0x5208', value: '0x1' }),
      );
    }
    await node.rpc('evm_mine');
    expect(new Set(hashes).size).toBe(2);
    for (const hash of hashes) expect((await node.rpc('eth_getTransactionReceipt', hash)).status).toBe('0x1');
  });
});

describe('impersonation', () => {
  it('of everybody is an option', async () => {
    node = await startNode({ ...MODES.automine, autoImpersonate: true });
    await node.rpc('anvil_setBalance', ALICE, '0xde0b6b3a7640000');
    await node.rpc('eth_sendTransaction', { from: ALICE, to: CONTRACT, gas: '0x186a0' });
    await node.rpc('anvil_autoImpersonateAccount', false);
    expect(await node.codeOf('eth_sendTransaction', { from: ALICE, to: CONTRACT })).toBe(-32602);
  });

  it('outlives a revert', async () => {
    node = await startNode();
    const id = await node.rpc('evm_snapshot');
    await node.rpc('anvil_impersonateAccount', ALICE);
    await node.rpc('evm_revert', id);
    await node.rpc('anvil_setBalance', ALICE, '0xde0b6b3a7640000');
    expect(await node.rpc('eth_sendTransaction', { from: ALICE, to: CONTRACT, gas: '0x186a0' })).toMatch(
      /^0x/,
    );
  });

  it('eth_sendUnsignedTransaction needs none', async () => {
    node = await startNode();
    await node.rpc('anvil_setBalance', ALICE, '0xde0b6b3a7640000');
    const hash = await node.rpc('eth_sendUnsignedTransaction', {
      from: ALICE,
      to: node.accounts[0],
      value: '0x1',
    });
    expect((await node.rpc('eth_getTransactionReceipt', hash)).from).toBe(ALICE);
  });
});

describe('signing with a dev account', () => {
  it('personal_sign and eth_sign are EIP-191', async () => {
    node = await startNode();
    const [signer] = node.accounts as [`0x${string}`];
    const raw = '0x68656c6c6f';
    for (const signature of [
      await node.rpc('personal_sign', raw, signer),
      await node.rpc('eth_sign', signer, raw),
    ])
      expect((await recoverMessageAddress({ message: { raw }, signature })).toLowerCase()).toBe(signer);
    expect(await node.codeOf('personal_sign', raw, ALICE)).toBe(-32602);
    expect(await node.rpc('personal_sign', raw, signer, '')).toBe(await node.rpc('eth_sign', signer, raw));
  });

  it.each(['eth_signTypedData', 'eth_signTypedData_v3', 'eth_signTypedData_v4'])(
    '%s is EIP-712',
    async (method) => {
      node = await startNode();
      const [signer] = node.accounts as [`0x${string}`];
      const typed = {
        domain: { name: 'Ether Mail', version: '1', chainId: 1, verifyingContract: ALICE },
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'version', type: 'string' },
            { name: 'chainId', type: 'uint256' },
            { name: 'verifyingContract', type: 'address' },
          ],
          Person: [
            { name: 'name', type: 'string' },
            { name: 'wallets', type: 'address[]' },
            { name: 'age', type: 'int8' },
          ],
          Mail: [
            { name: 'from', type: 'Person' },
            { name: 'to', type: 'Person[2]' },
            { name: 'contents', type: 'bytes' },
            { name: 'tag', type: 'bytes4' },
            { name: 'urgent', type: 'bool' },
            { name: 'amount', type: 'uint256' },
          ],
        },
        primaryType: 'Mail',
        message: {
          from: { name: 'Cow', wallets: [ALICE, signer], age: -5 },
          to: [
            { name: 'Bob', wallets: [], age: 1 },
            { name: 'Eve', wallets: [ALICE], age: 127 },
          ],
          contents: '0x010203',
          tag: '0xdeadbeef',
          urgent: true,
          amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
        },
      };
      for (const given of [typed, JSON.stringify(typed)]) {
        const signature = await node.rpc(method, signer, given);
        expect(
          (
            await recoverTypedDataAddress({ ...(typed as never as object), signature } as never)
          ).toLowerCase(),
        ).toBe(signer);
      }
      expect(await node.codeOf(method, signer, { ...typed, primaryType: 'Nothing' })).toBe(-32602);
      const wrong = { ...typed, message: { ...typed.message, amount: 'x' } };
      expect(await node.codeOf(method, signer, wrong)).toBe(-32602);
    },
  );

  it('eth_signTransaction answers raw bytes that can be sent, eth_fillTransaction what is to be signed', async () => {
    node = await startNode();
    const request = { from: node.accounts[2], to: ALICE, value: '0x7' };
    const raw = await node.rpc('eth_signTransaction', request);
    expect((await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()).toBe(
      node.accounts[2],
    );
    const filled = await node.rpc('eth_fillTransaction', request);
    expect(parseTransaction(filled.raw)).toMatchObject({ value: 7n, gas: 21_000n });
    expect(filled.tx).toMatchObject({ value: '0x7', gas: '0x5208', nonce: '0x0', from: node.accounts[2] });
    // A transaction with both is taken, as by anvil: viem hands on what it finds.
    expect(filled.tx.gasPrice).toBe(filled.tx.maxFeePerGas);
    for (const [i, type] of ['0x2', undefined].entries()) {
      const handedOn = { ...filled.tx, from: node.accounts[3 + i], type };
      const hash = await node.rpc('eth_sendTransaction', handedOn);
      const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = filled.tx;
      expect(await node.rpc('eth_getTransactionByHash', hash)).toMatchObject(
        type === '0x2'
          ? { type, maxFeePerGas, maxPriorityFeePerGas }
          : // It has an access list.
            { type: '0x1', gasPrice },
      );
    }
    await node.rpc('eth_sendRawTransaction', raw);
    expect(await node.balance(ALICE)).toBe(21n);
  });
});

describe('personal_', () => {
  it('an imported account signs when it is unlocked with its passphrase', async () => {
    node = await startNode();
    const account = await node.rpc('personal_importRawKey', `0x${'11'.repeat(32)}`, 'secret');
    expect(await node.rpc('personal_listAccounts')).toContain(account);
    await node.rpc('anvil_setBalance', account, '0xde0b6b3a7640000');
    const request = { from: account, to: ALICE, value: '0x1' };
    expect(await node.codeOf('eth_sendTransaction', request)).toBe(-32000);
    expect(await node.codeOf('personal_unlockAccount', account, 'wrong')).toBe(-32000);
    expect(await node.codeOf('personal_sign', '0x68', account, 'wrong')).toBe(-32000);
    expect(await node.rpc('personal_sign', '0x68', account, 'secret')).toMatch(/^0x[0-9a-f]{130}$/);
    await node.rpc('personal_sendTransaction', request, 'secret');
    expect(await node.rpc('personal_signTransaction', request, 'secret')).toMatch(/^0x02/);
    expect(await node.codeOf('eth_sendTransaction', request)).toBe(-32000);
    expect(await node.rpc('personal_unlockAccount', account, 'secret', 300)).toBe(true);
    await node.rpc('eth_sendTransaction', request);
    expect(await node.balance(ALICE)).toBe(2n);
    expect(await node.rpc('personal_lockAccount', account)).toBe(true);
    expect(await node.rpc('personal_newAccount', 'x')).toMatch(/^0x[0-9a-f]{40}$/);
  });
});

describe('tokens', () => {
  it('balances and allowances are dealt', async () => {
    node = await startNode();
    const data = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: TOKEN_ARGS });
    const hash = await node.rpc('eth_sendTransaction', { from: node.accounts[0], data });
    const { contractAddress: token } = await node.rpc('eth_getTransactionReceipt', hash);
    await node.rpc('anvil_dealERC20', ALICE, token, '0x2a');
    await node.rpc('anvil_setERC20Allowance', ALICE, node.accounts[1], token, '0x2b');
    const word = (address: string) => address.slice(2).padStart(64, '0');
    const call = async (input: string) => BigInt(await node.rpc('eth_call', { to: token, input }, 'latest'));
    expect(await call(`0x70a08231${word(ALICE)}`)).toBe(42n);
    expect(await call(`0xdd62ed3e${word(ALICE)}${word(node.accounts[1]!)}`)).toBe(43n);
    expect(await node.codeOf('hardhat_dealERC20', ALICE, ALICE, '0x1')).toBe(-32602);
  });
});

describe('eth_callMany', () => {
  it('each call sees what those before it wrote, and nothing stays', async () => {
    node = await startNode();
    const [from] = node.accounts;
    const back = { from: ALICE, to: from, value: '0x1' };
    const bundles = [{ transactions: [{ from, to: ALICE, value: '0x1' }] }, { transactions: [back] }];
    expect(await node.rpc('eth_callMany', bundles)).toEqual([[{ value: '0x' }], [{ value: '0x' }]]);
    expect(await node.codeOf('eth_callMany', [{ transactions: [back] }])).toBe(-32003);
    expect(await node.balance(ALICE)).toBe(0n);
  });

  it('a bundle may override its block, and the third parameter accounts', async () => {
    node = await startNode();
    const number = { data: '0x4360005260206000f3' };
    const bundles = [
      { transactions: [number], blockOverride: { number: '0x64' } },
      { transactions: [number] },
    ];
    const overrides = { [ALICE]: { balance: '0x1' } };
    const [[first], [second]] = await node.rpc('eth_callMany', bundles, { blockNumber: 'latest' }, overrides);
    expect([BigInt(first.value), BigInt(second.value)]).toEqual([100n, 0n]);
  });
});
