import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Step } from '../../../src/engine/tracers/steps.ts';
import { hex, quantity } from '../../../src/rpc/codec/hex.ts';
import { hardhat2Steps } from '../../../src/rpc/compat/hardhat2-steps.ts';
import type { StepText } from '../../../src/rpc/format/step-text.ts';
import { gethSteps } from '../../../src/rpc/format/steps.ts';

const someWord = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 2n ** 256n - 1n));
const someMemory = fc.tuple(fc.constantFrom(0, 1, 2, 511, 512, 1025), fc.nat(255)).map(([words, byte]) => {
  const memory = new Uint8Array(32 * words).fill(byte);
  if (words > 0) memory[0] = 1;
  return memory;
});
const someStorage = fc.record(
  {
    contract: fc.constantFrom('0xa', '0xb'),
    access: fc.record({ slot: fc.bigInt(0n, 4n), value: someWord }),
  },
  { requiredKeys: ['contract'] },
);
/** Steps of a run; some that follow each other have the same memory or the same returned data. */
const someSteps = fc
  .tuple(fc.array(someMemory, { minLength: 1 }), fc.uint8Array())
  .chain(([memories, returned]) =>
    fc.array(
      fc.record(
        {
          pc: fc.nat(),
          op: fc.constantFrom('ADD', 'SSTORE', 'opcode 0xc not defined'),
          gas: fc.bigInt(0n, 2n ** 64n),
          gasCost: fc.bigInt(0n, 2n ** 30n),
          depth: fc.integer({ min: 1, max: 1024 }),
          refund: fc.constantFrom(0n, 4800n),
          refundBefore: fc.constant(0n),
          stack: fc.array(someWord),
          memory: fc.constantFrom(...memories),
          returnData: fc.constantFrom(returned, new Uint8Array([1])),
          storage: someStorage,
          error: fc.constantFrom('out of gas', 'a "quoted" one'),
        },
        { requiredKeys: ['pc', 'op', 'gas', 'gasCost', 'depth', 'refund', 'refundBefore'] },
      ),
    ),
  ) as fc.Arbitrary<Step[]>;

const digits = (value: bigint) => value.toString(16).padStart(64, '0');
const wordsOf = (memory: Uint8Array) => hex(memory).slice(2).match(/.{64}/g) ?? [];

/** The slots shown at each step. */
function slotsAt(steps: readonly Step[]): (ReadonlyMap<bigint, bigint> | undefined)[] {
  const contracts = new Map<string, Map<bigint, bigint>>();
  return steps.map(({ storage }) => {
    if (!storage) return undefined;
    const slots = contracts.get(storage.contract) ?? new Map<bigint, bigint>();
    contracts.set(storage.contract, slots);
    if (storage.access) slots.set(storage.access.slot, storage.access.value);
    return new Map(slots);
  });
}

const shown = (slots: ReadonlyMap<bigint, bigint>, textOf: (word: bigint) => string) =>
  Object.fromEntries([...slots].map(([slot, value]) => [textOf(slot), textOf(value)]));

/** JSON.stringify leaves out what is undefined. */
const AS_OBJECTS = {
  geth: (step: Step, slots: ReadonlyMap<bigint, bigint> | undefined) => ({
    pc: step.pc,
    op: step.op,
    gas: Number(step.gas),
    gasCost: Number(step.gasCost),
    depth: step.depth,
    error: step.error,
    stack: step.stack?.map(quantity),
    returnData: step.returnData && hex(step.returnData),
    memory: step.memory && wordsOf(step.memory).map((word) => `0x${word}`),
    storage: slots && shown(slots, (word) => `0x${digits(word)}`),
    refund: step.refund > 0n ? Number(step.refund) : undefined,
  }),
  hardhat2: (step: Step, slots: ReadonlyMap<bigint, bigint> | undefined) => ({
    depth: step.depth,
    gas: Number(step.gas),
    gasCost: Number(step.gasCost),
    op: step.op,
    pc: step.pc,
    memory: step.memory && wordsOf(step.memory),
    stack: step.stack?.map(digits),
    storage: slots && shown(slots, digits),
    error: step.error === undefined ? undefined : { message: step.error },
  }),
};

const whole = ({ head, memory, tail }: StepText) => head + [...memory].join('') + tail;

describe('the text of a step is what JSON.stringify makes of its fields', () => {
  test.each([
    ['geth', () => gethSteps('of the run')],
    ['hardhat2', hardhat2Steps],
  ] as const)('in the format of %s', (name, formatter) => {
    fc.assert(
      fc.property(someSteps, (steps) => {
        const format = formatter();
        const slots = slotsAt(steps);
        for (const [i, step] of steps.entries())
          expect(whole(format(step))).toBe(JSON.stringify(AS_OBJECTS[name](step, slots[i])));
      }),
    );
  });
});
