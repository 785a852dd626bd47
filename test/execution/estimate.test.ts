import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_RULES } from '../../src/engine/engine.ts';
import type { Estimate, EstimateOptions } from '../../src/engine/estimate.ts';
import type { Message } from '../../src/protocol/types.ts';
import { SYSTEM } from '../chain/both-ways.ts';
import { program } from '../engine/ethereumjs/programs.ts';
import { allocOf, at, CALLED, envFields, RICH, spec } from '../engine/ethereumjs/scenarios.ts';
import { blockOf, engineOf, messageFrom, stockCommon, trieStateOf } from '../engine/ethereumjs/stock.ts';
import { runs } from '../fuzz.ts';
import { fetched } from '../state/fetched.ts';

const MAX = 2_000_000n;
const ENV = {
  coinbase: at(0xc0),
  number: 300n,
  timestamp: 1_700_000_000n,
  gasLimit: 30_000_000n,
  baseFeePerGas: 0n,
  excessBlobGas: 0n,
  prevRandao: new Uint8Array(32),
};

/** An estimate without what only one engine's error object has. */
const plain = (estimate: Estimate) =>
  typeof estimate === 'bigint' || estimate.kind === 'failed'
    ? estimate
    : { code: estimate.error.code, message: estimate.error.message };

describe.each([
  ['chainstart', [0], 10],
  ['byzantium', [0], 10],
  ['berlin', [0, 1], 20],
  ['cancun', [0, 1, 2], 40],
  ['osaka', [0, 1, 2, 4], 60],
  ['amsterdam', [0, 1, 2, 4], 60],
] as const)('on %s, an estimate', (hardfork, types, count) => {
  const modern = hardfork !== 'chainstart';
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, modern), program(CALLED, modern), program(CALLED, modern)),
    env: envFields,
    spec: spec(types, modern, hardfork),
    isRemote: fc.boolean(),
    isOpened: fc.boolean(),
    anyoneTransfers: fc.boolean(),
  });

  it('is the same on both engines, and so is the reason why there is none', async () => {
    const { engine, fork } = engineOf(hardfork);
    const { engine: fast } = engineOf(hardfork, 'fast');
    const counts = { found: 0, none: 0 };
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, env: fields, isRemote, isOpened, ...rest }) => {
        const { from, fields: call } = rest.spec;
        const { env } = blockOf(fields, fork, stockCommon(hardfork));
        const message = messageFrom(from, call, stockCommon(hardfork));
        const sealed = trieStateOf(new Map([...allocOf(programs, false), ...SYSTEM]));
        const state = isRemote ? fetched(sealed) : sealed;
        const start = {
          env,
          parentHash: new Uint8Array(32).fill(7),
          parentBeaconBlockRoot: new Uint8Array(32).fill(8),
          excessBlobGas: fields.excessBlobGas,
          extraData: new Uint8Array(),
        };
        const { anyoneTransfers } = rest;
        const { root } = sealed;
        const answers = [];
        for (const one of [engine, fast]) {
          const view = isOpened ? await one.stateAtStart({ state, start }) : state;
          answers.push(plain(await one.estimate(message, MAX, env, view, CALL_RULES, { anyoneTransfers })));
        }
        expect(answers[1]).toEqual(answers[0]);
        expect(sealed.root).toEqual(root);
        if (typeof answers[0] === 'bigint') counts.found++;
        else counts.none++;
      }),
      { numRuns: runs(count) },
    );
    expect(counts.found).toBeGreaterThan(0);
    expect(counts.none).toBeGreaterThan(0);
  });
});

describe('an estimate', () => {
  const state = trieStateOf(allocOf([], false));
  const from = RICH[0]!.address;
  const balance = 10n ** 30n;
  const transfer = (value: bigint, fee: bigint): Message => ({
    ...messageFrom(from, { to: at(0x4e), gasLimit: MAX, gasPrice: 0n }, stockCommon('osaka')),
    value,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: fee,
  });

  it.each(['ethereumjs', 'fast'] as const)('on %s counts what the sender can pay', async (name) => {
    const { engine, fork } = engineOf('osaka', name);
    const { env } = blockOf(ENV, fork, stockCommon('osaka'));
    const estimate = async (message: Message, options: EstimateOptions = {}) =>
      plain(await engine.estimate(message, MAX, env, state, CALL_RULES, options));
    expect(await estimate(transfer(balance - 21_000n, 1n))).toBe(21_000n);
    const lacking = transfer(balance - 20_999n, 1n);
    expect(await estimate(lacking)).toMatchObject({ kind: 'failed', gasLimit: 20_999n });
    expect(await estimate(lacking, { anyoneTransfers: true })).toBe(21_000n);
    expect(await estimate(transfer(balance + 1n, 1n))).toMatchObject({ code: -38014 });
    expect(await estimate(transfer(balance + 1n, 0n))).toMatchObject({ code: -38014 });
  });
});
