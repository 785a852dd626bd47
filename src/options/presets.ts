/** Block times and flashblock intervals of known networks, in milliseconds. All are OP chains: see `rollup.ts`. */
export const PRESETS = {
  optimism: { blockTime: 2000, flashblockInterval: 250 },
  unichain: { blockTime: 1000, flashblockInterval: 200 },
  base: { blockTime: 2000, flashblockInterval: 200 },
  // Since its Denim upgrade Base seals full blocks every 200 ms.
  'base-denim': { blockTime: 200, flashblockInterval: 0 },
} as const;

export type Preset = keyof typeof PRESETS;

/** Whether a preset is of Base's network: those whose name begins with `base`. */
export function isBase(preset: Preset | undefined): boolean {
  return preset?.startsWith('base') ?? false;
}
