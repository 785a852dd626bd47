/** Intervals of blocks and flashblocks, in milliseconds. */
export interface Timing {
  readonly blockTime: number;
  /** if given, each block's time is drawn from the seed, between `blockTime` and this value */
  readonly longestBlockTime?: number;
  /** 0 switches flashblocks off */
  readonly flashblockInterval: number;
}

/**
 * When blocks are made. Modes with an interval can pre-confirm: a block is open at all times and grows by one
 * flashblock per flashblock interval. In the other modes `pending` is the block that would be mined now.
 */
export type MiningMode =
  | ({ readonly kind: 'interval' } & Timing)
  /** a block per transaction, sealed before the send is answered */
  | { readonly kind: 'automine' }
  /** blocks on demand only */
  | { readonly kind: 'manual' }
  /** both: a block per interval, and immediately for each transaction */
  | ({ readonly kind: 'mixed' } & Timing);

/** A mode with an interval. */
export type TimedMode = Extract<MiningMode, Timing>;

/** Whether transactions are pre-confirmed in this mode. */
export function preconfirms(mode: MiningMode): mode is TimedMode {
  return 'blockTime' in mode && mode.flashblockInterval > 0;
}

/** Whether each send is sealed immediately. */
export function sealsEachSend(mode: MiningMode): boolean {
  return mode.kind === 'automine' || mode.kind === 'mixed';
}

/** Number of flashblocks after flashblock 0. The last one is due at the block's end, so its slot may be shorter. */
export function slotCount(mode: Timing): number {
  return mode.flashblockInterval > 0 ? Math.ceil(mode.blockTime / mode.flashblockInterval) : 1;
}

/** When slot `k` (1 to {@link slotCount}) is due, in milliseconds after the block opened. */
export function slotDue(mode: Timing, k: number): number {
  return mode.flashblockInterval > 0 ? Math.min(k * mode.flashblockInterval, mode.blockTime) : mode.blockTime;
}
