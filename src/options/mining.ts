import type { MiningMode } from '../sequencer/mining/mode.ts';
import { type Checks, conflict, OptionError } from './checks.ts';
import type { DevnetOptions } from './options.ts';

/** Timing of known networks (SPEC 3), in milliseconds. They set nothing else. */
export const PRESETS = {
  optimism: { blockTime: 2000, flashblockInterval: 250 },
  unichain: { blockTime: 1000, flashblockInterval: 200 },
  base: { blockTime: 2000, flashblockInterval: 200 },
  // Since its Denim upgrade Base seals full blocks every 200 ms.
  'base-denim': { blockTime: 200, flashblockInterval: 0 },
} as const;

export type Preset = keyof typeof PRESETS;

const DEFAULT = { blockTime: 2000, flashblockInterval: 200 };
const ONE_DAY = 86_400;

/** @throws OptionError naming both options where two exclude each other */
export function chooseMining(options: DevnetOptions, check: Checks<DevnetOptions>): MiningMode {
  const modes = (['automine', 'noMining', 'mixedMining'] as const).filter((mode) => check.flag(mode));
  if (modes[0] && modes[1]) conflict(modes[0], modes[1]);
  const timings = (['preset', 'blockTime', 'flashblockInterval'] as const).filter(
    (name) => options[name] !== undefined,
  );
  const [mode] = modes;
  const [timing] = timings;
  if (timing && (mode === 'automine' || mode === 'noMining')) conflict(timing, mode);
  if (timing === 'preset' && timings[1]) conflict(timing, timings[1]);

  if (options.import !== undefined) {
    const [other] = [...modes.filter((name) => name !== 'noMining'), ...timings];
    if (other) conflict('import', other);
    return { kind: 'manual' };
  }
  if (mode === 'noMining') return { kind: 'manual' };
  const impliesAutomine = options.compat !== undefined && options.automine === undefined;
  if (mode === 'automine' || (impliesAutomine && !timing && !mode)) return { kind: 'automine' };
  return { kind: mode === 'mixedMining' ? 'mixed' : 'interval', ...chooseTiming(check) };
}

function chooseTiming(check: Checks<DevnetOptions>): { blockTime: number; flashblockInterval: number } {
  const preset = check.oneOf('preset', Object.keys(PRESETS) as Preset[]);
  if (preset) return PRESETS[preset];
  const seconds = check.number('blockTime', 0.001, ONE_DAY);
  const blockTime = seconds === undefined ? DEFAULT.blockTime : Math.round(seconds * 1000);
  const interval = check.whole('flashblockInterval', 0, ONE_DAY * 1000);
  if (interval !== undefined && interval > blockTime)
    throw new OptionError('flashblockInterval', `at most the block time of ${blockTime} ms`, interval);
  // A block no longer than the default interval is as fast as a partial one would be.
  const usual = blockTime <= DEFAULT.flashblockInterval ? 0 : DEFAULT.flashblockInterval;
  return { blockTime, flashblockInterval: interval ?? usual };
}
