import { bigIntToHex, bytesToHex, concatBytes } from '@ethereumjs/util';
import { partOf } from '../../chain/access-part.ts';
import type { BlockView, Header, Withdrawal } from '../../chain/block.ts';
import { encodeAccessList } from '../../protocol/access-list.ts';
import { ZERO_HASH } from '../../state/account.ts';
import { integerWord } from '../../state/integers.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { Flashblock } from './feed.ts';

/** A message of the flashblock stream, as Base's nodes send it: all hex but `index` and `metadata.block_number`. */
export type FlashblockMessage = ReturnType<typeof flashblockMessage>;
export type FlashblockBase = ReturnType<typeof baseOf>;
export type FlashblockDiff = FlashblockMessage['diff'];

/** The stream's message for a flashblock. Equal flashblocks give equal messages. */
export function flashblockMessage({ payload, index, block, transactions }: Flashblock) {
  const { header } = block;
  return {
    payload_id: bytesToHex(payloadId(payload, header.parentHash)),
    index,
    ...(index === 0 && { base: baseOf(header) }),
    // All fields describe the block up to this flashblock, except `transactions`, which contains those that this flashblock added.
    diff: {
      state_root: bytesToHex(header.stateRoot),
      receipts_root: bytesToHex(header.receiptsRoot),
      logs_bloom: bytesToHex(header.logsBloom),
      gas_used: bigIntToHex(header.gasUsed),
      block_hash: bytesToHex(block.hash),
      transactions: transactions.map(({ raw }) => bytesToHex(raw)),
      withdrawals: (block.withdrawals ?? []).map(withdrawalOf),
      withdrawals_root: bytesToHex(header.withdrawalsRoot ?? ZERO_HASH),
      ...(header.blobGasUsed !== undefined && { blob_gas_used: bigIntToHex(header.blobGasUsed) }),
    },
    metadata: { block_number: Number(header.number), ...accessListOf(block, index, transactions.length) },
  };
}

/**
 * The part of the block's access list (EIP-7928) that the flashblock adds, in RLP, and its first and last index. A block that is
 * published when it is finished has its complete list in the last flashblock.
 */
function accessListOf({ accesses, accessList, transactions }: BlockView, index: number, added: number) {
  if (accesses) {
    const to = BigInt(accesses.indexes);
    const from = index === 0 ? 0n : to - BigInt(added);
    if (from === to) return {};
    return partIn(from, to - 1n, encodeAccessList(partOf(accesses, from, to).accounts));
  }
  return accessList && index > 0 ? partIn(0n, BigInt(transactions.length) + 1n, accessList) : {};
}

function partIn(first: bigint, last: bigint, list: Uint8Array) {
  return { access_list: { first_index: Number(first), last_index: Number(last), list: bytesToHex(list) } };
}

/** @param payload running number, so that a reopened block gets another id @returns 8 bytes */
export function payloadId(payload: bigint, parentHash: Uint8Array): Uint8Array {
  return keccak256(concatBytes(parentHash, integerWord(payload, 8))).subarray(0, 8);
}

/** The header fields that don't change while the block is open; sent in flashblock 0 only. */
function baseOf(header: Header) {
  return {
    parent_beacon_block_root: bytesToHex(header.parentBeaconBlockRoot ?? ZERO_HASH),
    parent_hash: bytesToHex(header.parentHash),
    fee_recipient: header.coinbase.toString(),
    prev_randao: bytesToHex(header.mixHash),
    block_number: bigIntToHex(header.number),
    gas_limit: bigIntToHex(header.gasLimit),
    timestamp: bigIntToHex(header.timestamp),
    extra_data: bytesToHex(header.extraData),
    base_fee_per_gas: bigIntToHex(header.baseFeePerGas ?? 0n),
  };
}

function withdrawalOf({ index, validatorIndex, address, amount }: Withdrawal) {
  return {
    index: bigIntToHex(index),
    validatorIndex: bigIntToHex(validatorIndex),
    address: address.toString(),
    amount: bigIntToHex(amount),
  };
}
