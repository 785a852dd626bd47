import { bytesToHex } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_RULES } from '../../src/evm/engine.ts';
import type { HardforkName } from '../../src/evm/hardfork.ts';
import { GasWatch } from '../../src/evm/least-gas.ts';
import type { Executed, Message } from '../../src/evm/types.ts';
import { callError } from '../../src/execution/call-error.ts';
import { estimateGas, TRANSFER_GAS } from '../../src/execution/estimate.ts';
import { Overlay } from '../../src/state/overlay.ts';
import type { TrieState } from '../../src/state/trie-state.ts';
import { SYSTEM } from '../chain/both-ways.ts';
import { Counter, callData, Kitchen, Token } from '../evm/accounts.ts';
import { program } from '../evm/programs.ts';
import { allocOf, at, CALLED, CALLS, envFields, KITCHEN, RICH, spec } from '../evm/scenarios.ts';
import { blockOf, engineOf, messageFrom, stockCommon, trieStateOf } from '../evm/stock.ts';
import { runs } from '../fuzz.ts';
import { fetched } from '../state/fetched.ts';

const MOST = 2_000_000n;
const ENV = {
  coinbase: at(0xc0),
  number: 300n,
  timestamp: 1_700_000_000n,
  gasLimit: 30_000_000n,
  baseFeePerGas: 0n,
  excessBlobGas: 0n,
  prevRandao: new Uint8Array(32),
};

interface Attempt {
  readonly outcome: Executed | undefined;
  readonly writes: unknown;
}

/** Runs a message with as much gas as asked, each time on the same state. */
function laboratory(hardfork: HardforkName, state: TrieState, fields: typeof ENV) {
  const { engine, fork } = engineOf(hardfork);
  const { env } = blockOf(fields, fork, stockCommon(hardfork));
  const attempt = async (message: Message, gasLimit: bigint, watch?: GasWatch): Promise<Attempt> => {
    const overlay = new Overlay(state);
    const tracer = watch ? { tracer: watch } : {};
    const outcome = await engine.execute({ ...message, gasLimit }, env, overlay, CALL_RULES, tracer);
    return { outcome: outcome.kind === 'executed' ? outcome : undefined, writes: overlay.writes() };
  };
  /** The answer, or the error's code, and how often the message was run for it. */
  const estimate = async (message: Message, watched: boolean) => {
    let tries = 0;
    const answer = await estimateGas(message, MOST, state, async (tried, watch) => {
      tries++;
      const overlay = new Overlay(state);
      const tracer = watched && watch ? { tracer: watch } : {};
      const outcome = await engine.execute(tried, env, overlay, CALL_RULES, tracer);
      if (outcome.kind === 'invalid') throw outcome.error;
      return outcome;
    }).catch(({ code }) => code as number);
    return { answer, tries };
  };
  return { attempt, estimate };
}

describe.each([
  ['chainstart', [0], 10],
  ['byzantium', [0], 20],
  ['berlin', [0, 1], 30],
  ['osaka', [0, 1, 2, 4], 100],
] as const)('on %s', (hardfork, types, count) => {
  const modern = hardfork !== 'chainstart';
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, modern), program(CALLED, modern), program(CALLED, modern)),
    env: envFields,
    spec: spec(types, modern),
  });

  it('what one run tells is what trying would', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, env, spec: { from, fields } }) => {
        const state = trieStateOf(allocOf(programs, false));
        const { attempt, estimate } = laboratory(hardfork, state, env);
        const message = messageFrom(from, fields, stockCommon(hardfork));
        expect((await estimate(message, true)).answer).toBe((await estimate(message, false)).answer);

        const watch = new GasWatch();
        const ample = await attempt(message, MOST, watch);
        const least = ample.outcome && watch.leastGas(ample.outcome);
        if (!least) return;
        expect(await attempt(message, least.gas)).toEqual(ample);
        if (least.exact) expect((await attempt(message, least.gas - 1n)).outcome?.success).not.toBe(true);
      }),
      { numRuns: runs(count) },
    );
  });
});

describe.each([
  ['cancun', [0, 1, 2], 30],
  ['prague', [0, 1, 2, 4], 60],
  ['osaka', [0, 1, 2], 60],
] as const)('on %s, an estimate in one step of the core', (hardfork, types, count) => {
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
    env: envFields,
    spec: spec(types, true),
    isRemote: fc.boolean(),
  });

  it('is that of runs in the EVM of EthereumJS', async () => {
    const { engine, fork } = engineOf(hardfork, 'fast');
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        scenario,
        async ({ programs, env: fields, isRemote, spec: { from, fields: call } }) => {
          const state = trieStateOf(allocOf(programs, false));
          const { estimate } = laboratory(hardfork, state, fields);
          const { env } = blockOf(fields, fork, stockCommon(hardfork));
          const message = messageFrom(from, call, stockCommon(hardfork));
          const view = isRemote ? fetched(state) : state;
          const gas = await engine.leastGas(message, MOST, env, view);
          const expected = await estimate(message, false);
          // What it doesn't find is searched for with runs, which also tell why there is none.
          if (gas === undefined) return;
          found++;
          if (expected.answer !== TRANSFER_GAS) expect(gas).toBe(expected.answer);
        },
      ),
      { numRuns: runs(count) },
    );
    expect(found).toBeGreaterThan(runs(count) / 4);
  });
});

describe.each([
  ['cancun', [0, 1, 2], 40],
  ['prague', [0, 1, 2, 4], 60],
  ['osaka', [0, 1, 2], 60],
] as const)('on %s, an estimate in a block that is about to be opened', (hardfork, types, count) => {
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
    env: envFields,
    spec: spec(types, true),
  });

  it('is that of runs in the EVM of EthereumJS, and so is the reason why there is none', async () => {
    const { engine, fork } = engineOf(hardfork, 'fast');
    const counts = { found: 0, failed: 0 };
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, env: fields, spec: { from, fields: call } }) => {
        const state = trieStateOf(new Map([...allocOf(programs, false), ...SYSTEM]));
        const { estimate } = laboratory(hardfork, state, fields);
        const { env } = blockOf(fields, fork, stockCommon(hardfork));
        const offering = messageFrom(from, call, stockCommon(hardfork));
        // Who offers a fee has to be able to pay it, which is looked at before.
        const message = { ...offering, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
        const start = {
          env,
          parentHash: new Uint8Array(32).fill(7),
          parentBeaconBlockRoot: new Uint8Array(32).fill(8),
          excessBlobGas: fields.excessBlobGas,
          extraData: new Uint8Array(),
        };
        const before = state.root;
        const got = await engine.leastGasIn({ state, start }, message, MOST);
        expect(state.root).toEqual(before);
        if (got === undefined) return;
        const { answer } = await estimate(message, false);
        if (typeof got === 'bigint') {
          counts.found++;
          expect(got).toBe(answer);
        } else {
          counts.failed++;
          expect(callError(got)!.code).toBe(answer);
        }
      }),
      { numRuns: runs(count) },
    );
    expect(counts.found).toBeGreaterThan(runs(count) / 4);
    expect(counts.failed).toBeGreaterThan(0);
  });
});

describe('an estimate', () => {
  const state = trieStateOf(allocOf([], false));
  const { estimate } = laboratory('osaka', state, ENV);
  const from = RICH[0]!.address;
  const messageTo = (index: number): Message => {
    const [to, data] = CALLS[index]!;
    const fields = { nonce: 0n, gasLimit: MOST, gasPrice: 0n, to, data };
    return messageFrom(from, fields, stockCommon('osaka'));
  };
  const indexOf = (data: Uint8Array) =>
    CALLS.findIndex(([, other]) => bytesToHex(other) === bytesToHex(data));

  it.each([
    ['an approval', callData(Token, 'approve', RICH[1]!.address.toString(), 2n ** 256n - 1n)],
    ['eight slots filled', callData(Kitchen, 'fill', 0n, 8n, 1n)],
    ['a counter', callData(Counter, 'increment')],
  ])('of %s takes one run', async (_, data) => {
    const message = messageTo(indexOf(data));
    const { answer, tries } = await estimate(message, true);
    expect(tries).toBe(1);
    const searched = await estimate(message, false);
    expect(answer).toBe(searched.answer);
    expect(searched.tries).toBeGreaterThan(2);
  });

  it('of a contract that burns what it is given searches', async () => {
    const message = messageTo(indexOf(callData(Kitchen, 'burnAll')));
    expect(await estimate(message, true)).toEqual(await estimate(message, false));
    expect(message.to).toEqual(KITCHEN);
  });
});
