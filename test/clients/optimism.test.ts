import { createPublicClient, defineChain, http, keccak256, parseEther, toHex } from 'viem';
import { chainConfig, parseTransaction, serializeTransaction } from 'viem/op-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { ALICE, BOB } from './node.ts';
import { PATIENT } from './viem-clients.ts';

describe("viem's clients of the OP Stack", () => {
  let node: Devnet;
  beforeAll(async () => {
    node = await createDevnet({ port: 0, automine: true, optimism: true, depositsOnly: true });
  });
  afterAll(() => node.close());

  const client = () => {
    const chain = defineChain({
      ...chainConfig,
      id: 31337,
      name: 'devnet',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [node.url!] } },
    });
    return createPublicClient({ chain, transport: http(undefined, PATIENT) });
  };

  const deposit = {
    type: 'deposit',
    sourceHash: keccak256(toHex('one')),
    from: ALICE,
    to: BOB,
    mint: parseEther('2'),
    value: parseEther('1.5'),
    gas: 50_000n,
    isSystemTx: false,
    data: '0x1234',
  } as const;

  it('send a deposit that they serialized, and read it as one', async () => {
    const serializedTransaction = serializeTransaction(deposit);
    const hash = await client().sendRawTransaction({ serializedTransaction });
    expect(hash).toBe(keccak256(serializedTransaction));

    const transaction = await client().getTransaction({ hash });
    expect(transaction).toMatchObject({
      type: 'deposit',
      sourceHash: deposit.sourceHash,
      from: ALICE.toLowerCase(),
      to: BOB.toLowerCase(),
      mint: deposit.mint,
      value: deposit.value,
      gas: deposit.gas,
      input: deposit.data,
      nonce: 0,
    });
    const { transactions } = await client().getBlock({ includeTransactions: true });
    expect(transactions).toEqual([transaction]);

    const receipt = await client().getTransactionReceipt({ hash });
    expect(receipt).toMatchObject({ status: 'success', effectiveGasPrice: 0n, l1Fee: null });
    expect(await client().getBalance({ address: ALICE })).toBe(parseEther('0.5'));
    expect(await client().getTransactionCount({ address: ALICE })).toBe(1);

    const raw = await node.provider.request({ method: 'eth_getRawTransactionByHash', params: [hash] });
    const { isSystemTx, to, from, ...rest } = deposit;
    expect(parseTransaction(raw as typeof serializedTransaction)).toMatchObject({
      ...rest,
      from: from.toLowerCase(),
      to: to.toLowerCase(),
    });
  });
});
