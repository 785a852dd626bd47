import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, expect, test } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { callsOf } from '../wire.ts';

const CONTRACT = `0x${'cc'.repeat(20)}`;
/** JUMPDEST, PUSH1 0, JUMP: until the gas is used up */
const ENDLESS = { [CONTRACT]: { code: '0x5b600056' } };

const node = await createDevnet({ port: 0, blockTime: 2, flashblockInterval: 200 });
afterAll(() => node.close());
const call = callsOf(node);

/** Runs the task while blocks are produced. @returns how late ticks were at most, in milliseconds, and the loop's worst turn */
async function during(task: () => Promise<unknown>) {
  await call('devnet_metrics', true);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await task();
  delay.disable();
  const { driftMs, mergedTicks } = await call('devnet_metrics');
  return { drift: driftMs.p99, merged: mergedTicks, turn: delay.max / 1e6 };
}

test('a call that uses 50 million gas lets ticks go first', { timeout: 60_000, retry: 2 }, async () => {
  const { drift, merged, turn } = await during(async () => {
    const run = call('eth_call', { to: CONTRACT, gas: '0x2faf080' }, 'pending', ENDLESS);
    await expect(run).rejects.toMatchObject({ code: -32015 });
  });
  expect(merged).toBe(0);
  expect(drift).toBeLessThan(100);
  expect(turn).toBeLessThan(200);
});

test('20 heavy simulations at once let ticks go first', { timeout: 60_000, retry: 2 }, async () => {
  const payload = { blockStateCalls: [{ stateOverrides: ENDLESS, calls: [{ to: CONTRACT }] }] };
  const { drift, merged, turn } = await during(() =>
    Promise.all(Array.from({ length: 20 }, () => call('eth_simulateV1', payload, 'pending'))),
  );
  expect(merged).toBe(0);
  expect(drift).toBeLessThan(100);
  expect(turn).toBeLessThan(200);
});
