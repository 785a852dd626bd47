import { Address } from '@ethereumjs/util';
import type { Executed, Log, Rules } from '../../protocol/types.ts';
import { CALL_RULES } from '../engine.ts';
import { haltReason } from '../halt-reason.ts';
import { EXEMPT } from './executor.ts';
import type { Execution, ExecutorLog } from './types.ts';

const NO_LOGS: readonly never[] = [];

/** The executor's bits for the rules that don't apply. */
export function exemptionsOf({ nonce, fees, baseFee, sender, gasCap, transferLogs }: Rules): number {
  return (
    (nonce ? 0 : EXEMPT.nonce) |
    (fees ? 0 : EXEMPT.fees) |
    (baseFee ? 0 : EXEMPT.baseFee) |
    (sender ? 0 : EXEMPT.sender) |
    (gasCap ? 0 : EXEMPT.gasCap) |
    (transferLogs ? EXEMPT.transferLogs : 0)
  );
}

export const EXEMPT_IN_CALLS = exemptionsOf(CALL_RULES);

/** @param numberLogs see {@link ExecuteOptions} */
export function outcomeOf(execution: Execution, numberLogs: boolean): Executed {
  const { halt, createdAddress, logs, depositNonce } = execution;
  // No object spreads here: they would take longer than the rest of the function.
  const outcome: { -readonly [K in keyof Executed]: Executed[K] } = {
    kind: 'executed',
    success: halt === undefined,
    gasUsed: execution.gasUsed,
    maxUsedGas: execution.gasBeforeRefund,
    returnData: execution.returnData,
    logs: logs.length === 0 ? NO_LOGS : logs.map((log) => logOf(log, numberLogs)),
    effectiveGasPrice: execution.effectiveGasPrice,
    blobGasUsed: execution.blobGasUsed,
  };
  if (execution.counted) outcome.counted = execution.counted;
  if (execution.dimensions) outcome.dimensions = execution.dimensions;
  if (numberLogs) outcome.emittedLogs = execution.emittedLogs;
  if (createdAddress) outcome.createdAddress = new Address(createdAddress);
  if (depositNonce !== undefined) outcome.depositNonce = depositNonce;
  if (halt !== undefined) outcome.failure = { revert: halt === 'revert', reason: haltReason(halt) };
  return outcome;
}

function logOf({ address, topics, data, emission, transfer }: ExecutorLog, isNumbered: boolean): Log {
  const log: { -readonly [K in keyof Log]: Log[K] } = { address: new Address(address), topics, data };
  if (transfer) log.transfer = transfer;
  if (isNumbered) log.emission = emission;
  return log;
}
