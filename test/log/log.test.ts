import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Address, hexToBytes } from '@ethereumjs/util';
import {
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import type { Frame } from '../../src/engine/tracers/frames.ts';
import { DevnetError } from '../../src/errors.ts';
import { colors, hasColors } from '../../src/log/colors.ts';
import { Explainer } from '../../src/log/explainer.ts';
import { Log } from '../../src/log/log.ts';
import type { Level } from '../../src/log/log-event.ts';
import { JsonLog } from '../../src/log/log-json.ts';
import { TextLog } from '../../src/log/log-lines.ts';
import { traceLines } from '../../src/log/trace-lines.ts';
import type { DevnetOptions } from '../../src/options/options.ts';
import { startChain } from '../sequencer/start-chain.ts';

const HASH = /0x[0-9a-f]{64}/g;

/** How long calls took. */
const TOOK = / \d+ ms$/gm;

interface LogOptions {
  readonly traces?: boolean;
  readonly json?: boolean;
  readonly level?: Level;
  readonly color?: boolean;
}

/** A chain with a log; what it prints, hashes as `#` and without times, in lines. */
async function start(
  options: DevnetOptions,
  { traces, json, level = 'info', color = false }: LogOptions = {},
) {
  const wall = new ManualClock();
  let printed = '';
  let writes = 0;
  const log = new Log(
    { level, format: json ? new JsonLog({ level }) : new TextLog({ colors: colors(color) }) },
    {
      clock: wall,
      write: (text) => {
        printed += text;
        writes++;
      },
    },
  );
  const chain = await startChain(
    { artifacts: 'fixtures/contracts', ...options },
    {
      onFeed: (feed, anew, known) => log.follow(feed, new Explainer(known, anew)),
      onCall: (report) => log.call(report),
      onConsole: (line, from) => log.console(line, from),
      ...(traces && { onTrace: (root: Frame) => log.trace(root) }),
    },
  );
  return {
    chain,
    log,
    wall,
    writes: () => writes,
    take: async () => {
      await wall.advance(100);
      const lines = printed.replaceAll(HASH, '#').replaceAll(TOOK, '').split('\n').slice(0, -1);
      printed = '';
      return lines;
    },
    [Symbol.asyncDispose]: () => chain.close(),
  };
}

const FROM = '    From: 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const TO = '    To: 0x0000000000000000000000000000000000000B0b';
const BLOCK_TIME = '    Block Time: 2023-11-14T22:13:21Z';

it('automine: the call, then its transaction and block as anvil prints them', async () => {
  await using node = await start({ automine: true });
  await node.chain.send();
  expect(await node.take()).toEqual([
    'eth_sendTransaction',
    '    Transaction: #',
    FROM,
    TO,
    '    Value: 1 wei',
    '    Gas used: 21000 of 21000',
    '',
    '    Block Number: 1',
    '    Block Hash: #',
    BLOCK_TIME,
    '',
  ]);
});

it('a contract and a failure are logged', async () => {
  await using node = await start({ automine: true });
  await node.chain.send({ to: null, data: '0x00', gas: 100_000n, value: 0n });
  const address = /^ {4}Contract created: 0x[0-9a-fA-F]{40}$/;
  expect(await node.take()).toContainEqual(expect.stringMatching(address));
  await node.chain.send({ to: null, data: '0xfe', gas: 100_000n, value: 0n });
  expect(await node.take()).toContain('    Gas used: 100000 of 100000 (failed)');
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
    FROM,
    TO,
    '    Value: 1 wei',
    '    Gas used: 21000 of 21000, flashblock 1 of block 1',
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

it('a block that was asked for is logged though it is empty', async () => {
  await using node = await start({ noMining: true });
  await node.chain.call('evm_mine');
  expect(await node.take()).toEqual(['evm_mine', '    Block Number: 1 (empty)']);
});

it('a busy automine chain is logged in ranges, in ten writes a second at most', async () => {
  await using node = await start({ automine: true });
  for (let i = 0; i < 20; i++) await node.chain.send();
  expect(await node.take()).toEqual([
    'eth_sendTransaction (20)',
    '    Blocks 1 to 20: 20 transactions, Gas used: 420000',
    '',
  ]);
  expect(node.writes()).toBe(1);
});

it('blocks that are taken back are logged by their numbers', async () => {
  await using node = await start({ automine: true });
  const { call } = node.chain;
  const snapshot = await call('evm_snapshot');
  await call('anvil_mine', 3);
  await node.take();
  await call('evm_revert', snapshot);
  expect(await node.take()).toContain('    Removed: 3 blocks, down to 1');
});

it('a dropped transaction is logged with the reason', async () => {
  await using node = await start({ blockTime: 2, balance: 1 });
  const value = 6n * 10n ** 17n;
  await node.chain.send({ nonce: 0, value });
  await node.chain.send({ nonce: 1, value });
  await node.chain.clock.advance(200);
  expect(await node.take()).toContainEqual(
    expect.stringMatching(/^ {4}Dropped: # \(insufficient funds .*\)$/),
  );
});

it("a fault of the node's own is logged; names can't write to the terminal", async () => {
  await using node = await start({ automine: true });
  node.log.call({ method: 'eth_call', began: 0, ms: 1, error: new TypeError('x is undefined\nat y') });
  node.log.call({ method: '\u001b[2J', began: 0, ms: 1, error: new DevnetError('headerNotFound') });
  expect(await node.take()).toEqual([
    'eth_call',
    '"\\u001b[2J"',
    '    Error: eth_call: x is undefined',
    '    Error: "\\u001b[2J": header not found',
  ]);
});

describe('a call that is refused is logged with the reason', () => {
  it('a method that is not there, with the one that was probably meant', async () => {
    await using node = await start({ automine: true });
    await expect(node.chain.call('eth_getBalanc')).rejects.toThrow();
    expect(await node.take()).toEqual([
      'eth_getBalanc',
      '    Error: eth_getBalanc: Method eth_getBalanc not found (did you mean eth_getBalance?)',
    ]);
  });

  it('a bad parameter, params that are no array, and a request that has no version', async () => {
    await using node = await start({ automine: true });
    await expect(node.chain.call('eth_getBalance', 'x')).rejects.toThrow();
    const { dispatcher } = node.chain.node;
    await dispatcher.handle({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: {} });
    await dispatcher.handle({ id: 1, method: 'net_version' });
    expect(await node.take()).toEqual([
      'eth_getBalance',
      'eth_chainId',
      'net_version',
      expect.stringMatching(/^ {4}Error: eth_getBalance: Invalid params: ./),
      '    Error: eth_chainId: Invalid params: params must be an array',
      '    Error: net_version: Invalid request: jsonrpc must be "2.0"',
    ]);
  });

  it('a transaction, sent raw', async () => {
    await using node = await start({ automine: true });
    await expect(node.chain.call('eth_sendRawTransaction', '0x02c0')).rejects.toThrow();
    const error = new DevnetError('poolNonceTooLow', { expected: 1n, got: 0n });
    node.log.call({ method: 'eth_sendRawTransaction', began: 0, ms: 1, error });
    expect(await node.take()).toEqual([
      'eth_sendRawTransaction (2)',
      expect.stringMatching(/^ {4}Error: eth_sendRawTransaction: .+/),
      '    Error: eth_sendRawTransaction: nonce too low: next nonce 1, tx nonce 0',
    ]);
  });

  it('in one line, cut and without what could steer a terminal, in text and JSON', async () => {
    const error = new DevnetError('server', { reason: `a\u001b[2J${'b'.repeat(500)}\nc` });
    const linesOf = async (json: boolean) => {
      await using node = await start({ automine: true }, { json });
      node.log.call({ method: 'eth_call', began: 0, ms: 1, error });
      return (await node.take()).slice(json ? 0 : 1);
    };
    expect(await linesOf(false)).toEqual([`    Error: eth_call: a\\u001b[2J${'b'.repeat(295)}...`]);
    const [line] = await linesOf(true);
    expect(JSON.parse(line!)).toMatchObject({ error: { message: `a\u001b[2J${'b'.repeat(295)}...` } });
  });

  it('in red where there are colours', async () => {
    await using node = await start({ automine: true }, { color: true });
    await expect(node.chain.call('eth_foo')).rejects.toThrow();
    expect(await node.take()).toContain('\u001b[31m    Error: eth_foo: Method eth_foo not found\u001b[0m');
  });

  it('once in ten seconds, where it is refused again and again for the same reason', async () => {
    await using node = await start({ automine: true });
    const refuse = () => expect(node.chain.call('wallet_foo')).rejects.toThrow();
    const reason = '    Error: wallet_foo: Method wallet_foo not found';
    for (let i = 0; i < 5; i++) await refuse();
    expect(await node.take()).toEqual(['wallet_foo (5)', `${reason} (5 times)`]);
    for (let i = 0; i < 9; i++) {
      await refuse();
      await node.wall.advance(900);
      expect(await node.take()).toEqual(['wallet_foo (refused as before)']);
    }
    await refuse();
    await expect(node.chain.call('wallet_bar')).rejects.toThrow();
    expect((await node.take()).slice(-1)).toEqual(['    Error: wallet_bar: Method wallet_bar not found']);
    await node.wall.advance(1_000);
    await refuse();
    expect(await node.take()).toEqual(['wallet_foo', reason]);
  });

  it('some of them as before, others not', async () => {
    await using node = await start({ automine: true });
    await expect(node.chain.call('eth_getBalance', 'x')).rejects.toThrow();
    await node.take();
    await expect(node.chain.call('eth_getBalance', 'x')).rejects.toThrow();
    await node.chain.call('eth_getBalance', node.chain.accounts[0], 'latest');
    await expect(node.chain.call('eth_getBalance', 'y')).rejects.toThrow();
    expect(await node.take()).toEqual([
      'eth_getBalance (3, 1 refused as before)',
      expect.stringMatching(/^ {4}Error: eth_getBalance: Invalid params: /),
    ]);
  });

  it('of many reasons in a tenth of a second the first three', async () => {
    await using node = await start({ automine: true });
    for (let i = 0; i < 10; i++) await expect(node.chain.call(`x_${'y'.repeat(i)}`)).rejects.toThrow();
    const lines = await node.take();
    expect(lines.filter((line) => line.startsWith('    Error: '))).toHaveLength(3);
    expect(lines.at(-1)).toBe('... and 7 more'.padStart(18));
  });
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

  it.each(['fast', 'ethereumjs'] as const)(
    'console.log has the name of its contract, engine %s',
    async (engine) => {
      // Passes its input on to the console.
      const runtime = `365f5f375f5f365f73${CONSOLE.slice(2)}5afa5000`;
      const artifacts = mkdtempSync(join(tmpdir(), 'devnet-log-'));
      try {
        const artifact = { contractName: 'Printer', abi: [], deployedBytecode: `0x${runtime}` };
        writeFileSync(join(artifacts, 'Printer.json'), JSON.stringify(artifact));
        await using node = await start({ automine: true, artifacts, engine });
        const [from] = node.chain.accounts;
        const deployment = { from, data: `0x60218060095f395ff3${runtime}`, gas: '0x30d40' };
        const hash = await node.chain.call('eth_sendTransaction', deployment);
        const { contractAddress: to } = await node.chain.call('eth_getTransactionReceipt', hash);
        await node.take();
        const { data } = say('hi\u202eho');
        await node.chain.call('eth_call', { to, data });
        expect(await node.take()).toEqual(['eth_call', 'Printer: hi\\u202eho']);
        await node.chain.call('eth_sendTransaction', { from, to, data, gas: '0x30d40' });
        expect((await node.take()).slice(0, 2)).toEqual(['eth_sendTransaction', 'Printer: hi\\u202eho']);
      } finally {
        rmSync(artifacts, { recursive: true });
      }
    },
  );

  it('many lines are all printed, and none of them can steer the terminal', async () => {
    await using node = await start({ automine: true });
    for (const text of ['1', '2', '3', '4', '5', 'a\u001b[2J\nb\u0007'])
      await node.chain.call('eth_call', say(text));
    expect(await node.take()).toEqual([
      'eth_call (6)',
      ...['1', '2', '3', '4', '5', 'a\\u001b[2J\\nb\\u0007'],
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
  await using node = await start({ automine: true }, { traces: true });
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

describe('why something failed', () => {
  const abi = parseAbi(['function transfer(address to, uint256 value)', 'function missing()']);
  const recipient = `0x${'22'.repeat(20)}` as const;

  /** A node whose second account holds none of the token that the first one deployed. */
  async function withToken(options: LogOptions = {}) {
    const node = await start({ automine: true, printTraces: false }, options);
    const { bytecode } = JSON.parse(readFileSync('fixtures/contracts/Token.json', 'utf8'));
    const args = encodeAbiParameters(parseAbiParameters('string, string, uint256'), ['Test', 'TST', 7n]);
    const hash = await node.chain.call('eth_sendTransaction', {
      from: node.chain.accounts[0],
      data: bytecode + args.slice(2),
      gas: '0x400000',
    });
    const { contractAddress: to } = await node.chain.call('eth_getTransactionReceipt', hash);
    await node.take();
    const [, from] = node.chain.accounts;
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [recipient, 5n] });
    const holder = getAddress(from!);
    const custom = `InsufficientBalance(account: ${holder}, balance: 0, needed: 5)`;
    return { ...node, request: { from, to, data, gas: '0x30d40' }, custom, holder, token: getAddress(to) };
  }

  it('is told of transactions, with the custom errors of known ABIs', async () => {
    await using node = await withToken();
    await node.chain.call('eth_sendTransaction', node.request);
    expect(await node.take()).toEqual([
      'eth_sendTransaction',
      '    Transaction: #',
      `    From: ${node.holder}`,
      `    To: ${node.token} (Token)`,
      `    Call: Token.transfer(to: ${recipient}, value: 5)`,
      expect.stringMatching(/^ {4}Gas used: \d+ of 200000 \(failed\)$/),
      `    Error: reverted with ${node.custom}`,
      '',
      '    Block Number: 2',
      '    Block Hash: #',
      expect.stringMatching(/Block Time/),
      '',
    ]);
  });

  it('is told of calls', async () => {
    await using node = await withToken();
    await expect(node.chain.call('eth_call', node.request)).rejects.toThrow();
    const data = encodeFunctionData({ abi, functionName: 'missing' });
    await expect(node.chain.call('eth_call', { ...node.request, data })).rejects.toThrow();
    expect(await node.take()).toEqual([
      'eth_call (2)',
      `    Error: eth_call of Token.transfer(to: ${recipient}, value: 5) reverted with ${node.custom}`,
      `    Error: eth_call of Token.${data} reverted with no reason`,
    ]);
  });

  it('is told of pre-confirmed transactions and of other failures than reverts', async () => {
    await using node = await start({ blockTime: 2 });
    await node.chain.send({ to: null, data: '0xfe', gas: 100_000n, value: 0n });
    await node.chain.clock.advance(200);
    expect(await node.take()).toContainEqual(expect.stringMatching(/^ {4}Error: invalid opcode/));
  });

  it('is looked for in few transactions of small blocks', async () => {
    await using node = await start({ blockTime: 2 });
    for (let i = 0; i < 5; i++) await node.chain.send({ to: null, data: '0xfe', gas: 100_000n, value: 0n });
    await node.chain.clock.advance(200);
    const records = (await node.take()).filter((line) => line.includes('Error'));
    expect(records).toEqual([]);
    await using json = await start({ blockTime: 2 }, { json: true });
    for (let i = 0; i < 5; i++) await json.chain.send({ to: null, data: '0xfe', gas: 100_000n, value: 0n });
    await json.chain.clock.advance(200);
    const lines = (await json.take()).map((line) => JSON.parse(line));
    expect(lines.filter(({ failure }) => failure)).toHaveLength(3);
    expect(lines.filter(({ success }) => success === false)).toHaveLength(5);
  });
});

describe('as JSON', () => {
  it('each line is an object with time, level and event', async () => {
    await using node = await start({ automine: true }, { json: true });
    await node.wall.advance(1_000);
    await node.chain.send();
    const lines = (await node.take()).map((line) => JSON.parse(line));
    const [from] = node.chain.accounts;
    const to = `0x${'0b0b'.padStart(40, '0')}`;
    const time = '1970-01-01T00:00:01.000Z';
    expect(lines).toEqual([
      {
        ...{ time, level: 'info', event: 'transaction', hash: '#', from, to },
        ...{ value: '1', block: 1, gasUsed: 21_000, gasLimit: 21_000, success: true },
      },
      {
        ...{ time, level: 'info', event: 'block', number: 1, hash: '#', transactions: 1 },
        ...{ gasUsed: 21_000, timestamp: 1_700_000_001 },
      },
      { time, level: 'info', event: 'call', method: 'eth_sendTransaction', ms: expect.any(Number) },
    ]);
  });

  it('calls have the id of their request, failed ones their error', async () => {
    await using node = await start({ automine: true }, { json: true });
    const text = JSON.stringify([
      { jsonrpc: '2.0', id: 7, method: 'eth_chainId' },
      { jsonrpc: '2.0', id: 'x'.repeat(500), method: 'no_such' },
    ]);
    await node.chain.node.dispatcher.handleText(text);
    expect((await node.take()).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', event: 'call', method: 'eth_chainId', id: 7 },
      { level: 'warn', event: 'call', id: 'x'.repeat(200), error: { code: -32601 } },
    ]);
  });

  it('what contracts print and faults of the node are events too', async () => {
    await using node = await start({ automine: true }, { json: true });
    node.log.console('a\u001b[2J\nb', new Address(new Uint8Array(20)));
    node.log.lost(3);
    node.log.started({ version: '1.2.3', address: '127.0.0.1:8545' });
    node.log.call({
      method: 'eth_call',
      id: 1,
      began: 0,
      ms: 2,
      error: new TypeError('x is undefined\nat y'),
    });
    expect((await node.take()).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', event: 'console', line: 'a\u001b[2J\nb' },
      { level: 'warn', event: 'lost', messages: 3 },
      { level: 'info', event: 'started', url: 'http://127.0.0.1:8545', version: '1.2.3' },
      { level: 'error', event: 'fault', method: 'eth_call', id: 1, ms: 2, message: 'x is undefined' },
    ]);
  });
});

describe('levels', () => {
  const events = async (level: Level) => {
    await using node = await start({ automine: true }, { json: true, level });
    await node.chain.send();
    await node.chain.send({ to: null, data: '0xfe', gas: 100_000n, value: 0n });
    await expect(node.chain.call('no_such')).rejects.toThrow();
    node.log.call({ method: 'eth_call', began: 0, ms: 2, error: new TypeError('x is undefined') });
    return (await node.take()).map((line) => JSON.parse(line).event);
  };

  it('leave out what is less important', async () => {
    expect(await events('warn')).toEqual(['transaction', 'call', 'fault']);
    expect(await events('error')).toEqual(['fault']);
    expect(await events('info')).toHaveLength(8);
  });

  it.each([false, true])("don't hold for what contracts print and for call trees, JSON: %s", async (json) => {
    await using node = await start({ automine: true }, { level: 'error', traces: true, json });
    const [from] = node.chain.accounts;
    await node.chain.call('eth_call', { from, to: node.chain.accounts[1] });
    node.log.console('hi', new Address(new Uint8Array(20)));
    const lines = await node.take();
    expect(lines.filter((line) => /^Traces:|"event":"trace"/.test(line))).toHaveLength(1);
    expect(lines.filter((line) => /^hi$|"event":"console"/.test(line))).toHaveLength(1);
    expect(lines.filter((line) => /eth_call/.test(line))).toEqual([]);
  });

  it('hold for text too', async () => {
    await using node = await start({ automine: true }, { level: 'warn' });
    await node.chain.send();
    expect(await node.take()).toEqual([]);
    node.log.lost(3);
    expect(await node.take()).toEqual(['    Lost: 3 messages, by a slow WebSocket reader']);
  });
});

describe('colours', () => {
  it('mark methods, failures and what was lost', async () => {
    await using node = await start({ automine: true }, { color: true });
    node.log.call({ method: 'eth_chainId', began: 0, ms: 12 });
    node.log.call({ method: 'eth_chainId', began: 0, ms: 3 });
    node.log.lost(3);
    expect(await node.take()).toEqual([
      '\u001b[1meth_chainId\u001b[0m\u001b[2m (2) 15 ms\u001b[0m',
      '\u001b[33m    Lost: 3 messages, by a slow WebSocket reader\u001b[0m',
    ]);
  });

  it('are for a terminal without NO_COLOR, or as it is asked', () => {
    const terminal = { isTTY: true, write: () => {} };
    const file = { write: () => {} };
    const all = (['auto', 'always', 'never'] as const).map((when) =>
      [
        hasColors(when, terminal, {}),
        hasColors(when, terminal, { NO_COLOR: '1' }),
        hasColors(when, file, {}),
      ].map(Number),
    );
    expect(all).toEqual([
      [1, 0, 0],
      [1, 1, 1],
      [0, 0, 0],
    ]);
    expect(hasColors('auto', terminal, { TERM: 'dumb' })).toBe(false);
  });
});

it('in the order of time, why a call failed is logged before the calls after it', () => {
  const wall = new ManualClock();
  let printed = '';
  const log = new Log(
    { level: 'info', format: new TextLog({ colors: colors(false), inOrder: true }) },
    {
      clock: wall,
      write: (text) => {
        printed += text;
      },
    },
  );
  const error = new DevnetError('transactionRejected', { reason: 'nonce too low' });
  for (const [method, failed] of [
    ['eth_chainId', false],
    ['eth_sendRawTransaction', true],
    ['eth_sendRawTransaction', true],
    ['eth_estimateGas', true],
    ['eth_blockNumber', false],
  ] as const)
    log.call({ method, began: 0, ms: 0, params: [], ...(failed && { error }) });
  log.flush();
  expect(printed.split('\n').slice(0, -1)).toEqual([
    'eth_chainId',
    'eth_sendRawTransaction (2)',
    '    Error: eth_sendRawTransaction: nonce too low (2 times)',
    'eth_estimateGas',
    '    Error: eth_estimateGas: nonce too low',
    'eth_blockNumber',
  ]);
});

it('in the order of time, a call goes before what came of it, also where it is logged in the next millisecond', async () => {
  const wall = new ManualClock(1_000);
  let printed = '';
  const log = new Log(
    { level: 'info', format: new TextLog({ colors: colors(false), inOrder: true }) },
    {
      clock: wall,
      write: (text) => {
        printed += text;
      },
    },
  );
  log.tell('the block that it has sealed');
  await wall.advance(1);
  log.call({ method: 'evm_mine', began: 1_000, ms: 0 });
  log.flush();
  expect(printed).toMatch(/^evm_mine\n.*the block that it has sealed\n$/);
});
