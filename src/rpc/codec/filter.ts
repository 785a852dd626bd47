import type { Address } from '@ethereumjs/util';
import type { BlockRef } from '../../chain/refs.ts';
import { blockNumber } from './block-ref.ts';
import { array, type Codec, invalid, object, optional } from './codec.ts';
import { address, hash32 } from './values.ts';

/** The logs that a filter selects. */
export interface LogCriteria {
  /** an empty list matches any address */
  readonly addresses: readonly Address[];
  /** by position, at most four; an empty list matches any topic at that position */
  readonly topics: readonly (readonly Uint8Array[])[];
}

/** The filter object of `eth_getLogs`: the criteria, and the blocks to search, which are one block by its hash or a range. */
export interface LogFilter extends LogCriteria {
  readonly blockHash?: Uint8Array;
  readonly fromBlock?: BlockRef;
  readonly toBlock?: BlockRef;
}

/**
 * The highest number of addresses, or of topics at one position; geth's default limit is 1,000. They are all hashed before the first block
 * is read.
 */
const MAX_CHOICES = 10_000;

/** One value or a list of them. */
function oneOrMany<T>(codec: Codec<T>): Codec<readonly T[]> {
  const many = array(codec);
  return {
    decode: (value, path) => {
      if (!Array.isArray(value)) return [codec.decode(value, path)];
      if (value.length > MAX_CHOICES) return invalid(path, `${MAX_CHOICES} values at most`, value);
      return many.decode(value, path);
    },
  };
}

/** The highest number of topics of a log (LOG4). */
const MAX_TOPICS = 4;

const anyTopics = oneOrMany(optional(hash32));

const topicList: Codec<readonly (readonly Uint8Array[])[]> = {
  decode: (value, path) => {
    if (!Array.isArray(value)) return invalid(path, 'an array of topics', value);
    if (value.length > MAX_TOPICS) return invalid(path, `${MAX_TOPICS} topics at most`, value);
    return value.map((entry, i) => {
      const choices = anyTopics.decode(entry, `${path}[${i}]`);
      // null matches any topic, whatever the other choices are.
      return choices.includes(undefined) ? [] : choices.filter((topic) => topic !== undefined);
    });
  },
};

const fields = object('a filter object', {
  blockHash: optional(hash32),
  fromBlock: optional(blockNumber),
  toBlock: optional(blockNumber),
  address: optional(oneOrMany(address)),
  topics: optional(topicList),
});

export const logFilter: Codec<LogFilter> = {
  ...fields,
  decode: (value, path) => {
    const { address: addresses = [], topics = [], ...blocks } = fields.decode(value, path);
    if (blocks.blockHash && (blocks.fromBlock || blocks.toBlock))
      return invalid(path, 'either blockHash or fromBlock and toBlock', value);
    return { addresses, topics, ...blocks };
  },
};
