import { type Address, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { CALL_RULES, type Engine, type Tracer } from '../../../src/engine/engine.ts';
import type { ListenedRun, RunStep } from '../../../src/engine/run-listener.ts';
import { Erc7562Recorder } from '../../../src/engine/tracers/erc7562.ts';
import { KeccakRecorder } from '../../../src/engine/tracers/keccak-preimages.ts';
import { OpcodeGasRecorder } from '../../../src/engine/tracers/opcode-gas.ts';
import { type Step, StepRecorder } from '../../../src/engine/tracers/steps.ts';
import { VmRecorder } from '../../../src/engine/tracers/vm.ts';
import { integerOf, integerWord } from '../../../src/state/integers.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { runs } from '../../fuzz.ts';
import { fetched } from '../../state/fetched.ts';
import { callOf, ENV } from '../ethereumjs/call-of.ts';
import { programOf, SENDER, TARGET } from '../ethereumjs/generated-programs.ts';
import { allocOf } from '../ethereumjs/scenarios.ts';
import { engineOf, trieStateOf } from '../ethereumjs/stock.ts';

const ENGINES = ['ethereumjs', 'fast'] as const;
/** SSTORE of 7 at 1, SLOAD of it; without call data a CALL of itself with a byte of it; KECCAK256 of nothing, and the STOP behind the code */
const CODE: PrefixedHexString = '0x600760015560015450366019575f5f60015f5f30617530f1505b5f5f20';

async function run(
  engine: Engine,
  tracer: Tracer,
  options: { code?: Uint8Array; isFetched?: boolean; data?: Uint8Array } = {},
) {
  const base = trieStateOf(allocOf([], true));
  const state = new Overlay(options.isFetched ? fetched(base) : base);
  await state.setCode(TARGET, options.code ?? hexToBytes(CODE));
  const message = { ...callOf(TARGET, 200_000n), from: SENDER, data: options.data ?? new Uint8Array(0) };
  return engine.execute(message, ENV, state, CALL_RULES, { tracer });
}

describe.each(ENGINES)('%s', (name) => {
  const { engine } = engineOf('osaka', name);

  it.each([false, true])(
    'waits for a listener at each step, and tells each once; fetched: %s',
    async (isFetched) => {
      const list = async (waits: boolean) => {
        const told: string[] = [];
        const note = ({ pc, name: op, gasLeft, cost, depth }: RunStep) =>
          void told.push([pc, op, gasLeft, cost, depth].join(' '));
        const step = (at: RunStep) => (waits ? Promise.resolve().then(() => note(at)) : note(at));
        const codeEnds = (error: string | undefined) => void told.push(`ends ${error}`);
        const steps = {
          step: step as (at: RunStep) => Promise<void> | undefined,
          codeEnds: codeEnds as () => undefined,
        };
        const outcome = await run(engine, { listener: { start: () => {}, steps } }, { isFetched });
        return { told, outcome };
      };
      const [waiting, running] = [await list(true), await list(false)];
      expect(waiting).toEqual(running);
      expect(running.told.length).toBeGreaterThan(20);
      expect(running.outcome).toMatchObject({ kind: 'executed', success: true });
    },
  );

  it('while it waits, a listener reads the state of the step', async () => {
    let heard: ListenedRun | undefined;
    const seen: (readonly [opcode: string, slot: bigint])[] = [];
    const step = async (at: RunStep) => {
      const value = await heard!.now.getStorage(TARGET, integerWord(1n));
      if (at.depth === 0) seen.push([at.name, integerOf(value)]);
    };
    const start = (begun: ListenedRun) => {
      heard = begun;
    };
    await run(engine, { listener: { start, steps: { step } } });
    const store = seen.findIndex(([opcode]) => opcode === 'SSTORE');
    expect(seen.slice(0, store + 1).every(([, value]) => value === 0n)).toBe(true);
    expect(seen.slice(store + 1).every(([, value]) => value === 7n)).toBe(true);
    expect(integerOf(await heard!.now.getStorage(TARGET, integerWord(1n)))).toBe(7n);
  });

  it('a run ends with what a listener throws, and the next one is as ever', async () => {
    const failing = (fail: (at: RunStep) => Promise<void> | undefined): Tracer => ({
      listener: { start: () => {}, steps: { step: (at) => (at.name === 'SSTORE' ? fail(at) : undefined) } },
    });
    const thrown = () => {
      throw new Error('enough');
    };
    await expect(run(engine, failing(thrown))).rejects.toThrow('enough');
    await expect(
      run(
        engine,
        failing(async () => thrown()),
      ),
    ).rejects.toThrow('enough');
    expect(
      await run(
        engine,
        failing(() => undefined),
      ),
    ).toMatchObject({ kind: 'executed', success: true });
  });
});

/** What each tracer makes of a run. */
async function traces(engine: Engine, program: { code: Uint8Array; data: Uint8Array }) {
  const steps: Step[] = [];
  const sink = { write: (step: Step) => void steps.push(step), pause: () => undefined };
  const all = { memory: true, stack: true, storage: 'always', returnData: true, limit: 0 } as const;
  const erc7562 = new Erc7562Recorder({ ignored: new Set() });
  const [vm, gas, keccak] = [new VmRecorder(() => {}), new OpcodeGasRecorder(), new KeccakRecorder()];
  const recorder = new StepRecorder(all, { sink });
  for (const tracer of [recorder, erc7562, vm, gas, keccak]) await run(engine, tracer, program);
  const frames: unknown[] = [];
  const list = (frame: typeof erc7562.root): void => {
    frames.push(erc7562.accessOf(frame));
    frame.calls.forEach(list);
  };
  list(erc7562.root);
  const preimages = [erc7562.preimages, keccak.preimages];
  return { steps, frames, preimages, vm: vm.root, opcodes: gas.opcodes };
}

it('each tracer makes the same of what both engines tell', async () => {
  const [reference, fast] = ENGINES.map((name) => engineOf('osaka', name).engine);
  for (let seed = 1; seed <= runs(12); seed++) {
    const program = programOf(seed);
    expect(await traces(fast!, program), `program ${seed}`).toEqual(await traces(reference!, program));
  }
});

/** Opcodes that can't be paid, with what geth tells of their cost. */
const UNPAID: readonly (readonly [what: string, code: PrefixedHexString, cost: bigint])[] = [
  ['a hash of a GiB', '0x6340000000 5f 20', 30n + 6n * 2n ** 25n + 3n * 2n ** 25n + 2n ** 41n],
  ['a hash of 5 GiB', '0x640140000000 5f 20', 30n + 9n * 5n * 2n ** 25n + 25n * 2n ** 41n],
  ['a memory beyond 128 GiB', '0x642000000000 51', 3n],
  ['an SSTORE at the sentry', '0x5f5f55', 0n],
  ['a creation without its fee', '0x5f5f5ff0', 32_000n],
  ['a self-destruction without its fee', '0x5fff', 5_000n],
].map(([what, code, cost]) => [what, String(code).replaceAll(' ', '') as PrefixedHexString, cost] as never);

it.each(UNPAID)('both engines tell of %s what geth tells', async (_, code, cost) => {
  for (const name of ENGINES) {
    const { engine } = engineOf('osaka', name);
    const told: [bigint, boolean][] = [];
    const step = (at: RunStep) => void told.push([at.cost, at.isOutOfGas]);
    const state = new Overlay(trieStateOf(allocOf([], true)));
    await state.setCode(TARGET as Address, hexToBytes(code));
    // With 2,000 gas
    const message = { ...callOf(TARGET, 23_000n), from: SENDER };
    const listener = { start: () => {}, steps: { step: step as () => undefined } };
    await engine.execute(message, ENV, state, CALL_RULES, { tracer: { listener } });
    expect(told.at(-1), name).toEqual([cost, true]);
  }
});
