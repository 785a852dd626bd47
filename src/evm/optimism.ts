import { Address, generateAddress, hexToBytes } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { EMPTY_BYTES } from '../state/account.ts';
import { integerBytes } from '../state/integers.ts';
import type { Overlay } from '../state/overlay.ts';
import { PREDEPLOYS } from '../state/predeploys.ts';
import type { StateView } from '../state/view.ts';
import type { Hardfork } from './hardfork.ts';
import type { IntrinsicGas } from './intrinsic-gas.ts';
import type { RollupFees } from './rollup-fees.ts';
import { addBalance } from './settlement.ts';
import type { Deposit, Executed, Message, Rules } from './types.ts';
import { type GasCost, rejected, sizeViolation } from './validity.ts';

/** The L2ToL1MessagePasser contract, whose storage root is the `withdrawalsRoot` of headers since Isthmus. */
export const MESSAGE_PASSER = new Address(hexToBytes(PREDEPLOYS.messagePasser));
/** Accounts that get the fees other than the tip (specs.optimism.io/protocol/exec-engine.html). */
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

/**
 * Credits the deposit's `mint` to the sender, and checks whether the rest of the deposit can begin. Nonce, fees, the
 * sender's code and the gas cap of EIP-7825 are not checked for deposits.
 * @returns why the rest can't begin
 */
export async function mint(
  state: Overlay,
  message: DepositMessage,
  hardfork: Hardfork,
  intrinsic: IntrinsicGas,
): Promise<DevnetError | undefined> {
  const { deposit, from } = message;
  if (deposit.mint > 0n) await addBalance(state, from, deposit.mint);
  const balance = (await state.getAccount(from))?.balance ?? 0n;
  return depositViolation(message, balance, hardfork, intrinsic);
}

/** @param balance of the sender, in wei. @returns why a deposit can't begin */
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

/** The bytes that a message pays an L1 fee for; `undefined` for a call, which pays none. */
export function chargedBytes({ raw }: Message, { nonce }: Rules): Uint8Array | undefined {
  return nonce ? raw : undefined;
}

/** Charges the sender the L1 fee for the transaction's bytes, and the operator fee for the full gas limit. */
export async function chargeRollup(
  state: Overlay,
  { from, gasLimit }: Message,
  { l1Fee, operatorFee }: RollupFees,
): Promise<void> {
  await addBalance(state, from, -l1Fee - operatorFee(gasLimit));
}

/**
 * What is paid when a message has ended: base fee, L1 fee and operator fee to their vaults, and the operator fee of
 * unused gas back to the sender.
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
