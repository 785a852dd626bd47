import { Address, type EOACode7702AuthorizationListBytes } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { DEPOSIT_TYPE } from '../protocol/op-stack/deposit-transaction.ts';
import type { AccessList, Message } from '../protocol/types.ts';
import { EMPTY_BYTES } from '../state/account.ts';

/** The call object of `eth_call` and similar methods: a transaction in which all fields are optional. Fees in wei per gas. */
export interface CallRequest {
  /** EIP-2718 type; derived from the other fields when absent */
  readonly type?: bigint;
  /** the zero address when absent */
  readonly from?: Address;
  /** when absent, the call creates a contract */
  readonly to?: Address;
  readonly gas?: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly maxFeePerBlobGas?: bigint;
  /** wei */
  readonly value?: bigint;
  readonly nonce?: bigint;
  readonly data?: Uint8Array;
  readonly chainId?: bigint;
  readonly accessList?: AccessList;
  readonly blobVersionedHashes?: readonly Uint8Array[];
  readonly authorizationList?: EOACode7702AuthorizationListBytes;
  /** 32 bytes; makes the call a deposit of the OP Stack */
  readonly sourceHash?: Uint8Array;
  /** wei; deposits only */
  readonly mint?: bigint;
  /** deposits only */
  readonly isSystemTx?: boolean;
}

/** Values of a message that don't come from its call object. */
export interface CallDefaults {
  /** gas limit; the call object's `gas` is ignored */
  readonly gas: bigint;
  /** used if the call object has no `nonce` */
  readonly nonce: bigint;
  readonly chainId: bigint;
}

const DEPOSIT = BigInt(DEPOSIT_TYPE);
const NO_ACCESS: AccessList = [];

/** the sender if the call object has no `from` */
export const ZERO_ADDRESS = new Address(new Uint8Array(20));

/**
 * Turns a call of `eth_simulateV1` into a message, as geth does (`CallDefaults`, `ToTransaction`): the transaction
 * type is derived from the other fields, and the call's own `type` is ignored.
 */
export function toSimulatedMessage(request: CallRequest, defaults: CallDefaults): Message {
  return toMessage(request, defaults, request.gasPrice !== undefined ? 0 : deducedType(request));
}

/**
 * Turns a call object into a message; fees default to 0 as in geth.
 * @param type the EIP-2718 type of its transaction
 * @throws DevnetError -32602 if the call object is contradictory
 */
export function toMessage(
  request: CallRequest,
  defaults: CallDefaults,
  type = request.type === undefined ? deducedType(request) : Number(request.type),
): Message {
  if ((request.sourceHash || request.type === DEPOSIT) && asksForDeposit(request))
    return depositMessage(request, defaults);
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request;
  if (gasPrice !== undefined && (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined)) {
    reject('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified');
  }
  if (request.chainId !== undefined && request.chainId !== defaults.chainId) {
    reject(`chainId does not match node's (have=${request.chainId}, want=${defaults.chainId})`);
  }
  if (request.blobVersionedHashes?.length === 0) reject('need at least 1 blob for a blob transaction');
  // No object spreads: they would take longer than the rest of this function.
  const message: { -readonly [K in keyof Message]: Message[K] } = {
    type,
    from: request.from ?? ZERO_ADDRESS,
    nonce: request.nonce ?? defaults.nonce,
    gasLimit: defaults.gas,
    value: request.value ?? 0n,
    data: request.data ?? EMPTY_BYTES,
    maxFeePerGas: gasPrice ?? maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: gasPrice ?? maxPriorityFeePerGas ?? 0n,
    accessList: request.accessList ?? NO_ACCESS,
  };
  if (request.to) message.to = request.to;
  if (request.blobVersionedHashes) {
    message.blobVersionedHashes = request.blobVersionedHashes;
    message.maxFeePerBlobGas = request.maxFeePerBlobGas ?? 0n;
  }
  if (request.authorizationList) message.authorizationList = request.authorizationList;
  return message;
}

/** Whether a call object describes a deposit of the OP Stack. */
export function asksForDeposit({ type, sourceHash }: CallRequest): boolean {
  return type === DEPOSIT || (type === undefined && sourceHash !== undefined);
}

function depositMessage(request: CallRequest, defaults: CallDefaults): Message {
  const { sourceHash, mint = 0n, isSystemTx: isSystemTransaction = false } = request;
  if (!sourceHash) return reject('sourceHash: expected 32 bytes, which a deposit needs, got undefined');
  for (const name of FIELDS_NOT_IN_DEPOSITS)
    if (request[name]?.length) reject(`${name}: a deposit has none (type 0x7e, or sourceHash)`);
  return {
    type: DEPOSIT_TYPE,
    from: request.from ?? ZERO_ADDRESS,
    ...(request.to && { to: request.to }),
    nonce: defaults.nonce,
    gasLimit: defaults.gas,
    value: request.value ?? 0n,
    data: request.data ?? EMPTY_BYTES,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    accessList: [],
    deposit: { sourceHash, mint, isSystemTransaction },
  };
}

const FIELDS_NOT_IN_DEPOSITS = ['accessList', 'blobVersionedHashes', 'authorizationList'] as const;

function deducedType(request: CallRequest): number {
  if (request.authorizationList) return 4;
  if (request.blobVersionedHashes) return 3;
  if (request.gasPrice === undefined) return 2;
  return request.accessList ? 1 : 0;
}

function reject(reason: string): never {
  throw new DevnetError('invalidParams', { reason });
}
