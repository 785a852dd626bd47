import { type EOACode7702AuthorizationListBytes, equalsBytes } from '@ethereumjs/util';
import type { CallRequest } from '../../execution/call-request.ts';
import type { AccessList } from '../../protocol/types.ts';
import { integerBytes } from '../../state/integers.ts';
import { array, type Codec, invalid, isObject, mapped, object, optional, withDefault } from './codec.ts';
import { address, data, hash32, quantity, slot, uint64 } from './values.ts';

/** A transaction to send: a call object that may also have a blob sidecar. */
export interface TransactionRequest extends CallRequest {
  /** EIP-4844 sidecar: blobs of 131,072 bytes each */
  readonly blobs?: readonly Uint8Array[];
  readonly commitments?: readonly Uint8Array[];
  readonly proofs?: readonly Uint8Array[];
}

/** An EIP-2930 access list. A missing `storageKeys` of an item is an empty list. */
export const accessList: Codec<AccessList> = array(
  object('an access list item', { address, storageKeys: withDefault(array(slot), []) }),
);

const authorization = mapped(
  object('an authorization', {
    chainId: quantity,
    address,
    nonce: uint64,
    yParity: optional(uint64),
    v: optional(uint64),
    r: quantity,
    s: quantity,
  }),
  (item, path) => {
    const yParity = item.yParity ?? item.v ?? invalid(`${path}.yParity`, 'a quantity', undefined);
    return [
      integerBytes(item.chainId),
      item.address.bytes,
      integerBytes(item.nonce),
      integerBytes(yParity),
      integerBytes(item.r),
      integerBytes(item.s),
    ] as EOACode7702AuthorizationListBytes[number];
  },
);

/** An EIP-7702 authorization list. */
const authorizations = mapped(array(authorization), (list) => [...list]);

/** `isSystemTx`: op-geth and viem send a boolean, anvil sends 0x1. */
const bit: Codec<boolean> = {
  decode: (value, path) => {
    if (typeof value === 'boolean') return value;
    const number = uint64.decode(value, path);
    return number < 2n ? number === 1n : invalid(path, 'a boolean, 0x0 or 0x1', value);
  },
};

/** The codecs of a transaction object's members, by name. `gasLimit` is another name of `gas`, and `data` of `input`. */
const MEMBERS: Readonly<Record<string, Member>> = {
  type: member('type', uint64),
  from: member('from', address),
  to: member('to', address),
  gas: member('gas', uint64),
  gasLimit: member('gas', uint64),
  gasPrice: member('gasPrice', quantity),
  maxFeePerGas: member('maxFeePerGas', quantity),
  maxPriorityFeePerGas: member('maxPriorityFeePerGas', quantity),
  maxFeePerBlobGas: member('maxFeePerBlobGas', quantity),
  value: member('value', quantity),
  nonce: member('nonce', uint64),
  input: member('data', data, equalsBytes),
  data: member('data', data, equalsBytes),
  chainId: member('chainId', quantity),
  accessList: member('accessList', accessList),
  blobVersionedHashes: member('blobVersionedHashes', array(hash32)),
  blobs: member('blobs', array(data)),
  commitments: member('commitments', array(data)),
  proofs: member('proofs', array(data)),
  authorizationList: member('authorizationList', authorizations),
  sourceHash: member('sourceHash', hash32),
  mint: member('mint', quantity),
  isSystemTx: member('isSystemTx', bit),
};

/** A member of a transaction object. */
interface Member {
  readonly codec: Codec<unknown>;
  /** the field of the decoded request */
  readonly field: keyof TransactionRequest;
  /** whether two values are equal, for a field that is given under two names */
  readonly same: (a: unknown, b: unknown) => boolean;
}

function member<F extends keyof TransactionRequest>(
  field: F,
  codec: Codec<Exclude<TransactionRequest[F], undefined>>,
  same: (
    a: Exclude<TransactionRequest[F], undefined>,
    b: Exclude<TransactionRequest[F], undefined>,
  ) => boolean = Object.is,
): Member {
  return { field, codec, same: same as Member['same'] };
}

/**
 * Accepts the fields of all transaction types, and both `data` and `input` if they are equal. Unknown fields are ignored; null means that a
 * field is missing.
 */
export const transactionRequest: Codec<TransactionRequest> = {
  fields: documented(),
  decode: (value, path) => {
    if (!isObject(value)) return invalid(path, 'a transaction object', value);
    const request: { -readonly [K in keyof TransactionRequest]: unknown } = {};
    for (const name in value) {
      const given = value[name];
      if (given === undefined || given === null || !Object.hasOwn(MEMBERS, name)) continue;
      const { field, codec, same } = MEMBERS[name]!;
      const decoded = codec.decode(given, `${path}.${name}`);
      const other = request[field];
      if (other !== undefined && !same(other, decoded)) contradiction(field, value, path);
      request[field] = decoded;
    }
    return request as TransactionRequest;
  },
};

/** Throws for a field that has different values under its two names. */
function contradiction(
  field: keyof TransactionRequest,
  value: Readonly<Record<string, unknown>>,
  path: string,
): never {
  const [main, other] = Object.keys(MEMBERS).filter((name) => MEMBERS[name]!.field === field);
  return invalid(`${path}.${other}`, `the same value as ${main}`, value[other!]);
}

/** The members under their main names, for the generated reference of the methods. */
function documented(): Readonly<Record<string, Codec<unknown>>> {
  const names = Object.keys(MEMBERS).filter((name) => name !== 'gasLimit' && name !== 'data');
  return Object.fromEntries(names.map((name) => [name, optional(MEMBERS[name]!.codec)]));
}
