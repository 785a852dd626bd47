import type { MiningMode } from '../sequencer/mining/mode.ts';
import { conflict, OptionError } from './errors.ts';
import { PRESETS } from './presets.ts';
import type { DevnetOptions, Values } from './table.ts';

/** @throws OptionError; OptionConflict naming two options that exclude each other */
export function chooseMining(options: DevnetOptions, values: Values): MiningMode {
  const modes = (['automine', 'noMining', 'mixedMining'] as const).filter((mode) => values[mode]);
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
  return { kind: mode === 'mixedMining' ? 'mixed' : 'interval', ...chooseTiming(options, values) };
}

/** @returns milliseconds */
function chooseTiming(
  options: DevnetOptions,
  { preset, flashblockInterval, ...values }: Values,
): { blockTime: number; flashblockInterval: number } {
  if (preset) return PRESETS[preset];
  const blockTime = Math.round(values.blockTime * 1000);
  if (options.flashblockInterval === undefined)
    // A block time no longer than the default interval is as fast as partial blocks.
    return { blockTime, flashblockInterval: blockTime <= flashblockInterval ? 0 : flashblockInterval };
  if (flashblockInterval > blockTime)
    throw new OptionError(
      'flashblockInterval',
      `at most the block time of ${blockTime} ms`,
      flashblockInterval,
    );
  return { blockTime, flashblockInterval };
}
