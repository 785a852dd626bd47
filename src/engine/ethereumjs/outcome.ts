import { type Log as EngineLog, EVMError, type EVMResult } from '@ethereumjs/evm';
import { getCalldataFloorGas, type TypedTransaction } from '@ethereumjs/tx';
import { Address } from '@ethereumjs/util';
import type { RunTxResult } from '@ethereumjs/vm';
import type { Hardfork } from '../../protocol/hardfork.ts';
import type { Executed, Log } from '../../protocol/types.ts';
import { EMPTY_BYTES } from '../../state/account.ts';
import { haltReason } from '../halt-reason.ts';

/** The result of a creation whose creator's nonce can't be incremented, with geth's message. */
export const NONCE_OVERFLOW: EVMResult = {
  execResult: {
    executionGasUsed: 0n,
    returnValue: EMPTY_BYTES,
    // EthereumJS has no error for this, since it never starts a creation with such a nonce.
    exceptionError: new EVMError('nonce uint64 overflow' as EVMError['error']),
  },
};

/** Values of the EVM after a run that the library's result doesn't contain. */
interface AfterRun {
  /** gas that the outermost frame has left */
  readonly gasLeft: bigint;
  /** state gas that is left in the reservoir (EIP-8037) */
  readonly stateGasReservoir: bigint;
}

/** Converts the result of EthereumJS's `runTx` to an outcome. */
export function executedOf(
  result: RunTxResult,
  tx: TypedTransaction,
  hardfork: Hardfork,
  { gasLeft, stateGasReservoir }: AfterRun,
): Executed {
  const { execResult, createdAddress, totalGasSpent, amountSpent, blobGasUsed = 0n } = result;
  const error = execResult.exceptionError;
  const codeDepositFailed =
    error?.error === EVMError.errorMessages.CODESTORE_OUT_OF_GAS && !hardfork.atLeast('homestead');
  const success = error === undefined || codeDepositFailed;
  const spent = tx.gasLimit - gasLeft - stateGasReservoir;
  const floor = getCalldataFloorGas(tx, tx.getSenderAddress());
  return {
    kind: 'executed',
    success,
    gasUsed: totalGasSpent,
    maxUsedGas: spent > floor ? spent : floor,
    ...gasDimensions(result, spent, hardfork),
    effectiveGasPrice: totalGasSpent === 0n ? 0n : amountSpent / totalGasSpent,
    blobGasUsed,
    returnData: execResult.returnValue,
    logs: success ? (execResult.logs ?? []).map(toLog) : [],
    ...(tx.to === undefined && createdAddress && { createdAddress }),
    ...(!success && {
      failure: { revert: error.error === EVMError.errorMessages.REVERT, reason: haltReason(error.error) },
    }),
  };
}

/** The two dimensions of gas (EIP-8037). @param spent gas before refunds, without the calldata floor (EIP-7623) */
function gasDimensions(
  { execResult, txRegularGas, txStateGas: state = 0n }: RunTxResult,
  spent: bigint,
  hardfork: Hardfork,
): Pick<Executed, 'counted' | 'dimensions'> {
  if (txRegularGas === undefined) return {};
  const most = spent / hardfork.param('maxRefundQuotient');
  const { gasRefund = 0n } = execResult;
  return {
    counted: { execution: txRegularGas, state },
    dimensions: { execution: spent - state, state, refund: gasRefund < most ? gasRefund : most },
  };
}

function toLog([address, topics, data]: EngineLog): Log {
  return { address: new Address(address), topics, data };
}
