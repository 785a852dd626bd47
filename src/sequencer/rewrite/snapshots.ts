import type { PoolSnapshot } from '../../mempool/mempool.ts';
import type { OpenRecord } from '../mining/block-producer.ts';
import type { SettingsRecord } from '../settings.ts';

/** Where the chain stood. Holds references only: it costs the same for any chain and any state. */
export interface Snapshot {
  readonly number: bigint;
  readonly hash: Uint8Array;
  /** of the head's view, dev writes included */
  readonly stateRoot: Uint8Array;
  readonly pool: PoolSnapshot;
  /** the block being built, in the modes that pre-confirm */
  readonly open: OpenRecord | undefined;
  readonly settings: SettingsRecord;
}

/** The snapshots that can be reverted to, by ids that only grow. They live as long as the process. */
export class Snapshots {
  readonly #taken = new Map<bigint, Snapshot>();
  #last = 0n;

  /** @returns the snapshot's id */
  add(snapshot: Snapshot): bigint {
    this.#taken.set(++this.#last, snapshot);
    return this.#last;
  }

  /** Takes out a snapshot and all that came after it; `undefined` when there is none of this id. */
  consume(id: bigint): Snapshot | undefined {
    const snapshot = this.#taken.get(id);
    if (snapshot) for (const later of [...this.#taken.keys()]) if (later >= id) this.#taken.delete(later);
    return snapshot;
  }

  /** Blocks above `number` are no longer: nor are the snapshots that stand on them. */
  forgetAbove(number: bigint): void {
    for (const [id, snapshot] of this.#taken) if (snapshot.number > number) this.#taken.delete(id);
  }

  /** Blocks below the first one can't be gone back to any more, save the genesis block. */
  forgetBelow({ first, genesis }: { readonly first: bigint; readonly genesis: bigint }): void {
    for (const [id, { number }] of this.#taken)
      if (number < first && number !== genesis) this.#taken.delete(id);
  }

  clear(): void {
    this.#taken.clear();
  }

  /** Roots of the states that a revert may go back to, on blocks that are kept; see {@link forgetBelow}. */
  stateRoots(kept: { readonly first: bigint; readonly genesis: bigint }): Uint8Array[] {
    this.forgetBelow(kept);
    return [...this.#taken.values()].map(({ stateRoot }) => stateRoot);
  }

  entries(): readonly (readonly [bigint, Snapshot])[] {
    return [...this.#taken];
  }
}
