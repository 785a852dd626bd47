import { hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { CALL_RULES, type Engine } from '../../../src/engine/engine.ts';
import type { RunCounts } from '../../../src/engine/run-counts.ts';
import type { RunStep } from '../../../src/engine/run-listener.ts';
import { intrinsicGas } from '../../../src/protocol/intrinsic-gas.ts';
import type { Executed } from '../../../src/protocol/types.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { runs } from '../../fuzz.ts';
import { callOf, ENV } from '../ethereumjs/call-of.ts';
import { programOf, SENDER, TARGET } from '../ethereumjs/generated-programs.ts';
import { allocOf } from '../ethereumjs/scenarios.ts';
import { engineOf, trieStateOf } from '../ethereumjs/stock.ts';

interface Counted {
  readonly counts: RunCounts;
  readonly executed: Executed;
  /** gas of the opcodes and intrinsic gas */
  readonly sum: number;
}

async function count(
  engine: Engine,
  code: Uint8Array,
  { data = new Uint8Array(0), step }: { data?: Uint8Array; step?: (step: RunStep) => void } = {},
): Promise<Counted> {
  const state = new Overlay(trieStateOf(allocOf([], true)));
  await state.setCode(TARGET, code);
  const message = { ...callOf(TARGET, 300_000n), from: SENDER, data };
  let counts: RunCounts | undefined;
  const listener = {
    start: () => {},
    counts: (told: RunCounts) => {
      counts = { ...told, codes: told.codes.map((each) => ({ ...each, code: new Uint8Array(each.code) })) };
    },
    ...(step && { steps: { step: step as () => undefined } }),
  };
  const executed = await engine.execute(message, ENV, state, CALL_RULES, { tracer: { listener } });
  if (executed.kind === 'invalid') throw executed.error;
  const gas = counts!.codes.flatMap((each) => each.gas).reduce((all, each) => all + each, 0);
  const { gas: intrinsic } = intrinsicGas(message, engine.hardforkOf(ENV));
  return { counts: counts!, executed, sum: gas + Number(intrinsic) };
}

/** Counters in one order, whatever the order in which opcodes ran first. */
function listed({ codes, frames }: RunCounts) {
  return {
    codes: codes.map(({ hash, code, pcs, runs: ran, gas }) => ({
      hash,
      code: Buffer.from(code).toString('hex'),
      counters: pcs.map((pc, i) => [pc, ran[i], gas[i]]).sort(([a], [b]) => a! - b!),
    })),
    frames: frames.map((frame) => ({ ...frame, code: codes.indexOf(frame.code!) })),
  };
}

const [reference, fast] = (['ethereumjs', 'fast'] as const).map((name) => engineOf('osaka', name).engine);

it('both engines count the same, and the gas of all opcodes is what the run used', async () => {
  for (let seed = 1; seed <= runs(60); seed++) {
    const { code, data } = programOf(seed);
    const [wanted, got] = [await count(reference!, code, { data }), await count(fast!, code, { data })];
    expect(listed(got.counts), `program ${seed}`).toEqual(listed(wanted.counts));
    const { maxUsedGas } = got.executed;
    const before = Number(maxUsedGas);
    const { floor } = intrinsicGas({ ...callOf(TARGET, 300_000n), data }, fast!.hardforkOf(ENV));
    expect(Math.max(got.sum, Number(floor)), `program ${seed}`).toBe(before);
  }
});

it('counts equal steps where a listener wants both', async () => {
  const steps = new Map<number, number>();
  const code = hexToBytes('0x600a5b6001900380600257');
  const { counts } = await count(fast!, code, {
    step: ({ pc }) => void steps.set(pc, (steps.get(pc) ?? 0) + 1),
  });
  const [{ pcs, runs: ran }] = counts.codes as [RunCounts['codes'][0]];
  expect(new Map(pcs.map((pc, i) => [pc, ran[i]]))).toEqual(steps);
  expect(steps.get(2)).toBe(10);
  // The STOP behind the code.
  expect(steps.get(code.length)).toBe(1);
});

describe.each([
  // Calls an account without code with 1 wei: the stipend of 2,300 comes back.
  ['a call with value', '0x5f5f5f5f600161abcd5af1'],
  // Creates a contract of 32 bytes of zeros.
  ['new code', '0x6460205ff300 5f52 6020 5f 5f f0'.replaceAll(' ', '')],
  ['all gas burnt', '0xfe'],
  // The contract calls itself with a byte, whose callee fails.
  ['a failed callee', '0x36600e575f5f60015f5f305af1005bfe'],
  ['a precompile', '0x5f5f5f5f600262ffffff fa'.replaceAll(' ', '')],
] as const)('%s', (_, code) => {
  it('is in the gas of the opcodes', async () => {
    for (const engine of [fast!, reference!]) {
      const { sum, executed } = await count(engine, hexToBytes(code as `0x${string}`));
      expect(sum).toBe(Number(executed.maxUsedGas));
    }
  });
});

it('frames have their selectors, depths and gas', async () => {
  // PUSH 0xa9059cbb into memory, calls itself with it where there is no call data.
  const code = hexToBytes('0x3660175763a9059cbb60e01b5f525f5f60245f5f305af15b00');
  const { counts } = await count(fast!, code);
  const [inner, outer] = counts.frames as [RunCounts['frames'][0], RunCounts['frames'][0]];
  expect(inner).toMatchObject({ depth: 1, selector: 'a9059cbb', hasInput: true, failed: false });
  expect(outer).toMatchObject({ depth: 0, selector: undefined, hasInput: false, isCreation: false });
  expect(outer.gas).toBeGreaterThan(inner.gas);
  expect(inner.code).toBe(outer.code);
});
