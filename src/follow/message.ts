import { brotliDecompressSync } from 'node:zlib';
import { Address, hexToBytes } from '@ethereumjs/util';
import type { BlockView, Withdrawal } from '../chain/block.ts';
import type { BlockPlan } from '../chain/block-draft.ts';
import { expectSame } from '../chain/block-fault.ts';
import type { FlashblockBase, FlashblockDiff, FlashblockMessage } from '../sequencer/feed/message.ts';
import type { Place } from './sequence.ts';

/** A frame that is not a message of the flashblock stream. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage';
}

/** Parses a frame: JSON, or JSON compressed with brotli. @throws BadMessage */
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

/** The plan with which the other node opened the block. */
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
 * Compares a message with the block executed so far. State root and hash are skipped when the message's state root is
 * zero: Base's own builder doesn't compute it, and the block hash is then not the sealed block's.
 * @throws BadBlock naming the first field that differs
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
