import type { Fork } from './fork.ts';
import type { Message } from './types.ts';

/** Gas that a message costs before its first opcode. */
export interface IntrinsicGas {
  /** yellow paper, EIP-2028, 2930, 3860, 7702 */
  readonly gas: bigint;
  /** EIP-7623: the least it costs in the end; 0 before Prague */
  readonly floor: bigint;
}

/** What the sender pays in any case: both figures must be covered by the gas limit. */
export function intrinsicGas(message: Message, fork: Fork): IntrinsicGas {
  const { data } = message;
  let zeros = 0;
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++;
  const nonZeros = BigInt(data.length - zeros);
  const base = fork.param('txGas');
  let gas = base + BigInt(zeros) * fork.param('txDataZeroGas') + nonZeros * fork.param('txDataNonZeroGas');

  if (message.to === undefined && fork.atLeast('homestead')) {
    gas += fork.param('txCreationGas');
    if (fork.has(3860)) gas += fork.param('initCodeWordGas') * BigInt(Math.ceil(data.length / 32));
  }
  for (const { storageKeys } of message.accessList) {
    gas +=
      fork.param('accessListAddressGas') + BigInt(storageKeys.length) * fork.param('accessListStorageKeyGas');
  }
  if (message.authorizationList) {
    gas += BigInt(message.authorizationList.length) * fork.param('perEmptyAccountCost');
  }
  const floor = fork.has(7623)
    ? base + fork.param('totalCostFloorPerToken') * (BigInt(zeros) + 4n * nonZeros)
    : 0n;
  return { gas, floor };
}
