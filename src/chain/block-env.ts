import type { Engine } from '../engine/engine.ts';
import type { BlockEnv } from '../protocol/types.ts';
import type { EnvHeader } from './block.ts';
import { blobBaseFee } from './fees.ts';

/** The environment of a block's transactions, for calls on top of the block. */
export function envOf(header: EnvHeader, engine: Engine, hashOf: BlockEnv['blockHash']): BlockEnv {
  const blobFee = blobBaseFee(header.excessBlobGas, engine.hardforkOf(header));
  const env: { -readonly [K in keyof BlockEnv]: BlockEnv[K] } = {
    number: header.number,
    timestamp: header.timestamp,
    coinbase: header.coinbase,
    gasLimit: header.gasLimit,
    difficulty: header.difficulty,
    prevRandao: header.mixHash,
    blockHash: hashOf,
  };
  if (header.baseFeePerGas !== undefined) env.baseFeePerGas = header.baseFeePerGas;
  if (blobFee !== undefined) env.blobBaseFee = blobFee;
  if (header.slotNumber !== undefined) env.slotNumber = header.slotNumber;
  return env;
}
