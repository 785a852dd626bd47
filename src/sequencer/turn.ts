import type { TrieBlock } from '../chain/open-block.ts';
import type { OpenRecord } from './preconfirming.ts';
import type { NextBlock } from './settings.ts';
import type { Rewriting } from './withdraw.ts';

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
  /** Runs `task` with no block open; the one that was is then begun anew on the head, without its transactions. */
  setAside(task: (rewriting: Rewriting) => Promise<void>): Promise<void>;
  /** Seals a block with what waits. */
  mine(): Promise<TrieBlock>;
  /** Seals `count` blocks without transactions; only where no block is open, see {@link OnDemand.mineEmpty}. */
  mineEmpty(count: bigint, interval?: bigint): Promise<void>;
  /** See {@link Sequencer.setNext}. */
  setNext(next: NextBlock): Promise<void>;
  /** Settings changed: the open block is begun anew while it has no transactions. */
  settingsChanged(): Promise<void>;
}
