import type { Meta } from '../batch-writer.ts';
import type { CheckedLevel } from '../checked-level.ts';
import { DataDirError } from '../data-dir-error.ts';
import { metaKey } from '../keys.ts';

/**
 * The extent of the stored data. Old states are missing after pruning, or if the chain began with a state file.
 */
export interface Pruned {
  /**
   * Number of the first block that is stored completely; the genesis block always is. 0 = no block was removed.
   */
  readonly first: bigint;
  /** Number of the first complete batch. Older batches are garbage, and aren't verified. */
  readonly batch: number;
  /** Number of the first block whose state is stored, besides the genesis block's. 0 = all states from `first` on. */
  readonly states: bigint;
}

/** Sorts before all keys. */
export const FIRST_KEY = new Uint8Array(0);
/** The name of the stored progress of removing garbage. */
const UNSWEPT = 'unswept';

export const UNPRUNED: Pruned = { first: 0n, batch: 1, states: 0n };

/** Stored twice: without this value, a pruned directory couldn't be distinguished from one that has lost its beginning. */
const NAMES = ['pruned', 'pruned-copy'] as const;

export function prunedMeta({ first, batch, states }: Pruned): Meta {
  const value = { first: Number(first), batch, states: Number(states) };
  return Object.fromEntries(NAMES.map((name) => [name, value]));
}

/** @throws DataDirError `damaged` if neither copy can be read */
export function readPruned(db: CheckedLevel): Pruned {
  let damage: unknown;
  for (const name of NAMES) {
    try {
      const bytes = db.get(metaKey(name));
      if (!bytes) continue;
      const {
        first,
        batch,
        states = 0,
      } = JSON.parse(new TextDecoder().decode(bytes)) as {
        first: number;
        batch: number;
        states?: number;
      };
      return { first: BigInt(first), batch, states: BigInt(states) };
    } catch (error) {
      if (!(error instanceof DataDirError)) throw error;
      damage = error;
    }
  }
  if (damage) throw damage;
  return UNPRUNED;
}

/** @param after the last checked key; {@link FIRST_KEY} = none; `undefined` = all keys were checked */
export function unsweptMeta(after: Uint8Array | undefined): Meta {
  return { [UNSWEPT]: after ? { after: Buffer.from(after).toString('hex') } : null };
}

/**
 * The key after which garbage may be left, because a process ended before it had removed all of it; `undefined` = none is left.
 * Also handles directories of older versions, which didn't store the progress and may have left garbage.
 */
export function readUnswept(db: CheckedLevel, { first }: Pruned): Uint8Array | undefined {
  try {
    const bytes = db.get(metaKey(UNSWEPT));
    if (!bytes) return first > 0n ? FIRST_KEY : undefined;
    const noted = JSON.parse(new TextDecoder().decode(bytes)) as { after: string } | null;
    return noted ? Buffer.from(noted.after, 'hex') : undefined;
  } catch (error) {
    if (!(error instanceof DataDirError)) throw error;
    return FIRST_KEY;
  }
}
