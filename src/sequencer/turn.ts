import type { TrieBlock } from '../chain/open-block.ts';
import type { Awaitable, StateWrites } from '../state/view.ts';
import type { OpenRecord } from './preconfirming.ts';
import type { NextBlock } from './settings.ts';
import type { Rewriting } from './withdraw.ts';

/** Makes a dev write from the state that it changes. */
export type PatchHead = (block: TrieBlock) => Awaitable<StateWrites>;

/** What may be done while nobody else writes, see {@link Sequencer.inTurn}. */
export interface Turn {
  /** the block being built, in the modes that pre-confirm */
  readonly open: OpenRecord | undefined;
  /**
   * Goes on from `head`, with an open block as it was recorded.
   * @param options.told runs when the head shows, before anything new is announced
   */
  continueFrom(
    head: TrieBlock,
    options?: { open?: OpenRecord | undefined; told?: () => void },
  ): Promise<void>;
  /** What makes blocks; nothing is made while one is open. */
  readonly rewriting: Rewriting;
  /** Runs `task` with no block open; the one that was is then begun anew on the head, without its transactions. */
  setAside(task: () => Promise<void>): Promise<void>;
  /** See {@link Sequencer.mine}. */
  mine(timestamp?: bigint): Promise<TrieBlock>;
  /** See {@link Sequencer.patch}. */
  patch(write: PatchHead): Promise<void>;
  /** Seals blocks without transactions; only where no block is open, see {@link OnDemand.mineEmpty}. */
  mineEmpty(most: bigint, interval?: bigint): Promise<bigint>;
  /** See {@link Sequencer.setNext}. */
  setNext(next: NextBlock): Promise<void>;
  /** See {@link Builder.catchUp}. */
  catchUp(): void;
  /** Settings changed: the open block is begun anew while it has no transactions. */
  settingsChanged(): Promise<void>;
}
