import type { Hardfork } from './hardfork.ts';
import type { Message } from './types.ts';

/** EIP-7623: tokens of a non-zero byte; with EIP-7976 of any byte */
const TOKENS_A_BYTE = 4n;
const ADDRESS_BYTES = 20n;
const SLOT_BYTES = 32n;

/** The gas that a message costs before its first opcode. */
export interface IntrinsicGas {
  /** charged up front (yellow paper, EIP-2028, 2930, 3860, 7702) */
  readonly gas: bigint;
  /** EIP-7623, 7976, 7981: the minimum gas that the transaction uses in total; 0 before Prague */
  readonly floor: bigint;
}

/**
 * The intrinsic gas of a message. The gas limit must cover both figures. Fields that the hardfork doesn't support cost nothing: a
 * transaction with them is rejected, and in a call such an access list has no effect.
 */
export function intrinsicGas(message: Message, hardfork: Hardfork): IntrinsicGas {
  const { data } = message;
  let zeros = 0;
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++;
  const nonZeros = BigInt(data.length - zeros);
  const base = baseGas(message, hardfork);
  let gas =
    base + BigInt(zeros) * hardfork.param('txDataZeroGas') + nonZeros * hardfork.param('txDataNonZeroGas');

  const creation = message.to === undefined && hardfork.atLeast('homestead');
  if (creation) {
    gas += hardfork.param('txCreationGas');
    if (hardfork.has(3860)) gas += hardfork.param('initCodeWordGas') * BigInt(Math.ceil(data.length / 32));
  }
  let listed = 0n;
  for (const { storageKeys } of hardfork.has(2930) ? message.accessList : []) {
    gas +=
      hardfork.param('accessListAddressGas') +
      BigInt(storageKeys.length) * hardfork.param('accessListStorageKeyGas');
    listed += ADDRESS_BYTES + BigInt(storageKeys.length) * SLOT_BYTES;
  }
  if (message.authorizationList && hardfork.has(7702)) {
    const each = hardfork.param(hardfork.has(8037) ? 'perAuthBaseGas' : 'perEmptyAccountCost');
    gas += BigInt(message.authorizationList.length) * each;
  }
  if (!hardfork.has(7623)) return { gas, floor: 0n };
  const perToken = hardfork.param('totalCostFloorPerToken');
  // EIP-7981: the bytes of an access list cost as much as bytes of data, in both figures.
  const listGas = hardfork.has(7981) ? perToken * TOKENS_A_BYTE * listed : 0n;
  const tokens = (hardfork.has(7976) ? TOKENS_A_BYTE : 1n) * BigInt(zeros) + TOKENS_A_BYTE * nonZeros;
  const floorBase = base + (creation && hardfork.has(2780) ? hardfork.param('txCreationGas') : 0n);
  return { gas: gas + listGas, floor: floorBase + perToken * tokens + listGas };
}

/** The cost of a message without data, lists, and charges for a creation. */
export function baseGas(message: Message, hardfork: Hardfork): bigint {
  return hardfork.param('txGas') + recipientGas(message, hardfork);
}

/** EIP-2780: the cost of a recipient other than the sender, and of the value transferred to it. */
function recipientGas({ from, to, value }: Message, hardfork: Hardfork): bigint {
  if (!hardfork.has(2780) || !to || to.equals(from)) return 0n;
  return hardfork.param('txRecipientAccessGas') + (value > 0n ? hardfork.param('txValueCost') : 0n);
}
