import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FastEngine } from '../../../src/executor/fast-engine.ts';
import { createDevnet } from '../../../src/index.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { Random } from '../../random.ts';
import { type Call, callsOf } from '../../wire.ts';
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
} from '../text-calls.ts';

const METHODS = ['eth_fillTransaction', 'eth_estimateGas'] as const;

let node: Awaited<ReturnType<typeof createDevnet>>;
let rpc: Call;
let from: Hex;
let to: Hex;
const printed: string[] = [];
const ways = {
  eth_fillTransaction: vi.spyOn(FastEngine.prototype, 'fillHex'),
  eth_estimateGas: vi.spyOn(FastEngine.prototype, 'estimateHex'),
};

beforeAll(async () => {
  node = await createDevnet({ automine: true }, { onConsole: (line) => printed.push(line) });
  rpc = callsOf(node);
  [from] = await rpc('eth_accounts');
  to = await deployContracts(rpc, from);
  // State that isn't in the core's tables is read step by step.
  for (const address of [NOBODY, REVERTING, CONSOLE])
    for (const method of METHODS) await outcomeOf(rpc(method, { from: NOBODY, to: address, value: '0x0' }));
});
afterAll(() => node.close());

/** Fills a call, or estimates its gas, in one step if that can be, and step by step. */
async function bothWays(method: keyof typeof ways, call: unknown) {
  const atOnce = ways[method];
  atOnce.mockClear();
  const outcome = await outcomeOf(rpc(method, call));
  const isAtOnce = atOnce.mock.results.some(({ value }) => value !== undefined);
  atOnce.mockReturnValue(undefined);
  expect(await outcomeOf(rpc(method, call))).toEqual(outcome);
  atOnce.mockReset();
  return { outcome, isAtOnce };
}

// The other engines do it step by step.
describe.skipIf(process.env.DEVNET_ENGINE).each(METHODS)('%s', (method) => {
  it.each([
    ['a transfer', () => ({ from, to: NOBODY, value: '0xde0b6b3a7640000' })],
    ['a call of a contract', () => ({ from, to, data: encode('fill', 1n, 3n, 5n) })],
    ['one with `input`, in capitals', () => ({ from, to: `0x${to.slice(2).toUpperCase()}`, input: '0x' })],
    ['one that reverts', () => ({ from, to: REVERTING, data: '0x' })],
    ['one that halts', () => ({ from, to, data: encode('invalid') })],
    ['a value of zero', () => ({ from, to, value: '0x0' })],
  ])('takes one step for %s', async (_, call) => {
    expect((await bothWays(method, call())).isAtOnce).toBe(true);
  });

  it.each([
    ['gas is given', () => ({ from, to, gas: '0x186a0' })],
    ['a nonce is given', () => ({ from, to, nonce: '0x9' })],
    ['a gas price is given', () => ({ from, to, gasPrice: '0x77359400' })],
    ['a fee is given', () => ({ from, to, maxFeePerGas: '0x77359400' })],
    ['a type is given', () => ({ from, to, type: '0x1' })],
    ['there is an access list', () => ({ from, to, accessList: [] })],
    ['it creates a contract', () => ({ from, data: '0x6001600055' })],
    ['it goes to a precompile', () => ({ from, to: SHA256, data: '0x0102' })],
    ['it goes to the console', () => ({ from, to: CONSOLE, data: '0x' })],
    ['it calls the console', () => ({ from, to, data: encode('relayStatic', CONSOLE, '0x') })],
    ['it takes long', () => ({ from, to, data: encode('burn', 2_000_000n) })],
    ['the value is above any word', () => ({ from, to, value: `0x1${'0'.repeat(64)}` })],
    ['the value has another character', () => ({ from, to, value: '0xg' })],
    ['the data have an odd digit', () => ({ from, to, data: '0x012' })],
    ['the address is short', () => ({ from, to: to.slice(0, 41) })],
    ['a member is unknown', () => ({ from, to, unknown: '0x1' })],
    ['it is no object', () => 'call'],
  ])('goes step by step where %s', async (_, call) => {
    expect((await bothWays(method, call())).isAtOnce).toBe(false);
  });

  it('gives the same for an account without money', async () => {
    const call = { from: NOBODY, to, data: encode('read', 1n) };
    const { outcome, isAtOnce } = await bothWays(method, call);
    expect(outcome).not.toHaveProperty('code');
    expect(isAtOnce).toBe(method === 'eth_estimateGas');
  });

  it('tells of a sender that lacks the value', async () => {
    const { outcome } = await bothWays(method, { from: REVERTING, to, value: '0x1' });
    expect(outcome).toMatchObject({ code: expect.any(Number) });
  });

  it('leaves nothing behind, and sees what has changed', async () => {
    const call = { from, to, data: encode('fill', 0n, 3n, 5n) };
    const root = async () => (await rpc('eth_getProof', to, [], 'latest')).storageHash;
    const before = await root();
    const first = await bothWays(method, call);
    expect(await bothWays(method, call)).toEqual(first);
    expect(await root()).toBe(before);
    const id = await rpc('evm_snapshot');
    await rpc('eth_sendTransaction', call);
    await rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00');
    await rpc('anvil_setChainId', '0x123456789');
    await rpc('evm_increaseTime', 100);
    const changed = await bothWays(method, call);
    expect(changed.isAtOnce).toBe(true);
    expect(changed).not.toEqual(first);
    await rpc('anvil_setChainId', '0x7a69');
    await rpc('evm_revert', id);
    expect((await bothWays(method, call)).isAtOnce).toBe(true);
  });

  it('goes step by step while a transaction waits', async () => {
    await rpc('evm_setAutomine', false);
    await rpc('eth_sendTransaction', { from, to: NOBODY, value: '0x1' });
    expect((await bothWays(method, { from, to, value: '0x1' })).isAtOnce).toBe(false);
    await rpc('evm_mine');
    expect((await bothWays(method, { from, to, value: '0x1' })).isAtOnce).toBe(true);
    await rpc('evm_setAutomine', true);
  });

  it('prints nothing that it has not printed before', async () => {
    printed.length = 0;
    const hello = `0x41304fac${'20'.padStart(64, '0')}${'5'.padStart(64, '0')}${'68656c6c6f'.padEnd(64, '0')}`;
    const call = { from, to, data: encode('relayStatic', CONSOLE, hello) };
    await bothWays(method, call);
    const [once, twice] = [printed.slice(0, printed.length / 2), printed.slice(printed.length / 2)];
    expect(once).toEqual(twice);
  });

  it('in random text gives the same in both ways', async () => {
    const random = new Random(`${method} ${FUZZ}`);
    const data = [
      encode('value'),
      encode('read', 7n),
      encode('fill', 1n, 2n, 3n),
      encode('create', 3n),
      '0x',
    ];
    let quick = 0;
    for (let i = 0; i < runs(100); i++) {
      const spoilt = (text: string) => spoil(text, 0.1, random);
      const call = {
        from: spoilt(random.pick([from, NOBODY])),
        to: spoilt(random.pick([to, NOBODY])),
        ...(random.chance(0.7) && { data: spoilt(random.pick(data)) }),
        ...(random.chance(0.5) && { value: spoilt(random.pick(['0x0', '0x1', '0xffffffff'])) }),
      };
      quick += Number((await bothWays(method, call)).isAtOnce);
      if (random.chance(0.1))
        await rpc('eth_sendTransaction', { from, to, data: encode('fill', 1n, 2n, 4n) });
    }
    // A sender without money can't pay the fees that are filled in, which takes more than one step.
    expect(quick).toBeGreaterThan(runs(10));
    expect(quick).toBeLessThan(runs(95));
  });
});

it.each(METHODS)('%s goes step by step for the other engines', async (method) => {
  const other = await createDevnet({ automine: true, engine: 'ethereumjs' });
  ways[method].mockClear();
  const answer = await callsOf(other)(method, { from, to: NOBODY, value: '0x1' });
  expect(JSON.stringify(answer)).toContain('0x5208');
  expectStepByStep(ways[method]);
  await other.close();
});
