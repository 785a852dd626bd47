import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Random } from '../../random.ts';
import { Life, WAYS, type Way } from './crash/life.ts';
import { useCommand } from './devnet-process.ts';

/** `npm run test:crash` sets them. */
const ROUNDS = Number(process.env.ROUNDS ?? 4);
const SEED = Number(process.env.SEED ?? 1);
const ROUNDS_OF_A_LIFE = 15;

const command = useCommand();

it(
  'what was announced survives kills, torn writes and failing disks at any moment, and the chain goes on from it',
  async () => {
    const counts = new Map<Way, number>();
    let life: Life | undefined;
    let dir = '';
    for (let round = 0; round < ROUNDS; round++) {
      const seed = SEED + Math.floor(round / ROUNDS_OF_A_LIFE);
      if (round % ROUNDS_OF_A_LIFE === 0) {
        dir = mkdtempSync(join(tmpdir(), 'devnet-crash-'));
        life = new Life({ dir, random: new Random(seed) }, command);
      }
      const random = new Random(`${seed}, round ${round % ROUNDS_OF_A_LIFE}`);
      const way = random.pick(WAYS);
      counts.set(way, (counts.get(way) ?? 0) + 1);
      try {
        await life!.round(way, random);
        const isLast = (round + 1) % ROUNDS_OF_A_LIFE === 0 || round + 1 === ROUNDS;
        if (isLast) {
          await life!.expectReplayable();
          rmSync(dir, { recursive: true });
        }
      } catch (error) {
        const where = `round ${(round % ROUNDS_OF_A_LIFE) + 1} of seed ${seed} (${way}, ${life!.args.join(' ')})`;
        throw new Error(`${where}; its directory is kept: ${dir}\n${error}`, { cause: error });
      }
      if (process.env.ROUNDS)
        process.stdout.write(`${round + 1} rounds ${JSON.stringify(Object.fromEntries(counts))}\n`);
    }
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(ROUNDS);
  },
  60_000 + ROUNDS * 30_000,
);
