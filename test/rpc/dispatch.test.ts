import { describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { DevnetError } from '../../src/errors.ts';
import { optional } from '../../src/rpc/codec/codec.ts';
import { quantity } from '../../src/rpc/codec/values.ts';
import type { Connection } from '../../src/rpc/context.ts';
import { defineMethod } from '../../src/rpc/define-method.ts';
import { type CallReport, Dispatcher, type DispatcherOptions } from '../../src/rpc/dispatch.ts';
import { emptyChain, FakeChain, fakeBlock, fakeContext } from './fake-chain.ts';

let stored = 0n;
const methods = [
  defineMethod({
    name: 'echo',
    kind: 'read',
    params: [optional(quantity)],
    handler: (_, value) => value?.toString(),
  }),
  defineMethod({
    name: 'store',
    kind: 'dev',
    params: [quantity],
    handler: async (_, value) => {
      await Promise.resolve();
      stored = value;
    },
  }),
  defineMethod({ name: 'load', kind: 'read', params: [], handler: () => stored.toString() }),
  defineMethod({
    name: 'boom',
    kind: 'read',
    params: [],
    handler: () => {
      throw new TypeError('secret');
    },
  }),
  defineMethod({ name: 'bigint', kind: 'read', params: [], handler: () => 1n }),
  defineMethod({ name: 'never', kind: 'read', params: [], handler: () => new Promise(() => {}) }),
  defineMethod({ name: 'long', kind: 'read', params: [], handler: () => 'x'.repeat(100) }),
  defineMethod({
    name: 'revert',
    kind: 'read',
    params: [],
    handler: () => {
      throw new DevnetError('reverted', { reason: 'no' }).withData('0x01');
    },
  }),
  defineMethod({
    name: 'connected',
    kind: 'read',
    params: [],
    handler: ({ connection }) => connection !== undefined,
  }),
];

function make(options: DispatcherOptions = {}, onCall?: (report: CallReport) => void) {
  const clock = new ManualClock();
  const dispatcher = new Dispatcher(options, {
    methods,
    context: fakeContext(),
    clock,
    ...(onCall && { onCall }),
  });
  const ask = async (body: unknown, connection?: Connection) => {
    const text = await dispatcher.handle(body, connection);
    return text === undefined ? undefined : JSON.parse(text);
  };
  return { dispatcher, clock, ask };
}

const call = (method: unknown, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

describe('the envelope', () => {
  test.each([[1], ['a'], [null], [0], [-1.5]])('echoes the id %j', async (id) => {
    expect(await make().ask(call('load', [], id))).toMatchObject({ jsonrpc: '2.0', id });
  });

  test.each([
    ['a body that is no object', 7, -32600, null],
    ['null', null, -32600, null],
    ['another version', { ...call('load'), jsonrpc: '1.0' }, -32600, 1],
    ['no version', { id: 1, method: 'load' }, -32600, 1],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32600, 1],
    ['a method that is no string', call(7), -32600, 1],
    ['an id that is an object', call('load', [], {}), -32600, null],
    ['an id that is true', call('load', [], true), -32600, null],
    ['an empty batch', [], -32600, null],
    ['no version and no id', {}, -32600, null],
    ['params that are an object', call('load', {}), -32602, 1],
    ['params that are a string', call('load', 'x'), -32602, 1],
    ['too many params', call('load', [1]), -32602, 1],
    ['an unknown method', call('nope'), -32601, 1],
    ['a method named like a property of objects', call('constructor'), -32601, 1],
  ])('%s', async (_, body, code, id) => {
    expect(await make().ask(body)).toMatchObject({ id, error: { code } });
  });

  test('left out params are none', async () => {
    expect(await make().ask({ jsonrpc: '2.0', id: 1, method: 'echo' })).toHaveProperty('result', null);
  });

  test('bad JSON is -32700 with the id null', async () => {
    expect(JSON.parse(String(await make().dispatcher.handleText('{')))).toMatchObject({
      id: null,
      error: { code: -32700 },
    });
  });

  test.each(['load', 'nope', 'boom'])('a notification of %s is not answered', async (method) => {
    expect(await make().ask({ jsonrpc: '2.0', method })).toBeUndefined();
  });
});

describe('a batch', () => {
  test('is answered in order and a read sees the write before it', async () => {
    const answers = await make().ask([
      call('store', ['0x7'], 'a'),
      call('load', [], 'b'),
      call('store', ['0x8'], 'c'),
      call('load', [], 'd'),
    ]);
    expect(answers.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(answers[1].result).toBe('7');
    expect(answers[3].result).toBe('8');
  });

  test('leaves notifications out, and answers nothing when it is all notifications', async () => {
    const note = { jsonrpc: '2.0', method: 'load' };
    expect(await make().ask([note, call('load')])).toHaveLength(1);
    expect(await make().ask([note, note])).toBeUndefined();
  });

  test('answers each bad entry by itself', async () => {
    expect(await make().ask([1, call('nope'), []])).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: 1, error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
    ]);
  });

  test('over the limit is refused whole', async () => {
    const { ask } = make({ batchLimit: 2 });
    expect(await ask([call('load'), call('load')])).toHaveLength(2);
    expect(await ask([call('load'), call('load'), call('load')])).toMatchObject({ error: { code: -32000 } });
  });

  test('past the response limit is not run further', async () => {
    stored = 0n;
    const answers = await make({ responseLimit: 200 }).ask([
      call('long', [], 1),
      call('long', [], 2),
      call('store', ['0x1'], 3),
    ]);
    expect(answers[0]).toHaveProperty('result');
    expect(answers[1]).toMatchObject({ id: 2, error: { code: -32000 } });
    expect(answers[2]).toMatchObject({ id: 3, error: { code: -32000 } });
    expect(stored).toBe(0n);
  });
});

describe('what is read', () => {
  const later = new ManualClock();
  const looks = (name: string, kind: 'read' | 'send' | 'dev') =>
    defineMethod({
      name,
      kind,
      params: [],
      handler: async ({ chain }) => {
        const { number } = chain.latest.header;
        await later.advance(1);
        return [number.toString(), chain.latest.header.number.toString()];
      },
    });
  /** A chain that grows by a block each millisecond. */
  class Growing extends FakeChain {
    override get latest() {
      return fakeBlock(BigInt(later.now()), new Uint8Array(32));
    }

    override snapshot(): this {
      const { latest, pending } = this;
      return new FakeChain([latest], pending) as this;
    }
  }
  const growing = () => {
    const { blocks, pending } = emptyChain();
    const dispatcher = new Dispatcher(
      {},
      {
        methods: [
          looks('eth_look', 'read'),
          looks('eth_sendAndLook', 'send'),
          looks('evm_moveAndLook', 'dev'),
        ],
        context: fakeContext({ chain: new Growing(blocks, pending) }),
        clock: later,
      },
    );
    const start = later.now();
    const ask = async (body: unknown) => JSON.parse((await dispatcher.handle(body))!);
    const since = ({ result }: { result: string[] }) => result.map((number) => Number(number) - start);
    return { dispatcher, ask, since, start };
  };

  test('by one request is one moment, in the process too', async () => {
    const { dispatcher, ask, since } = growing();
    expect(since(await ask(call('eth_look')))).toEqual([0, 0]);
    expect(since({ result: (await dispatcher.request('eth_look')) as string[] })).toEqual([1, 1]);
  });

  test.each(['eth_sendAndLook', 'evm_moveAndLook'])('by %s is what it has changed', async (method) => {
    const { ask, since } = growing();
    expect(since(await ask(call(method)))).toEqual([0, 1]);
  });

  test('by a batch is one moment, and another one after a call that may change the chain', async () => {
    const { ask, since } = growing();
    const [look, send] = [call('eth_look'), call('eth_sendAndLook')];
    const answers = await ask([look, look, send, look, send, send, look, look]);
    expect(answers.map(since)).toEqual([
      [0, 0],
      [0, 0],
      [2, 3],
      [3, 3],
      [4, 5],
      [5, 6],
      [6, 6],
      [6, 6],
    ]);
  });
});

describe('the pending block of a request', () => {
  const atOnce = defineMethod({ name: 'eth_atOnce', kind: 'read', handler: () => true });
  const later = defineMethod({ name: 'eth_later', kind: 'read', handler: async () => true });
  const computed = { computes: true, kind: 'read' } as const;
  const computedAtOnce = defineMethod({ ...computed, name: 'eth_computedAtOnce', handler: () => true });
  const computedLater = defineMethod({ ...computed, name: 'eth_computedLater', handler: async () => true });
  const captures = async (body: unknown) => {
    const chain = emptyChain();
    const capture = vi.spyOn(chain, 'capture');
    const methods = [atOnce, later, computedAtOnce, computedLater];
    const deps = { methods, context: fakeContext({ chain }), clock: new ManualClock() };
    const dispatcher = new Dispatcher({}, deps);
    const answered = dispatcher.handle(body);
    // Before anything else runs.
    const count = capture.mock.calls.length;
    await answered;
    return count;
  };

  test('is captured before anything else runs, where it goes on later', async () => {
    expect(await captures(call('eth_later'))).toBe(1);
    expect(await captures(call('eth_computedLater'))).toBe(1);
    expect(await captures([call('eth_atOnce')])).toBe(1);
  });

  test('is not captured where the request ends at once', async () => {
    expect(await captures(call('eth_atOnce'))).toBe(0);
    expect(await captures(call('eth_computedAtOnce'))).toBe(0);
  });
});

describe('errors', () => {
  test('an unknown throw is -32603 and tells nothing of the inside, but to the log', async () => {
    const reports: CallReport[] = [];
    const answer = await make({}, (report) => reports.push(report)).ask(call('boom'));
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } });
    expect(reports).toMatchObject([{ method: 'boom', error: expect.any(TypeError) }]);
  });

  test('a result that is not JSON is -32603', async () => {
    expect(await make().ask(call('bigint'))).toMatchObject({ error: { code: -32603 } });
  });

  test('an error carries its data', async () => {
    expect(await make().ask(call('revert'))).toMatchObject({ error: { code: 3, data: '0x01' } });
  });

  test('a response over the limit is -32000', async () => {
    expect(await make({ responseLimit: 50 }).ask(call('long'))).toMatchObject({
      id: 1,
      error: { code: -32000 },
    });
  });

  test('a call over its time is -32000', async () => {
    const { ask, clock } = make({ timeoutMs: 100 });
    const answer = ask(call('never'));
    await clock.advance(100);
    expect(await answer).toMatchObject({ error: { code: -32000 } });
  });

  test('a call in process throws code and data', async () => {
    const { dispatcher } = make();
    await expect(dispatcher.request('revert')).rejects.toMatchObject({ code: 3, data: '0x01' });
    await expect(dispatcher.request('boom')).rejects.toMatchObject({ code: -32603 });
    await expect(dispatcher.request('nope')).rejects.toMatchObject({ code: -32601 });
    expect(await dispatcher.request('echo', ['0x10'])).toBe('16');
  });
});

test('a handler sees the connection of its caller, where there is one', async () => {
  const { ask } = make();
  const connection: Connection = { notify: () => true, onClose: () => {} };
  expect(await ask(call('connected'), connection)).toHaveProperty('result', true);
  expect(await ask(call('connected'))).toHaveProperty('result', false);
});

test('two methods of one name are refused', () => {
  const deps = { methods: [methods[0]!, methods[0]!], context: fakeContext(), clock: new ManualClock() };
  expect(() => new Dispatcher({}, deps)).toThrow(/echo/);
});
