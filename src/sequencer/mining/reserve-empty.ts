import type { TrieBlock } from '../../chain/block.ts';
import { planReservation } from '../../chain/reserve.ts';
import { inTurns } from '../../turns.ts';
import { TIME_OFFSET } from '../chain-time.ts';
import type { ProducerDeps, Times } from './block-producer.ts';

/** Empty blocks in a row up to which all are made. */
export const MOST_MADE = 1_000n;

/**
 * Reserves blocks without transactions on the head, and stores that in one batch: they take some microseconds each, and no
 * space. The caller shows the last of them.
 * @param options.most how many; at most {@link MOST_MADE} aren't reserved
 * @param options.sealAt when the next block would be sealed, milliseconds on the clock
 * @returns `undefined` where the next block has to be made
 */
export async function reserveEmpty(
  { most, times, sealAt }: { most: bigint; times: Times; sealAt: number },
  { chain, engine, mempool, settings, reserves, current }: ProducerDeps,
): Promise<TrieBlock | undefined> {
  // What is set for one block is used up by a block that is made.
  if (!reserves || most <= MOST_MADE || settings.isSetForOne) return undefined;
  const { latest } = chain;
  const plan = settings.plan(latest.header, sealAt);
  const { first: timestamp = plan.timestamp, interval } = times;
  const step = interval ?? settings.timestampAfter({ ...latest.header, timestamp }, sealAt) - timestamp;
  const { seed } = settings;
  const reservation = planReservation(latest, { ...plan, timestamp }, { most, step, seed }, engine);
  if (!reservation || BigInt(reservation.count) <= MOST_MADE) return undefined;
  // A lower fee may let in what waits.
  if (mempool.size > 0 && !reservation.keepsFees) return undefined;
  const computing = inTurns(() => {
    current.assertInTime();
    return reservation.computeSome();
  });
  if (computing) await computing;
  const last = reservation.header(reservation.last);
  if (interval !== undefined) settings.setNext({ timestamp: last.timestamp }, latest.header);
  settings.assignNextToOpenBlock(last.timestamp, sealAt);
  const head = await chain.reserve(reservation, { [TIME_OFFSET]: settings.sealedTimeOffset });
  settings.onSealed();
  return head;
}
