import { bytesToHex } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { HARDFORKS, type HardforkName } from '../../../src/protocol/hardfork.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { ComparedPrograms } from './compared-programs.ts';

const UNCHANGED = new Set<HardforkName>([
  'dao',
  'muirGlacier',
  'arrowGlacier',
  'grayGlacier',
  'bpo1',
  'bpo2',
  'bpo3',
  'bpo4',
  'bpo5',
]);

/** `npm run test:programs -- --count 1000000` tries many more, several times as fast. A failure names the seed of its program. */
const PROGRAMS = runs(150);
/** Those that change what a program does: the others differ in blocks and fees only. */
const FORKS = HARDFORKS.filter((name) => !UNCHANGED.has(name));
const SEED = 1;

describe.each<HardforkName>(FORKS)('%s', (hardfork) => {
  it(`${PROGRAMS} programs end as in the library`, { timeout: 120_000 * FUZZ }, async () => {
    const programs = await ComparedPrograms.create(hardfork);
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const { program, differences } = await programs.compare(seed);
      expect(
        differences,
        `seed ${seed}: ${bytesToHex(program.code)} with ${bytesToHex(program.data)}`,
      ).toEqual([]);
    }
    programs.close();
  });
});
