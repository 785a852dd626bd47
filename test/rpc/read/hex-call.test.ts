import { encodeAbiParameters, type Hex } from 'viem';
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
  outcomeOf,
  SHA256,
  spoil,
} from '../text-calls.ts';

/** returns 20 KiB */
const LARGE = `0x${'a1'.repeat(20)}`;
/** log(string) */
const LOG = `0x41304fac${encodeAbiParameters([{ type: 'string' }], ['hello']).slice(2)}` as Hex;

let node: Awaited<ReturnType<typeof createDevnet>>;
let rpc: Call;
let to: Hex;
const printed: string[] = [];
const atOnce = vi.spyOn(FastEngine.prototype, 'callHex');

beforeAll(async () => {
  node = await createDevnet({ automine: true, accounts: 2 }, { onConsole: (line) => printed.push(line) });
  rpc = callsOf(node);
  const [from] = await rpc('eth_accounts');
  to = await deployContracts(rpc, from);
  await rpc('eth_sendTransaction', { from, to, data: encode('fill', 0n, 8n, 5n) });
  await rpc('anvil_setCode', LARGE, '0x6150005ff3');
});
afterAll(() => node.close());

/** Runs a call in both ways. With overrides, if only empty ones, it is executed as a message. */
async function bothWays(call: unknown): Promise<{ outcome: unknown; isAtOnce: boolean }> {
  atOnce.mockClear();
  const outcome = await outcomeOf(rpc('eth_call', call, 'latest'));
  const isAtOnce = atOnce.mock.results.some(({ value }) => value !== undefined);
  expect(outcome).toEqual(await outcomeOf(rpc('eth_call', call, 'latest', {})));
  expect(atOnce.mock.calls.length).toBeLessThanOrEqual(1);
  return { outcome, isAtOnce };
}

// The other engines execute it as a message.
describe.skipIf(process.env.DEVNET_ENGINE)('a call with nothing but sender, target and data', () => {
  const slot = 2n ** 128n + 2n;
  const seven = `0x${'7'.padStart(64, '0')}`;

  it.each([
    ['as viem writes it', () => ({ data: encode('read', slot), to })],
    ['with a sender', () => ({ from: to, to, data: encode('read', slot) })],
    ['with `input`', () => ({ input: encode('read', slot), to })],
    ['in capitals', () => ({ to: `0x${to.slice(2).toUpperCase()}`, data: encode('read', slot) })],
  ])('is run at once: %s', async (_, call) => {
    expect(await bothWays(call())).toEqual({ outcome: { result: seven }, isAtOnce: true });
  });

  it('is run at once without data', async () => {
    expect(await bothWays({ to })).toEqual({ outcome: { result: '0x' }, isAtOnce: true });
  });

  it('leaves nothing behind: storage, transient storage, warm slots, contracts', async () => {
    const before = await rpc('eth_getProof', to, ['0x0', '0x1'], 'latest');
    for (const data of [encode('create', 3n), encode('tstoreThenLoad', 1n, 9n), encode('tstore', 1n, 9n)]) {
      const first = await bothWays({ to, data });
      expect(await bothWays({ to, data })).toEqual(first);
    }
    expect((await bothWays({ to, data: encode('tload', 1n) })).outcome).toEqual({
      result: `0x${'0'.repeat(64)}`,
    });
    expect(await rpc('eth_getProof', to, ['0x0', '0x1'], 'latest')).toEqual(before);
  });

  it('sees each new block', async () => {
    const [from] = await rpc('eth_accounts');
    const data = encode('read', 2n ** 128n + 100n);
    for (let i = 1n; i < 5n; i++) {
      await rpc('eth_sendTransaction', { from, to, data: encode('fill', 100n, 1n, i) });
      const result = `0x${i.toString(16).padStart(64, '0')}`;
      expect((await bothWays({ to, data })).outcome).toEqual({ result });
    }
    const id = await rpc('evm_snapshot');
    await rpc('anvil_setStorageAt', to, `0x${(2n ** 128n + 100n).toString(16)}`, seven);
    expect((await bothWays({ to, data })).outcome).toEqual({ result: seven });
    await rpc('evm_revert', id);
    expect((await bothWays({ to, data })).outcome).toEqual({ result: `0x${'4'.padStart(64, '0')}` });
  });

  it.each([
    ['it reverts', () => ({ to, data: encode('delegate', SHA256, 1n) })],
    ['it halts', () => ({ to, data: encode('invalid') })],
    ['it calls a precompile', () => ({ to, data: encode('relayStatic', SHA256, '0x0102') })],
    ['it goes to one', () => ({ to: SHA256, data: '0x0102' })],
    ['it takes long', () => ({ to, data: encode('burn', 1_000_000n) })],
    ['it returns much', () => ({ to: LARGE, data: '0x' })],
    ['it has more members', () => ({ to, data: encode('read', slot), gas: '0x186a0' })],
    ['it has an amount', () => ({ to, value: '0x0' })],
    ['it creates', () => ({ data: '0x6001600055' })],
    ['the data have an odd digit', () => ({ to, data: '0x012' })],
    ['the data have another character', () => ({ to, data: '0x01g2' })],
    ['the data have a character that ends like a digit', () => ({ to, data: '0x01\u0130\u0131' })],
    ['the data lack 0x', () => ({ to, data: '0102' })],
    ['the data are empty text', () => ({ to, data: '' })],
    ['the address is short', () => ({ to: to.slice(0, 41), data: '0x' })],
    ['the address has another character', () => ({ to: `${to.slice(0, 41)}x`, data: '0x' })],
    ['the sender has another character', () => ({ from: `${to.slice(0, 41)}-`, to, data: '0x' })],
    ['both names of the data differ', () => ({ to, data: '0x01', input: '0x02' })],
    ['a member is a number', () => ({ to, data: 1 })],
    ['it is no object', () => 'call'],
  ])('is executed as a message where %s', async (_, call) => {
    expect((await bothWays(call())).isAtOnce).toBe(false);
  });

  it('prints on the console once', async () => {
    printed.length = 0;
    await rpc('eth_call', { to, data: encode('relayStatic', CONSOLE, LOG) }, 'latest');
    expect(printed).toEqual(['hello']);
    await rpc('eth_call', { to: CONSOLE, data: LOG }, 'latest');
    expect(printed).toEqual(['hello', 'hello']);
  });

  it('in random text is answered as the message is', async () => {
    const random = new Random(`hex calls ${FUZZ}`);
    const calls = [
      encode('value'),
      encode('read', slot),
      encode('sizeAndHash', to),
      encode('fill', 1n, 2n, 3n),
    ];
    let quick = 0;
    for (let i = 0; i < runs(150); i++) {
      const spoilt = (text: string) => spoil(text, 0.2, random);
      const call = { to: spoilt(to), data: spoilt(random.pick(calls)) };
      const { isAtOnce } = await bothWays(
        random.chance(0.5) ? call : { from: spoilt(node.accounts[0]!.address.toLowerCase()), ...call },
      );
      quick += Number(isAtOnce);
    }
    expect(quick).toBeGreaterThan(runs(50));
    expect(quick).toBeLessThan(runs(140));
  });
});

it('is a message for the other engines', async () => {
  const other = await createDevnet({ automine: true, engine: 'ethereumjs' });
  atOnce.mockClear();
  expect(await callsOf(other)('eth_call', { to, data: '0x' }, 'latest')).toBe('0x');
  expectStepByStep(atOnce);
  await other.close();
});
