import { expect, test } from 'vitest';
import { Steps } from '../../src/recorder/steps.ts';

const fail = () => {
  throw new Error('disk full');
};

test.each<[string, () => void | Promise<void>]>([
  ['a write that is done at once', () => {}],
  ['a write that is waited for', async () => {}],
  ['a write that fails at once', fail],
  ['a write that fails later', async () => fail()],
])('%s is two steps, in a replay too', async (_, write) => {
  const reached: number[] = [];
  const recorded = new Steps({ wait: async () => {} });
  const replayed = new Steps({ wait: async () => {}, reached: async (step) => void reached.push(step) });
  for (const steps of [recorded, replayed]) {
    steps.restart();
    await Promise.resolve()
      .then(() => steps.writing(write))
      .catch(() => {});
    expect(steps.now).toEqual({ during: 2 });
  }
  expect(reached).toEqual([0, 1]);
});
