import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encode, startKitchen } from '../devnet.ts';

type Kitchen = Awaited<ReturnType<typeof startKitchen>>;
let kitchen: Kitchen;
let relayed: string;
const FRESH = `0x${'4f'.repeat(20)}`;
const KINDS = ['trace', 'stateDiff', 'vmTrace'];

beforeAll(async () => {
  kitchen = await startKitchen();
  const { send, to, preconfirm } = kitchen;
  relayed = await send({ to, data: encode('relay', to, encode('emitMany', 1n, '0xcd')) });
  await preconfirm();
});
afterAll(() => kitchen.node.close());

describe('trace_callMany', () => {
  test('runs each call on what those before it left', async () => {
    const { rpc, from } = kitchen;
    const transfer = { from, to: FRESH, value: '0x7' };
    const traces = await rpc('trace_callMany', [
      [transfer, ['stateDiff']],
      [transfer, ['trace', 'stateDiff']],
    ]);
    expect(traces).toHaveLength(2);
    expect(traces[0].stateDiff[FRESH].balance).toEqual({ '+': '0x7' });
    expect(traces[1].stateDiff[FRESH].balance).toEqual({ '*': { from: '0x7', to: '0xe' } });
    expect(traces[0].trace).toEqual([]);
    expect(traces[1].trace[0].action).toMatchObject({ from, to: FRESH, value: '0x7' });
    expect(await rpc('eth_getBalance', FRESH, 'latest')).toBe('0x0');
  });

  test('answers of one call what trace_call answers, at every block', async () => {
    const { rpc, from, to } = kitchen;
    const request = { from, to, data: encode('emitMany', 2n, '0xab') };
    const { hash } = await rpc('eth_getBlockByNumber', 'latest', false);
    for (const tag of ['latest', 'pending', '0x1', hash, { blockHash: hash }])
      expect(await rpc('trace_callMany', [[request, KINDS]], tag)).toEqual([
        await rpc('trace_call', request, KINDS, tag),
      ]);
    expect(await rpc('trace_callMany', [])).toEqual([]);
  });

  test('refuses what is not a list of calls with their kinds, and blocks that are not there', async () => {
    const { rpc } = kitchen;
    const code = (...params: unknown[]) =>
      rpc('trace_callMany', ...params).then(
        () => 0,
        (error) => error.code,
      );
    expect(await code([{ to: FRESH }])).toBe(-32602);
    expect(await code([[{ to: FRESH }]])).toBe(-32602);
    expect(await code([[{ to: FRESH }, ['nosuch']]])).toBe(-32602);
    expect(await code([[{ to: FRESH }, ['trace']]], '0x99')).toBe(-32000);
    expect(await code()).toBe(-32602);
  });
});

describe('trace_get', () => {
  test('is the call of a transaction at a place in the tree of calls', async () => {
    const { rpc } = kitchen;
    const all = await rpc('trace_transaction', relayed);
    expect(all.length).toBeGreaterThan(1);
    for (const trace of all)
      expect(
        await rpc(
          'trace_get',
          relayed,
          trace.traceAddress.map((i: number) => `0x${i.toString(16)}`),
        ),
      ).toEqual(trace);
    expect(await rpc('trace_get', relayed, [])).toEqual(all[0]);
  });

  test('is null for another place or an unknown transaction', async () => {
    const { rpc } = kitchen;
    expect(await rpc('trace_get', relayed, ['0x9'])).toBeNull();
    expect(await rpc('trace_get', relayed, ['0x0', '0x0', '0x0'])).toBeNull();
    expect(await rpc('trace_get', `0x${'ab'.repeat(32)}`, [])).toBeNull();
    await expect(rpc('trace_get', relayed)).rejects.toMatchObject({ code: -32602 });
    await expect(rpc('trace_get', relayed, ['x'])).rejects.toMatchObject({ code: -32602 });
  });
});

describe('trace_rawTransaction', () => {
  const signed = async (fields: object = {}) => {
    const { rpc, from, to } = kitchen;
    const filled = { from, to, data: encode('emitMany', 2n, '0xab'), gas: '0x2dc6c0', ...fields };
    const answer = await rpc('eth_signTransaction', filled);
    return typeof answer === 'string' ? answer : answer.raw;
  };

  test('traces a signed transaction, which is not sent', async () => {
    const { rpc, from, to } = kitchen;
    const raw = await signed();
    const trace = await rpc('trace_rawTransaction', raw, KINDS, 'pending');
    expect(trace.trace[0].action).toMatchObject({ from, to, callType: 'call' });
    expect(trace.stateDiff[from].nonce['*']).toBeDefined();
    expect(trace.vmTrace.code).toBe(await rpc('eth_getCode', to, 'latest'));
    expect(await rpc('txpool_status')).toMatchObject({ pending: '0x0', queued: '0x0' });
  });

  test('refuses one that could not be in a block: nonce, funds, signature', async () => {
    const { rpc, other } = kitchen;
    const code = (raw: string, tag = 'latest') =>
      rpc('trace_rawTransaction', raw, ['trace'], tag).then(
        () => 0,
        (error) => error.code,
      );
    expect(await code(await signed())).toBe(-32003);
    expect(await code(await signed(), 'pending')).toBe(0);
    expect(await code(await signed({ nonce: '0x0' }))).toBe(-32003);
    expect(await code(await signed({ from: other, nonce: '0x0', value: '0xffffffffffffffffffffff' }))).toBe(
      -32003,
    );
    expect(await code('0x1234')).not.toBe(0);
    await expect(rpc('trace_rawTransaction', await signed(), ['nosuch'])).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('refuses a sender with code, but not one that delegates', async () => {
    const { rpc, other } = kitchen;
    const raw = await signed({ from: other, nonce: '0x0' });
    const delegation = `0xef0100${'11'.repeat(20)}`;
    await rpc('anvil_setCode', other, delegation);
    expect((await rpc('trace_rawTransaction', raw, ['trace'])).trace).toHaveLength(1);
    await rpc('anvil_setCode', other, '0x00');
    await expect(rpc('trace_rawTransaction', raw, ['trace'])).rejects.toMatchObject({ code: -32003 });
    await rpc('anvil_setCode', other, '0x');
  });
});
