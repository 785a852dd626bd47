import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { afterAll, describe, expect, test } from 'vitest';
import { CALL_RULES, type Tracer } from '../../src/engine/engine.ts';
import { FrameRecorder } from '../../src/engine/tracers/frames.ts';
import { DevnetError } from '../../src/errors.ts';
import { createDevnet } from '../../src/index.ts';
import { Overlay } from '../../src/state/overlay.ts';
import type { Pauses } from '../../src/turns.ts';
import { callOf, ENV } from '../engine/ethereumjs/call-of.ts';
import { allocOf, at } from '../engine/ethereumjs/scenarios.ts';
import { engineOf, trieStateOf } from '../engine/ethereumjs/stock.ts';

const CONTRACT = at(0x5001);
const call = callOf(CONTRACT, 2_000_000n);

/** Programs that end with their gas only. */
const PROGRAMS = {
  'an endless loop': '0x5b5f56',
  hashes: '0x5b6110005f20505f56',
  'calls of itself': '0x5b5f5f5f5f5f305af1505f56',
  'contracts that create': '0x5b385f5f39385f5ff0505f56',
  'memory that grows': '0x5b611000590151505f56',
  'memory in each frame': '0x5b61ffff51505f5f5f5f5f305af1505f56',
  'slots written': '0x5b5a5a555f56',
  'accounts read': '0x5b5a31505f56',
} satisfies Record<string, PrefixedHexString>;

/** Counts pauses and memory; the run ends at the pause of this number. */
function countingPauses(last = Number.POSITIVE_INFINITY) {
  const counts = { pauses: 0, held: 0, most: 0 };
  const pauses: Pauses = {
    due: true,
    pause: async () => {
      if (++counts.pauses >= last) throw new DevnetError('timedOut', { ms: 1 });
    },
    hold: (bytes) => {
      counts.held += bytes;
      counts.most = Math.max(counts.most, counts.held);
    },
  };
  return { counts, pauses };
}

async function stateWith(code: PrefixedHexString): Promise<Overlay> {
  const state = new Overlay(trieStateOf(allocOf([], false)));
  await state.setCode(CONTRACT, hexToBytes(code));
  return state;
}

const stepped: Tracer = { listener: { start: () => {}, steps: { step: () => undefined } } };
const WAYS = [
  ['the fast engine', 'fast', undefined],
  ['the fast engine step by step', 'fast', stepped],
  ['EthereumJS', 'ethereumjs', undefined],
  ['EthereumJS step by step', 'ethereumjs', stepped],
] as const;

describe.each(WAYS)('with %s', (_, name, tracer) => {
  test.each(Object.entries(PROGRAMS))(
    '%s: ends at any pause, and leaves nothing behind',
    async (program, code) => {
      const { engine } = engineOf('osaka', name);
      const state = await stateWith(code);
      const { version } = state;
      // Calls as deep as they may go cost EthereumJS a second for each two million gas.
      const gasLimit = program === 'calls of itself' ? 400_000n : call.gasLimit;
      const message = { ...call, gasLimit };
      for (const last of [1, 2, 3]) {
        const { counts, pauses } = countingPauses(last);
        const run = engine.execute(message, ENV, state, CALL_RULES, { background: pauses, tracer });
        await expect(run).rejects.toMatchObject({ kind: 'timedOut' });
        expect(counts.pauses).toBe(last);
        expect(state.version).toBe(version);
      }
      const whole = await engine.execute(message, ENV, state, CALL_RULES, {
        background: countingPauses().pauses,
        tracer,
      });
      expect(whole).toMatchObject({ kind: 'executed', success: false, gasUsed: gasLimit });
    },
  );
});

test.each(WAYS.slice(1))('with %s, code without jumps pauses', async (_, name, tracer) => {
  const { engine } = engineOf('osaka', name);
  const { counts, pauses } = countingPauses();
  // PUSH0 and POP, a million opcodes
  const state = await stateWith(`0x${'5f50'.repeat(500_000)}`);
  await engine.execute(call, ENV, state, CALL_RULES, { background: pauses, tracer });
  expect(counts.pauses).toBeGreaterThan(400);
});

describe('the memory that a run holds', () => {
  const long = { ...call, gasLimit: 5_000_000n };

  test('in EthereumJS is that of its frames, and nothing when they have ended', async () => {
    const { engine } = engineOf('osaka');
    const { counts, pauses } = countingPauses();
    const state = await stateWith(PROGRAMS['memory in each frame']);
    await engine.execute(long, ENV, state, CALL_RULES, { background: pauses });
    // A frame has 64 KiB of memory and costs 15,000 gas.
    expect(counts.most).toBeGreaterThan(100 * 65_536);
    expect(counts.held).toBe(0);
  });

  test('in EthereumJS is that of the jumps in their code, too', async () => {
    const { engine } = engineOf('osaka');
    const { counts, pauses } = countingPauses();
    // PUSH1 4, JUMP, STOP, JUMPDEST, a call of itself, and 20,000 bytes that don't run
    const state = await stateWith(`0x600456005b5f5f5f5f5f305af100${'00'.repeat(20_000)}`);
    await engine.execute(call, ENV, state, CALL_RULES, { background: pauses });
    expect(counts.most).toBeGreaterThan(100 * 20_000 * 20);
    expect(counts.held).toBe(0);
  });

  test('in the fast engine is what its executor grew by', async () => {
    const { engine } = engineOf('osaka', 'fast');
    const { counts, pauses } = countingPauses();
    const state = await stateWith(PROGRAMS['memory in each frame']);
    await engine.execute(long, ENV, state, CALL_RULES, { background: pauses });
    expect(counts.most).toBeGreaterThan(100 * 65_536);
  });

  test('of recorded calls is their data', async () => {
    const { engine } = engineOf('osaka', 'fast');
    const { counts, pauses } = countingPauses();
    // STATICCALL of the identity precompile with 64 KiB, again and again
    const state = await stateWith('0x5b620100005f620100005f60045afa505f56');
    const frames = new FrameRecorder();
    await engine.execute(long, ENV, state, CALL_RULES, { background: pauses, tracer: frames });
    const copies = frames.root.calls.length;
    expect(copies).toBeGreaterThan(200);
    expect(counts.held).toBeGreaterThan(copies * 2 * 65_536 * 0.99);
  });
});

describe('of a node', () => {
  const started = createDevnet({ manualClock: true });
  afterAll(async () => (await started).close());
  const TO = `0x${'cc'.repeat(20)}`;
  const trace = async (code: string, config: object, gas = '0x2faf080') =>
    (await started).provider.request({
      method: 'debug_traceCall',
      params: [{ to: TO, gas }, 'latest', { ...config, stateOverrides: { [TO]: { code } } }],
    });

  test('calls whose data takes too much memory end with -32005', async () => {
    const copies = '0x5b621000005f621000005f60045afa505f56';
    const run = trace(copies, { tracer: 'callTracer' });
    await expect(run).rejects.toMatchObject({ code: -32005, message: expect.stringContaining('memory') });
  });

  test('a trace of thousands of calls is the same for each tracer that lists them', async () => {
    // 5,000 calls of an account without code
    const calls = '0x6113885b5f5f5f5f5f61ffff5af1506001900380600357';
    const { calls: tree } = (await trace(calls, { tracer: 'callTracer' })) as { calls: object[] };
    const flat = (await trace(calls, { tracer: 'flatCallTracer' })) as { traceAddress: number[] }[];
    expect(tree).toHaveLength(5_000);
    expect(flat.map(({ traceAddress }) => traceAddress)).toEqual([[], ...tree.map((_, i) => [i])]);
  });

  test('struct logs show large memory in full', async () => {
    // MSTORE8 of 1 at 39,999, then STOP
    const { structLogs } = (await trace('0x6001619c3f5300', { enableMemory: true })) as {
      structLogs: { op: string; memory: string[] }[];
    };
    const last = structLogs.at(-1)!;
    expect(last.op).toBe('STOP');
    expect(last.memory).toHaveLength(1_250);
    expect(last.memory.at(-1)).toBe(`0x${'0'.repeat(63)}1`);
    expect(new Set(last.memory.slice(0, -1))).toEqual(new Set([`0x${'0'.repeat(64)}`]));
  });
});
