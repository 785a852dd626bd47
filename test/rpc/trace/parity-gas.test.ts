import { afterEach, describe, expect, test } from 'vitest';
import type { Wire } from '../../wire.ts';
import { startNode, type TestNode } from '../dev/node.ts';

const PLAIN = `0x${'dd'.repeat(20)}`;
const CALLER = `0x${'cc'.repeat(20)}`;
const IDENTITY = `0x${'4'.padStart(40, '0')}`;
/** @param value a byte in hex, of CALL and CALLCODE */
const callIdentity = (opcode: string, value?: string) =>
  `5f5f5f5f${value === undefined ? '' : `60${value}`}60045a${opcode}50`;
/** Calls the identity precompile in each way, and clears slot 0, which gives a refund. */
const CODE = [
  '0x',
  callIdentity('f1', '01'),
  callIdentity('f1', '00'),
  callIdentity('fa'),
  callIdentity('f4'),
  callIdentity('f2', '00'),
  '5f5f5500',
].join('');

let node: TestNode;
afterEach(() => node.close());

/** The traces of a transaction, by each method that has them. */
async function tracesOf(request: Record<string, unknown>) {
  const { rpc } = node;
  const from = node.accounts[0];
  const called = (await rpc('trace_call', { from, ...request }, ['trace'], 'latest')).trace;
  const hash = await rpc('eth_sendTransaction', { from, ...request });
  const receipt = await rpc('eth_getTransactionReceipt', hash);
  const { blockNumber } = receipt;
  const place = ({ action, error, result, subtraces, traceAddress, type }: Wire) => ({
    ...{ action, error, result, subtraces, traceAddress, type },
  });
  const [replayed] = await rpc('trace_replayBlockTransactions', blockNumber, ['trace']);
  const ways: Record<string, Wire[]> = {
    trace_call: called,
    trace_transaction: await rpc('trace_transaction', hash),
    trace_block: await rpc('trace_block', blockNumber),
    trace_filter: await rpc('trace_filter', { fromBlock: blockNumber, toBlock: blockNumber }),
    trace_replayTransaction: (await rpc('trace_replayTransaction', hash, ['trace'])).trace,
    trace_replayBlockTransactions: replayed.trace,
  };
  const traces = Object.entries(ways).map(([method, list]) => [method, list.map(place)] as const);
  return { receipt, hash, traces };
}

describe.each(['fast', 'ethereumjs', 'shadow'] as const)('on the engine %s', (engine) => {
  test('a transfer has the gas above the intrinsic gas, and used none', async () => {
    node = await startNode({ automine: true, engine });
    const { traces, receipt } = await tracesOf({ to: PLAIN, value: '0x1', gas: '0x7530' });
    expect(receipt.gasUsed).toBe('0x5208');
    for (const [method, [trace]] of traces)
      expect(trace, method).toMatchObject({ action: { gas: '0x2328' }, result: { gasUsed: '0x0' } });
  });

  test('the floor of EIP-7623 is no part of the call', async () => {
    node = await startNode({ automine: true, engine });
    const request = { to: PLAIN, data: `0x${'11'.repeat(1000)}`, gas: '0x30d40' };
    const { traces, receipt } = await tracesOf(request);
    expect(receipt.gasUsed).toBe('0xee48');
    for (const [method, [trace]] of traces)
      expect(trace, method).toMatchObject({ action: { gas: '0x27cb8' }, result: { gasUsed: '0x0' } });
  });

  test('a creation counts its code, without the intrinsic gas', async () => {
    node = await startNode({ automine: true, engine });
    const { traces, receipt } = await tracesOf({ data: '0x60016000f3', gas: '0x30d40' });
    expect(receipt.gasUsed).toBe('0xd01f');
    for (const [method, [trace]] of traces)
      expect(trace, method).toMatchObject({
        type: 'create',
        action: { gas: '0x23df2' },
        result: { gasUsed: '0xd1' },
      });
  });

  test('a call of a precompile is a trace when it sends ETH; the gas of the call is that before refunds', async () => {
    node = await startNode({ automine: true, engine });
    await node.rpc('anvil_setCode', CALLER, CODE);
    await node.rpc('anvil_setBalance', CALLER, '0x1000');
    await node.rpc('anvil_setStorageAt', CALLER, '0x0', `0x${'1'.padStart(64, '0')}`);
    const { traces, hash, receipt } = await tracesOf({ to: CALLER, value: '0x1', gas: '0x30d40' });
    for (const [method, [root, ...inner]] of traces) {
      expect(root, method).toMatchObject({ action: { gas: '0x2bb38' }, subtraces: inner.length });
      // The refund for the cleared slot is 4,800.
      expect(Number(root!.result.gasUsed), method).toBe(Number(receipt.gasUsed) + 4800 - 21_000);
      expect(
        inner.map(({ action, traceAddress }) => [action.callType, action.to, action.value, ...traceAddress]),
        method,
      ).toEqual([
        ['call', IDENTITY, '0x1', 0],
        ['delegatecall', IDENTITY, '0x1', 1],
        ['callcode', IDENTITY, '0x0', 2],
      ]);
    }
    // geth's flatCallTracer shows the transaction's gas, and no CALL of a precompile.
    const flat = await node.rpc('debug_traceTransaction', hash, { tracer: 'flatCallTracer' });
    expect(flat[0]).toMatchObject({ action: { gas: '0x30d40' }, result: { gasUsed: receipt.gasUsed } });
    expect(flat.slice(1).map(({ action }: Wire) => action.callType)).toEqual(['delegatecall', 'callcode']);
    const frames = await node.rpc('debug_traceTransaction', hash, { tracer: 'callTracer' });
    expect(frames).toMatchObject({ gas: '0x30d40', gasUsed: receipt.gasUsed });
  });

  test('a transaction to a precompile is a trace', async () => {
    node = await startNode({ automine: true, engine });
    const { traces } = await tracesOf({ to: IDENTITY, data: '0x1234', gas: '0x30d40' });
    for (const [method, list] of traces)
      expect(list, method).toMatchObject([{ action: { gas: '0x2bb18' }, result: { gasUsed: '0x12' } }]);
  });

  test('a failed transaction has its gas, and no result', async () => {
    node = await startNode({ automine: true, engine });
    await node.rpc('anvil_setCode', CALLER, '0xfe');
    const { traces } = await tracesOf({ to: CALLER, gas: '0x7530' });
    for (const [method, [trace]] of traces) {
      expect(trace, method).toMatchObject({ action: { gas: '0x2328' }, error: 'Bad instruction' });
      expect(trace!.result, method).toBeUndefined();
    }
  });
});
