import { brotliDecompressSync } from 'node:zlib';
import { Address, hexToBytes } from '@ethereumjs/util';
import type { BlockView, Withdrawal } from '../chain/block.ts';
import type { BlockPlan } from '../chain/block-draft.ts';
import { expectSame } from '../chain/block-fault.ts';
import type { FlashblockBase, FlashblockDiff, FlashblockMessage } from '../sequencer/feed/message.ts';
import type { Place } from './sequence.ts';

/** A frame that is no message of the stream. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage';
}

/**
 * Reads a frame: JSON, or JSON that is compressed with brotli.
 * @throws BadMessage
 */
export function readMessage(frame: Buffer): FlashblockMessage {
  try {
    const text = (frame[0] === 0x7b ? frame : brotliDecompressSync(frame)).toString();
    const message = JSON.parse(text) as FlashblockMessage;
    const { payload_id, index, base, diff, metadata } = message;
    if (typeof payload_id !== 'string' || !Number.isSafeInteger(index) || index < 0)
      throw new Error('payload_id and index');
    if (!Array.isArray(diff.transactions) || !Number.isSafeInteger(metadata.block_number))
      throw new Error('diff.transactions and metadata.block_number');
    if ((index === 0) !== (base !== undefined)) throw new Error('base, with index 0 only');
    return message;
  } catch (error) {
    throw new BadMessage(`not a message of the stream: ${(error as Error).message}`);
  }
}

export function placeOf({ payload_id: payload, index, metadata }: FlashblockMessage): Place {
  return { number: BigInt(metadata.block_number), index, payload };
}

/** How the block was opened. */
export function planOf(base: FlashblockBase, { withdrawals }: FlashblockDiff): BlockPlan {
  return {
    timestamp: BigInt(base.timestamp),
    coinbase: new Address(hexToBytes(base.fee_recipient)),
    gasLimit: BigInt(base.gas_limit),
    prevRandao: hexToBytes(base.prev_randao),
    extraData: hexToBytes(base.extra_data),
    baseFeePerGas: BigInt(base.base_fee_per_gas),
    parentBeaconBlockRoot: hexToBytes(base.parent_beacon_block_root),
    withdrawals: withdrawals.map(withdrawalOf),
  };
}

/**
 * Compares what a message says of the block so far with what came out here. A state root of zero says nothing: Base's
 * own builder doesn't compute it, and the hash isn't the sealed one then.
 * @throws BadBlock naming the first thing that differs
 */
export function checkAgainst({ diff }: FlashblockMessage, { header, hash }: BlockView): void {
  expectSame('gasUsed', BigInt(diff.gas_used), header.gasUsed);
  expectSame('receiptsRoot', hexToBytes(diff.receipts_root), header.receiptsRoot);
  expectSame('logsBloom', hexToBytes(diff.logs_bloom), header.logsBloom);
  if (BigInt(diff.state_root) === 0n) return;
  expectSame('stateRoot', hexToBytes(diff.state_root), header.stateRoot);
  expectSame('hash', hexToBytes(diff.block_hash), hash);
}

function withdrawalOf(withdrawal: FlashblockDiff['withdrawals'][number]): Withdrawal {
  return {
    index: BigInt(withdrawal.index),
    validatorIndex: BigInt(withdrawal.validatorIndex),
    address: new Address(hexToBytes(withdrawal.address)),
    amount: BigInt(withdrawal.amount),
  };
}
