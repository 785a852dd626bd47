import { describe, expect, it } from 'vitest';
import { CALL_RULES, type Engine } from '../../../src/engine/engine.ts';
import type { RunListener } from '../../../src/engine/run-listener.ts';
import { outcomeDifference } from '../../../src/engine/shadow/differences.ts';
import { TraceText } from '../../../src/engine/wasm/trace-text.ts';
import type { HardforkName } from '../../../src/protocol/hardfork.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { Kitchen } from '../ethereumjs/accounts.ts';
import { callOf, ENV } from '../ethereumjs/call-of.ts';
import {
  DELEGATING,
  OTHER,
  type Program,
  programOf,
  SENDER,
  TARGET,
} from '../ethereumjs/generated-programs.ts';
import { allocOf } from '../ethereumjs/scenarios.ts';
import { engineOf, trieStateOf } from '../ethereumjs/stock.ts';

/*
 * What both engines tell of the steps of generated programs: `FUZZ=100 npx vitest run test/engine/wasm/steps.test.ts` compares more of
 * them, SEED=n begins with another one. A failure names the seed of its program.
 */
const PROGRAMS = runs(20);
const SEED = Number(process.env.SEED ?? 1);
const GAS = 300_000n;

/** What is told of touched accounts and slots is compared in listening.slow.test.ts. */
const ALL = { calls: {}, steps: {} } as RunListener;

async function stateOf({ code }: Program): Promise<Overlay> {
  const state = new Overlay(trieStateOf(allocOf([], true)));
  const put = async (address: typeof TARGET, nonce: bigint, balance: bigint, runs: Uint8Array) => {
    await state.setCode(address, runs);
    const account = (await state.getAccount(address))!;
    state.setAccount(address, { ...account, nonce, balance });
  };
  await put(TARGET, 1n, 1000n, code);
  await put(OTHER, 1n, 5n, Kitchen.code);
  for (const { from, code: delegation } of DELEGATING) await put(from, 1n, 7n, delegation);
  return state;
}

/** Reasons that may hold at once, of which the engines find another one first where blocks have access lists (EIP-7928). */
const FOUND_FIRST = /out of gas|max initcode size exceeded|write protection/;

async function told(engine: Engine, program: Program, hasAccessLists: boolean) {
  const events: string[] = [];
  const listener = new TraceText(ALL, (text) =>
    events.push(hasAccessLists ? text.replace(FOUND_FIRST, 'halt') : text),
  );
  const state = await stateOf(program);
  const message = { ...callOf(TARGET, GAS), from: SENDER, data: program.data };
  const outcome = await engine.execute(message, ENV, state, CALL_RULES, { tracer: { listener } });
  return { outcome, events };
}

describe.each<HardforkName>(['cancun', 'osaka', 'amsterdam'])('%s', (hardfork) => {
  it(`both engines tell the same of ${PROGRAMS} programs`, { timeout: 120_000 * FUZZ }, async () => {
    const [{ engine: reference, fork }, { engine: fast }] = [engineOf(hardfork), engineOf(hardfork, 'fast')];
    const hasAccessLists = fork.has(7928);
    let steps = 0;
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const program = programOf(seed, hasAccessLists);
      const wanted = await told(reference, program, hasAccessLists);
      const got = await told(fast, program, hasAccessLists);
      const different = got.events.findIndex((event, i) => event !== wanted.events[i]);
      expect(got.events[different], `program ${seed}, event ${different}`).toBe(wanted.events[different]);
      expect(got.events.length, `program ${seed}`).toBe(wanted.events.length);
      const difference = outcomeDifference(wanted.outcome, got.outcome, { hasAccessLists });
      expect(difference, `program ${seed}`).toBeUndefined();
      steps += got.events.length;
    }
    expect(steps).toBeGreaterThan(PROGRAMS * 20);
  });
});
