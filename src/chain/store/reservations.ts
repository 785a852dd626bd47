import { bytesToHex, equalsBytes, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Block, Header } from '../block.ts';
import type { ReservedRun } from '../refs.ts';
import { Reservation } from '../reservation.ts';
import type { Meta } from './batch-writer.ts';
import type { CheckedLevel, Entry } from './checked-level.ts';
import { keyOf, metaKey, PREFIX } from './keys.ts';

const NAME = 'reservations';
/** Maximum number of removed reservations whose blocks can still be found by hash. */
const MAX_REMOVED = 4;

/** A reservation in the chain. Its last blocks may have been removed. */
interface Place {
  readonly reservation: Reservation;
  /** number of its last block that is still in the chain */
  readonly last: bigint;
}

/** A stored place: the hash of the complete reservation's last block, and the number of its last block in the chain. */
export interface PlaceRecord {
  readonly hash: string;
  readonly last: string;
}

/** The reserved blocks of the chain, by number and by hash. */
export class Reservations {
  /** in the order of the chain */
  #places: Place[];
  #removed: Reservation[] = [];

  /** @param deps.db contains the chain's reservations at opening */
  constructor(deps: { db: Pick<CheckedLevel, 'get'> }) {
    const { db } = deps;
    const bytes = db.get(metaKey(NAME));
    const records = bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as PlaceRecord[]) : [];
    this.#places = records.map(({ hash, last }) => ({
      reservation: Reservation.decode(db.get(reservationKey(hexToBytes(hash as PrefixedHexString)))!),
      last: BigInt(last),
    }));
  }

  /** The reservation that contains a block of the chain. */
  at(number: bigint): Reservation | undefined {
    return this.#placeAt(number)?.reservation;
  }

  /** The range of blocks, still in the chain, of the reservation that contains this block. */
  runAt(number: bigint): ReservedRun | undefined {
    const place = this.#placeAt(number);
    return place && { first: place.reservation.first, last: place.last };
  }

  /** Finds a reserved block by its hash, also if it was recently removed from the chain. */
  find(hash: Uint8Array): { readonly reservation: Reservation; readonly number: bigint } | undefined {
    for (const reservation of this.#known()) {
      const number = reservation.numberOf(hash);
      if (number !== undefined) return { reservation, number };
    }
    return undefined;
  }

  header(hash: Uint8Array): Header | undefined {
    const found = this.find(hash);
    return found?.reservation.header(found.number);
  }

  block(hash: Uint8Array): Block | undefined {
    const found = this.find(hash);
    return found?.reservation.block(found.number);
  }

  /** Whether there are no reservations, so that searches can be skipped. */
  get isEmpty(): boolean {
    return this.#places.length === 0 && this.#removed.length === 0;
  }

  /** State roots of the reserved blocks from a number on. */
  rootsFrom(first: bigint): Uint8Array[] {
    return this.#places.flatMap(({ reservation, last }) => (last >= first ? [reservation.stateRoot] : []));
  }

  /** The data that must be stored with a new reservation on top of the chain. */
  recordOf(reservation: Reservation): { readonly entries: Entry[]; readonly meta: Meta } {
    return {
      entries: [[reservationKey(reservation.lastHash), reservation.encode()]],
      meta: metaOf([...this.#places, { reservation, last: reservation.last }]),
    };
  }

  /** The metadata that must be stored with a rollback to a block. */
  metaAt(number: bigint): Meta {
    const places = this.#upTo(number);
    return places === this.#places ? {} : metaOf(places);
  }

  /** Must be called when a reservation has been written. */
  added(reservation: Reservation): void {
    this.#places = [...this.#places, { reservation, last: reservation.last }];
  }

  /** Must be called after a rollback to a block. @param number -1 for another genesis block */
  wentBack(number: bigint): void {
    const gone = this.#places.flatMap(({ reservation }) => (reservation.first > number ? [reservation] : []));
    this.#places = this.#upTo(number);
    if (gone.length > 0) this.#removed = [...this.#removed, ...gone].slice(-MAX_REMOVED);
  }

  #placeAt(number: bigint): Place | undefined {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#places[middle]!.last < number) low = middle + 1;
      else high = middle;
    }
    const place = this.#places[low];
    return place && place.reservation.first <= number ? place : undefined;
  }

  #upTo(number: bigint): Place[] {
    if ((this.#places.at(-1)?.last ?? -1n) <= number) return this.#places;
    return this.#places.flatMap(({ reservation, last }) =>
      reservation.first > number ? [] : [{ reservation, last: last < number ? last : number }],
    );
  }

  *#known(): Iterable<Reservation> {
    for (let i = this.#places.length - 1; i >= 0; i--) yield this.#places[i]!.reservation;
    yield* this.#removed;
  }
}

/** The key of a reservation. @param hash hash of its last block */
export function reservationKey(hash: Uint8Array): Uint8Array {
  return keyOf(PREFIX.reservation, hash);
}

function metaOf(places: readonly Place[]): Meta {
  const records = places.map(
    ({ reservation, last }): PlaceRecord => ({ hash: bytesToHex(reservation.lastHash), last: `${last}` }),
  );
  return { [NAME]: records };
}

/** The entry that lists a chain's reservations, for a repair. */
export function placesEntry(places: readonly PlaceRecord[]): Entry {
  return [metaKey(NAME), Buffer.from(JSON.stringify(places))];
}

/** Reads the reservation whose last block has this hash; `undefined` if there is none. */
export function readReservation(db: Pick<CheckedLevel, 'get'>, hash: Uint8Array): Reservation | undefined {
  const bytes = db.get(reservationKey(hash));
  const reservation = bytes && Reservation.decode(bytes);
  return reservation && equalsBytes(reservation.lastHash, hash) ? reservation : undefined;
}
