import { afterAll, expect, test } from 'vitest';
import type { ManualClock } from '../../../src/clock.ts';
import { createDevnet, type Devnet } from '../../../src/index.ts';

const CONTRACT = `0x${'cc'.repeat(20)}`;
/** JUMPDEST, PUSH1 0, JUMP: until the gas is used up */
const ENDLESS = { [CONTRACT]: { code: '0x5b600056' } };

// On the shadow engine 20 simulations take a minute, under load several.
const node = (await createDevnet({ manualClock: true, rpcTimeout: 600_000 })) as Devnet & {
  clock: ManualClock;
};
afterAll(() => node.close());
const call = (method: string, ...params: unknown[]) => node.provider.request({ method, params });

/** @returns how many ticks were over before the task was, 10 at most */
async function ticksBefore(task: Promise<unknown>): Promise<number> {
  let over = false;
  const end = () => {
    over = true;
  };
  task.then(end, end);
  let ticks = 0;
  for (; ticks < 10; ticks++) {
    await node.clock.advance(200);
    if (over) break;
  }
  return ticks;
}

test('a call that uses 50 million gas lets ticks go first', async () => {
  const run = call('eth_call', { to: CONTRACT, gas: '0x2faf080' }, 'pending', ENDLESS);
  expect(await ticksBefore(run)).toBe(10);
  await expect(run).rejects.toMatchObject({ code: -32015 });
});

test('20 heavy simulations at once let ticks go first', async () => {
  // 15 million gas: many times the gas of ten turns.
  const calls = [{ to: CONTRACT, gas: '0xe4e1c0' }];
  const payload = { blockStateCalls: [{ stateOverrides: ENDLESS, calls }] };
  const runs = Array.from({ length: 20 }, () => call('eth_simulateV1', payload, 'pending'));
  expect(await ticksBefore(Promise.any(runs))).toBe(10);
  await Promise.all(runs);
}, 600_000);
