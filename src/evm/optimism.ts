import { Address, generateAddress, hexToBytes } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { integerBytes } from '../state/integers.ts';
import type { Overlay } from '../state/overlay.ts';
import type { StateView } from '../state/view.ts';
import type { Hardfork } from './hardfork.ts';
import type { IntrinsicGas } from './intrinsic-gas.ts';
import type { RollupFees } from './rollup-fees.ts';
import { addBalance } from './settlement.ts';
import type { Deposit, Executed, Message } from './types.ts';
import { type GasCost, rejected, sizeViolation } from './validity.ts';

const NO_BYTES = new Uint8Array(0);
/** Where fees go besides the tip (specs.optimism.io/protocol/exec-engine.html); Ethereum burns the base fee. */
const BASE_FEE_VAULT = new Address(hexToBytes('0x4200000000000000000000000000000000000019'));
const L1_FEE_VAULT = new Address(hexToBytes('0x420000000000000000000000000000000000001a'));
const OPERATOR_FEE_VAULT = new Address(hexToBytes('0x420000000000000000000000000000000000001b'));

/** What a message is whose deposit is there. */
type DepositMessage = Message & { readonly deposit: Deposit };

export function isDeposit(message: Message): message is DepositMessage {
  return message.deposit !== undefined;
}

/** The deposit with the nonce that its sender has now. */
export async function withNonce(message: DepositMessage, state: StateView): Promise<DepositMessage> {
  return { ...message, nonce: (await state.getAccount(message.from))?.nonce ?? 0n };
}

/**
 * Mints what a deposit brings along, and looks whether the rest of it can begin. Nonce, fees and the sender's code are not
 * asked of it, nor is the cap of EIP-7825.
 * @returns why the rest can't
 */
export async function mint(
  state: Overlay,
  message: DepositMessage,
  hardfork: Hardfork,
  intrinsic: IntrinsicGas,
): Promise<DevnetError | undefined> {
  const { deposit, from, value } = message;
  if (deposit.mint > 0n) await addBalance(state, from, deposit.mint);
  if (deposit.isSystemTransaction) return rejected('system transactions are not supported since Regolith');
  const balance = (await state.getAccount(from))?.balance ?? 0n;
  if (balance < value)
    return new DevnetError('insufficientFunds', { address: from.toString(), balance, cost: value });
  return sizeViolation(message, hardfork, intrinsic);
}

/** What became of a deposit that couldn't begin: since Regolith it uses all its gas. */
export function failedDeposit(
  { from, to, gasLimit, nonce }: DepositMessage,
  { message: reason }: DevnetError,
): Executed {
  return {
    kind: 'executed',
    success: false,
    gasUsed: gasLimit,
    maxUsedGas: gasLimit,
    returnData: NO_BYTES,
    logs: [],
    // Where it would have been created, as of creations that fail later.
    ...(!to && { createdAddress: new Address(generateAddress(from.bytes, integerBytes(nonce))) }),
    effectiveGasPrice: 0n,
    blobGasUsed: 0n,
    depositNonce: nonce,
    failure: { revert: false, reason },
  };
}

/** Takes from the sender what it pays besides gas: for its bytes, and the most that the operator asks. */
export async function chargeRollup(
  state: Overlay,
  { from, gasLimit }: Message,
  { l1Fee, operatorFee }: RollupFees,
): Promise<void> {
  await addBalance(state, from, -l1Fee - operatorFee(gasLimit));
}

/** Pays the vaults: what was charged for gas besides the tip, and the fees of L1 and of the operator. */
export async function payVaults(
  state: Overlay,
  { from, gasLimit }: Message,
  { gasUsed }: Executed,
  { gasPrice, tip }: GasCost,
  rollup: RollupFees | undefined,
): Promise<void> {
  await pay(state, BASE_FEE_VAULT, gasUsed * (gasPrice - tip));
  if (!rollup) return;
  const operatorFee = rollup.operatorFee(gasUsed);
  await pay(state, from, rollup.operatorFee(gasLimit) - operatorFee);
  await pay(state, L1_FEE_VAULT, rollup.l1Fee);
  await pay(state, OPERATOR_FEE_VAULT, operatorFee);
}

async function pay(state: Overlay, to: Address, wei: bigint): Promise<void> {
  if (wei > 0n) await addBalance(state, to, wei);
}
