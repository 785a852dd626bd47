import { readFileSync } from 'node:fs';
import { encodeDeployData, encodeFunctionData, parseEther, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ManualClock } from '../../../src/clock.ts';
import { createDevnet, type Devnet } from '../../../src/index.ts';

type Json = Record<string, unknown>;
interface Call {
  status: string;
  returnData: string;
  gasUsed: string;
  maxUsedGas: string;
  logs: { address: string; topics: string[]; data: string; logIndex: string; blockHash: string }[];
  error?: { code: number; message: string; data?: string };
}
type Block = Json & { number: string; hash: string; parentHash: string; timestamp: string; calls: Call[] };

const counter = JSON.parse(
  readFileSync(new URL('../../../fixtures/contracts/Counter.json', import.meta.url), 'utf8'),
);
const INCREMENT = encodeFunctionData({ abi: counter.abi, functionName: 'increment' });
const NUMBER = encodeFunctionData({ abi: counter.abi, functionName: 'number' });
const POOR = '0x00000000000000000000000000000000000c0ffe';
const TARGET = '0x000000000000000000000000000000000000bEEF';
const ZERO_HASH = `0x${'0'.repeat(64)}`;

let node: Devnet & { clock: ManualClock };
let alice: string;
let bob: string;
let address: string;

const rpc = <T = unknown>(method: string, ...params: unknown[]) =>
  node.provider.request({ method, params }) as Promise<T>;
const simulate = (payload: Json, tag: unknown = 'pending') => rpc<Block[]>('eth_simulateV1', payload, tag);
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'no error',
    (error) => error.code,
  );

beforeAll(async () => {
  node = await createDevnet({ manualClock: true, timestamp: 1_700_000_000 });
  [alice, bob] = (await rpc<string[]>('eth_accounts')) as [string, string];
  const data = encodeDeployData({ abi: counter.abi, bytecode: counter.bytecode });
  const hash = await rpc('eth_sendTransaction', { from: alice, data });
  await node.clock.advance(2000);
  address = (await rpc<{ contractAddress: string }>('eth_getTransactionReceipt', hash)).contractAddress;
});
afterAll(() => node.close());

describe('where a simulation stands', () => {
  it('on latest the first block is the child of the head, a block time later', async () => {
    const head = await rpc<Block>('eth_getBlockByNumber', 'latest', false);
    const [first, second] = await simulate({ blockStateCalls: [{}, {}] }, 'latest');
    expect(BigInt(first!.number)).toBe(BigInt(head.number) + 1n);
    expect(first!.parentHash).toBe(head.hash);
    expect(BigInt(first!.timestamp)).toBe(BigInt(head.timestamp) + 2n);
    expect(second!.parentHash).toBe(first!.hash);
    expect(BigInt(second!.timestamp)).toBe(BigInt(head.timestamp) + 4n);
  });

  it('on pending it goes on with the block being built', async () => {
    const pending = await rpc<Block>('eth_getBlockByNumber', 'pending', false);
    const [first] = await simulate({ blockStateCalls: [{}], validation: true });
    for (const field of ['number', 'parentHash', 'timestamp', 'miner', 'baseFeePerGas', 'gasLimit'])
      expect(first![field]).toBe(pending[field]);
  });

  it('skipped numbers appear as empty blocks', async () => {
    const head = BigInt(await rpc<string>('eth_blockNumber'));
    const blocks = await simulate(
      { blockStateCalls: [{ blockOverrides: { number: toHex(head + 3n) } }] },
      'latest',
    );
    expect(blocks.map(({ number }) => BigInt(number))).toEqual([head + 1n, head + 2n, head + 3n]);
  });

  it('the state root is zero unless it was asked for', async () => {
    const [block] = await simulate({ blockStateCalls: [{}] });
    expect(block!.stateRoot).toBe(ZERO_HASH);
  });

  it('has the whole block object, whatever the calls', async () => {
    const pending = await rpc<Json>('eth_getBlockByNumber', 'pending', false);
    const [block] = await simulate({ blockStateCalls: [{}] });
    expect(Object.keys(block!).sort()).toEqual([...Object.keys(pending), 'calls'].sort());
  });
});

describe('what the calls see', () => {
  const count = { to: '', data: NUMBER };
  beforeEach(() => {
    count.to = address;
  });

  it('pre-confirmed transactions, and the blocks simulated before, also in slots that the pending block touched', async () => {
    const before = BigInt(await rpc<string>('eth_call', count, 'latest'));
    await rpc('eth_sendTransaction', { from: alice, to: address, data: INCREMENT });
    await node.clock.advance(200);
    const increment = { from: bob, to: address, data: INCREMENT };
    const blocks = await simulate({
      blockStateCalls: [{ calls: [count, increment, count] }, { calls: [increment, count] }],
    });
    const numbers = blocks
      .flatMap(({ calls }) => calls)
      .map(({ returnData }) => returnData)
      .filter((data) => data !== '0x');
    expect(numbers.map(BigInt)).toEqual([before + 1n, before + 2n, before + 3n]);
    expect(BigInt(await rpc<string>('eth_call', count, 'pending'))).toBe(before + 1n);
  });

  it('an override replaces only what it names: the slots stay when the balance is overridden', async () => {
    const now = await rpc<string>('eth_call', count, 'pending');
    const [block] = await simulate({
      blockStateCalls: [{ stateOverrides: { [address]: { balance: '0x1' } }, calls: [count] }],
    });
    expect(block!.calls[0]!.returnData).toBe(now);
  });

  it('stateDiff changes one slot, state clears the others', async () => {
    const [diff, whole] = await simulate({
      blockStateCalls: [
        {
          stateOverrides: { [address]: { stateDiff: { [ZERO_HASH]: toHex(77, { size: 32 }) } } },
          calls: [count],
        },
        { stateOverrides: { [address]: { state: {} } }, calls: [count] },
      ],
    });
    expect([diff, whole].map((block) => BigInt(block!.calls[0]!.returnData))).toEqual([77n, 0n]);
  });

  it('state and stateDiff together are -32602', async () => {
    const stateOverrides = { [address]: { state: {}, stateDiff: {} } };
    expect(await codeOf(simulate({ blockStateCalls: [{ stateOverrides }] }))).toBe(-32602);
  });

  it('overridden code, and a precompile that was moved', async () => {
    const identity = '0x0000000000000000000000000000000000000004';
    const [block] = await simulate({
      blockStateCalls: [
        {
          stateOverrides: { [identity]: { movePrecompileToAddress: TARGET, code: '0x5f5ffd' } },
          calls: [
            { to: TARGET, data: '0x1234' },
            { to: identity, data: '0x1234' },
          ],
        },
      ],
    });
    expect(block!.calls[0]!.returnData).toBe('0x1234');
    expect(block!.calls[1]!.status).toBe('0x0');
  });

  it('moving what is no precompile is -32000, onto itself -38022', async () => {
    const move = (from: string, to: string) =>
      codeOf(
        simulate({ blockStateCalls: [{ stateOverrides: { [from]: { movePrecompileToAddress: to } } }] }),
      );
    expect(await move(TARGET, POOR)).toBe(-32000);
    const sha = '0x0000000000000000000000000000000000000002';
    expect(await move(sha, sha)).toBe(-38022);
  });

  it('nothing of it stays, and a tick in between disturbs nothing', async () => {
    const root = async () => (await rpc<Block>('eth_getBlockByNumber', 'pending', false)).stateRoot;
    const before = await root();
    const increment = { from: bob, to: address, data: INCREMENT };
    const calls = Array.from({ length: 200 }, () => increment);
    const running = simulate({ blockStateCalls: [{ calls }, { calls: [count] }] });
    const start = BigInt(await rpc<string>('eth_call', count, 'pending'));
    expect(await root()).toBe(before);
    await rpc('eth_sendTransaction', { from: alice, to: address, data: INCREMENT });
    await node.clock.advance(200);
    expect(BigInt((await running)[1]!.calls[0]!.returnData)).toBe(start + 200n);
  });
});

describe('movements of ETH', () => {
  it('are logs only when asked for, and are not in bloom or receipts root', async () => {
    const calls = [{ from: alice, to: TARGET, value: '0x5' }];
    const [plain] = await simulate({ blockStateCalls: [{ calls }] });
    const [traced] = await simulate({ blockStateCalls: [{ calls }], traceTransfers: true });
    expect(plain!.calls[0]!.logs).toEqual([]);
    const [log] = traced!.calls[0]!.logs;
    expect(log!.address).toBe('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee');
    expect(log!.topics.slice(1).map((topic) => `0x${topic.slice(26)}`)).toEqual([
      alice,
      TARGET.toLowerCase(),
    ]);
    expect(BigInt(log!.data)).toBe(5n);
    expect(log!.blockHash).toBe(traced!.hash);
    expect([traced!.logsBloom, traced!.receiptsRoot]).toEqual([plain!.logsBloom, plain!.receiptsRoot]);
  });

  it('of a reverted call leave no log', async () => {
    const stateOverrides = { [TARGET]: { code: '0x5f5ffd' } };
    const calls = [{ from: alice, to: TARGET, value: '0x5' }];
    const [block] = await simulate({ blockStateCalls: [{ stateOverrides, calls }], traceTransfers: true });
    expect(block!.calls[0]).toMatchObject({ status: '0x0', logs: [], error: { code: 3, data: '0x' } });
  });
});

describe('validation', () => {
  const run = (call: Json, extra: Json = {}) =>
    simulate({ blockStateCalls: [{ calls: [call], ...extra }], validation: true });
  const fees = { maxFeePerGas: toHex(10n ** 10n), gas: '0x186a0' };

  it('off: a call needs neither nonce nor fee, but its value', async () => {
    const [block] = await simulate({
      blockStateCalls: [{ calls: [{ from: POOR, to: TARGET, nonce: '0x99' }] }],
    });
    expect(block!.calls[0]!.status).toBe('0x1');
    const poor = simulate({ blockStateCalls: [{ calls: [{ from: POOR, to: TARGET, value: '0x1' }] }] });
    expect(await codeOf(poor)).toBe(-38014);
  });

  it('on: a transaction must keep the rules of a real block', async () => {
    const nonce = Number(await rpc('eth_getTransactionCount', alice, 'pending'));
    expect(await codeOf(run({ from: alice, to: TARGET }))).toBe(-38012);
    expect(await codeOf(run({ from: alice, to: TARGET, ...fees, nonce: '0x0' }))).toBe(-38010);
    expect(await codeOf(run({ from: alice, to: TARGET, ...fees, nonce: toHex(nonce + 1) }))).toBe(-38011);
    expect(await codeOf(run({ from: POOR, to: TARGET, ...fees }))).toBe(-38014);
    expect(await codeOf(run({ from: alice, to: TARGET, ...fees, gas: '0x1' }))).toBe(-38013);
    const [block] = await run({ from: alice, to: TARGET, ...fees });
    expect(block!.calls[0]).toMatchObject({ status: '0x1', gasUsed: '0x5208' });
  });

  it('the block gas limit is -38015', async () => {
    const call = { from: alice, to: TARGET, ...fees };
    expect(await codeOf(run(call, { blockOverrides: { gasLimit: '0xffff' } }))).toBe(-38015);
  });

  it('init code over the limit is -38025', async () => {
    const data = `0x${'00'.repeat(49_153)}`;
    expect(await codeOf(run({ from: alice, data, ...fees, gas: toHex(5_000_000) }))).toBe(-38025);
  });
});

describe('limits', () => {
  it('all calls of a simulation share 50 million gas', async () => {
    const stateOverrides = { [TARGET]: { code: '0x5b5f56' } };
    const calls = [{ to: TARGET }, { to: TARGET }];
    const blockOverrides = { gasLimit: toHex(200_000_000) };
    const one = await simulate({
      blockStateCalls: [{ stateOverrides, blockOverrides, calls: calls.slice(1) }],
    });
    expect(one[0]!.calls[0]).toMatchObject({
      status: '0x0',
      gasUsed: toHex(50_000_000),
      error: { code: -32015 },
    });
    expect(await codeOf(simulate({ blockStateCalls: [{ stateOverrides, blockOverrides, calls }] }))).toBe(
      -38026,
    );
  });

  it('an unknown block is -32000', async () =>
    expect(await codeOf(simulate({ blockStateCalls: [{}] }, '0xffffff'))).toBe(-32000));
});

it('the funds of a block are what its overrides say', async () => {
  const [block] = await simulate({
    blockStateCalls: [
      {
        stateOverrides: { [POOR]: { balance: toHex(parseEther('1')) } },
        calls: [{ from: POOR, to: TARGET, value: toHex(parseEther('1')) }],
      },
    ],
  });
  expect(block!.calls[0]!.status).toBe('0x1');
});

describe('a nonce of 2^64-1', () => {
  const HIGHEST = '0xffffffffffffffff';
  const stateOverrides = { [POOR]: { nonce: HIGHEST } };

  it('goes on with 0 where nothing is validated', async () => {
    const send = { from: POOR, to: TARGET };
    const create = { from: POOR, data: '0x60006000f3' };
    const [block] = await rpc<Block[]>('eth_simulateV1', {
      blockStateCalls: [{ stateOverrides, calls: [send, create, send] }],
      returnFullTransactions: true,
    });
    expect(block!.calls.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1']);
    const transactions = block!.transactions as { nonce: string }[];
    expect(transactions.map(({ nonce }) => nonce)).toEqual([HIGHEST, '0x0', '0x1']);
  });

  it('makes no contract, and stays as it is then', async () => {
    const create = { from: POOR, data: '0x60006000f3' };
    const [block] = await rpc<Block[]>('eth_simulateV1', {
      blockStateCalls: [{ stateOverrides, calls: [create, create] }],
      returnFullTransactions: true,
    });
    const failed = { status: '0x0', error: { code: -32015, message: 'nonce uint64 overflow' } };
    expect(block!.calls).toMatchObject([failed, failed]);
    expect((block!.transactions as { nonce: string }[])[1]!.nonce).toBe(HIGHEST);
  });

  it('is refused under validation, with the code of an internal error and its own words', async () => {
    const overrides = { [POOR]: { nonce: HIGHEST, balance: toHex(parseEther('1')) } };
    const call = { from: POOR, to: TARGET, maxFeePerGas: toHex(10n ** 12n) };
    const refused = simulate({
      blockStateCalls: [{ stateOverrides: overrides, calls: [call] }],
      validation: true,
    });
    await expect(refused).rejects.toMatchObject({
      code: -32603,
      message: `nonce has max value: address ${POOR}, nonce: 18446744073709551615`,
    });
  });
});

describe('difficulty', () => {
  /** DIFFICULTY, as 32 bytes */
  const stateOverrides = { [TARGET]: { code: '0x4460005260206000f3' } };
  const of = (blocks: Block[]) => blocks.map(({ difficulty, calls }) => [difficulty, calls[0]?.returnData]);
  const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

  it("before the merge is the parent's, unless it is overridden; from the merge on there is none", async () => {
    const forks = [
      'homestead',
      'eip150',
      'eip155',
      'eip158',
      'byzantium',
      'constantinople',
      'petersburg',
      'istanbul',
    ];
    const init = {
      config: {
        chainId: 1,
        ...Object.fromEntries([...forks, 'berlin', 'london'].map((fork) => [`${fork}Block`, 0])),
        mergeNetsplitBlock: 4,
        terminalTotalDifficulty: 0x80000,
      },
      difficulty: '0x20000',
      gasLimit: '0x1c9c380',
      alloc: {},
    };
    const chain = await createDevnet({ init, noMining: true });
    try {
      const calls = [{ to: TARGET }];
      const blocks = (await chain.provider.request({
        method: 'eth_simulateV1',
        params: [
          {
            blockStateCalls: [
              { stateOverrides, calls },
              { calls, blockOverrides: { difficulty: '0x20001' } },
              { calls },
              { calls, blockOverrides: { difficulty: '0x20001' } },
            ],
          },
          'latest',
        ],
      })) as unknown as Block[];
      expect(of(blocks)).toEqual([
        ['0x20000', word(0x20000)],
        ['0x20001', word(0x20001)],
        ['0x20001', word(0x20001)],
        ['0x0', word(0)],
      ]);
    } finally {
      await chain.close();
    }
  });

  it('after the merge is 0, whatever a caller says', async () => {
    const blockOverrides = { difficulty: '0x20001' };
    const blocks = await simulate({
      blockStateCalls: [{ stateOverrides, blockOverrides, calls: [{ to: TARGET }] }],
    });
    expect(of(blocks)).toEqual([['0x0', word(0)]]);
  });
});
