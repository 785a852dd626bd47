import type { Conditions, KnownAccount } from '../../chain/conditions.ts';
import { EMPTY_BYTES, stripZeros } from '../../state/account.ts';
import { type Codec, invalid, isObject, mapped, object, optional, record, withDefault } from './codec.ts';
import { hex } from './hex.ts';
import { address, data, hash32, quantity, slot, uint64 } from './values.ts';

/** In ERC-7796, the code of an account without code is the empty string. */
const code: Codec<Uint8Array> = {
  decode: (value, path) => (value === '' ? EMPTY_BYTES : data.decode(value, path)),
};

const fields = { balance: optional(quantity), nonce: optional(uint64), code: optional(code) };
const ofAccount = object('an object of slots', fields);
const ofSlots = record('an object of slots', slot, slot);

/** The root of an account's storage, or an object with expected values of slots, `balance`, `nonce` and `code`. */
const knownAccount: Codec<KnownAccount> = {
  decode: (value, path) => {
    if (typeof value === 'string') return { storageRoot: hash32.decode(value, path), slots: new Map() };
    if (!isObject(value)) return invalid(path, 'a storage root of 32 bytes, or an object of slots', value);
    const values = Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(fields, name)));
    const slots = ofSlots.decode(values, path).map(([key, word]) => [hex(key), stripZeros(word)] as const);
    return { ...ofAccount.decode(value, path), slots: new Map<string, Uint8Array>(slots) };
  },
};

/** This condition could only be checked after the execution, and no node supports it. */
const paysCoinbase: Codec<undefined> = {
  isOptional: true,
  decode: (value, path) =>
    value === undefined || value === null ? undefined : invalid(path, 'nothing: it is not supported', value),
};

const decoded = object('an object of conditions', {
  knownAccounts: withDefault(record('an object of accounts', address, knownAccount), []),
  blockNumberMin: optional(uint64),
  blockNumberMax: optional(uint64),
  timestampMin: optional(uint64),
  timestampMax: optional(uint64),
  paysCoinbase,
});

/** Conditions for the inclusion of a transaction (ERC-7796). */
export const conditions: Codec<Conditions> = mapped(decoded, ({ knownAccounts, ...ranges }) => ({
  ...ranges,
  knownAccounts: new Map(knownAccounts.map(([key, known]) => [key.toString(), known])),
}));
