import {
  type Abi,
  BaseError,
  ContractFunctionRevertedError,
  type Hash,
  type Hex,
  type Log,
  parseEther,
  type TransactionReceipt,
} from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { Counter, TOKEN_ARGS, Token } from './contracts.ts';
import { ALICE, BOB, CAROL, startAutomineNode, startIntervalNode } from './node.ts';
import { createViemClients, type ViemClients } from './viem-clients.ts';

/** What a pre-confirmed receipt and the sealed one have in common. */
function outcome({
  status,
  gasUsed,
  cumulativeGasUsed,
  transactionIndex,
  blockNumber,
  logs,
}: TransactionReceipt) {
  const place = ({ address, topics, data, logIndex, transactionHash }: Log) => ({
    address,
    topics,
    data,
    logIndex,
    transactionHash,
  });
  return { status, gasUsed, cumulativeGasUsed, transactionIndex, blockNumber, logs: logs.map(place) };
}

async function revertOf(call: Promise<unknown>): Promise<ContractFunctionRevertedError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const revert = error instanceof BaseError && error.walk((e) => e instanceof ContractFunctionRevertedError);
  if (!(revert instanceof ContractFunctionRevertedError)) throw error ?? new Error('the call succeeded');
  return revert;
}

describe('viem with partial blocks every 200 ms', () => {
  let node: Awaited<ReturnType<typeof startIntervalNode>>;
  let clients: ViemClients;

  beforeAll(async () => {
    node = await startIntervalNode();
    clients = createViemClients(node.url, 200);
  });
  // Each test starts with an empty pending block and ends before it is full.
  beforeEach(() => node.seal());
  afterAll(() => node.close());

  async function preconfirmed(hash: Hash): Promise<TransactionReceipt> {
    await node.preconfirm();
    return clients.reader.getTransactionReceipt({ hash });
  }

  async function deploy(contract: { abi: Abi; bytecode: Hex }, args: readonly unknown[] = []) {
    const { contractAddress } = await preconfirmed(
      await clients.wallet.deployContract({ ...contract, args }),
    );
    if (!contractAddress) throw new Error('the receipt has no contract address');
    return contractAddress;
  }

  it('a deployed contract answers at pending within one interval', async () => {
    const address = await deploy(Token, TOKEN_ARGS);
    const read = (functionName: string) => clients.reader.readContract({ ...Token, address, functionName });
    expect(await read('name')).toBe('Test Token');
    expect(await read('decimals')).toBe(18);
    expect(await read('totalSupply')).toBe(1_000_000n);
  });

  it('a transfer has the same receipt at pre-confirmation and after the seal', async () => {
    const { reader, wallet } = clients;
    const address = await deploy(Token, TOKEN_ARGS);
    const hash = await wallet.writeContract({
      ...Token,
      address,
      functionName: 'transfer',
      args: [ALICE, 250n],
    });
    const early = await preconfirmed(hash);
    expect(early.status).toBe('success');
    expect(early.logs).toHaveLength(1);
    expect(early.blockNumber).toBe((await reader.getBlock({ blockTag: 'pending' })).number);

    await node.seal();
    const sealed = await reader.getTransactionReceipt({ hash });
    expect(outcome(sealed)).toEqual(outcome(early));
    const block = await reader.getBlock({ blockNumber: sealed.blockNumber });
    expect(sealed.blockHash).toBe(block.hash);
    expect(block.transactions[sealed.transactionIndex]).toBe(hash);
  });

  it('logs are found at pending, and by number after the seal, each once', async () => {
    const { reader, wallet } = clients;
    const address = await deploy(Token, TOKEN_ARGS);
    const fromBlock = await reader.getBlockNumber();
    const hash = await wallet.writeContract({ ...Token, address, functionName: 'transfer', args: [BOB, 1n] });
    await node.preconfirm();
    const filter = { ...Token, address, eventName: 'Transfer', args: { to: BOB }, fromBlock } as const;

    const early = await reader.getContractEvents({ ...filter, toBlock: 'pending' });
    expect(early.map(({ transactionHash }) => transactionHash)).toEqual([hash]);
    expect(await reader.getContractEvents({ ...filter, toBlock: 'latest' })).toEqual([]);

    await node.seal();
    const sealed = await reader.getContractEvents({ ...filter, toBlock: 'pending' });
    expect(sealed.map(({ transactionHash }) => transactionHash)).toEqual([hash]);
    expect(sealed[0]).toMatchObject({ eventName: 'Transfer', args: { to: BOB, value: 1n } });
  });

  it('a watched event arrives once its block is sealed', async () => {
    const { reader, wallet, answers } = clients;
    const address = await deploy(Counter);
    await node.seal();
    const seen: Log[] = [];
    const before = answers();
    const unwatch = reader.watchContractEvent({
      ...Counter,
      address,
      eventName: 'Incremented',
      onLogs: (logs) => seen.push(...logs),
    });
    // viem starts to watch at its second poll.
    await eventually(() => expect(answers()).toBeGreaterThanOrEqual(before + 3));
    const hash = await wallet.writeContract({ ...Counter, address, functionName: 'increment' });
    await node.seal();
    await eventually(() => expect(seen.map(({ transactionHash }) => transactionHash)).toEqual([hash]));
    unwatch();
  });

  it('reasons, custom errors and panics are decoded', async () => {
    const { reader, wallet } = clients;
    const address = await deploy(Counter);
    const simulate = (functionName: string, args: readonly unknown[] = []) =>
      revertOf(reader.simulateContract({ ...Counter, address, functionName, args, account: wallet.account }));

    expect((await simulate('failWithReason')).reason).toBe('Counter: no');
    expect((await simulate('setNumber', [2_000_000n])).data).toMatchObject({
      errorName: 'TooHigh',
      args: [2_000_000n, 1_000_000n],
    });
    expect((await simulate('divide', [1n, 0n])).data).toMatchObject({ errorName: 'Panic', args: [0x12n] });
    expect((await simulate('failAssert')).data).toMatchObject({ errorName: 'Panic', args: [1n] });
  });

  it('a reverted transaction pays its gas and leaves nothing', async () => {
    const { reader, wallet } = clients;
    const address = await deploy(Counter);
    const call = { ...Counter, address, functionName: 'incrementAndFail' } as const;
    const early = await preconfirmed(await wallet.writeContract({ ...call, gas: 100_000n }));
    expect(early).toMatchObject({ status: 'reverted', logs: [] });
    expect(early.gasUsed).toBeGreaterThan(21_000n);
    expect(await reader.readContract({ ...Counter, address, functionName: 'number' })).toBe(0n);

    await node.seal();
    const sealed = await reader.getTransactionReceipt({ hash: early.transactionHash });
    expect(outcome(sealed)).toEqual(outcome(early));
  });

  it('pending nonce counts a burst of 50 transactions one by one', async () => {
    const { reader, wallet } = clients;
    const { address } = wallet.account;
    const nonceAt = (blockTag: 'pending' | 'latest') => reader.getTransactionCount({ address, blockTag });
    const start = await nonceAt('latest');
    const fees = { gas: 21_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n };
    const hashes: Hash[] = [];
    for (let i = 0; i < 50; i++) {
      const nonce = await nonceAt('pending');
      expect(nonce).toBe(start + i);
      hashes.push(await wallet.sendTransaction({ to: ALICE, value: 1n, nonce, ...fees }));
    }
    await node.preconfirm();
    expect(await nonceAt('pending')).toBe(start + 50);
    expect(await nonceAt('latest')).toBe(start);
    expect((await reader.getBlock({ blockTag: 'pending' })).transactions).toEqual(hashes);

    await node.seal();
    expect(await nonceAt('latest')).toBe(start + 50);
    const receipts = await Promise.all(hashes.map((hash) => reader.getTransactionReceipt({ hash })));
    expect(receipts.every(({ status }) => status === 'success')).toBe(true);
    expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBe(1);
  });

  it('storage and balance are seen at pending within one interval and at latest after the seal', async () => {
    const { reader, wallet } = clients;
    const address = await deploy(Counter);
    await node.seal();
    await wallet.writeContract({ ...Counter, address, functionName: 'setNumber', args: [7n] });
    await wallet.sendTransaction({ to: CAROL, value: parseEther('1') });
    const read = async (blockTag: 'pending' | 'latest') => [
      BigInt((await reader.getStorageAt({ address, slot: '0x0', blockTag })) ?? '0x0'),
      await reader.getBalance({ address: CAROL, blockTag }),
    ];

    await node.preconfirm();
    expect(await read('pending')).toEqual([7n, parseEther('1')]);
    expect(await read('latest')).toEqual([0n, 0n]);
    await node.seal();
    expect(await read('latest')).toEqual([7n, parseEther('1')]);
  });
});

describe('viem with automine', () => {
  let node: Awaited<ReturnType<typeof startAutomineNode>>;
  let clients: ViemClients;

  beforeAll(async () => {
    node = await startAutomineNode();
    clients = createViemClients(node.url);
  });
  afterAll(() => node.close());

  it('a deployment and a transfer are sealed when the send is answered', async () => {
    const { reader, wallet } = clients;
    const deployed = await reader.getTransactionReceipt({
      hash: await wallet.deployContract({ ...Token, args: TOKEN_ARGS }),
    });
    const address = deployed.contractAddress;
    if (!address) throw new Error('the receipt has no contract address');
    const hash = await wallet.writeContract({
      ...Token,
      address,
      functionName: 'transfer',
      args: [ALICE, 5n],
    });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    expect(receipt.blockNumber).toBe(deployed.blockNumber + 1n);
    expect(await reader.getBlockNumber()).toBe(receipt.blockNumber);
    expect(await reader.readContract({ ...Token, address, functionName: 'balanceOf', args: [ALICE] })).toBe(
      5n,
    );
  });

  it('a send that would revert is refused with the custom error at estimation', async () => {
    const { reader, wallet } = clients;
    const { contractAddress: address } = await reader.getTransactionReceipt({
      hash: await wallet.deployContract({ ...Token, args: TOKEN_ARGS }),
    });
    if (!address) throw new Error('the receipt has no contract address');
    const call = { ...Token, address, functionName: 'transfer', args: [ALICE, 2_000_000n] } as const;
    expect((await revertOf(wallet.writeContract(call))).data).toMatchObject({
      errorName: 'InsufficientBalance',
      args: [wallet.account.address, 1_000_000n, 2_000_000n],
    });
  });
});
