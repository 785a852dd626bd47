import type { TrieBlock } from '../../chain/block.ts';
import { DevnetError } from '../../errors.ts';
import { EMPTY_BYTES } from '../../state/account.ts';
import { array, object, optional, withDefault } from '../codec/codec.ts';
import { withdrawal } from '../codec/overrides.ts';
import { address, data, hash32, uint64 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { formatPayload } from '../format/payload.ts';

/** gas; the default target of geth's miner */
const TARGET_GAS_LIMIT = 60_000_000n;
/** bytes (yellow paper 4.3.4) */
const MAX_EXTRA_DATA = 32;

const attributes = object('payload attributes', {
  timestamp: uint64,
  prevRandao: hash32,
  suggestedFeeRecipient: address,
  withdrawals: optional(array(withdrawal)),
  parentBeaconBlockRoot: optional(hash32),
  targetGasLimit: optional(uint64),
});

/**
 * Builds a block on a parent block, without changing the chain: from the given transactions, or from the waiting ones if none are given.
 * The parameters are the parent's hash, the payload attributes, the transactions and the extra data.
 * @returns an execution payload envelope, as `engine_getPayload` answers
 */
export const testing_buildBlockV1 = defineMethod({
  kind: 'read',
  params: [hash32, attributes, optional(array(data)), withDefault(data, EMPTY_BYTES)],
  handler: async ({ chain, buildAside, decoder }, hash, given, raws, extraData) => {
    const parent = await chain.resolve({ hash });
    if (!parent?.sealed || !('fold' in parent.state))
      throw new DevnetError('server', { reason: 'parent block not found' });
    if (given.timestamp <= parent.header.timestamp)
      throw new DevnetError('server', { reason: `invalid timestamp: not after ${parent.header.timestamp}` });
    if (extraData.length > MAX_EXTRA_DATA)
      throw new DevnetError('invalidParams', { reason: `params[3]: ${MAX_EXTRA_DATA} bytes at most` });
    const built = await buildAside(
      parent as TrieBlock,
      {
        timestamp: given.timestamp,
        coinbase: given.suggestedFeeRecipient,
        gasLimit: towards(parent.header.gasLimit, given.targetGasLimit ?? TARGET_GAS_LIMIT),
        prevRandao: given.prevRandao,
        extraData,
        ...(given.withdrawals && { withdrawals: given.withdrawals }),
        ...(given.parentBeaconBlockRoot && { parentBeaconBlockRoot: given.parentBeaconBlockRoot }),
      },
      raws?.map((raw) => decoder.decode(raw)),
    );
    return formatPayload(built);
  },
});

/** Returns the gas limit nearest to `target` that may follow `parent`: it may change by less than 1/1024 per block. */
function towards(parent: bigint, target: bigint): bigint {
  const step = parent / 1024n - 1n;
  if (parent < target) return parent + step < target ? parent + step : target;
  return parent - step > target ? parent - step : target;
}
