import { hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CALL_RULES, type Engine, type ExecuteOptions } from '../../../src/engine/engine.ts';
import { messageOf } from '../../../src/engine/message.ts';
import { outcomeDifference, stateDifference } from '../../../src/engine/shadow/differences.ts';
import { type Frame, FrameRecorder } from '../../../src/engine/tracers/frames.ts';
import { PrestateRecorder } from '../../../src/engine/tracers/prestate.ts';
import type { HardforkName } from '../../../src/protocol/hardfork.ts';
import type { BlockEnv, Message } from '../../../src/protocol/types.ts';
import { together } from '../../../src/rpc/trace/tracers.ts';
import { NEW_ACCOUNT } from '../../../src/state/account.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import type { Pauses } from '../../../src/turns.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { callOf, ENV } from '../ethereumjs/call-of.ts';
import { program } from '../ethereumjs/programs.ts';
import { allocOf, at, CALLED, spec } from '../ethereumjs/scenarios.ts';
import { engineOf, stockCommon, trieStateOf } from '../ethereumjs/stock.ts';
import { signed } from './stock-summary.ts';

function createdIn({ type, to, attempted, calls }: Frame): Set<string> {
  const own = type === 'CREATE' || type === 'CREATE2' ? [String(to ?? attempted)] : [];
  return new Set([...own, ...calls.flatMap((call) => [...createdIn(call)])]);
}

/** All that a run can be listened to for. */
async function heard(engine: Engine, message: Message, env: BlockEnv, state: Overlay) {
  const [frames, touched] = [new FrameRecorder(), new PrestateRecorder()];
  const accessed: (readonly [string, readonly string[]])[] = [];
  const options: ExecuteOptions = {
    tracer: together([frames, touched]),
    onAccessList: (list) => {
      for (const [address, slots] of list) accessed.push([address, [...slots].sort()]);
    },
    numberLogs: true,
  };
  const outcome = await engine.execute(message, env, state, { ...CALL_RULES, transferLogs: true }, options);
  if (outcome.kind === 'invalid') return { outcome };
  const before = await touched.before();
  const after = await touched.after();
  // EthereumJS's journal also reports contracts whose creation was taken back.
  const created = createdIn(frames.root);
  const listed = accessed.filter(([address, slots]) => slots.length > 0 || !created.has(address));
  return { outcome, frames: frames.root, before, after, accessed: listed.sort() };
}

it.each<HardforkName>(['cancun', 'osaka', 'amsterdam'])(
  'in %s both engines tell the same calls, logs, self-destructions, and touched accounts and slots',
  { timeout: 60_000 * FUZZ },
  async (hardfork) => {
    const common = stockCommon(hardfork);
    const [{ engine: reference }, { engine }] = [engineOf(hardfork), engineOf(hardfork, 'fast')];
    const types = hardfork === 'cancun' ? [0, 1, 2] : [0, 1, 2, 4];
    const scenario = fc.record({
      programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
      specs: fc.array(spec(types, true), { minLength: 3, maxLength: 6 }),
      value: fc.constantFrom(0n, 1n, 1000n),
      extraGas: fc.constantFrom(0n, 100_000n, 1_000_000n),
    });
    const seen = { calls: 0, logs: 0, failed: 0, slots: 0, runs: 0 };
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, specs, value, extraGas }) => {
        const state = trieStateOf(allocOf(programs, true));
        const [expected, actual] = [new Overlay(state), new Overlay(state)];
        for (const { from, fields } of specs) {
          const nonce = (await expected.getAccount(from))?.nonce ?? 0n;
          const tx = signed(from, { ...fields, nonce }, common);
          const sent = { tx, from, raw: tx.serialize(), hash: new Uint8Array(32), impersonated: false };
          const given = messageOf(sent);
          const gasLimit = given.gasLimit + extraGas;
          const message = { ...given, value, gasLimit, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
          const wanted = await heard(reference, message, ENV, expected);
          const got = await heard(engine, message, ENV, actual);
          expect(outcomeDifference(wanted.outcome, got.outcome)).toBeUndefined();
          expect({ ...got, outcome: '' }).toEqual({ ...wanted, outcome: '' });
          seen.runs++;
          if (!got.frames) continue;
          expect([...got.before.keys()]).toEqual([...wanted.before!.keys()]);
          const count = (frame: Frame): void => {
            seen.calls++;
            seen.logs += frame.logs.length;
            if (frame.error) seen.failed++;
            frame.calls.forEach(count);
          };
          count(got.frames);
          for (const { storage } of got.before.values()) seen.slots += storage.size;
        }
        expect(await stateDifference(expected, actual)).toBeUndefined();
      }),
      { numRuns: runs(25) },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(4);
  },
);

const CONTRACT = at(0x5001);
/** PUSHes of the arguments of a call, its gas last. */
const callOfNothing = (to: string, value = '5f', gas = '5a') => `5f5f5f5f${value}${to}${gas}f1`;
const SHA256 = '6002';
const IDENTITY = '6004';
const SELF = '30';
/** init code that returns nothing */
const EMPTY_INIT = '00';

const TOLD: readonly (readonly [what: string, code: string, gas?: bigint])[] = [
  ['a call with more wei than there are', callOfNothing(SHA256, '6301000000')],
  ['a creation with more wei than there are', '5f5f6301000000f0'],
  ['calls as deep as they may go', callOfNothing(SELF), 10n ** 12n],
  ['creations as deep as calls may go', `60015f5ff0${callOfNothing(SELF)}`, 10n ** 12n],
  ['delegations as deep as calls may go', '5f5f5f5f305af4', 10n ** 12n],
  ['a precompile without gas', callOfNothing(SHA256, '5f', '5f')],
  ['the identity precompile without gas', callOfNothing(IDENTITY, '5f', '5f')],
  ['a precompile that refuses its input', callOfNothing('6009', '5f', '61ffff')],
  ['an undefined opcode', '0c'],
  ['INVALID', 'fe'],
  ['init code with an undefined opcode', '600c5f5360015f5ff0'],
  ['a revert with data in a creation', '6460205ffd005f5260056020035f5ff0'],
  ['empty init code', `60${EMPTY_INIT}5f5360015f5ff0`],
  ['init code that begins like a container of EOF', '61ef005f526002601e5ff0'],
  ['such init code at an address that depends on it', '61ef005f525f6002601e5ff5'],
  ['code that begins like one', '6150053b5f526150053f60205260055f60406150053c60455fa0'],
  ['no init code', '5f5f5ff0'],
  [
    'creations and calls that move wei',
    `60${EMPTY_INIT}5f5360015f6005f0${callOfNothing(SHA256, '6007')}5f5f5f5f60035af2`,
  ],
  ['two creations at the same address', '5f5f5f5ff55f5f5f5ff5'],
  ['a contract that destroys itself twice', '73000000000000000000000000000000000000beefff'],
  ['logs of a frame that fails', '5f5fa060015f5fa1fe'],
  ['a call of the console contract', callOfNothing('6a636f6e736f6c652e6c6f67')],
];

it.each(
  (['osaka', 'amsterdam'] as const).flatMap((hardfork) =>
    TOLD.filter(([, , gas]) => hardfork === 'osaka' || gas === undefined).map(
      ([what, code, gas = 1_000_000n]) => ({ hardfork, what, code, gas }),
    ),
  ),
)('in $hardfork both engines tell the same of $what', async ({ hardfork, code, gas }) => {
  const wrapper = `5f5f5f5f5f73${CONTRACT.toString().slice(2)}5af15f5fa000`;
  const outer = at(0x5003);
  const [wanted, got] = await Promise.all(
    (['ethereumjs', 'fast'] as const).map(async (name) => {
      const { engine } = engineOf(hardfork, name);
      const state = new Overlay(trieStateOf(allocOf([], true)));
      await state.setCode(CONTRACT, hexToBytes(`0x${code}`));
      await state.setCode(outer, hexToBytes(`0x${wrapper}`));
      const results = [];
      for (const to of [CONTRACT, outer]) results.push(await heard(engine, callOf(to, gas), ENV, state));
      return results;
    }),
  );
  for (const [i, { outcome, ...rest }] of got!.entries()) {
    expect(outcomeDifference(wanted![i]!.outcome, outcome)).toBeUndefined();
    expect(rest).toEqual({ ...wanted![i], outcome: undefined });
  }
});

it('a listener makes a run give way when it is time to, however little gas its calls cost', async () => {
  const { engine } = engineOf('osaka', 'fast');
  const state = new Overlay(trieStateOf(allocOf([], true)));
  // 500 calls of an account without code, 100 gas each
  await state.setCode(CONTRACT, hexToBytes('0x6101f45b5f5f5f5f5f61beef5af150600190038060035700'));
  const frames = new FrameRecorder();
  const held: number[] = [];
  const pauses: Pauses = {
    get due() {
      return frames.root.calls.length % 100 === 99;
    },
    pause: async () => void held.push(frames.root.calls.length),
    hold: () => {},
  };
  await engine.execute(callOf(CONTRACT, 1_000_000n), ENV, state, CALL_RULES, {
    background: pauses,
    tracer: frames,
  });
  expect(frames.root.calls).toHaveLength(500);
  expect(held).toEqual([99, 199, 299, 399, 499]);
});

it('both engines tell of a creation by a sender with the highest nonce (EIP-2681)', async () => {
  const sender = at(0x8001);
  const { to: _, ...creation } = { ...callOf(CONTRACT, 1_000_000n), from: sender, data: Uint8Array.of(0) };
  const [wanted, got] = await Promise.all(
    (['ethereumjs', 'fast'] as const).map(async (name) => {
      const state = new Overlay(trieStateOf(allocOf([], true)));
      state.setAccount(sender, { ...NEW_ACCOUNT, nonce: 2n ** 64n - 1n });
      return heard(engineOf('osaka', name).engine, { ...creation, nonce: 2n ** 64n - 1n }, ENV, state);
    }),
  );
  expect(got!.frames).toMatchObject({ type: 'CREATE', gasUsed: 0n, error: 'nonce uint64 overflow' });
  expect(got).toEqual(wanted);
});

it('both engines tell which contract a deposit creates', async () => {
  const sender = at(0x8002);
  const { to: _, ...creation } = { ...callOf(CONTRACT, 1_000_000n), from: sender };
  const deposit = { sourceHash: new Uint8Array(32), mint: 5n, isSystemTransaction: false };
  const message = { ...creation, type: 0x7e, deposit, data: Uint8Array.of(0) };
  const [wanted, got] = await Promise.all(
    (['ethereumjs', 'fast'] as const).map(async (name) => {
      const state = new Overlay(trieStateOf(allocOf([], true)));
      state.setAccount(sender, { ...NEW_ACCOUNT, nonce: 5n });
      return heard(engineOf('osaka', name, 'deposits').engine, message, ENV, state);
    }),
  );
  expect(got!.before!.has(String(got!.frames!.to))).toBe(true);
  expect({ ...got, outcome: '' }).toEqual({ ...wanted, outcome: '' });
  expect([...got!.before!.keys()]).toEqual([...wanted!.before!.keys()]);
});
