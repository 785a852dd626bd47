import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Simulation } from './simulation.ts';
import { type History, historyOf } from './steps.ts';

/** `npm run test:simulate` sets them. */
const SEEDS = Number(process.env.SEEDS ?? 3);
const SEED = Number(process.env.SEED ?? 1);
const STEPS = Number(process.env.STEPS ?? 60);
/** how long the shortest history that fails is looked for, in ms */
const SHRINKING = 120_000;

/** seconds of chain time */
let passed = 0;

/** @returns the hash of the last block */
async function simulate({ setting, steps }: History): Promise<string> {
  const simulation = await Simulation.begin(setting);
  try {
    for (const step of steps) await simulation.step(step);
    const { hash, seconds } = await simulation.end();
    passed += seconds;
    return hash;
  } finally {
    await simulation.close();
  }
}

const check = (seed: number) =>
  fc.check(
    fc.asyncProperty(historyOf(STEPS), async (history) => {
      await simulate(history);
    }),
    { seed, numRuns: 1, interruptAfterTimeLimit: SHRINKING, markInterruptAsFailure: false },
  );

it(
  'a chain, its follower and its clients agree, whatever fails and whenever',
  async () => {
    for (let seed = SEED; seed < SEED + SEEDS; seed++) {
      const { failed, counterexample, errorInstance } = await check(seed);
      if (!failed) continue;
      const [history] = counterexample ?? [];
      const lines = history?.steps.map((step) => JSON.stringify(step)).join('\n');
      throw new Error(
        `seed ${seed} fails: ${(errorInstance as Error).message}\n` +
          `The shortest history that was found:\n${JSON.stringify(history?.setting)}\n${lines}`,
        { cause: errorInstance },
      );
    }
    if (process.env.SEEDS)
      process.stdout.write(`${SEEDS} seeds, ${(passed / 3_600).toFixed(0)} hours of chain time\n`);
  },
  60_000 + SEEDS * 60_000 + SHRINKING,
);

it('a history comes out the same each time', async () => {
  const [history] = fc.sample(historyOf(STEPS), { seed: SEED, numRuns: 1 });
  expect(await simulate(history!)).toBe(await simulate(history!));
});
