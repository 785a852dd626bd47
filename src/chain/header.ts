import type { NestedUint8Array } from '@ethereumjs/rlp';
import { RLP } from '@ethereumjs/rlp';
import { Address } from '@ethereumjs/util';
import { HEADER_FIELDS, type HeaderField, type HeaderFieldName } from '../core/tables/fields.ts';
import { integerBytes, integerOf } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import { encodeRlp, encodeStrings } from '../state/rlp-items.ts';
import type { Header } from './block.ts';

type Value = Uint8Array | Address | bigint;

/** The possible numbers of header fields, over all hardforks. */
const FIELD_COUNTS = HEADER_FIELDS.flatMap(({ since }, i) => {
  const next = HEADER_FIELDS[i + 1];
  return next && next.since === since ? [] : [i + 1];
});

/** The header as a list of byte strings, see {@link HEADER_FIELDS}. The list ends before the first absent field. */
export function headerFields(header: Header): Uint8Array[] {
  const fields: Uint8Array[] = [];
  for (const { name } of HEADER_FIELDS) {
    const value: Value | undefined = header[name];
    if (value === undefined) break;
    if (typeof value === 'bigint') fields.push(integerBytes(value));
    else fields.push(value instanceof Uint8Array ? value : value.bytes);
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
  return headerOf((field, i) => {
    const item = decoded[i];
    if (Array.isArray(item)) throw new Error('not a block header: a field is a list');
    if (item === undefined) return undefined;
    if (field.kind === 'quantity') return integerOf(item);
    return field.kind === 'address' ? new Address(item) : item;
  });
}

/** Makes a header. @param of returns a field's value, of the kind in {@link HEADER_FIELDS}; `undefined` if the header doesn't have it */
export function headerOf(of: (field: HeaderField, i: number) => Value | undefined): Header {
  const header: Partial<Record<HeaderFieldName, Value>> = {};
  for (const [i, field] of HEADER_FIELDS.entries()) {
    const value = of(field, i);
    if (value !== undefined) header[field.name] = value;
  }
  // test/core/tables.test.ts checks that the table has exactly the members of a header.
  return header as unknown as Header;
}
