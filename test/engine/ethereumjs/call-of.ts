import type { Address } from '@ethereumjs/util';
import type { BlockEnv, Message } from '../../../src/protocol/types.ts';
import { EMPTY_BYTES } from '../../../src/state/account.ts';
import { at } from './scenarios.ts';

/** A block in which calls cost nothing and no earlier block is known. */
export const ENV: BlockEnv = {
  number: 3n,
  timestamp: 1_700_000_000n,
  coinbase: at(0xc0),
  gasLimit: 30_000_000n,
  difficulty: 0n,
  prevRandao: new Uint8Array(32),
  baseFeePerGas: 0n,
  blobBaseFee: 1n,
  blockHash: () => undefined,
};

/** A call without value and data. */
export function callOf(to: Address, gasLimit: bigint): Message {
  return {
    type: 2,
    from: at(0x5002),
    to,
    nonce: 0n,
    gasLimit,
    value: 0n,
    data: EMPTY_BYTES,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    accessList: [],
  };
}
