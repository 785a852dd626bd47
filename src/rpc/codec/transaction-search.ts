import type { Address } from '@ethereumjs/util';
import { type Codec, invalid, mapped, object, optional, withDefault } from './codec.ts';
import { address, boolean, data, uint64 } from './values.ts';

/** A transaction's place in the chain. */
export interface Place {
  readonly block: bigint;
  readonly index: bigint;
}

/** The transactions to search for, and where to start. A field that is left out matches all transactions. */
export interface TransactionSearch {
  /** search backwards from this place, newest transactions first; without `before` and `after`, from the chain's end */
  readonly before?: Place;
  /** search forwards from this place, oldest transactions first */
  readonly after?: Place;
  /** maximum number of transactions in the result */
  readonly limit: number;
  readonly from?: Address;
  readonly to?: Address;
  /** whether a contract is created */
  readonly creates?: boolean;
  /** the first 4 bytes of the input */
  readonly selector?: Uint8Array;
  /** whether the execution failed */
  readonly failed?: boolean;
}

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1_000n;

const place: Codec<Place> = object('a place {"block", "index"}', {
  block: uint64,
  index: withDefault(uint64, 0n),
});

const selector: Codec<Uint8Array> = mapped(data, (bytes, path) =>
  bytes.length === 4 ? bytes : invalid(path, '4 bytes', `${bytes.length} bytes`),
);

const fields = object('a search', {
  before: optional(place),
  after: optional(place),
  limit: optional(uint64),
  from: optional(address),
  to: optional(address),
  creates: optional(boolean),
  selector: optional(selector),
  failed: optional(boolean),
});

/** The parameter of `devnet_searchTransactions`. */
export const transactionSearch: Codec<TransactionSearch> = {
  ...fields,
  decode: (value, path) => {
    const { limit, ...search } = fields.decode(value, path);
    if (search.before && search.after) return invalid(path, 'either before or after', value);
    if (limit !== undefined && (limit < 1n || limit > MAX_LIMIT))
      return invalid(`${path}.limit`, `1 to ${MAX_LIMIT} transactions`, Number(limit));
    return { ...search, limit: limit === undefined ? DEFAULT_LIMIT : Number(limit) };
  },
};
