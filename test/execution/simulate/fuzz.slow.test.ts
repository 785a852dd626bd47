import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ManualClock } from '../../../src/clock.ts';
import { DevnetError, ERRORS } from '../../../src/errors.ts';
import { createDevnet, type Devnet } from '../../../src/index.ts';
import { runs } from '../../fuzz.ts';

const RUNS = runs(150);

interface Artifact {
  abi: Abi;
  bytecode: Hex;
}
const artifact = (name: string): Artifact =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/contracts/${name}.json`, import.meta.url), 'utf8'));
const TOKEN = artifact('Token');
const COUNTER = artifact('Counter');
const KITCHEN = artifact('Kitchen');

let node: Devnet & { clock: ManualClock };
let accounts: Hex[];
let contracts: { token: Hex; counter: Hex; kitchen: Hex };

const rpc = <T>(method: string, ...params: unknown[]) =>
  node.provider.request({ method, params }) as Promise<T>;

async function start(engine: 'fast' | 'ethereumjs') {
  const started = await createDevnet({
    manualClock: true,
    timestamp: 1_700_000_000,
    gasLimit: 1_000_000_000,
    engine,
  });
  const call = <T>(method: string, ...params: unknown[]) =>
    started.provider.request({ method, params }) as Promise<T>;
  const [from] = await call<Hex[]>('eth_accounts');
  const deploy = async ({ abi, bytecode }: Artifact, args: unknown[] = []): Promise<Hex> => {
    const data = encodeDeployData({ abi, bytecode, args } as never);
    const hash = await call('eth_sendTransaction', { from, data });
    await started.clock.advance(200);
    return (await call<{ contractAddress: Hex }>('eth_getTransactionReceipt', hash)).contractAddress;
  };
  const deployed = {
    token: await deploy(TOKEN, ['Token', 'T', 10n ** 24n]),
    counter: await deploy(COUNTER),
    kitchen: await deploy(KITCHEN),
  };
  return { node: started, contracts: deployed };
}

beforeAll(async () => {
  ({ node, contracts } = await start('fast'));
  accounts = await rpc('eth_accounts');
});
afterAll(() => node.close());

const small = fc.bigInt({ min: 0n, max: 5n });
const account = fc.nat(9);
const hex = (max: number) => fc.uint8Array({ maxLength: max }).map((bytes) => toHex(bytes));

/** What a transaction does; addresses are filled in when the contracts stand. */
const action = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const), to: account, value: small }),
  fc.record({ kind: fc.constant('deploy' as const), code: hex(40) }),
  fc.record({ kind: fc.constant('raw' as const), data: hex(80) }),
  fc.record({
    kind: fc.constant('transfer' as const),
    to: account,
    amount: fc.bigInt({ min: 0n, max: 10n ** 25n }),
  }),
  fc.record({ kind: fc.constant('increment' as const) }),
  fc.record({ kind: fc.constant('create' as const), value: small, wei: small }),
  fc.record({ kind: fc.constant('create2' as const), value: small, salt: fc.bigInt({ min: 0n, max: 3n }) }),
  fc.record({ kind: fc.constant('createAndDestroy' as const), beneficiary: account, wei: small }),
  fc.record({ kind: fc.constant('fill' as const), start: small, count: small, value: small }),
  fc.record({ kind: fc.constant('tstore' as const), slot: small, value: small }),
  fc.record({ kind: fc.constant('emitMany' as const), count: small }),
  fc.record({ kind: fc.constant('forward' as const), to: account, wei: small }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const sent = fc.record({
  from: account,
  action,
  gas: fc.oneof(fc.constant(500_000n), fc.bigInt({ min: 60_000n, max: 120_000n })),
  tip: fc.bigInt({ min: 0n, max: 3n }),
});

function request(does: Action): { to?: Hex; data?: Hex; value?: Hex } {
  const to = (i: number) => accounts[i]!;
  const kitchen = (functionName: string, args: unknown[], wei = 0n) => ({
    to: contracts.kitchen,
    data: encodeFunctionData({ abi: KITCHEN.abi, functionName, args } as never),
    value: toHex(wei),
  });
  switch (does.kind) {
    case 'pay':
      return { to: to(does.to), value: toHex(does.value) };
    case 'deploy':
      return { data: does.code };
    case 'raw':
      return { to: contracts.kitchen, data: does.data };
    case 'transfer':
      return {
        to: contracts.token,
        data: encodeFunctionData({
          abi: TOKEN.abi,
          functionName: 'transfer',
          args: [to(does.to), does.amount],
        }),
      };
    case 'increment':
      return {
        to: contracts.counter,
        data: encodeFunctionData({ abi: COUNTER.abi, functionName: 'increment' }),
      };
    case 'create':
      return kitchen('create', [does.value], does.wei);
    case 'create2':
      return kitchen('create2', [toHex(does.salt, { size: 32 }), does.value]);
    case 'createAndDestroy':
      return kitchen('createAndDestroy', [to(does.beneficiary)], does.wei);
    case 'fill':
      return kitchen('fill', [does.start, does.count, does.value]);
    case 'tstore':
      return kitchen('tstoreThenLoad', [does.slot, does.value]);
    case 'emitMany':
      return kitchen('emitMany', [does.count, '0x1234']);
    case 'forward':
      return kitchen('forward', [to(does.to)], does.wei);
  }
}

interface Outcome {
  status: Hex;
  gasUsed: Hex;
  logs: { address: Hex; topics: Hex[]; data: Hex; logIndex: Hex }[];
}
const essence = ({ status, gasUsed, logs }: Outcome, from = 0) => ({
  status,
  gasUsed,
  logs: logs.map(({ address, topics, data, logIndex }) => ({
    address,
    topics,
    data,
    logIndex: Number(logIndex) - from,
  })),
});

describe('random payloads', () => {
  it(`what a simulation says is what then happens (${RUNS} transactions)`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 5 }), async (plan) => {
        const nonces = new Map<Hex, number>();
        const pending = await rpc<{ baseFeePerGas: Hex; transactions: Hex[] }>(
          'eth_getBlockByNumber',
          'pending',
          false,
        );
        const calls = [];
        for (const { from, action: does, gas, tip } of plan) {
          const sender = accounts[from]!;
          const nonce = nonces.get(sender) ?? Number(await rpc('eth_getTransactionCount', sender, 'pending'));
          nonces.set(sender, nonce + 1);
          calls.push({
            from: sender,
            nonce: toHex(nonce),
            gas: toHex(gas),
            maxPriorityFeePerGas: toHex(tip),
            maxFeePerGas: toHex(BigInt(pending.baseFeePerGas) + tip),
            ...request(does),
          });
        }
        const [block] = await rpc<{ calls: Outcome[] }[]>(
          'eth_simulateV1',
          { blockStateCalls: [{ calls }], validation: true },
          'pending',
        );
        const hashes: Hex[] = [];
        // One index each, so that they stand in the order in which they were simulated.
        const refused: number[] = [];
        for (const [i, call] of calls.entries()) {
          hashes.push(await rpc('eth_sendTransaction', call));
          await node.clock.advance(200);
          if (!(await rpc('eth_getTransactionReceipt', hashes[i]))) refused.push(i);
        }
        expect(refused).toEqual([]);
        const receipts = await Promise.all(
          hashes.map((hash) => rpc<Outcome>('eth_getTransactionReceipt', hash)),
        );
        for (const [i, receipt] of receipts.entries()) {
          const simulated = essence(block!.calls[i]!);
          const real = essence(receipt);
          // Positions in the block differ by what stood there before.
          expect({ ...real, logs: real.logs.map((log) => ({ ...log, logIndex: 0 })) }).toEqual({
            ...simulated,
            logs: simulated.logs.map((log) => ({ ...log, logIndex: 0 })),
          });
        }
      }),
      { numRuns: Math.ceil(RUNS / 3), endOnFailure: true },
    );
  }, 300_000);

  it("every answer is EthereumJS's, a result or a documented code, and the state stays", async () => {
    const [fast, reference] = [(await start('fast')).node, (await start('ethereumjs')).node];
    const documented = new Set<number>(Object.values(ERRORS).map(({ code }) => code));
    const quantity = fc
      .oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
      .map((n) => toHex(n));
    const anyAddress = fc.oneof(
      account.map((i) => toHex(BigInt(i + 1), { size: 20 })),
      fc.constantFrom(0, 1, 2).map((i) => accounts[i]!),
      fc.constantFrom('token', 'counter', 'kitchen').map((name) => contracts[name as keyof typeof contracts]),
      // The system contracts.
      fc.constantFrom(
        '0x00000961ef480eb55e80d19ad83579a64c007002',
        '0x0000f90827f1c53a10cb7a02335b175320002935',
      ),
    );
    const word = fc.bigInt({ min: 0n, max: 3n }).map((n) => toHex(n, { size: 32 }));
    const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
    const call = fc.record({
      from: some(anyAddress),
      to: some(anyAddress),
      gas: some(quantity),
      gasPrice: some(quantity),
      maxFeePerGas: some(quantity),
      maxPriorityFeePerGas: some(quantity),
      value: some(quantity),
      nonce: some(quantity),
      input: some(hex(64)),
      type: some(quantity),
      accessList: some(
        fc.array(fc.record({ address: anyAddress, storageKeys: fc.array(word, { maxLength: 2 }) }), {
          maxLength: 2,
        }),
      ),
      blobVersionedHashes: some(
        fc.array(fc.constantFrom(`0x01${'00'.repeat(31)}`, `0x02${'00'.repeat(31)}`), { maxLength: 7 }),
      ),
      maxFeePerBlobGas: some(quantity),
    });
    const override = fc.record({
      balance: some(quantity),
      nonce: some(quantity),
      code: some(hex(40)),
      state: some(fc.dictionary(word, word, { maxKeys: 2 })),
      stateDiff: some(fc.dictionary(word, word, { maxKeys: 2 })),
      movePrecompileToAddress: some(anyAddress),
    });
    const block = fc.record({
      calls: some(fc.array(call, { maxLength: 4 })),
      stateOverrides: some(
        fc
          .array(fc.tuple(anyAddress, override), { maxLength: 3 })
          .map((entries) => Object.fromEntries(entries)),
      ),
      blockOverrides: some(
        fc.record({
          number: some(quantity),
          time: some(quantity),
          gasLimit: some(quantity),
          feeRecipient: some(anyAddress),
          prevRandao: some(word),
          baseFeePerGas: some(quantity),
          blobBaseFee: some(quantity),
          withdrawals: some(
            fc.array(
              fc.record({ index: quantity, validatorIndex: quantity, address: anyAddress, amount: quantity }),
              { maxLength: 2 },
            ),
          ),
        }),
      ),
    });
    const payload = fc.record({
      blockStateCalls: fc.array(block, { maxLength: 3 }),
      traceTransfers: some(fc.boolean()),
      validation: some(fc.boolean()),
      returnFullTransactions: some(fc.boolean()),
    });
    const roots = async () =>
      Promise.all(
        ['latest', 'pending'].map(
          async (tag) =>
            (
              (await fast.provider.request({ method: 'eth_getBlockByNumber', params: [tag, false] })) as {
                stateRoot: Hex;
              }
            ).stateRoot,
        ),
      );
    const before = await roots();
    await fc.assert(
      fc.asyncProperty(payload, fc.constantFrom('latest', 'pending', 'earliest'), async (wanted, tag) => {
        // As it comes over the wire: without the undefined members.
        const sanitised = JSON.parse(JSON.stringify(wanted));
        const request = { method: 'eth_simulateV1', params: [sanitised, tag] };
        const [answer, expected] = await Promise.all(
          [fast, reference].map((it) => it.provider.request(request).catch((error) => ({ error }))),
        );
        expect(answer, JSON.stringify(sanitised)).toEqual(expected);
        if ((answer as { error?: unknown }).error) {
          const { code, message } = (answer as { error: { code: number; message: string } }).error;
          expect(documented, JSON.stringify(sanitised)).toContain(code);
          // geth has the code of internal errors for some refusals, too.
          expect(message, JSON.stringify(sanitised)).not.toBe(new DevnetError('internal').message);
        }
      }),
      { numRuns: RUNS * 4, endOnFailure: true },
    );
    expect(await roots()).toEqual(before);
    await Promise.all([fast.close(), reference.close()]);
  }, 300_000);
});
