import { type EOACode7702AuthorizationListBytes, equalsBytes } from '@ethereumjs/util';
import type { AccessList } from '../../evm/types.ts';
import type { CallRequest } from '../../execution/call-request.ts';
import { integerBytes } from '../../state/integers.ts';
import {
  alias,
  array,
  type Codec,
  invalid,
  isObject,
  mapped,
  object,
  optional,
  withDefault,
} from './codec.ts';
import { address, data, hash32, quantity, slot, uint64 } from './values.ts';

/** A transaction to send: a call object that may also contain the blob sidecar. */
export interface TransactionRequest extends CallRequest {
  /** EIP-4844 sidecar: blobs of 131,072 bytes each */
  readonly blobs?: readonly Uint8Array[];
  readonly commitments?: readonly Uint8Array[];
  readonly proofs?: readonly Uint8Array[];
}

/** An EIP-2930 access list. Missing `storageKeys` of an item are an empty list. */
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

/** `isSystemTx`: op-geth and viem use a boolean, anvil writes 0x1. */
const bit: Codec<boolean> = {
  decode: (value, path) => {
    if (typeof value === 'boolean') return value;
    const number = uint64.decode(value, path);
    return number < 2n ? number === 1n : invalid(path, 'a boolean, 0x0 or 0x1', value);
  },
};

const fields = object('a transaction object', {
  type: optional(uint64),
  from: optional(address),
  to: optional(address),
  gasPrice: optional(quantity),
  maxFeePerGas: optional(quantity),
  maxPriorityFeePerGas: optional(quantity),
  maxFeePerBlobGas: optional(quantity),
  value: optional(quantity),
  nonce: optional(uint64),
  chainId: optional(quantity),
  accessList: optional(accessList),
  blobVersionedHashes: optional(array(hash32)),
  blobs: optional(array(data)),
  commitments: optional(array(data)),
  proofs: optional(array(data)),
  authorizationList: optional(authorizations),
  sourceHash: optional(hash32),
  mint: optional(quantity),
  isSystemTx: optional(bit),
});

const gas = alias(['gas', 'gasLimit'], uint64);
const input = alias(['input', 'data'], data, equalsBytes);

/** Accepts the fields of all types; both `data` and `input` if they are equal. Unknown fields are ignored. */
export const transactionRequest: Codec<TransactionRequest> = {
  fields: { ...fields.fields, gas: optional(uint64), input: optional(data) },
  decode: (value, path) => {
    if (!isObject(value)) return invalid(path, 'a transaction object', value);
    // Without spreads: they take longer than all else here, and so does reading what they make.
    const request: { -readonly [K in keyof TransactionRequest]: TransactionRequest[K] } = fields.decode(
      value,
      path,
    );
    const gasLimit = gas.decode(value, path);
    const bytes = input.decode(value, path);
    if (gasLimit !== undefined) request.gas = gasLimit;
    if (bytes !== undefined) request.data = bytes;
    return request;
  },
};
