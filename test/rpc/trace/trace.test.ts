import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encode, startKitchen } from '../devnet.ts';

type Kitchen = Awaited<ReturnType<typeof startKitchen>>;
let kitchen: Kitchen;
let relayed: string;
let failed: string;
let logged: string;

beforeAll(async () => {
  kitchen = await startKitchen();
  const { send, to, preconfirm } = kitchen;
  // All three stand in the open block: traces of pre-confirmed transactions are the rule here.
  logged = await send({ to, data: encode('emitMany', 2n, '0xab') });
  relayed = await send({ to, data: encode('relay', to, encode('emitMany', 1n, '0xcd')) });
  failed = await send({ to, data: encode('invalid') });
  await preconfirm();
});
afterAll(() => kitchen.node.close());

const struct = (hash: string, config = {}) => kitchen.rpc('debug_traceTransaction', hash, config);
const traced = (hash: string, tracer: string, tracerConfig = {}) => struct(hash, { tracer, tracerConfig });

describe('struct logs', () => {
  test('gas and outcome are those of the receipt', async () => {
    const receipt = await kitchen.rpc('eth_getTransactionReceipt', relayed);
    const trace = await struct(relayed);
    expect(trace).toMatchObject({ gas: Number(receipt.gasUsed), failed: false });
    expect(trace.structLogs[0]).toMatchObject({ pc: 0, depth: 1, stack: [] });
    expect(trace.structLogs.some((step: { depth: number }) => step.depth === 2)).toBe(true);
  });

  test('gas cost is what is gone at the next step of the frame', async () => {
    const { structLogs } = await struct(logged);
    for (const [i, step] of structLogs.slice(0, -1).entries())
      expect(step.gas - step.gasCost, `${i} ${step.op}`).toBe(structLogs[i + 1].gas);
  });

  test('options choose the fields', async () => {
    const [bare] = (await struct(logged, { disableStack: true })).structLogs;
    expect(bare).not.toHaveProperty('stack');
    expect(bare).not.toHaveProperty('memory');
    const full = (await struct(relayed, { enableMemory: true, enableReturnData: true, limit: 40 }))
      .structLogs;
    expect(full).toHaveLength(40);
    expect(full.at(-1).memory[0]).toMatch(/^0x[0-9a-f]{64}$/);
  });

  test('an invalid opcode is shown, its transaction has failed and returns nothing', async () => {
    const trace = await struct(failed);
    expect(trace).toMatchObject({ failed: true, returnValue: '0x' });
    expect(trace.structLogs.at(-1)).toMatchObject({ op: 'INVALID' });
  });

  test('running out of gas is an error of the step', async () => {
    const request = { to: kitchen.to, data: encode('emitMany', 9n, '0x'), gas: '0x6000' };
    const trace = await kitchen.rpc('debug_traceCall', request, 'pending');
    expect(trace.failed).toBe(true);
    expect(trace.structLogs.at(-1).error).toBe('out of gas');
  });

  test('storage shows at SSTORE, all slots seen so far', async () => {
    const request = { to: kitchen.to, data: encode('fill', 7n, 2n, 5n) };
    const { structLogs } = await kitchen.rpc('debug_traceCall', request, 'latest');
    const stores = structLogs.filter(({ op }: { op: string }) => op === 'SSTORE');
    expect(stores).toHaveLength(2);
    expect(Object.keys(stores[1].storage)).toHaveLength(2);
  });
});

describe('callTracer', () => {
  test('the outermost frame has the gas of the transaction and of its receipt', async () => {
    const receipt = await kitchen.rpc('eth_getTransactionReceipt', relayed);
    const trace = await traced(relayed, 'callTracer');
    expect(trace).toMatchObject({
      type: 'CALL',
      from: kitchen.from,
      to: kitchen.to,
      gas: '0x2dc6c0',
      gasUsed: receipt.gasUsed,
      value: '0x0',
    });
    expect(trace.calls).toHaveLength(1);
    expect(trace.calls[0]).toMatchObject({ type: 'CALL', from: kitchen.to, to: kitchen.to });
    expect(trace.calls[0]).not.toHaveProperty('logs');
    expect(await traced(relayed, 'callTracer', { onlyTopCall: true })).not.toHaveProperty('calls');
  });

  test('logs carry their index in the block and their position between the calls', async () => {
    const trace = await traced(relayed, 'callTracer', { withLog: true });
    expect(trace.calls[0].logs).toMatchObject([{ address: kitchen.to, index: '0x2', position: '0x0' }]);
  });

  test('a failed frame says why', async () => {
    expect(await traced(failed, 'callTracer')).toMatchObject({ error: 'invalid opcode: INVALID' });
  });

  test('a creation ends with its address and code', async () => {
    const trace = await traced(kitchen.created, 'callTracer');
    expect(trace).toMatchObject({ type: 'CREATE', to: kitchen.to });
    expect(trace.output).toBe(await kitchen.rpc('eth_getCode', kitchen.to, 'latest'));
  });

  test('static calls have no value, delegate calls come from the contract', async () => {
    const inner = encode('read', 1n);
    const request = { to: kitchen.to, data: encode('relayStatic', kitchen.to, inner) };
    const config = { tracer: 'callTracer' };
    const trace = await kitchen.rpc('debug_traceCall', request, 'latest', config);
    expect(trace.calls[0].type).toBe('STATICCALL');
    expect(trace.calls[0]).not.toHaveProperty('value');
    const delegated = await kitchen.rpc(
      'debug_traceCall',
      { to: kitchen.to, data: encode('delegate', kitchen.to, 3n) },
      'latest',
      config,
    );
    expect(delegated.calls[0]).toMatchObject({ type: 'DELEGATECALL', from: kitchen.to, to: kitchen.to });
  });

  test('a self-destruction is a frame, and so is a call that the balance refuses', async () => {
    const config = { tracer: 'callTracer' };
    const destroy = { to: kitchen.to, data: encode('destroy', kitchen.other) };
    const destroyed = await kitchen.rpc('debug_traceCall', destroy, 'latest', config);
    expect(destroyed.calls).toMatchObject([{ type: 'SELFDESTRUCT', to: kitchen.other, gas: '0x0' }]);
    // PUSH0 x4, PUSH1 1 (value), CALLER, GAS, CALL
    const code = '0x5f5f5f5f6001335af1';
    const poor = '0x00000000000000000000000000000000000000aa';
    const refused = await kitchen.rpc('debug_traceCall', { to: poor }, 'latest', {
      ...config,
      stateOverrides: { [poor]: { code } },
    });
    expect(refused.calls).toMatchObject([
      { type: 'CALL', from: poor, value: '0x1', error: 'insufficient balance for transfer' },
    ]);
  });
});

describe('other tracers', () => {
  test('the prestate holds sender, recipient and coinbase as they were before', async () => {
    const state = await traced(logged, 'prestateTracer');
    expect(state[kitchen.from].nonce).toBe(1);
    expect(state[kitchen.to].code).toMatch(/^0x60/);
    expect(await traced(logged, 'prestateTracer', { disableCode: true })).not.toHaveProperty([
      kitchen.to,
      'code',
    ]);
  });

  test('the diff has only what changed', async () => {
    const { pre, post } = await traced(relayed, 'prestateTracer', { diffMode: true });
    expect(pre[kitchen.from].nonce).toBe(2);
    expect(post[kitchen.from].nonce).toBe(3);
    // The slot that relay counts in, and nothing else of the contract.
    expect(Object.keys(post[kitchen.to])).toEqual(['storage']);
    expect(Object.keys(post[kitchen.to].storage)).toHaveLength(1);
  });

  test('selectors are counted with the size of their arguments', async () => {
    const selector = encode('emitMany', 1n, '0xcd').slice(0, 10);
    expect(await traced(relayed, '4byteTracer')).toMatchObject({ [`${selector}-128`]: 1 });
  });

  test('several tracers run at once, an unknown one is -32000', async () => {
    const both = await traced(relayed, 'muxTracer', { callTracer: { onlyTopCall: true }, noopTracer: null });
    expect(both).toMatchObject({ callTracer: { type: 'CALL' }, noopTracer: {} });
    await expect(traced(relayed, 'nopeTracer')).rejects.toMatchObject({ code: -32000 });
  });
});

describe('blocks', () => {
  test('the pending block is traced transaction by transaction', async () => {
    const traces = await kitchen.rpc('debug_traceBlockByNumber', 'pending', { tracer: 'callTracer' });
    expect(traces.map(({ txHash }: { txHash: string }) => txHash)).toEqual([logged, relayed, failed]);
    const block = await kitchen.rpc('eth_getBlockByNumber', 'pending', false);
    expect(await kitchen.rpc('debug_traceBlockByHash', block.hash, { tracer: 'callTracer' })).toEqual(traces);
    const raw = await kitchen.rpc('debug_getRawBlock', 'pending');
    expect(await kitchen.rpc('debug_traceBlock', raw, { tracer: 'callTracer' })).toEqual(traces);
  });

  test('unknown transactions and the genesis block are -32000', async () => {
    await expect(struct(`0x${'01'.repeat(32)}`)).rejects.toMatchObject({ code: -32000 });
    await expect(kitchen.rpc('debug_traceBlockByNumber', '0x0')).rejects.toMatchObject({ code: -32000 });
  });

  test('a call sees the state before the transaction at txIndex', async () => {
    const nonceBefore = async (txIndex: string) => {
      const config = { tracer: 'prestateTracer', txIndex };
      const state = await kitchen.rpc(
        'debug_traceCall',
        { from: kitchen.from, to: kitchen.other },
        'pending',
        config,
      );
      return state[kitchen.from].nonce;
    };
    expect([await nonceBefore('0x0'), await nonceBefore('0x2')]).toEqual([1, 3]);
  });
});

describe("OpenEthereum's format", () => {
  test('calls are flat, with their path', async () => {
    const traces = await kitchen.rpc('trace_transaction', relayed);
    expect(traces).toMatchObject([
      { type: 'call', subtraces: 1, traceAddress: [], transactionPosition: 1 },
      { type: 'call', subtraces: 0, traceAddress: [0], action: { callType: 'call', from: kitchen.to } },
    ]);
    expect(await kitchen.rpc('trace_block', 'pending')).toHaveLength(4);
    expect(await traced(relayed, 'flatCallTracer')).toHaveLength(2);
    const filter = { fromBlock: '0x0', toBlock: 'pending', fromAddress: [kitchen.to] };
    expect(await kitchen.rpc('trace_filter', filter)).toMatchObject([{ traceAddress: [0] }]);
  });

  test('a call answers its trace and its changes', async () => {
    const request = { from: kitchen.from, to: kitchen.other, value: '0x1' };
    const { trace, stateDiff } = await kitchen.rpc('trace_call', request, ['trace', 'stateDiff'], 'pending');
    expect(trace).toMatchObject([{ action: { value: '0x1' } }]);
    expect(stateDiff[kitchen.other].balance['*']).toBeDefined();
    await expect(kitchen.rpc('trace_call', request, ['nosuch'], 'latest')).rejects.toMatchObject({
      code: -32602,
    });
  });
});

test('the storage range holds the slots of the account, hashed', async () => {
  const { rpc, send, to, preconfirm } = kitchen;
  await send({ to, data: encode('fill', 100n, 3n, 5n) });
  await preconfirm();
  const { hash, transactions } = await rpc('eth_getBlockByNumber', 'pending', false);
  const range = await rpc('debug_storageRangeAt', hash, transactions.length, to, '0x', 2);
  expect(Object.keys(range.storage)).toHaveLength(2);
  expect(range.nextKey).toMatch(/^0x/);
  expect((await rpc('debug_storageRangeAt', hash, 0, to, '0x', 1000)).nextKey).toBeNull();
});

test('console.log of a transaction is reported once, its estimate and replays are quiet', async () => {
  const { rpc, lines } = kitchen;
  const data = `0x41304fac${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6869'.padEnd(64, '0')}`;
  const request = { to: '0x000000000000000000636f6e736f6c652e6c6f67', data };
  await rpc('eth_call', request);
  await rpc('eth_estimateGas', request);
  await rpc('debug_traceCall', request, 'latest');
  expect(lines).toEqual(['hi']);
});
