import { equalsBytes } from '@ethereumjs/util';

/** Where a message of the stream stands. */
export interface Place {
  readonly number: bigint;
  readonly index: number;
  /** 8 bytes in hex; the same for every index of a block, another one when the block is begun anew */
  readonly payload: string;
}

/**
 * What a message means to someone who has `latest`:
 * - `begin`: index 0 of the next block, of another one, or of the same one begun anew; its parent says what to do
 * - `append`: the next index of the block
 * - `duplicate`: was there before
 * - `clear`: something is missing, so what is pending is not known any more
 * - `wait`: nothing is pending, and only an index 0 can begin
 */
export type StreamStep = 'begin' | 'append' | 'duplicate' | 'clear' | 'wait';

/**
 * The rules of Base's node for its stream, with one more: an index that was there before, under the same payload id, is
 * a duplicate and not a gap, whether it is the newest or not.
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
 * What a sealed block of the other node means here:
 * - `known`: it is in the chain
 * - `seal`: it is the pending one, as it stands
 * - `adopt`: it comes next, and isn't what is pending
 * - `resync`: blocks are missing, or others were sealed in their place
 */
export type HeadStep = 'known' | 'seal' | 'adopt' | 'resync';

/** @param own.hashOf hash of a sealed block */
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
