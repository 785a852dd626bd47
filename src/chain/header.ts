import type { NestedUint8Array } from '@ethereumjs/rlp';
import { RLP } from '@ethereumjs/rlp';
import { Address } from '@ethereumjs/util';
import { integerBytes, integerOf } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import { encodeRlp, encodeStrings } from '../state/rlp-items.ts';
import type { Header } from './block.ts';

/** Number of header fields by hardfork: Frontier, London, Shanghai, Cancun, Prague, Amsterdam. */
const FIELD_COUNTS = [15, 16, 17, 20, 21, 23];

/**
 * The header as a list of byte strings, in the order of the yellow paper and then by hardfork: EIP-1559, 4895, 4844
 * (two fields), 4788, 7685, 7928, 7843. The list ends before the first absent field.
 */
export function headerFields(h: Header): Uint8Array[] {
  const fields = [
    h.parentHash,
    h.unclesHash,
    h.coinbase.bytes,
    h.stateRoot,
    h.transactionsRoot,
    h.receiptsRoot,
    h.logsBloom,
    integerBytes(h.difficulty),
    integerBytes(h.number),
    integerBytes(h.gasLimit),
    integerBytes(h.gasUsed),
    integerBytes(h.timestamp),
    h.extraData,
    h.mixHash,
    h.nonce,
  ];
  const later = [
    h.baseFeePerGas,
    h.withdrawalsRoot,
    h.blobGasUsed,
    h.excessBlobGas,
    h.parentBeaconBlockRoot,
    h.requestsHash,
    h.blockAccessListHash,
    h.slotNumber,
  ];
  for (const field of later) {
    if (field === undefined) break;
    fields.push(typeof field === 'bigint' ? integerBytes(field) : field);
  }
  return fields;
}

/** The header's RLP. */
export function encodeHeader(header: Header): Uint8Array {
  return encodeStrings(headerFields(header));
}

/** keccak256 of the header's RLP: the block's hash. */
export function hashHeader(header: Header): Uint8Array {
  return keccak256(encodeHeader(header));
}

/** keccak256 of the list of uncle headers. */
export function hashUncles(uncles: readonly Header[]): Uint8Array {
  return keccak256(encodeRlp(uncles.map(headerFields)));
}

/** the nonce of a header since the merge */
export const ZERO_NONCE = new Uint8Array(8);
/** keccak256(rlp([])) */
export const NO_UNCLES = hashUncles([]);

/** @throws Error when the bytes aren't the RLP of a header of a known hardfork */
export function decodeHeader(bytes: Uint8Array): Header {
  return headerFromFields(RLP.decode(bytes));
}

/** @throws Error when the fields aren't those of a header of a known hardfork */
export function headerFromFields(decoded: Uint8Array | NestedUint8Array): Header {
  if (!Array.isArray(decoded) || !FIELD_COUNTS.includes(decoded.length))
    throw new Error(`not a block header: ${Array.isArray(decoded) ? decoded.length : 'no'} fields`);
  const fields = decoded.map((field) => {
    if (Array.isArray(field)) throw new Error('not a block header: a field is a list');
    return field;
  });
  const bytes = (index: number) => fields[index]!;
  const number = (index: number) => integerOf(bytes(index));
  return {
    parentHash: bytes(0),
    unclesHash: bytes(1),
    coinbase: new Address(bytes(2)),
    stateRoot: bytes(3),
    transactionsRoot: bytes(4),
    receiptsRoot: bytes(5),
    logsBloom: bytes(6),
    difficulty: number(7),
    number: number(8),
    gasLimit: number(9),
    gasUsed: number(10),
    timestamp: number(11),
    extraData: bytes(12),
    mixHash: bytes(13),
    nonce: bytes(14),
    ...(fields.length > 15 && { baseFeePerGas: number(15) }),
    ...(fields.length > 16 && { withdrawalsRoot: bytes(16) }),
    ...(fields.length > 17 && {
      blobGasUsed: number(17),
      excessBlobGas: number(18),
      parentBeaconBlockRoot: bytes(19),
    }),
    ...(fields.length > 20 && { requestsHash: bytes(20) }),
    ...(fields.length > 21 && { blockAccessListHash: bytes(21), slotNumber: number(22) }),
  };
}
