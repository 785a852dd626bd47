import type { Hardfork } from '../evm/hardfork.ts';
import type { BlockEnv } from '../evm/types.ts';
import type { Header } from './block.ts';
import { blobBaseFee } from './fees.ts';

/** The environment in which a block's transactions ran, for calls on top of the block. */
export function envOf(header: Header, hardfork: Hardfork, hashOf: BlockEnv['blockHash']): BlockEnv {
  const blobFee = blobBaseFee(header.excessBlobGas, hardfork);
  return {
    number: header.number,
    timestamp: header.timestamp,
    coinbase: header.coinbase,
    gasLimit: header.gasLimit,
    difficulty: header.difficulty,
    prevRandao: header.mixHash,
    ...(header.baseFeePerGas !== undefined && { baseFeePerGas: header.baseFeePerGas }),
    ...(blobFee !== undefined && { blobBaseFee: blobFee }),
    blockHash: hashOf,
  };
}
