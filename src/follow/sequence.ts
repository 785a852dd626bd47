import { equalsBytes } from '@ethereumjs/util';

/** The position of a message in the stream. */
export interface Place {
  readonly number: bigint;
  readonly index: number;
  /** payload id, 8 bytes in hex; the same for all flashblocks of a block; a new one when the block is opened again */
  readonly payload: string;
}

/**
 * What to do with a message after `latest`:
 * - `begin`: flashblock 0 of a block, which may be the same block opened again; its parent decides how to continue
 * - `append`: the next flashblock of the block
 * - `duplicate`: received before
 * - `clear`: messages are missing, so the pending block is unknown from now on
 * - `wait`: no block is pending, and only a flashblock 0 can begin one
 */
export type StreamStep = 'begin' | 'append' | 'duplicate' | 'clear' | 'wait';

/**
 * Applies the rules of Base's node for its stream, with one addition: any earlier flashblock with the same payload id
 * is a duplicate and not a gap, even if it isn't the newest.
 */
export function streamStep(latest: Place | undefined, { number, index, payload }: Place): StreamStep {
  const same = latest?.number === number && latest.payload === payload;
  if (same && index <= latest.index) return 'duplicate';
  if (index === 0) return 'begin';
  if (!latest) return 'wait';
  return same && index === latest.index + 1 ? 'append' : 'clear';
}

export interface BlockId {
  readonly number: bigint;
  readonly hash: Uint8Array;
}

/**
 * What to do with a new head of the other node:
 * - `known`: the block is in the chain already
 * - `seal`: it is the pending block, unchanged
 * - `adopt`: it is the next block, but not the pending one
 * - `resync`: blocks are missing, or were replaced
 */
export type HeadStep = 'known' | 'seal' | 'adopt' | 'resync';

/** @param own.hashOf hash of the own chain's block with this number */
export function headStep(
  head: BlockId & { readonly parentHash: Uint8Array },
  own: {
    readonly latest: BlockId;
    readonly pending: BlockId | undefined;
    readonly hashOf: (number: bigint) => Uint8Array | undefined;
  },
): HeadStep {
  const { latest, pending } = own;
  const held = head.number <= latest.number ? own.hashOf(head.number) : undefined;
  if (held) return equalsBytes(held, head.hash) ? 'known' : 'resync';
  if (head.number !== latest.number + 1n || !equalsBytes(head.parentHash, latest.hash)) return 'resync';
  return pending && equalsBytes(pending.hash, head.hash) ? 'seal' : 'adopt';
}
