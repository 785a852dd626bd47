import { type Log as EngineLog, EVMError, type EVMResult } from '@ethereumjs/evm';
import { getCalldataFloorGas, type TypedTransaction } from '@ethereumjs/tx';
import { Address } from '@ethereumjs/util';
import type { RunTxResult } from '@ethereumjs/vm';
import { EMPTY_BYTES } from '../state/account.ts';
import { haltReason } from './halt-reason.ts';
import type { Hardfork } from './hardfork.ts';
import { TRANSFER_ADDRESS } from './transfer-logs.ts';
import type { Executed, Log } from './types.ts';

/** The result of a creation whose creator's nonce can't be incremented, with geth's message. */
export const NONCE_OVERFLOW: EVMResult = {
  execResult: {
    executionGasUsed: 0n,
    returnValue: EMPTY_BYTES,
    // EthereumJS has no error for this, since it never starts a creation with such a nonce.
    exceptionError: new EVMError('nonce uint64 overflow' as EVMError['error']),
  },
};

/**
 * What `runTx` of EthereumJS says of a transaction.
 * @param numbers of the logs, where they are numbered: see `numberLogs`
 */
export function executedOf(
  result: RunTxResult,
  tx: TypedTransaction,
  hardfork: Hardfork,
  numbers: ReadonlyMap<EngineLog, number> | undefined,
): Executed {
  const { execResult, createdAddress, totalGasSpent, amountSpent, blobGasUsed = 0n } = result;
  const error = execResult.exceptionError;
  const codeDepositFailed =
    error?.error === EVMError.errorMessages.CODESTORE_OUT_OF_GAS && !hardfork.atLeast('homestead');
  const success = error === undefined || codeDepositFailed;
  return {
    kind: 'executed',
    success,
    gasUsed: totalGasSpent,
    maxUsedGas: gasBeforeRefund(result, tx),
    ...(numbers && { emittedLogs: numbers.size }),
    effectiveGasPrice: totalGasSpent === 0n ? 0n : amountSpent / totalGasSpent,
    blobGasUsed,
    returnData: execResult.returnValue,
    logs: success ? (execResult.logs ?? []).map((log) => toLog(log, numbers?.get(log))) : [],
    ...(tx.to === undefined && createdAddress && { createdAddress }),
    ...(!success && {
      failure: { revert: error.error === EVMError.errorMessages.REVERT, reason: haltReason(error.error) },
    }),
  };
}

/** The library tells it only of hardforks that count gas of state (EIP-8037). */
function gasBeforeRefund(result: RunTxResult, tx: TypedTransaction): bigint {
  const { execResult, txRegularGas, txStateGas = 0n } = result;
  if (txRegularGas !== undefined) return txRegularGas + txStateGas;
  const used = execResult.executionGasUsed + tx.getIntrinsicGas();
  const floor = getCalldataFloorGas(tx, tx.getSenderAddress());
  return used > floor ? used : floor;
}

function toLog(log: EngineLog, emission?: number): Log {
  const [address, topics, data] = log;
  // Compared by reference: a contract at that address would emit logs with another array.
  return {
    address: new Address(address),
    topics,
    data,
    ...(address === TRANSFER_ADDRESS && { transfer: true as const }),
    ...(emission !== undefined && { emission }),
  };
}
