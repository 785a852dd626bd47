import { Address } from '@ethereumjs/util';
import { haltReason } from '../evm/halt-reason.ts';
import type { Executed, Rules } from '../evm/types.ts';
import { EXEMPT } from './executor.ts';
import type { Execution } from './types.ts';

/** The executor's bits for the rules that don't apply. */
export function exemptionsOf({ nonce, fees, sender, gasCap, transferLogs }: Rules): number {
  return (
    (nonce ? 0 : EXEMPT.nonce) |
    (fees ? 0 : EXEMPT.fees) |
    (sender ? 0 : EXEMPT.sender) |
    (gasCap ? 0 : EXEMPT.gasCap) |
    (transferLogs ? EXEMPT.transferLogs : 0)
  );
}

/** @param numberLogs see {@link ExecuteOptions} */
export function outcomeOf(execution: Execution, numberLogs: boolean): Executed {
  const { halt, createdAddress, logs, depositNonce } = execution;
  return {
    kind: 'executed',
    success: halt === undefined,
    gasUsed: execution.gasUsed,
    maxUsedGas: execution.gasBeforeRefund,
    returnData: execution.returnData,
    logs: logs.map(({ address, topics, data, emission, transfer }) => ({
      address: new Address(address),
      topics,
      data,
      ...(transfer && { transfer }),
      ...(numberLogs && { emission }),
    })),
    ...(numberLogs && { emittedLogs: execution.emittedLogs }),
    ...(createdAddress && { createdAddress: new Address(createdAddress) }),
    effectiveGasPrice: execution.effectiveGasPrice,
    blobGasUsed: execution.blobGasUsed,
    ...(depositNonce !== undefined && { depositNonce }),
    ...(halt !== undefined && { failure: { revert: halt === 'revert', reason: haltReason(halt) } }),
  };
}
