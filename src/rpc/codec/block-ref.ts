import type { BlockRef, NumberRef } from '../../chain/refs.ts';
import { type Codec, invalid, isObject, object, optional, withDefault } from './codec.ts';
import { boolean, hash32, uint64 } from './values.ts';

type Tag = Extract<BlockRef, { tag: unknown }>['tag'];

const TAGS: ReadonlyMap<string, NumberRef> = new Map(
  (['latest', 'pending', 'safe', 'finalized', 'earliest'] satisfies Tag[]).map((tag) => [tag, { tag }]),
);

/** The newest sealed block: the default of a block parameter. */
export const LATEST: BlockRef = { tag: 'latest' };

const TAG_OR_NUMBER = 'a block number in hex or one of latest, pending, safe, finalized, earliest';

function tagOrNumber(value: unknown, path: string, expected: string): NumberRef {
  if (typeof value === 'string') {
    const tag = TAGS.get(value);
    if (tag) return tag;
    if (!/^0x[0-9a-f]{1,63}$/i.test(value)) return invalid(path, expected, value);
  } else if (typeof value !== 'number') return invalid(path, expected, value);
  return { number: uint64.decode(value, path) };
}

/** A required block number or tag, for `eth_getBlockByNumber` and log filters. */
export const blockNumber: Codec<NumberRef> = {
  isBlock: true,
  decode: (value, path) => tagOrNumber(value, path, TAG_OR_NUMBER),
};

const byNumber = object('an EIP-1898 block', { blockNumber });
const byFlashblock = object('a block after one of its flashblocks', {
  blockNumber,
  flashblockIndex: uint64,
});
const byHash = object('an EIP-1898 block', { blockHash: hash32, requireCanonical: optional(boolean) });

/**
 * A required block: a tag, a number, a 32-byte hash, an EIP-1898 object, or `{ blockNumber, flashblockIndex }`, which is the block as it
 * was after that flashblock.
 */
export const anyBlock: Codec<BlockRef> = {
  isBlock: true,
  decode: (value, path) => {
    if (typeof value === 'string' && value.length === 66) return { hash: hash32.decode(value, path) };
    if (!isObject(value))
      return tagOrNumber(value, path, `${TAG_OR_NUMBER}, a block hash or an EIP-1898 object`);
    const hasNumber = value.blockNumber !== undefined && value.blockNumber !== null;
    const hasHash = value.blockHash !== undefined && value.blockHash !== null;
    if (hasNumber === hasHash)
      return invalid(path, 'an EIP-1898 object with either blockNumber or blockHash', value);
    if (value.flashblockIndex !== undefined && value.flashblockIndex !== null) {
      if (hasHash) return invalid(path, 'blockNumber beside flashblockIndex', value);
      const { blockNumber: of, flashblockIndex: flashblock } = byFlashblock.decode(value, path);
      return { flashblock, of };
    }
    if (hasNumber) return byNumber.decode(value, path).blockNumber;
    const { blockHash, requireCanonical } = byHash.decode(value, path);
    return { hash: blockHash, ...(requireCanonical === undefined ? {} : { requireCanonical }) };
  },
};

/** The block parameter of methods that read the state: {@link anyBlock}, or `latest` if it is missing or null. */
export const blockRef: Codec<BlockRef> = withDefault(anyBlock, LATEST);
