import { type Log as EngineLog, EVMError, type EVMResult } from '@ethereumjs/evm';
import { Address, hexToBytes, MAX_UINT64 } from '@ethereumjs/util';
import { EMPTY_BYTES, MAX_BALANCE, NEW_ACCOUNT } from '../state/account.ts';
import type { Overlay } from '../state/overlay.ts';
import { haltReason } from './halt-reason.ts';
import type { Hardfork } from './hardfork.ts';
import type { IntrinsicGas } from './intrinsic-gas.ts';
import { TRANSFER_ADDRESS } from './transfer-logs.ts';
import type { BlockEnv, Executed, Log, Message } from './types.ts';
import type { GasCost } from './validity.ts';

/**
 * Charges the sender for gas and blob gas and increments the nonce, before anything runs. As in geth, the nonce of a
 * message that need not keep the nonce rule wraps from 2^64-1 to 0, but stays when a contract is to be created
 * (EIP-2681).
 * @returns false when the contract can't be created for that reason
 */
export async function charge(state: Overlay, message: Message, cost: GasCost): Promise<boolean> {
  const account = (await state.getAccount(message.from)) ?? NEW_ACCOUNT;
  const overflows = message.to === undefined && account.nonce === MAX_UINT64;
  state.setAccount(message.from, {
    ...account,
    nonce: overflows ? account.nonce : BigInt.asUintN(64, account.nonce + 1n),
    balance: account.balance - message.gasLimit * cost.gasPrice - cost.blobFee,
  });
  return !overflows;
}

/** The result of a creation whose creator's nonce can't be incremented, with geth's message. */
export const NONCE_OVERFLOW: EVMResult = {
  execResult: {
    executionGasUsed: 0n,
    returnValue: EMPTY_BYTES,
    // EthereumJS has no error for this, since it never starts a creation with such a nonce.
    exceptionError: new EVMError('nonce uint64 overflow' as EVMError['error']),
  },
};

/** Applies refunds, returns unused gas to the sender and pays the coinbase. */
export async function settle(
  state: Overlay,
  message: Message,
  env: BlockEnv,
  hardfork: Hardfork,
  cost: GasCost,
  intrinsic: IntrinsicGas,
  delegationRefund: bigint,
  result: EVMResult,
  numbers: ReadonlyMap<EngineLog, number> | undefined,
): Promise<Executed> {
  const { execResult } = result;
  const before = execResult.executionGasUsed + intrinsic.gas;
  const refund = delegationRefund + (execResult.gasRefund ?? 0n);
  // EIP-3529
  const maxRefund = before / (hardfork.has(3529) ? 5n : 2n);
  let gasUsed = before - (refund < maxRefund ? refund : maxRefund);
  if (gasUsed < intrinsic.floor) gasUsed = intrinsic.floor;

  await addBalance(state, message.from, (message.gasLimit - gasUsed) * cost.gasPrice);
  const tip = hardfork.has(1559) ? cost.tip : cost.gasPrice;
  await addBalance(state, env.coinbase, gasUsed * tip);

  return {
    kind: 'executed',
    gasUsed,
    maxUsedGas: before > intrinsic.floor ? before : intrinsic.floor,
    ...(numbers && { emittedLogs: numbers.size }),
    effectiveGasPrice: cost.gasPrice,
    blobGasUsed: cost.blobGas,
    ...outcomeOfFrame(result, message.to === undefined, hardfork, numbers),
  };
}

/** What the outermost frame says of the outcome of its transaction. */
export function outcomeOfFrame(
  { execResult, createdAddress }: EVMResult,
  creates: boolean,
  hardfork: Hardfork,
  numbers?: ReadonlyMap<EngineLog, number>,
): Pick<Executed, 'success' | 'returnData' | 'logs' | 'createdAddress' | 'failure'> {
  const error = execResult.exceptionError;
  const codeDepositFailed =
    error?.error === EVMError.errorMessages.CODESTORE_OUT_OF_GAS && !hardfork.atLeast('homestead');
  const success = error === undefined || codeDepositFailed;
  return {
    success,
    returnData: execResult.returnValue,
    logs: success ? (execResult.logs ?? []).map((log) => toLog(log, numbers?.get(log))) : [],
    ...(creates && createdAddress && { createdAddress }),
    ...(!success && {
      failure: { revert: error.error === EVMError.errorMessages.REVERT, reason: haltReason(error.error) },
    }),
  };
}

/**
 * Creates the account when it is missing. Wei that would bring the balance above 256 bits are lost, as in the executor's
 * core: only a balance that a dev method has set comes near, and no specification says what happens then.
 */
export async function addBalance(state: Overlay, address: Address, wei: bigint): Promise<void> {
  const account = (await state.getAccount(address)) ?? NEW_ACCOUNT;
  if (account.balance + wei > MAX_BALANCE) return;
  state.setAccount(address, { ...account, balance: account.balance + wei });
}

/** Deletes self-destructed accounts at the end of the transaction; since EIP-6780 only those created in it. */
export async function removeDestroyed(
  state: Overlay,
  hardfork: Hardfork,
  { execResult }: EVMResult,
): Promise<void> {
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    if (hardfork.has(6780) && !execResult.createdAddresses?.has(address)) continue;
    state.setAccount(new Address(hexToBytes(address)), undefined);
  }
}

function toLog([address, topics, data]: EngineLog, emission?: number): Log {
  // Compared by reference: a contract at that address would emit logs with another array.
  return {
    address: new Address(address),
    topics,
    data,
    ...(address === TRANSFER_ADDRESS && { transfer: true as const }),
    ...(emission !== undefined && { emission }),
  };
}
