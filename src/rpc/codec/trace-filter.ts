import type { Address } from '@ethereumjs/util';
import type { BlockRef } from '../../chain/refs.ts';
import { blockNumber, LATEST } from './block-ref.ts';
import { array, type Codec, object, optional, withDefault } from './codec.ts';
import { address, uint64 } from './values.ts';

/** A filter object of `trace_filter`. */
export interface TraceFilter {
  readonly fromBlock: BlockRef;
  readonly toBlock: BlockRef;
  /** empty = any */
  readonly fromAddress: readonly Address[];
  /** empty = any */
  readonly toAddress: readonly Address[];
  /** how many matches to skip */
  readonly after: bigint;
  /** maximum number of matches to return */
  readonly count?: bigint;
}

const addresses = withDefault(array(address), []);

export const traceFilter: Codec<TraceFilter> = object('a trace filter', {
  fromBlock: withDefault(blockNumber, LATEST),
  toBlock: withDefault(blockNumber, LATEST),
  fromAddress: addresses,
  toAddress: addresses,
  after: withDefault(uint64, 0n),
  count: optional(uint64),
});
