import { Address, hexToBytes } from '@ethereumjs/util';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { Log } from '../../src/cli/log.ts';
import { traceLines } from '../../src/cli/trace-lines.ts';
import { ManualClock } from '../../src/clock.ts';
import { DevnetError } from '../../src/errors.ts';
import type { Frame } from '../../src/evm/tracers/frames.ts';
import type { DevnetOptions } from '../../src/options/options.ts';
import { startChain } from '../sequencer/start-chain.ts';

const HASH = /0x[0-9a-f]{64}/g;

/** A chain with a log; what it prints, hashes as `#`, in lines. */
async function start(options: DevnetOptions, traces = false) {
  const wall = new ManualClock();
  let printed = '';
  let writes = 0;
  const log = new Log({
    clock: wall,
    write: (text) => {
      printed += text;
      writes++;
    },
  });
  const chain = await startChain(options, {
    onFeed: (feed) => log.follow(feed),
    onCall: (report) => log.call(report),
    onConsole: (line) => log.console(line),
    ...(traces && { onTrace: (root: Frame) => log.trace(root) }),
  });
  return {
    chain,
    log,
    wall,
    writes: () => writes,
    take: async () => {
      await wall.advance(100);
      const lines = printed.replaceAll(HASH, '#').split('\n').slice(0, -1);
      printed = '';
      return lines;
    },
    [Symbol.asyncDispose]: () => chain.close(),
  };
}

const BLOCK_TIME = '    Block Time: 2023-11-14T22:13:21Z';

it('automine: the call, then its transaction and block as anvil prints them', async () => {
  await using node = await start({ automine: true });
  await node.chain.send();
  expect(await node.take()).toEqual([
    'eth_sendTransaction',
    '    Transaction: #',
    '    Gas used: 21000',
    '',
    '    Block Number: 1',
    '    Block Hash: #',
    BLOCK_TIME,
    '',
  ]);
});

it('a contract and a failure are told', async () => {
  await using node = await start({ automine: true });
  await node.chain.send({ to: null, data: '0x00', gas: 100_000n, value: 0n });
  const address = /^ {4}Contract created: 0x[0-9a-f]{40}$/;
  expect(await node.take()).toContainEqual(expect.stringMatching(address));
  await node.chain.send({ to: null, data: '0xfe', gas: 100_000n, value: 0n });
  expect(await node.take()).toContain('    Gas used: 100000 (failed)');
});

it('has no block published as flashblocks that nobody reads: each would be made twice', async () => {
  await using node = await start({ automine: true });
  expect(node.chain.feed.has('flashblock')).toBe(false);
});

it('interval: few transactions one by one, many in a line for the flashblock, and the sealed block', async () => {
  await using node = await start({ blockTime: 2 });
  const { chain } = node;
  await chain.send();
  await chain.clock.advance(200);
  expect(await node.take()).toEqual([
    'eth_sendTransaction',
    '    Transaction: #',
    '    Gas used: 21000, flashblock 1 of block 1',
  ]);
  for (let i = 0; i < 40; i++) await chain.send();
  await chain.clock.advance(200);
  expect(await node.take()).toEqual([
    'eth_sendTransaction (40)',
    '    Flashblock 2 of block 1: 40 transactions, Gas used: 840000',
  ]);
  await chain.clock.advance(1600);
  expect(await node.take()).toEqual([
    '    Block Number: 1 (41 transactions)',
    '    Block Hash: #',
    BLOCK_TIME.replace('21Z', '22Z'),
    '',
  ]);
});

it('blocks without transactions are silent until something happens', async () => {
  await using node = await start({ blockTime: 2 });
  const { chain } = node;
  await chain.clock.advance(8000);
  expect(await node.take()).toEqual([]);
  await chain.call('eth_chainId');
  expect(await node.take()).toEqual(['eth_chainId']);
  await chain.send();
  await chain.clock.advance(200);
  expect((await node.take()).slice(0, 2)).toEqual(['eth_sendTransaction', '    Blocks 1 to 4 (empty)']);
});

it('a block that was asked for is told though it is empty', async () => {
  await using node = await start({ noMining: true });
  await node.chain.call('evm_mine');
  expect(await node.take()).toEqual(['evm_mine', '    Block Number: 1 (empty)']);
});

it('a busy automine chain is told in ranges, in ten writes a second at most', async () => {
  await using node = await start({ automine: true });
  for (let i = 0; i < 20; i++) await node.chain.send();
  expect(await node.take()).toEqual([
    'eth_sendTransaction (20)',
    '    Blocks 1 to 20: 20 transactions, Gas used: 420000',
    '',
  ]);
  expect(node.writes()).toBe(1);
});

it('blocks that are taken back are told by their numbers', async () => {
  await using node = await start({ automine: true });
  const { call } = node.chain;
  const snapshot = await call('evm_snapshot');
  await call('anvil_mine', 3);
  await node.take();
  await call('evm_revert', snapshot);
  expect(await node.take()).toContain('    Removed: 3 blocks, down to 1');
});

it('a dropped transaction is told with the reason', async () => {
  await using node = await start({ blockTime: 2, balance: 1 });
  const value = 6n * 10n ** 17n;
  await node.chain.send({ nonce: 0, value });
  await node.chain.send({ nonce: 1, value });
  await node.chain.clock.advance(200);
  expect(await node.take()).toContainEqual(
    expect.stringMatching(/^ {4}Dropped: # \(insufficient funds .*\)$/),
  );
});

it("a fault of the node's own is told, a caller's isn't; names can't write to the terminal", async () => {
  await using node = await start({ automine: true });
  node.log.call({ method: 'eth_call', ms: 1, error: new TypeError('x is undefined\nat y') });
  node.log.call({ method: 'eth_call', ms: 1, error: new DevnetError('headerNotFound') });
  node.log.call({ method: '\u001b[2J', ms: 1, error: new DevnetError('headerNotFound') });
  expect(await node.take()).toEqual(['eth_call (2)', '"\\u001b[2J"', '    Error: eth_call: x is undefined']);
});

describe('what contracts do', () => {
  const CONSOLE = '0x000000000000000000636f6e736f6c652e6c6f67';
  const say = (text: string) => ({
    to: CONSOLE,
    data: encodeFunctionData({ abi: parseAbi(['function log(string)']), args: [text] }),
  });

  it('console.log is printed as it stands, by calls and transactions, before the transaction', async () => {
    await using node = await start({ automine: true });
    const { data, to } = say('hi');
    await node.chain.call('eth_call', { to, data });
    expect(await node.take()).toEqual(['eth_call', 'hi']);
    await node.chain.send({ to, data: data as Hex, gas: 100_000n, value: 0n });
    const lines = await node.take();
    expect(lines.slice(0, 3)).toEqual(['eth_sendTransaction', 'hi', '    Transaction: #']);
  });

  it('many lines are all printed, and none of them can steer the terminal', async () => {
    await using node = await start({ automine: true });
    for (const text of ['1', '2', '3', '4', '5', 'a\u001b[2J\nb\u0007'])
      await node.chain.call('eth_call', say(text));
    expect(await node.take()).toEqual([
      'eth_call (6)',
      ...['1', '2', '3', '4', '5', 'a\\u001b[2J', 'b\\u0007'],
    ]);
  });
});

describe('traceLines', () => {
  const address = (digit: string) => new Address(hexToBytes(`0x${digit.repeat(40)}`));
  const none = new Uint8Array();
  const frame = (fields: Partial<Frame>): Frame => ({
    ...{
      type: 'CALL',
      from: address('1'),
      to: address('2'),
      gas: 9n,
      gasUsed: 5n,
      input: none,
      output: none,
    },
    ...{ value: 0n, reverted: false, precompile: false, calls: [], logs: [] },
    ...fields,
  });

  it('prints calls, logs and outcomes in their order, as a tree', () => {
    const log = { address: address('2'), topics: [new Uint8Array(32)], data: hexToBytes('0x01') };
    const root = frame({
      gasUsed: 77n,
      input: hexToBytes('0xaabbccdd01'),
      value: 3n,
      output: hexToBytes('0x05'),
      calls: [
        frame({
          type: 'STATICCALL',
          reverted: true,
          error: 'execution reverted',
          output: hexToBytes('0x1234'),
        }),
        frame({ type: 'CREATE', to: address('3'), output: hexToBytes('0x6001'), calls: [frame({})] }),
      ],
      logs: [{ log, index: 0, position: 1 }],
    });
    expect(traceLines(root)).toEqual([
      'Traces:',
      '  [77] 0x2222222222222222222222222222222222222222::aabbccdd{value: 3}(01)',
      '    ├─ [5] 0x2222222222222222222222222222222222222222::fallback() [staticcall]',
      '    │   └─ ← [Revert] 0x1234',
      `    ├─  emit topic 0: 0x${'00'.repeat(32)}`,
      '    │           data: 0x01',
      '    ├─ [5] → new <unknown>@0x3333333333333333333333333333333333333333',
      '    │   ├─ [5] 0x2222222222222222222222222222222222222222::fallback()',
      '    │   │   └─ ← [Stop]',
      '    │   └─ ← [Return] 2 bytes of code',
      '    └─ ← [Return] 0x05',
    ]);
  });
});

it('a trace is printed for a transaction, a call and an estimate, each once', async () => {
  await using node = await start({ automine: true }, true);
  const { accounts } = node.chain;
  const request = { from: accounts[0], to: accounts[1], data: '0x01' };
  await node.chain.call('eth_call', request);
  await node.chain.call('eth_estimateGas', request);
  const traces = (lines: string[]) => lines.filter((line) => line === 'Traces:').length;
  expect(traces(await node.take())).toBe(2);
  await node.chain.send();
  const lines = await node.take();
  expect(traces(lines)).toBe(1);
  expect(lines).toContain('    └─ ← [Stop]');
});
