import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { DevnetError } from '../../src/errors.ts';
import { type CallReport, Dispatcher, type DispatcherOptions } from '../../src/rpc/dispatch.ts';
import { type EndableSink, JsonStream } from '../../src/rpc/json-stream.ts';
import { fakeContext } from './fake-chain.ts';

const PIECE = 'x'.repeat(64 * 1024);
const TOO_LONG = new DevnetError('limitExceeded', { limit: 'it', max: 1 });

/** A stream of a string of so many pieces, and how many are made. */
function pieces(count: number, end?: (sink: EndableSink) => Promise<void>) {
  const state = { made: 0, error: undefined as unknown };
  const make = async (sink: EndableSink) => {
    try {
      state.made = 0;
      sink.write('"');
      for (; state.made < count; state.made++) {
        sink.write(PIECE);
        await sink.room();
      }
      await end?.(sink);
      if (end !== ending) sink.write('"');
    } catch (error) {
      state.error = error;
      throw error;
    }
  };
  return { state, open: () => JsonStream.open(make) };
}

const failing = () => Promise.reject(new TypeError('late'));
/** Ends the text as it stands. */
const ending = async (sink: EndableSink) => sink.end('"', TOO_LONG);

function make(stream: () => Promise<JsonStream>, options: DispatcherOptions = {}) {
  const clock = new ManualClock();
  const reports: CallReport[] = [];
  const dispatcher = new Dispatcher(options, {
    methods: [{ name: 'stream', kind: 'read', call: stream }],
    context: fakeContext(),
    clock,
    onCall: (report) => reports.push(report),
  });
  return { dispatcher, clock, reports };
}

const call = (id: unknown = 1) => ({ jsonrpc: '2.0', ...(id !== undefined && { id }), method: 'stream' });

describe('a stream', () => {
  test('is not made ahead of its reader', async () => {
    const { state, open } = pieces(100);
    const stream = await open();
    expect(state.made).toBe(0);
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    await setImmediate();
    await setImmediate();
    expect(state.made).toBe(1);
    await reader.return();
    await expect(stream.finished).rejects.toMatchObject({ code: -32000 });
    expect(state.error).toMatchObject({ code: -32000 });
    expect(state.made).toBe(1);
  });

  test('has every character, enclosed', async () => {
    const stream = (await pieces(3).open()).enclose('[', () => ']');
    expect(await stream.collect(1e6, () => TOO_LONG)).toBe(`["${PIECE}${PIECE}${PIECE}"]`);
    await stream.finished;
  });

  test('that fails before the first piece does not open', async () => {
    await expect(pieces(0, failing).open()).rejects.toThrow('late');
  });

  test('that fails later tells its reader', async () => {
    const stream = await pieces(2, failing).open();
    await expect(stream.collect(1e6, () => TOO_LONG)).rejects.toThrow('late');
    expect(stream.signal.aborted).toBe(true);
  });

  test('is whole in one answer when it is short', async () => {
    const { dispatcher, reports } = make(pieces(0).open);
    expect(await dispatcher.handleText(JSON.stringify(call('a')))).toBe(
      '{"jsonrpc":"2.0","id":"a","result":""}',
    );
    await setImmediate();
    expect(reports).toMatchObject([{ method: 'stream' }]);
  });

  test('is made for a notification up to the first piece', async () => {
    const { state, open } = pieces(100);
    expect(await make(open).dispatcher.handleText('{"jsonrpc":"2.0","method":"stream"}')).toBeUndefined();
    expect(state.made).toBe(0);
  });

  test('is held to the limit in a batch and in the process', async () => {
    const over = make(pieces(100).open, { responseLimit: 200_000 });
    const answers = JSON.parse((await over.dispatcher.handle([call(1), call(2)]))!);
    expect(answers).toMatchObject([{ id: 1, error: { code: -32000 } }, { id: 2 }]);
    await expect(over.dispatcher.request('stream')).rejects.toMatchObject({ code: -32000 });
    expect(over.reports[0]?.error).toMatchObject({ kind: 'limitExceeded' });

    const under = make(pieces(2).open, { responseLimit: 300_000 });
    const both = JSON.parse((await under.dispatcher.handle([call(1), call(2)]))!);
    for (const { result } of both) expect(result === PIECE + PIECE).toBe(true);
  });

  test('that fails in a batch is an error there', async () => {
    const { dispatcher } = make(pieces(2, failing).open);
    expect(JSON.parse((await dispatcher.handle([call(1)]))!)).toMatchObject([
      { id: 1, error: { code: -32603 } },
    ]);
  });
});

describe('a stream that ends early', () => {
  test('has what there is and the error in one answer, and the log has the error', async () => {
    const { dispatcher, reports } = make(pieces(3, ending).open);
    const stream = (await dispatcher.handleText(JSON.stringify(call(7)))) as JsonStream;
    let text = '';
    for await (const piece of stream) text += piece;
    expect(text).toBe(
      `{"jsonrpc":"2.0","id":7,"result":"${PIECE}${PIECE}${PIECE}","error":{"code":-32000,"message":"it is over the limit of 1"}}`,
    );
    expect(stream.signal.aborted).toBe(false);
    await setImmediate();
    expect(reports).toMatchObject([{ error: { kind: 'limitExceeded' } }]);
  });

  test('is an error in a batch, in the process, and before the first piece', async () => {
    const { dispatcher } = make(pieces(3, ending).open);
    expect(JSON.parse((await dispatcher.handle([call(1)]))!)).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'it is over the limit of 1' } },
    ]);
    await expect(dispatcher.request('stream')).rejects.toMatchObject({ kind: 'limitExceeded' });
    await expect(pieces(0, ending).open()).rejects.toMatchObject({ kind: 'limitExceeded' });
  });
});

describe('the time limit', () => {
  test('holds for the first piece', async () => {
    let go = () => {};
    const { state, open } = pieces(100);
    const { dispatcher, clock } = make(
      async () => {
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        return open();
      },
      { timeoutMs: 50 },
    );
    const answer = dispatcher.handleText(JSON.stringify(call()));
    await clock.advance(50);
    expect(JSON.parse(String(await answer))).toMatchObject({ error: { code: -32000 } });
    go();
    await setImmediate();
    await setImmediate();
    expect(state.error).toMatchObject({ kind: 'timedOut' });
  });

  test('holds for all that its reader waits for, not for what the reader takes', async () => {
    let arrive = () => {};
    const slow = () =>
      JsonStream.open(async (out) => {
        for (;;) {
          out.write(PIECE);
          await out.room();
          await new Promise<void>((resolve) => {
            arrive = resolve;
          });
        }
      });
    const { dispatcher, clock } = make(slow, { timeoutMs: 50 });
    const stream = (await dispatcher.handleText(JSON.stringify(call()))) as JsonStream;
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    const waitFor = async (ms: number) => {
      const piece = reader.next();
      await setImmediate();
      await clock.advance(ms);
      arrive();
      await piece;
    };
    await waitFor(20);
    await clock.advance(40);
    await waitFor(20);
    await clock.advance(40);
    // It gets what was made meanwhile.
    await waitFor(10);
    await expect(reader.next()).rejects.toMatchObject({ kind: 'timedOut' });
  });

  test('starts anew with every piece that waits for its reader', async () => {
    const { state, open } = pieces(100);
    const { dispatcher, clock } = make(open, { timeoutMs: 50 });
    const stream = (await dispatcher.handleText(JSON.stringify(call()))) as JsonStream;
    await clock.advance(1_000);
    const reader = stream[Symbol.asyncIterator]();
    for (let i = 0; i < 5; i++) {
      await reader.next();
      await clock.advance(40);
    }
    expect(stream.signal.aborted).toBe(false);
    await clock.advance(10);
    expect(stream.signal.aborted).toBe(true);
    await expect(reader.next()).rejects.toMatchObject({ kind: 'timedOut' });
    expect(state.made).toBe(4);
  });
});
