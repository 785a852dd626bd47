import type { TrieBlock } from '../../chain/block.ts';
import type { Reservation } from '../../chain/reservation.ts';
import { planReservation } from '../../chain/reserve.ts';
import { inTurns } from '../../turns.ts';
import { timeMeta } from '../chain-time.ts';
import type { ProducerDeps, Timestamps } from './producer.ts';

/** Runs of up to this many empty blocks are made block by block; longer runs are reserved. */
export const MAX_MADE = 1_000n;

/**
 * Appends empty blocks to the head, and stores them in one step. All but the last are reserved: each takes a few microseconds, and
 * no space. The last block is made, so that the head has its state root. The caller shows it.
 * @param options.most maximum number of blocks; up to {@link MAX_MADE} aren't reserved
 * @param options.sealAt when the next block would be sealed, milliseconds on the clock
 * @returns the new head; `undefined` if the next block has to be made
 */
export async function reserveEmpty(
  { most, times, sealAt }: { most: bigint; times: Timestamps; sealAt: number },
  { assembler, chain, engine, mempool, settings, reserves, current }: ProducerDeps,
): Promise<TrieBlock | undefined> {
  // Settings for the next block only apply to a block that is made.
  if (!reserves || most <= MAX_MADE || settings.isSetForOne) return undefined;
  const { latest } = chain;
  const plan = settings.plan(latest.header, sealAt);
  const { first: timestamp = plan.timestamp, interval } = times;
  const step = interval ?? settings.timestampAfter({ ...latest.header, timestamp }, sealAt) - timestamp;
  const { seed } = settings;
  const options = { most: most - 1n, step, seed };
  const reservation = planReservation(latest, { ...plan, timestamp }, options, engine);
  if (!reservation || BigInt(reservation.count) < MAX_MADE) return undefined;
  // A lower base fee may let a pending transaction in.
  if (mempool.size > 0 && !reservation.keepsFees) return undefined;
  const computing = inTurns(() => {
    current.assertInTime();
    return reservation.computeSome();
  });
  if (computing) await computing;
  const reserved = await chain.prepareReserved(reservation);
  const { header } = reserved.block;
  const last = { ...settings.plan(header, sealAt), timestamp: header.timestamp + step };
  const made = await assembler.makeEmpty(reserved.block, last, (number) => hashIn(reservation, number));
  if (interval !== undefined) settings.setNext({ timestamp: last.timestamp }, latest.header);
  settings.assignNextToOpenBlock(last.timestamp, sealAt);
  const meta = timeMeta(settings.sealedTimeOffset);
  const [head] = await chain.storeAll([reserved, chain.prepare(made)], meta);
  settings.onSealed();
  return head;
}

/** Hash of one of the reserved blocks, for the BLOCKHASH opcode. */
function hashIn(reservation: Reservation, number: bigint): Uint8Array | undefined {
  return number >= reservation.first && number <= reservation.last ? reservation.hashOf(number) : undefined;
}
