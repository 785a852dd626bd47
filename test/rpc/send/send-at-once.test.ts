import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FastEngine } from '../../../src/executor/fast-engine.ts';
import { createDevnet } from '../../../src/index.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { Random } from '../../random.ts';
import { type Call, callsOf } from '../../wire.ts';
import { deployContracts, encode, expectStepByStep, NOBODY, REVERTING, spoil } from '../text-calls.ts';

let node: Awaited<ReturnType<typeof createDevnet>>;
let rpc: Call;
let from: Hex;
let to: Hex;
const atOnce = vi.spyOn(FastEngine.prototype, 'signHex');

beforeAll(async () => {
  node = await createDevnet({ automine: true, manualClock: true });
  rpc = callsOf(node);
  [from] = await rpc('eth_accounts');
  to = await deployContracts(rpc, from);
  // State that isn't in the core's tables is read step by step.
  for (const address of [NOBODY, REVERTING]) await rpc('eth_sendTransaction', { from, to: address });
});
afterAll(() => node.close());

/** What a send comes to, with all that the node knows of it. */
async function sent(request: unknown) {
  try {
    const hash = await rpc('eth_sendTransaction', request);
    return {
      hash,
      raw: await rpc('eth_getRawTransactionByHash', hash),
      transaction: await rpc('eth_getTransactionByHash', hash),
      receipt: await rpc('eth_getTransactionReceipt', hash),
      block: await rpc('eth_getBlockByNumber', 'latest', true),
    };
  } catch (error) {
    const { code, message, data } = error as { code: number; message: string; data: unknown };
    return { code, message, data };
  }
}

/** Sends in one step if that can be, and, on the same state, step by step. */
async function bothWays(request: unknown) {
  const id = await rpc('evm_snapshot');
  atOnce.mockClear();
  const outcome = await sent(request);
  const isAtOnce = atOnce.mock.results.some(({ value }) => value !== undefined);
  await rpc('evm_revert', id);
  atOnce.mockReturnValue(undefined);
  expect(await sent(request)).toEqual(outcome);
  atOnce.mockReset();
  return { outcome, isAtOnce };
}

// The other engines do it step by step.
describe.skipIf(process.env.DEVNET_ENGINE)('eth_sendTransaction', () => {
  it.each([
    ['a transfer', () => ({ from, to: NOBODY, value: '0x1' })],
    ['a transfer with its gas', () => ({ from, to: NOBODY, value: '0x1', gas: '0x5208' })],
    ['a call', () => ({ from, to, data: encode('fill', 1n, 3n, 5n) })],
    ['a call in capitals', () => ({ from: `0x${from.slice(2).toUpperCase()}`, to, input: encode('value') })],
    ['fees', () => ({ from, to, gas: '0x186a0', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3' })],
    ['a high fee alone', () => ({ from, to, gas: '0x186a0', maxFeePerGas: '0x77359400' })],
    ['a fee cap below the usual tip', () => ({ from, to, gas: '0x186a0', maxFeePerGas: '0x3b9ac9ff' })],
    ['one that reverts', () => ({ from, to: REVERTING, gas: '0x186a0' })],
    ['too little gas', () => ({ from, to, gas: '0x5207' })],
    ['more value than there is', () => ({ from, to, gas: '0x5208', value: `0x${'f'.repeat(30)}` })],
  ])('takes one step for %s', async (_, request) => {
    expect((await bothWays(request())).isAtOnce).toBe(true);
  });

  it.each([
    ['it fails without gas', () => ({ from, to: REVERTING })],
    ['it has a nonce', () => ({ from, to, nonce: '0x4' })],
    ['it has a gas price', () => ({ from, to, gasPrice: '0x77359400' })],
    ['it offers fees without gas', () => ({ from, to, maxFeePerGas: '0x77359400' })],
    [
      'its tip is above its cap',
      () => ({ from, to, gas: '0x5208', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }),
    ],
    ['it has more gas than a transaction may have', () => ({ from, to, gas: '0x1000001' })],
    ['it creates', () => ({ from, data: '0x6001600055' })],
    ['nobody has the key', () => ({ from: NOBODY, to })],
    ['it has no sender', () => ({ to: NOBODY, value: '0x1' })],
    ['the data have an odd digit', () => ({ from, to, data: '0x012' })],
    ['a member is unknown', () => ({ from, to, unknown: '0x1' })],
    ['it is no object', () => 'transaction'],
  ])('goes step by step where %s', async (_, request) => {
    expect((await bothWays(request())).isAtOnce).toBe(false);
  });

  it('refuses a locked account, and signs for an impersonated one whose key it has', async () => {
    await rpc('personal_lockAccount', from);
    expect((await bothWays({ from, to, gas: '0x186a0' })).outcome).toMatchObject({ code: -32000 });
    await rpc('personal_unlockAccount', from, '');
    await rpc('anvil_impersonateAccount', from);
    await rpc('eth_sendTransaction', { from, to });
    expect((await bothWays({ from, to, gas: '0x186a0' })).isAtOnce).toBe(true);
    await rpc('anvil_stopImpersonatingAccount', from);
  });

  it('gives each of many at a time its own nonce', async () => {
    const nonce = Number(await rpc('eth_getTransactionCount', from, 'latest'));
    const request = { from, to: NOBODY, value: '0x1', gas: '0x5208' };
    const hashes = await Promise.all(Array.from({ length: 20 }, () => rpc('eth_sendTransaction', request)));
    const nonces = await Promise.all(
      hashes.map(async (hash) => Number((await rpc('eth_getTransactionByHash', hash)).nonce)),
    );
    expect(nonces).toEqual(nonces.map((_, i) => nonce + i));
  });

  it('follows the chain id, and waits behind what waits', async () => {
    await rpc('anvil_setChainId', '0xfffffffffffff');
    const { outcome, isAtOnce } = await bothWays({ from, to: NOBODY, gas: '0x5208' });
    expect(isAtOnce).toBe(true);
    expect(outcome).toMatchObject({ transaction: { chainId: '0xfffffffffffff', from } });
    await rpc('anvil_setChainId', '0x7a69');
    await rpc('evm_setAutomine', false);
    expect((await bothWays({ from, to: NOBODY, gas: '0x5208' })).isAtOnce).toBe(true);
    expect((await bothWays({ from, to: NOBODY, gas: '0x5208' })).isAtOnce).toBe(false);
    await rpc('evm_mine');
    await rpc('evm_setAutomine', true);
  });

  it('in random text gives the same in both ways', async () => {
    const random = new Random(`send at once ${FUZZ}`);
    const data = [encode('value'), encode('fill', 1n, 2n, 3n), encode('create', 3n), '0x', encode('invalid')];
    let quick = 0;
    for (let i = 0; i < runs(60); i++) {
      const spoilt = (text: string) => spoil(text, 0.05, random);
      const fee = () => random.pick(['0x1', '0x3b9aca00', '0x77359400', '0xffffffffff']);
      const request = {
        from: spoilt(from),
        to: spoilt(random.pick([to, NOBODY, REVERTING])),
        ...(random.chance(0.6) && { gas: spoilt(random.pick(['0x5208', '0x30d40', '0xf4240'])) }),
        ...(random.chance(0.6) && { data: spoilt(random.pick(data)) }),
        ...(random.chance(0.4) && { value: spoilt(random.pick(['0x0', '0x1', '0xffffffff'])) }),
        ...(random.chance(0.2) && { maxFeePerGas: fee() }),
        ...(random.chance(0.2) && { maxPriorityFeePerGas: fee() }),
      };
      quick += Number((await bothWays(request)).isAtOnce);
    }
    expect(quick).toBeGreaterThan(runs(15));
    expect(quick).toBeLessThan(runs(58));
  });
});

it('goes step by step for the other engines', async () => {
  const other = await createDevnet({ automine: true, engine: 'ethereumjs' });
  atOnce.mockClear();
  const hash = await callsOf(other)('eth_sendTransaction', { from, to: NOBODY, value: '0x1', gas: '0x5208' });
  expect(await callsOf(other)('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  expectStepByStep(atOnce);
  await other.close();
});
