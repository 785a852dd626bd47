import { equalsBytes } from '@ethereumjs/util';
import type { Engine } from '../engine/engine.ts';
import { makeIn } from '../engine/workspace.ts';
import type { ChainState } from '../state/chain-state.ts';
import type { TrieBlock } from './block.ts';
import { type BlockPlan, draftBlock } from './block-draft.ts';
import { assembleBlock } from './block-seal.ts';
import { nextBaseFee, nextExcessBlobGas } from './fees.ts';
import { type FollowingFees, Reservation } from './reservation.ts';

/** Maximum number of blocks until base fee and excess blob gas stay the same. */
const MAX_FEES = 4_096;
/** Length of the ring buffers of EIP-2935 and EIP-4788: later blocks overwrite the entries of earlier ones. */
const RING = 8_191n;

export interface ReserveOptions {
  /** most blocks to reserve */
  readonly most: bigint;
  /** seconds from each block to the next */
  readonly step: bigint;
  /** see `prevRandaoOf` */
  readonly seed: Uint8Array;
}

/**
 * Plans a {@link Reservation} of empty blocks after a parent. Doesn't compute their hashes yet.
 * @param plan plan of the first block
 * @returns `undefined` if the next block has to be made instead, for example because it has another hardfork than its parent, because
 *   blocks have access lists, or because a dev write has changed the parent's state
 */
export function planReservation(
  parent: TrieBlock,
  plan: BlockPlan,
  { most, step, seed }: ReserveOptions,
  engine: Engine,
): Reservation | undefined {
  const stateRoot = parent.state.root;
  if (!equalsBytes(stateRoot, parent.header.stateRoot)) return undefined;
  const draft = draftBlock(parent, plan, engine, () => undefined);
  const { hardfork, env } = draft;
  if (engine.hardforkOf(parent.header) !== hardfork || plan.withdrawals?.length || env.difficulty > 0n)
    return undefined;
  // EIP-7928: each block would have its own access list, which depends on the hash of the block before.
  if (hardfork.has(7928)) return undefined;
  const { header } = assembleBlock(draft, {
    stateRoot,
    // On an OP chain `withdrawalsRoot` is a storage root, which doesn't change in empty blocks.
    ...(hardfork.rollup &&
      parent.header.withdrawalsRoot && { withdrawalsRoot: parent.header.withdrawalsRoot }),
    requests: hardfork.has(7685) ? [] : undefined,
  });
  const isSameFork = (count: bigint) =>
    engine.schedule.at(env.number + count - 1n, env.timestamp + (count - 1n) * step) === hardfork;
  const count = isSameFork(most) ? most : lastOf(most, isSameFork);
  const fees: FollowingFees[] = [];
  for (let last = header; ; ) {
    const { baseFeePerGas, excessBlobGas } = last;
    fees.push({
      ...(baseFeePerGas !== undefined && { baseFeePerGas }),
      ...(excessBlobGas !== undefined && { excessBlobGas }),
    });
    const baseFee = nextBaseFee(last, hardfork);
    const excess = nextExcessBlobGas(last, hardfork);
    if ((baseFee === baseFeePerGas && excess === excessBlobGas) || BigInt(fees.length) === count) break;
    if (fees.length === MAX_FEES) return undefined;
    last = {
      ...last,
      ...(baseFee !== undefined && { baseFeePerGas: baseFee }),
      ...(excess !== undefined && { excessBlobGas: excess }),
    };
  }
  return new Reservation({ header, count: Number(count), step, seed, fees });
}

/** The highest number up to `most` for which a condition is true. It must be true for 1, and stay false once it is false. */
function lastOf(most: bigint, isTrue: (count: bigint) => boolean): bigint {
  let [low, high] = [1n, most];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isTrue(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The state after reserved blocks: makes the writes that the protocol would have made at the start of each block to the contracts of
 * EIP-2935 and EIP-4788, except those that later blocks would have overwritten.
 * @param last number of the last reserved block
 * @param state the state of the block before them
 */
export function stateAfter(
  reservation: Reservation,
  last: bigint,
  state: ChainState,
  engine: Engine,
): Promise<ChainState> {
  const workspace = engine.workspace(state, { withStateRoot: true });
  const { first } = reservation;
  const start = last - RING + 1n;
  const starts = function* () {
    for (let number = start > first ? start : first; number <= last; number++)
      yield reservation.start(number);
  };
  const make = async () => {
    await workspace.openEach(starts());
    return (await workspace.keep()).state;
  };
  return makeIn(workspace, make) as Promise<ChainState>;
}
