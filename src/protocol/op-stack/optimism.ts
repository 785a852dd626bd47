import { Address, generateAddress, hexToBytes } from '@ethereumjs/util';
import { DevnetError } from '../../errors.ts';
import { EMPTY_BYTES, NEW_ACCOUNT } from '../../state/account.ts';
import { addBalance } from '../../state/add-balance.ts';
import { integerBytes } from '../../state/integers.ts';
import type { Overlay } from '../../state/overlay.ts';
import { PREDEPLOYS } from '../../state/predeploys.ts';
import type { StateView } from '../../state/view.ts';
import type { Hardfork } from '../hardfork.ts';
import { type IntrinsicGas, intrinsicGas } from '../intrinsic-gas.ts';
import type { Deposit, Executed, Message, Rules } from '../types.ts';
import { type GasCost, rejected, sizeViolation } from '../validity.ts';
import type { RollupFees } from './rollup-fees.ts';

/** The L2ToL1MessagePasser contract, whose storage root is the `withdrawalsRoot` of headers since Isthmus. */
export const MESSAGE_PASSER = new Address(hexToBytes(PREDEPLOYS.messagePasser));
/** Accounts that receive the fees except the tip (specs.optimism.io/protocol/exec-engine.html). */
const BASE_FEE_VAULT = new Address(hexToBytes(PREDEPLOYS.baseFeeVault));
const L1_FEE_VAULT = new Address(hexToBytes(PREDEPLOYS.l1FeeVault));
const OPERATOR_FEE_VAULT = new Address(hexToBytes(PREDEPLOYS.operatorFeeVault));

/** A message that is known to be a deposit. */
type DepositMessage = Message & { readonly deposit: Deposit };

export function isDeposit(message: Message): message is DepositMessage {
  return message.deposit !== undefined;
}

/** Sets the message's nonce to the sender's current one. */
export async function withNonce(message: DepositMessage, state: StateView): Promise<DepositMessage> {
  return { ...message, nonce: (await state.getAccount(message.from))?.nonce ?? 0n };
}

/** The rules of signed transactions don't apply to a deposit: L1 has checked it. */
export const DEPOSIT_RULES = { nonce: false, fees: false, baseFee: false, sender: false, gasCap: false };

/** Credits the deposit's `mint` to the sender. */
export async function mint(state: Overlay, { deposit, from }: DepositMessage): Promise<void> {
  if (deposit.mint > 0n) await addBalance(state, from, deposit.mint);
}

/** @param state the state after {@link mint}. @returns why the rest of the deposit can't begin */
export async function depositFault(
  message: DepositMessage,
  state: StateView,
  hardfork: Hardfork,
): Promise<DevnetError | undefined> {
  const balance = (await state.getAccount(message.from))?.balance ?? 0n;
  return depositViolation(message, balance, hardfork, intrinsicGas(message, hardfork));
}

/** Increments the sender's nonce for a deposit that couldn't begin. */
export async function countNonce(state: Overlay, from: Address): Promise<void> {
  const account = (await state.getAccount(from)) ?? NEW_ACCOUNT;
  state.setAccount(from, { ...account, nonce: BigInt.asUintN(64, account.nonce + 1n) });
}

/** @param balance the sender's balance, in wei. @returns why a deposit can't begin */
export function depositViolation(
  message: DepositMessage,
  balance: bigint,
  hardfork: Hardfork,
  intrinsic: IntrinsicGas,
): DevnetError | undefined {
  const { deposit, from, value } = message;
  if (deposit.isSystemTransaction) return rejected('system transactions are not supported since Regolith');
  if (balance < value)
    return new DevnetError('insufficientFunds', { address: from.toString(), balance, cost: value });
  return sizeViolation(message, hardfork, intrinsic);
}

/** The result of a deposit that couldn't begin: since Regolith it uses all its gas. */
export function failedDeposit(
  { from, to, gasLimit, nonce }: DepositMessage,
  { message: reason }: DevnetError,
): Executed {
  return {
    kind: 'executed',
    success: false,
    gasUsed: gasLimit,
    maxUsedGas: gasLimit,
    returnData: EMPTY_BYTES,
    logs: [],
    // The address that the contract would have had, as for creations that fail while they run.
    ...(!to && { createdAddress: new Address(generateAddress(from.bytes, integerBytes(nonce))) }),
    effectiveGasPrice: 0n,
    blobGasUsed: 0n,
    depositNonce: nonce,
    failure: { revert: false, reason },
  };
}

/** The bytes for which a message pays an L1 fee; `undefined` for a call, which pays none. */
export function chargedBytes({ raw }: Message, { nonce }: Rules): Uint8Array | undefined {
  return nonce ? raw : undefined;
}

/**
 * Charges the sender the L1 fee for the transaction's bytes, and the operator fee for the full gas limit.
 * @returns false when the sender can't pay them
 */
export async function chargeRollup(
  state: Overlay,
  { from, gasLimit }: Message,
  { l1Fee, operatorFee }: RollupFees,
): Promise<boolean> {
  const fee = l1Fee + operatorFee(gasLimit);
  if (((await state.getAccount(from))?.balance ?? 0n) < fee) return false;
  await addBalance(state, from, -fee);
  return true;
}

/**
 * The payments after a message has ended: base fee, L1 fee and operator fee to their vaults, and the operator fee for unused gas back to
 * the sender.
 */
export function paymentsOf(
  { from, gasLimit }: Message,
  { gasUsed }: Pick<Executed, 'gasUsed'>,
  { gasPrice, tip }: Pick<GasCost, 'gasPrice' | 'tip'>,
  rollup: RollupFees | undefined,
): { readonly to: Address; readonly wei: bigint }[] {
  const baseFee = { to: BASE_FEE_VAULT, wei: gasUsed * (gasPrice - tip) };
  if (!rollup) return [baseFee];
  const operatorFee = rollup.operatorFee(gasUsed);
  return [
    baseFee,
    { to: from, wei: rollup.operatorFee(gasLimit) - operatorFee },
    { to: L1_FEE_VAULT, wei: rollup.l1Fee },
    { to: OPERATOR_FEE_VAULT, wei: operatorFee },
  ];
}
