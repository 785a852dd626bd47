import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FastEngine } from '../../../src/executor/fast-engine.ts';
import { createDevnet } from '../../../src/index.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { Random } from '../../random.ts';
import {
  CONSOLE,
  deployContracts,
  encode,
  expectStepByStep,
  NOBODY,
  outcomeOf,
  REVERTING,
  SHA256,
  spoil,
} from '../../rpc/text-calls.ts';
import { type Call, callsOf } from '../../wire.ts';

let node: Awaited<ReturnType<typeof createDevnet>>;
let rpc: Call;
let from: Hex;
let to: Hex;
const atOnce = vi.spyOn(FastEngine.prototype, 'simulateHex');

beforeAll(async () => {
  node = await createDevnet({ automine: true }, { onConsole: () => {} });
  rpc = callsOf(node);
  [from] = await rpc('eth_accounts');
  to = await deployContracts(rpc, from);
  // State that isn't in the core's tables is read call by call.
  for (const address of [NOBODY, REVERTING]) await simulate(blockOf({ from, to: address }));
  for (const call of [{ from, to, data: encode('fill', 0n, 9n, 1n) }, { data: '0x6001600055' }])
    await simulate(blockOf(call));
});
afterAll(() => node.close());

const blockOf = (...calls: unknown[]) => ({ blockStateCalls: [{ calls }] });

const simulate = (payload: unknown, ...rest: unknown[]) => outcomeOf(rpc('eth_simulateV1', payload, ...rest));

/** Simulates in one step if that can be, and call by call. */
async function bothWays(payload: unknown, ...rest: unknown[]) {
  atOnce.mockClear();
  const outcome = await simulate(payload, ...rest);
  const isAtOnce = atOnce.mock.results.some(({ value }) => value !== undefined);
  atOnce.mockReturnValue(undefined);
  expect(await simulate(payload, ...rest)).toEqual(outcome);
  atOnce.mockReset();
  return { outcome, isAtOnce };
}

// The other engines do it call by call.
describe.skipIf(process.env.DEVNET_ENGINE)('a simulation of one block', () => {
  it.each([
    ['a call', () => blockOf({ from, to, data: encode('read', 7n) })],
    ['a transfer', () => blockOf({ from, to: NOBODY, value: '0x1' })],
    [
      'calls that see one another',
      () => blockOf({ to, data: encode('fill', 1n, 2n, 3n) }, { to, data: encode('read', 1n) }),
    ],
    ['logs', () => blockOf({ to, data: encode('emitMany', 3n, '0x0102') })],
    ['much that is returned', () => blockOf({ data: `0x${'6160005ff3'.slice(0, 10)}` })],
    ['amounts', () => blockOf({ from, to, gas: '0x186a0', value: '0x0', nonce: '0x7', maxFeePerGas: '0x9' })],
    ['a gas price', () => blockOf({ from, to, gasPrice: '0x7' })],
    ['a creation', () => blockOf({ from, data: '0x6001600055' })],
    ['no call', () => blockOf()],
    ['flags that say nothing', () => ({ ...blockOf({ to }), validation: false, traceTransfers: false })],
  ])('takes one step for %s', async (_, payload) => {
    expect((await bothWays(payload())).isAtOnce).toBe(true);
    expect((await bothWays(payload(), 'latest')).isAtOnce).toBe(true);
  });

  it.each([
    ['a call reverts', () => blockOf({ from, to: REVERTING })],
    ['a call halts', () => blockOf({ from, to, data: encode('invalid') })],
    ['a call goes to a precompile', () => blockOf({ to: SHA256, data: '0x01' })],
    ['a call goes to the console', () => blockOf({ to: CONSOLE })],
    ['a call calls the console', () => blockOf({ to, data: encode('relayStatic', CONSOLE, '0x') })],
    ['a call takes long', () => blockOf({ to, data: encode('burn', 20_000_000n) })],
    ['a call has more gas than the block', () => blockOf({ to, gas: '0xffffffff' })],
    ['a sender lacks the value', () => blockOf({ from: REVERTING, to, value: '0x1' })],
    ['there are many calls', () => blockOf({ to }, { to }, { to }, { to }, { to })],
    ['there are two blocks', () => ({ blockStateCalls: [{ calls: [{ to }] }, { calls: [{ to }] }] })],
    ['there is no block', () => ({ blockStateCalls: [] })],
    [
      'the block has overrides',
      () => ({ blockStateCalls: [{ calls: [{ to }], blockOverrides: { time: '0x7fffffff' } }] }),
    ],
    [
      'accounts have overrides',
      () => ({ blockStateCalls: [{ calls: [{ to }], stateOverrides: { [to]: { balance: '0x1' } } }] }),
    ],
    ['it validates', () => ({ ...blockOf({ from, to, maxFeePerGas: '0xffffffffff' }), validation: true })],
    ['it traces transfers', () => ({ ...blockOf({ from, to: NOBODY, value: '0x1' }), traceTransfers: true })],
    ['it returns transactions', () => ({ ...blockOf({ from, to }), returnFullTransactions: true })],
    ['the data have an odd digit', () => blockOf({ to, data: '0x012' })],
    ['a call is no object', () => blockOf('call')],
    ['the calls are no list', () => ({ blockStateCalls: [{ calls: {} }] })],
  ])('goes call by call where %s', async (_, payload) => {
    expect((await bothWays(payload())).isAtOnce).toBe(false);
  });

  it('goes call by call at other blocks', async () => {
    expect((await bothWays(blockOf({ to }), 'pending')).isAtOnce).toBe(false);
    expect((await bothWays(blockOf({ to }), '0x1')).isAtOnce).toBe(false);
  });

  it('leaves nothing behind, and follows the chain', async () => {
    const payload = blockOf({ from, to, data: encode('fill', 0n, 3n, 2n) });
    const root = async () => (await rpc('eth_getProof', to, [], 'latest')).storageHash;
    const before = await root();
    const first = await bothWays(payload);
    expect(await bothWays(payload)).toEqual(first);
    expect(await root()).toBe(before);
    await rpc('eth_sendTransaction', { from, to: NOBODY, value: '0x1' });
    await rpc('anvil_setChainId', '0x1234');
    await bothWays(payload);
    const changed = await bothWays(payload);
    expect(changed.isAtOnce).toBe(true);
    expect(changed).not.toEqual(first);
    await rpc('anvil_setChainId', '0x7a69');
  });

  it('of random calls gives the same in both ways', async () => {
    const random = new Random(`simulate at once ${FUZZ}`);
    const data = [
      encode('value'),
      encode('fill', 1n, 2n, 3n),
      encode('create', 3n),
      encode('emitMany', 2n, '0x01'),
      encode('tstoreThenLoad', 1n, 9n),
      encode('createAndDestroy', NOBODY),
      encode('invalid'),
      '0x',
    ];
    let quick = 0;
    for (let i = 0; i < runs(60); i++) {
      const spoilt = (text: string) => spoil(text, 0.03, random);
      const call = () => ({
        ...(random.chance(0.8) && { from: spoilt(random.pick([from, NOBODY])) }),
        to: spoilt(random.pick([to, to, NOBODY, REVERTING])),
        ...(random.chance(0.7) && { data: spoilt(random.pick(data)) }),
        ...(random.chance(0.2) && { value: random.pick(['0x0', '0x1', '0xffffffffffffffffffffff']) }),
        ...(random.chance(0.2) && { gas: random.pick(['0x5208', '0x30d40', '0x1c9c380']) }),
        ...(random.chance(0.1) && { nonce: random.pick(['0x0', '0xffffffffffffffff']) }),
        ...(random.chance(0.1) && { maxFeePerGas: '0x3' }),
      });
      const calls = Array.from({ length: random.below(6) }, call);
      quick += Number((await bothWays(blockOf(...calls))).isAtOnce);
    }
    expect(quick).toBeGreaterThan(runs(10));
    expect(quick).toBeLessThan(runs(58));
  });
});

it('goes call by call for the other engines', async () => {
  const other = await createDevnet({ automine: true, engine: 'ethereumjs' });
  atOnce.mockClear();
  const [{ calls }] = await callsOf(other)('eth_simulateV1', blockOf({ from, to: NOBODY, value: '0x1' }));
  expect(calls).toMatchObject([{ status: '0x1', gasUsed: '0x5208' }]);
  expectStepByStep(atOnce);
  await other.close();
});
