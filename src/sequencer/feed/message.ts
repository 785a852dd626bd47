import { bigIntToHex, bytesToHex, concatBytes } from '@ethereumjs/util';
import type { Header, Withdrawal } from '../../chain/block.ts';
import { integerWord } from '../../state/integers.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { Flashblock } from './feed.ts';

type Hex = `0x${string}`;

/** A message of the stream, as Base's nodes send it: hex but for `index` and `metadata.block_number`. */
export interface FlashblockMessage {
  /** 8 bytes, the same for every index of one block */
  payload_id: Hex;
  index: number;
  /** with index 0 only: what stays for the whole block */
  base?: FlashblockBase;
  diff: FlashblockDiff;
  metadata: { block_number: number };
}

export interface FlashblockBase {
  parent_beacon_block_root: Hex;
  parent_hash: Hex;
  fee_recipient: Hex;
  prev_randao: Hex;
  block_number: Hex;
  gas_limit: Hex;
  timestamp: Hex;
  extra_data: Hex;
  base_fee_per_gas: Hex;
}

/** Cumulative but for `transactions`, which are those that the index added, raw (EIP-2718). */
export interface FlashblockDiff {
  state_root: Hex;
  receipts_root: Hex;
  logs_bloom: Hex;
  gas_used: Hex;
  block_hash: Hex;
  transactions: Hex[];
  withdrawals: { index: Hex; validatorIndex: Hex; address: Hex; amount: Hex }[];
  withdrawals_root: Hex;
  blob_gas_used?: Hex;
}

const ZERO_HASH = new Uint8Array(32);

/** What the stream says of an index. Equal flashblocks give equal messages. */
export function flashblockMessage({ payload, index, block, transactions }: Flashblock): FlashblockMessage {
  const { header } = block;
  return {
    payload_id: bytesToHex(payloadId(payload, header.parentHash)),
    index,
    ...(index === 0 && { base: baseOf(header) }),
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
    metadata: { block_number: Number(header.number) },
  };
}

/** 8 bytes, from the count of opened blocks and the parent: a block that is begun anew gets another one. */
export function payloadId(payload: bigint, parentHash: Uint8Array): Uint8Array {
  return keccak256(concatBytes(parentHash, integerWord(payload, 8))).subarray(0, 8);
}

function baseOf(header: Header): FlashblockBase {
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
