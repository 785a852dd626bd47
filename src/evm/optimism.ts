import { Address, hexToBytes } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { Overlay } from '../state/overlay.ts';
import type { StateView } from '../state/view.ts';
import type { Fork } from './fork.ts';
import type { IntrinsicGas } from './intrinsic-gas.ts';
import { addBalance } from './settlement.ts';
import type { Deposit, Executed, Message } from './types.ts';
import { type GasCost, rejected, sizeViolation } from './validity.ts';

const NO_BYTES = new Uint8Array(0);
/** Base fees go here instead of being burnt (specs.optimism.io/protocol/exec-engine.html). */
const BASE_FEE_VAULT = new Address(hexToBytes('0x4200000000000000000000000000000000000019'));

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
  fork: Fork,
  intrinsic: IntrinsicGas,
): Promise<DevnetError | undefined> {
  const { deposit, from, value } = message;
  if (deposit.mint > 0n) await addBalance(state, from, deposit.mint);
  if (deposit.isSystemTransaction) return rejected('system transactions are not supported since Regolith');
  const balance = (await state.getAccount(from))?.balance ?? 0n;
  if (balance < value)
    return new DevnetError('insufficientFunds', { address: from.toString(), balance, cost: value });
  return sizeViolation(message, fork, intrinsic);
}

/** What became of a deposit that couldn't begin: since Regolith it uses all its gas. */
export function failedDeposit(
  { gasLimit, nonce }: DepositMessage,
  { message: reason }: DevnetError,
): Executed {
  return {
    kind: 'executed',
    success: false,
    gasUsed: gasLimit,
    maxUsedGas: gasLimit,
    returnData: NO_BYTES,
    logs: [],
    effectiveGasPrice: 0n,
    blobGasUsed: 0n,
    depositNonce: nonce,
    failure: { revert: false, reason },
  };
}

/** Pays the vault what was charged for gas besides the tip. */
export async function payBaseFee(
  state: Overlay,
  { gasUsed }: Executed,
  { gasPrice, tip }: GasCost,
): Promise<void> {
  const baseFees = gasUsed * (gasPrice - tip);
  if (baseFees > 0n) await addBalance(state, BASE_FEE_VAULT, baseFees);
}
