import type { PoolSnapshot } from '../../mempool/mempool.ts';
import type { OpenRecord } from '../mining/producer.ts';
import type { SettingsRecord } from '../settings.ts';

/** The chain at one moment. Contains references only, so its cost doesn't depend on the size of chain or state. */
export interface Snapshot {
  readonly number: bigint;
  readonly hash: Uint8Array;
  /** state root of the head, dev writes included */
  readonly stateRoot: Uint8Array;
  readonly pool: PoolSnapshot;
  /** the open block, in the modes that pre-confirm */
  readonly open: OpenRecord | undefined;
  readonly settings: SettingsRecord;
}

/** The snapshots that can be reverted to. Ids count up from 1 and aren't reused. Kept in memory only. */
export class Snapshots {
  readonly #taken = new Map<bigint, Snapshot>();
  /** id of the newest snapshot that was ever taken */
  last = 0n;

  /** @returns the snapshot's id */
  add(snapshot: Snapshot): bigint {
    this.#taken.set(++this.last, snapshot);
    return this.last;
  }

  /** Takes over the snapshots of another node. @param last id of the newest snapshot that was ever taken there */
  restore(snapshots: readonly (readonly [bigint, Snapshot])[], last: bigint): void {
    this.#taken.clear();
    for (const [id, snapshot] of snapshots) this.#taken.set(id, snapshot);
    this.last = last;
  }

  /** @returns `undefined` if the id is unknown */
  at(id: bigint): Snapshot | undefined {
    return this.#taken.get(id);
  }

  /** Deletes a snapshot and all later ones. */
  forgetFrom(id: bigint): void {
    for (const later of [...this.#taken.keys()]) if (later >= id) this.#taken.delete(later);
  }

  /** Deletes the snapshots of blocks above `number`, which are being removed. */
  forgetAbove(number: bigint): void {
    for (const [id, snapshot] of this.#taken) if (snapshot.number > number) this.#taken.delete(id);
  }

  /** Deletes the snapshots of pruned blocks, those below `first`. The genesis block is never pruned. */
  forgetBelow({ first, genesis }: { readonly first: bigint; readonly genesis: bigint }): void {
    for (const [id, { number }] of this.#taken)
      if (number < first && number !== genesis) this.#taken.delete(id);
  }

  clear(): void {
    this.#taken.clear();
  }

  /** State roots of all snapshots whose blocks are kept, see {@link forgetBelow}: pruning must keep these states. */
  stateRoots(kept: { readonly first: bigint; readonly genesis: bigint }): Uint8Array[] {
    this.forgetBelow(kept);
    return [...this.#taken.values()].map(({ stateRoot }) => stateRoot);
  }

  entries(): readonly (readonly [bigint, Snapshot])[] {
    return [...this.#taken];
  }
}
