import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_RULES } from '../../src/evm/engine.ts';
import type { HardforkName } from '../../src/evm/hardfork.ts';
import type { Executed, Message } from '../../src/evm/types.ts';
import { callError } from '../../src/execution/call-error.ts';
import { estimateGas, TRANSFER_GAS } from '../../src/execution/estimate.ts';
import { Overlay } from '../../src/state/overlay.ts';
import type { TrieState } from '../../src/state/trie-state.ts';
import { SYSTEM } from '../chain/both-ways.ts';
import { program } from '../evm/programs.ts';
import { allocOf, at, CALLED, envFields, spec } from '../evm/scenarios.ts';
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

/** Runs a message with as much gas as asked, each time on the same state. */
function laboratory(hardfork: HardforkName, state: TrieState, fields: typeof ENV) {
  const { engine, fork } = engineOf(hardfork);
  const { env } = blockOf(fields, fork, stockCommon(hardfork));
  const run = async (message: Message): Promise<Executed> => {
    const outcome = await engine.execute(message, env, new Overlay(state), CALL_RULES);
    if (outcome.kind === 'invalid') throw outcome.error;
    return outcome;
  };
  /** The answer, or the error's code. */
  const estimate = (message: Message): Promise<bigint | number> =>
    estimateGas(message, MOST, state, run).catch(({ code }) => code as number);
  return { run, estimate };
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

  it('what is estimated suffices', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, env, spec: { from, fields } }) => {
        const state = trieStateOf(allocOf(programs, false));
        const { run, estimate } = laboratory(hardfork, state, env);
        const message = messageFrom(from, fields, stockCommon(hardfork));
        const gasLimit = await estimate(message);
        if (typeof gasLimit === 'number') return;
        found++;
        expect((await run({ ...message, gasLimit })).success).toBe(true);
      }),
      { numRuns: runs(count) },
    );
    expect(found).toBeGreaterThan(runs(count) / 4);
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
          const expected = await estimate(message);
          // What it doesn't find is searched for with runs, which also tell why there is none.
          if (gas === undefined) return;
          found++;
          if (expected !== TRANSFER_GAS) expect(gas).toBe(expected);
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
        const answer = await estimate(message);
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
