import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDevnet, type DevnetOptions, followDevnet } from '../../../src/index.ts';
import { liveNode, subscriber } from '../../live-node.ts';
import { callsOf, type Wire } from '../../wire.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function live(options: DevnetOptions = {}) {
  const node = await liveNode(options);
  closing.push(() => node.close());
  return node;
}

/** Runtime code that counts its calls in slot 0 and answers the count: SLOAD, add 1, SSTORE, return. */
const COUNTER = '0x5f546001018060005560005260206000f3';
const AT = `0x${'c0'.repeat(20)}`;
const SINK = `0x${'51'.repeat(20)}`;

const at = (blockNumber: unknown, flashblockIndex: unknown) => ({ blockNumber, flashblockIndex });

/** A chain whose block 1 has in flashblock 1 one call of the counter, in 2 none, in 3 two; what `pending` showed after each. */
async function grown(options: DevnetOptions = {}) {
  const node = await live(options);
  await node.call('anvil_setCode', AT, COUNTER);
  await node.seal();
  const count = (from: string) => node.send(from, { to: AT, gas: '0x186a0', value: '0x0' });
  const shown: Wire[] = [];
  const look = async () => shown.push(await node.call('eth_getBlockByNumber', 'pending', false));
  const { first, second } = node.accounts;
  await look();
  const one = await count(first);
  await node.tick();
  await look();
  await node.tick();
  await look();
  const [two, three] = [await count(first), await count(second)];
  await node.tick();
  await look();
  return { ...node, shown, sent: [one, two, three] };
}

const ENGINES: [string, DevnetOptions][] = [
  ['fast', { engine: 'fast' }],
  ['ethereumjs', { engine: 'ethereumjs' }],
  ['shadow', { engine: 'shadow' }],
];
const COUNTS = [0, 1, 1, 3];

describe.each(ENGINES)('on the engine %s', (_, options) => {
  it.each(['open', 'sealed'])(
    'reads, calls, simulations and traces see the state after a flashblock of the %s block',
    async (kind) => {
      const node = await grown(options);
      if (kind === 'sealed') {
        await node.seal();
        await node.send(node.accounts.first, { to: AT, gas: '0x186a0', value: '0x0' });
        await node.tick();
        await node.seal();
      }
      const { call, accounts, shown, sent } = node;
      for (const [index, count] of COUNTS.entries()) {
        const ref = at('0x2', index);
        const { added, transactions, ...rest } = await call('devnet_stateAt', '0x2', index);
        expect(rest).toEqual({
          block: ref,
          blockHash: shown[index].hash,
          parentHash: shown[index].parentHash,
          stateRoot: shown[index].stateRoot,
          timestamp: shown[index].timestamp,
          gasUsed: shown[index].gasUsed,
        });
        expect(transactions).toEqual(sent.slice(0, count));
        expect(added).toEqual(sent.slice(COUNTS[index - 1] ?? 0, count));
        expect(Number(await call('eth_getStorageAt', AT, '0x0', ref))).toBe(count);
        expect(Number(await call('eth_getTransactionCount', accounts.first, ref))).toBe(Math.min(count, 2));
        // A call counts one more.
        expect(Number(await call('eth_call', { to: AT }, ref))).toBe(count + 1);
        const [simulated] = await call('eth_simulateV1', { blockStateCalls: [{ calls: [{ to: AT }] }] }, ref);
        expect(Number(simulated.calls[0].returnData)).toBe(count + 1);
        expect(simulated.number).toBe('0x2');
        const traced = await call('debug_traceCall', { to: AT }, ref, { tracer: 'callTracer' });
        expect(Number(traced.output)).toBe(count + 1);
        const [trace] = [await call('trace_call', { to: AT }, ['trace'], ref)];
        expect(Number(trace.output)).toBe(count + 1);
        // The first write of a slot costs more.
        const gas = Number(await call('eth_estimateGas', { to: AT }, ref));
        expect(gas > 40_000).toBe(count === 0);
        const proof = await call('eth_getProof', AT, ['0x0'], ref);
        expect(Number(proof.storageProof[0].value)).toBe(count);
        expect(await call('eth_getBlockReceipts', ref)).toHaveLength(count);
      }
      const diff = await call('devnet_stateDiff', at('0x2', 0), at('0x2', 3));
      const [from, to] = Object.values<Wire>(diff[AT].storage)[0];
      expect([Number(from), Number(to)]).toEqual([0, 3]);
    },
  );
});

it('a block number may be a JSON number or a tag, an index hex', async () => {
  const { call } = await grown();
  const count = async (ref: object) => Number(await call('eth_getStorageAt', AT, '0x0', ref));
  expect(await count(at('pending', '0x1'))).toBe(1);
  expect(await count(at(2, 3))).toBe(3);
});

it('a batch and a WebSocket see it, too', async () => {
  const { call, seal, url } = await grown();
  await seal();
  const slot = (index: number) => ['eth_getStorageAt', [AT, '0x0', at('0x2', index)]] as const;
  const body = [slot(0), slot(3), slot(1)].map(([method, params], id) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  }));
  const response = await fetch(url.replace('ws', 'http'), { method: 'POST', body: JSON.stringify(body) });
  expect(((await response.json()) as Wire[]).map(({ result }) => Number(result))).toEqual([0, 3, 1]);
  const client = await subscriber(url);
  expect(Number(await client.call(slot(1)[0], ...slot(1)[1]))).toBe(1);
  client.socket.close();
  expect((await call('devnet_stateAt', '0x2', 1)).added).toHaveLength(1);
});

it('a follower answers from what it has executed itself', async () => {
  const node = await live();
  const follower = await followDevnet(`${node.url}/flashblocks`, { port: 0 });
  closing.push(() => follower.close());
  const call = callsOf(follower);
  const head = async (number: number) =>
    vi.waitFor(async () => expect(Number(await call('eth_blockNumber'))).toBe(number));
  await node.seal();
  await head(1);
  for (const value of ['0x1', '0x2']) {
    await node.send(node.accounts.first, { to: SINK, value });
    await node.tick();
  }
  await node.seal();
  await head(2);
  for (const [index, balance] of ['0x0', '0x1', '0x3', '0x3'].entries())
    expect(await call('eth_getBalance', SINK, at('0x2', index))).toBe(balance);
});

describe('what is not there is reported, with what is', () => {
  const refused = async (asked: Promise<unknown>) => {
    const error: Wire = await asked.catch((it: unknown) => it);
    return { code: error.code, message: error.message };
  };

  it('an index that the block has not, or not yet', async () => {
    const { call, seal, tick } = await grown();
    expect(await refused(call('eth_call', { to: AT }, at('0x2', 4)))).toEqual({
      code: -32000,
      message: 'flashblock not found: block 2 has flashblocks 0 to 3 so far, got flashblock 4 of block 2',
    });
    await seal();
    await tick();
    expect((await refused(call('eth_getBalance', SINK, at('0x2', 11)))).message).toBe(
      'flashblock not found: of block 2 flashblocks 0 to 10 are kept, got flashblock 11 of block 2',
    );
    expect((await refused(call('devnet_stateAt', '0x9', 0))).message).toBe(
      'flashblock not found: those from flashblock 0 of block 1 to flashblock 1 of block 3 are kept, got flashblock 0 of block 9',
    );
  });

  it('what is older than the newest 300 flashblocks', async () => {
    const { call } = await live();
    await call('devnet_tick', 80_000);
    expect((await refused(call('eth_getBalance', SINK, at('0x1', 1)))).message).toMatch(
      /those from flashblock \d+ of block 1[34] to flashblock 0 of block 41 are kept/,
    );
  });

  it('a chain without flashblocks, and one that went back', async () => {
    const { call } = await live({ automine: true });
    expect((await refused(call('devnet_stateAt', 'latest', 0))).message).toBe(
      'flashblock not found: this chain has published none that are kept, got flashblock 0 of block 0',
    );
    const node = await live();
    const snapshot = await node.call('evm_snapshot');
    await node.send();
    await node.tick();
    await node.seal();
    await node.call('evm_revert', snapshot);
    expect((await refused(node.call('devnet_stateAt', 1, 1))).code).toBe(-32000);
  });

  it('a state that a dev method changed while its block was built', async () => {
    const node = await live();
    await node.send();
    await node.tick();
    await node.call('anvil_setBalance', SINK, '0x5');
    await node.seal();
    expect(await refused(node.call('eth_getBalance', SINK, at('0x1', 1)))).toEqual({
      code: -32000,
      message:
        'the state after flashblock 1 of block 1 is not known any more: a dev method changed the state while the block was built',
    });
    expect(await node.call('eth_getBalance', SINK, at('0x1', 2))).toBe('0x5');
  });

  it.each([
    [{ flashblockIndex: 1 }],
    [{ blockHash: `0x${'1'.repeat(64)}`, flashblockIndex: 1 }],
    [at('0x1', 'two')],
    [at('0x1', -1)],
    [at('newest', 1)],
  ])('%j is -32602', async (ref) => {
    const { call } = await live();
    expect((await refused(call('eth_getBalance', SINK, ref))).code).toBe(-32602);
  });
});

it('a forked chain has its own flashblocks, and none from before the fork', async () => {
  const one = await live({ automine: true });
  await one.send();
  const fork = await createDevnet({
    forkUrl: one.url.replace('ws', 'http'),
    noForkCache: true,
    manualClock: true,
    blockTime: 2,
    flashblockInterval: 200,
  } as DevnetOptions);
  closing.push(() => fork.close());
  const call = callsOf(fork);
  const from = one.accounts.first;
  await call('eth_sendTransaction', { from, to: SINK, value: '0x7', gas: '0x5208' });
  await call('devnet_tick', 2_000);
  const balance = (index: number) => call('eth_getBalance', SINK, at('0x2', index));
  expect([await balance(0), await balance(1)]).toEqual(['0x0', '0x7']);
  await expect(call('eth_getBalance', SINK, at('0x1', 0))).rejects.toMatchObject({ code: -32000 });
  await expect(call('devnet_stateDiff', at('0x1', 0), 'latest')).rejects.toMatchObject({ code: -32000 });
});
