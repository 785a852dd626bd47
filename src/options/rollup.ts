import { type Marker, readMarker } from '../chain/store/data-dir.ts';
import type { DevnetOptions } from './table.ts';

/**
 * Decides `optimism` and `depositsOnly` where the options leave them open: all presets are of OP chains, and a directory
 * keeps the rules that its chain has.
 */
export function withRollup(options: DevnetOptions): DevnetOptions {
  const { dataDir, preset, optimism, depositsOnly } = options;
  if (optimism === false || (optimism === undefined && preset === undefined)) return options;
  const marker = dataDir === undefined || dataDir === '' ? undefined : markerOf(dataDir);
  if (optimism === undefined && marker && !marker.optimism) return { ...options, optimism: false };
  if (depositsOnly !== undefined || !marker?.optimism) return { ...options, optimism: true };
  return { ...options, optimism: true, depositsOnly: !marker.rollup };
}

/** `undefined` for a directory that can't be used, too: the node's start says why. */
function markerOf(dir: string): Marker | undefined {
  try {
    return readMarker(dir);
  } catch {
    return undefined;
  }
}
