import type { ValueType } from './value-types.ts';

/** Block times and flashblock intervals of known networks, in milliseconds. All are OP chains: see `rollup.ts`. */
export const PRESETS = {
  optimism: { blockTime: 2000, flashblockInterval: 250 },
  unichain: { blockTime: 1000, flashblockInterval: 200 },
  // Since its Denim upgrade (5 November 2026) Base seals full blocks every 200 ms.
  base: { blockTime: 200, flashblockInterval: 0 },
  'base-flashblocks': { blockTime: 2000, flashblockInterval: 200 },
} as const;

export type Preset = keyof typeof PRESETS;

const NAMES = Object.keys(PRESETS) as Preset[];

/** A network's name. `base-denim` is the name that older versions of devnet had for what is now `base`. */
export const preset: ValueType<Preset | 'base-denim', Preset> = {
  expected: `one of ${NAMES.join(', ')}`,
  values: NAMES,
  read: (given: unknown) => (given === 'base-denim' ? 'base' : NAMES.find((name) => name === given)),
};

/** Whether a preset is one of Base's networks: those whose names begin with `base`. */
export function isBase(preset: Preset | undefined): boolean {
  return preset?.startsWith('base') ?? false;
}
