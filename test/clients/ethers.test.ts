import {
  Contract,
  type ContractEventPayload,
  ContractFactory,
  type ContractTransactionReceipt,
  type ContractTransactionResponse,
  isCallException,
  JsonRpcProvider,
  type Log,
  NonceManager,
  parseEther,
  type TransactionReceipt,
  Wallet,
} from 'ethers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { Counter, TOKEN_ARGS, Token } from './contracts.ts';
import { ALICE, BOB, CAROL, KEYS, startAutomineNode, startIntervalNode } from './node.ts';

function createProvider(url: string): JsonRpcProvider {
  // No cache: the tests read again right after the clock moved.
  return new JsonRpcProvider(url, undefined, { cacheTimeout: -1, polling: true, pollingInterval: 20 });
}

/** What a pre-confirmed receipt and the sealed one have in common. */
function outcome({ status, gasUsed, cumulativeGasUsed, index, blockNumber, logs }: TransactionReceipt) {
  const place = ({ address, topics, data, index, transactionHash }: Log) => ({
    address,
    topics,
    data,
    index,
    transactionHash,
  });
  return { status, gasUsed, cumulativeGasUsed, index, blockNumber, logs: logs.map(place) };
}

async function callException(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (!isCallException(error)) throw error;
  return error;
}

/** A contract's method by name: ethers' own types know none of them. */
function method(contract: { getFunction(name: string): ReturnType<Contract['getFunction']> }, name: string) {
  return contract.getFunction(name);
}

describe('ethers with partial blocks every 200 ms', () => {
  let node: Awaited<ReturnType<typeof startIntervalNode>>;
  let provider: JsonRpcProvider;
  let signer: Wallet;

  beforeAll(async () => {
    node = await startIntervalNode();
    provider = createProvider(node.url);
    signer = new Wallet(KEYS[0], provider);
  });
  // Each test starts with an empty pending block and ends before it is full.
  beforeEach(() => node.seal());
  afterAll(async () => {
    provider.destroy();
    await node.close();
  });

  async function deploy(artifact: typeof Token, args: readonly unknown[] = []): Promise<Contract> {
    const factory = new ContractFactory(artifact.abi as never, artifact.bytecode, signer);
    const deployed = await factory.deploy(...args);
    // ethers estimates and calls at latest.
    await node.seal();
    return new Contract(await deployed.getAddress(), artifact.abi as never, signer);
  }

  async function receiptOf(hash: string): Promise<TransactionReceipt> {
    const receipt = await provider.getTransactionReceipt(hash);
    if (!receipt) throw new Error(`no receipt of ${hash}`);
    return receipt;
  }

  it('a transfer has the same receipt at pre-confirmation and after the seal', async () => {
    const token = await deploy(Token, TOKEN_ARGS);
    const sent: ContractTransactionResponse = await method(token, 'transfer').send(ALICE, 250n);
    expect(await provider.getTransactionReceipt(sent.hash)).toBeNull();
    await node.preconfirm();
    const early = await receiptOf(sent.hash);
    expect(early.status).toBe(1);
    expect(early.logs).toHaveLength(1);
    expect(await method(token, 'balanceOf').staticCall(ALICE, { blockTag: 'pending' })).toBe(250n);
    expect(await method(token, 'balanceOf').staticCall(ALICE)).toBe(0n);

    await node.seal();
    expect(outcome(await receiptOf(sent.hash))).toEqual(outcome(early));
    expect(await method(token, 'balanceOf').staticCall(ALICE)).toBe(250n);
  });

  it('wait() resolves once the block is sealed', async () => {
    const counter = await deploy(Counter);
    const sent: ContractTransactionResponse = await method(counter, 'increment').send();
    await node.seal();
    const receipt: ContractTransactionReceipt | null = await sent.wait();
    expect(receipt?.status).toBe(1);
  });

  it('logs are found at pending, and by number after the seal, each once', async () => {
    const token = await deploy(Token, TOKEN_ARGS);
    const from = await provider.getBlockNumber();
    const sent: ContractTransactionResponse = await method(token, 'transfer').send(BOB, 1n);
    await node.preconfirm();
    const filter = token.getEvent('Transfer')(null, BOB);
    const hashes = async (to: string) =>
      (await token.queryFilter(filter, from, to)).map(({ transactionHash }) => transactionHash);

    expect(await hashes('pending')).toEqual([sent.hash]);
    expect(await hashes('latest')).toEqual([]);
    await node.seal();
    expect(await hashes('pending')).toEqual([sent.hash]);
    expect(await hashes('latest')).toEqual([sent.hash]);
  });

  it('a listener gets an event once its block is sealed', async () => {
    const counter = await deploy(Counter);
    // A set: ethers reports a log twice when the head moves while it is asking.
    const seen = new Set<string>();
    await counter.on('Incremented', (_by: string, number: bigint, payload: ContractEventPayload) => {
      expect(number).toBe(1n);
      seen.add(payload.log.transactionHash);
    });
    const sent: ContractTransactionResponse = await method(counter, 'increment').send();
    // ethers looks for events when the head moves, and needs a head to start from.
    await eventually(async () => {
      await node.seal();
      expect([...seen]).toEqual([sent.hash]);
    });
    await counter.removeAllListeners();
  });

  it('reasons, custom errors and panics are decoded', async () => {
    const counter = await deploy(Counter);
    const call = (name: string, ...args: unknown[]) =>
      callException(method(counter, name).staticCall(...args));

    expect((await call('failWithReason')).reason).toBe('Counter: no');
    expect((await call('setNumber', 2_000_000n)).revert).toMatchObject({
      name: 'TooHigh',
      args: [2_000_000n, 1_000_000n],
    });
    expect((await call('divide', 1n, 0n)).revert).toMatchObject({ name: 'Panic', args: [0x12] });
    // The estimate fails the same way, before anything is sent.
    expect((await callException(method(counter, 'failWithReason').estimateGas())).reason).toBe('Counter: no');
  });

  it('a reverted transaction pays its gas and leaves nothing', async () => {
    const counter = await deploy(Counter);
    const sent: ContractTransactionResponse = await method(counter, 'incrementAndFail').send({
      gasLimit: 100_000n,
    });
    await node.preconfirm();
    const early = await receiptOf(sent.hash);
    expect(early).toMatchObject({ status: 0, logs: [] });
    expect(early.gasUsed).toBeGreaterThan(21_000n);
    await node.seal();
    expect(outcome(await receiptOf(sent.hash))).toEqual(outcome(early));
    expect(await method(counter, 'number').staticCall()).toBe(0n);
  });

  it('pending nonce counts a burst of 50 transactions sent at once', async () => {
    const start = await signer.getNonce('latest');
    const manager = new NonceManager(signer);
    const fees = { gasLimit: 21_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n };
    const sent = await Promise.all(
      Array.from({ length: 50 }, () => manager.sendTransaction({ to: ALICE, value: 1n, ...fees })),
    );
    expect(await signer.getNonce('pending')).toBe(start + 50);
    await node.preconfirm();
    expect(await signer.getNonce('pending')).toBe(start + 50);
    expect(await signer.getNonce('latest')).toBe(start);

    await node.seal();
    expect(await signer.getNonce('latest')).toBe(start + 50);
    const receipts = await Promise.all(sent.map(({ hash }) => receiptOf(hash)));
    expect(receipts.every(({ status }) => status === 1)).toBe(true);
  });

  it('storage and balance are seen at pending within one interval and at latest after the seal', async () => {
    const counter = await deploy(Counter);
    const address = await counter.getAddress();
    await method(counter, 'setNumber').send(7n);
    await signer.sendTransaction({ to: CAROL, value: parseEther('1') });
    const read = async (blockTag: string) => [
      BigInt(await provider.getStorage(address, 0n, blockTag)),
      await provider.getBalance(CAROL, blockTag),
    ];

    await node.preconfirm();
    expect(await read('pending')).toEqual([7n, parseEther('1')]);
    expect(await read('latest')).toEqual([0n, 0n]);
    await node.seal();
    expect(await read('latest')).toEqual([7n, parseEther('1')]);
  });
});

describe('ethers with automine', () => {
  let node: Awaited<ReturnType<typeof startAutomineNode>>;
  let provider: JsonRpcProvider;

  beforeAll(async () => {
    node = await startAutomineNode();
    provider = createProvider(node.url);
  });
  afterAll(async () => {
    provider.destroy();
    await node.close();
  });

  it('a deployment and a transfer are sealed when the send is answered', async () => {
    const factory = new ContractFactory(Token.abi as never, Token.bytecode, new Wallet(KEYS[1], provider));
    const token = await factory.deploy(...TOKEN_ARGS);
    await token.waitForDeployment();
    const sent: ContractTransactionResponse = await method(token, 'transfer').send(ALICE, 5n);
    expect(await method(token, 'balanceOf').staticCall(ALICE)).toBe(5n);
    expect((await sent.wait())?.status).toBe(1);
    const refused = await callException(method(token, 'transfer').send(ALICE, 2_000_000n));
    expect(token.interface.parseError(refused.data ?? '0x')?.name).toBe('InsufficientBalance');
  });
});
