import type { Hardfork } from './hardfork.ts';
import type { Message } from './types.ts';

/** The gas that a message costs before its first opcode. */
export interface IntrinsicGas {
  /** charged up front (yellow paper, EIP-2028, 2930, 3860, 7702) */
  readonly gas: bigint;
  /** EIP-7623: the least gas that the transaction uses in total; 0 before Prague */
  readonly floor: bigint;
}

/**
 * The intrinsic gas of a message. The gas limit must cover both figures. What the hardfork doesn't know costs nothing: a
 * message with it is refused, or it is a call whose access list has no effect.
 */
export function intrinsicGas(message: Message, hardfork: Hardfork): IntrinsicGas {
  const { data } = message;
  let zeros = 0;
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++;
  const nonZeros = BigInt(data.length - zeros);
  const base = hardfork.param('txGas');
  let gas =
    base + BigInt(zeros) * hardfork.param('txDataZeroGas') + nonZeros * hardfork.param('txDataNonZeroGas');

  if (message.to === undefined && hardfork.atLeast('homestead')) {
    gas += hardfork.param('txCreationGas');
    if (hardfork.has(3860)) gas += hardfork.param('initCodeWordGas') * BigInt(Math.ceil(data.length / 32));
  }
  for (const { storageKeys } of hardfork.has(2930) ? message.accessList : []) {
    gas +=
      hardfork.param('accessListAddressGas') +
      BigInt(storageKeys.length) * hardfork.param('accessListStorageKeyGas');
  }
  if (message.authorizationList && hardfork.has(7702)) {
    gas += BigInt(message.authorizationList.length) * hardfork.param('perEmptyAccountCost');
  }
  const floor = hardfork.has(7623)
    ? base + hardfork.param('totalCostFloorPerToken') * (BigInt(zeros) + 4n * nonZeros)
    : 0n;
  return { gas, floor };
}
