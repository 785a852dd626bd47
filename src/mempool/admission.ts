import type { Transaction } from '../chain/block.ts';
import { messageOf } from '../engine/message.ts';
import { DevnetError } from '../errors.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import { intrinsicGas } from '../protocol/intrinsic-gas.ts';
import { DEPOSIT_TYPE, type DepositTransaction } from '../protocol/op-stack/deposit-transaction.ts';
import type { SignedTransaction } from '../protocol/signed-transaction.ts';
import type { Message } from '../protocol/types.ts';
import { isDelegation, NO_BLOBS, sizeViolation } from '../protocol/validity.ts';
import { feesOf } from './fees.ts';

/** The sender's account in the newest view. */
export interface SenderView {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  /** absent or empty for an account without code */
  readonly code?: Uint8Array;
  /** on an OP Stack chain: the transaction's cost besides gas, in wei */
  readonly rollupCost?: bigint;
}

/** Rules that a transaction must satisfy to enter the mempool. */
export interface AdmissionRules {
  /** gas limit of a block, which a transaction's gas limit may not exceed */
  readonly blockGasLimit: bigint;
  /** lowest fee cap, wei per gas; default 0 */
  readonly minGasPrice?: bigint;
  /**
   * In modes that seal each send: fees of the next block, in wei per gas and per blob gas. A lower fee cap is rejected,
   * because the fees can't fall without another block.
   */
  readonly blockFees?: { readonly baseFee: bigint | undefined; readonly blobBaseFee: bigint | undefined };
  /** Rejects a transaction with a nonce gap, instead of queueing it. */
  readonly refusesGaps?: boolean;
  /** The OP Stack's fees apply. */
  readonly optimism?: boolean;
  /** The next block's hardfork. */
  readonly hardfork: () => Hardfork;
  /** Lifts EIP-3860's limit on the size of initcode. */
  readonly unlimitedInitCode?: boolean;
}

/**
 * Makes geth's checks of a transaction before it enters the pool, in geth's order. Doesn't check the nonce queues. A fee cap
 * below the base fee is allowed unless the rules forbid it: the transaction then waits until the base fee falls.
 * @throws DevnetError -32003
 */
export function checkAdmission(transaction: Transaction, view: SenderView, rules: AdmissionRules): void {
  const { tx } = transaction;
  const message = messageOf(transaction);
  const hardfork = rules.hardfork();
  if (tx.type === DEPOSIT_TYPE) {
    checkDeposit(tx, message, view, rules);
    return;
  }
  if (hardfork.rollup && tx.type === 3) reject(NO_BLOBS);
  if (!rules.unlimitedInitCode) checkInitCode(tx, hardfork);
  checkGas(message, rules.blockGasLimit, hardfork);
  checkFees(tx, rules);
  checkSender(transaction, view);
  if (tx.nonce < view.nonce)
    throw new DevnetError('poolNonceTooLow', {
      expected: view.nonce,
      got: tx.nonce,
      ...(rules.refusesGaps && { refusesGaps: true }),
    });
  const cost = maximumCost(tx, hardfork) + (view.rollupCost ?? 0n);
  if (view.balance < cost) throw new DevnetError('poolInsufficientFunds', { balance: view.balance, cost });
}

/**
 * Makes anvil's checks of a deposit. On a real OP chain deposits come from L1 and are never rejected: a deposit that breaks
 * these rules is included in a block and fails there.
 */
function checkDeposit(
  tx: DepositTransaction,
  message: Message,
  { balance }: SenderView,
  rules: AdmissionRules,
): void {
  checkBlockGas(tx, rules.blockGasLimit);
  const hardfork = rules.hardfork();
  const fault = sizeViolation(message, hardfork, intrinsicGas(message, hardfork));
  if (fault) reject(fault.message);
  if (balance + tx.mint < tx.value)
    throw new DevnetError('poolInsufficientFunds', { balance: balance + tx.mint, cost: tx.value });
}

/** The maximum cost of a transaction for its sender, in wei: gas and blob gas at their fee caps, plus the value. */
export function maximumCost(tx: SignedTransaction, hardfork: Hardfork): bigint {
  const { feeCap, blobFeeCap } = feesOf(tx);
  const blobs = 'blobVersionedHashes' in tx ? BigInt(tx.blobVersionedHashes.length) : 0n;
  const blobGas = blobs === 0n ? 0n : blobs * hardfork.param('blobGasPerBlob');
  return tx.gasLimit * feeCap + blobGas * (blobFeeCap ?? 0n) + tx.value;
}

/** EIP-3860 */
function checkInitCode(tx: SignedTransaction, hardfork: Hardfork): void {
  if (tx.to || !hardfork.has(3860)) return;
  const max = Number(hardfork.param('maxInitCodeSize'));
  if (tx.data.length > max) reject(`max initcode size exceeded: code size ${tx.data.length}, limit ${max}`);
}

/** Checks the gas limit against the block's, the intrinsic gas, and the calldata floor (EIP-7623). */
function checkGas(message: Message, blockGasLimit: bigint, hardfork: Hardfork): void {
  checkBlockGas(message, blockGasLimit);
  const { gasLimit } = message;
  const { gas, floor } = intrinsicGas(message, hardfork);
  if (gasLimit < gas) throw new DevnetError('poolIntrinsicGas', { required: gas, got: gasLimit });
  if (gasLimit < floor) throw new DevnetError('poolFloorGas', { required: floor, got: gasLimit });
}

function checkBlockGas({ gasLimit }: { readonly gasLimit: bigint }, limit: bigint): void {
  if (gasLimit > limit) throw new DevnetError('poolBlockGasLimit', { limit, got: gasLimit });
}

function checkFees(tx: SignedTransaction, { minGasPrice = 0n, blockFees }: AdmissionRules): void {
  const { feeCap, tip, blobFeeCap } = feesOf(tx);
  if (tip > feeCap) throw new DevnetError('poolTipTooHigh', { tip, feeCap });
  if (feeCap < minGasPrice) throw new DevnetError('underpriced', { minimum: minGasPrice, got: feeCap });
  // The blob base fee is at least 1 wei (EIP-4844), so a transaction with a lower cap can never be included.
  if (blobFeeCap !== undefined && blobFeeCap < 1n)
    throw new DevnetError('underpriced', { minimum: 1n, got: blobFeeCap });
  const { baseFee = 0n, blobBaseFee = 0n } = blockFees ?? {};
  const field = 'maxFeePerGas' in tx ? 'maxFeePerGas' : 'gasPrice';
  if (feeCap < baseFee) throw new DevnetError('poolFeeCapTooLow', { field, feeCap, baseFee });
  if (blobFeeCap !== undefined && blobFeeCap < blobBaseFee)
    throw new DevnetError('poolBlobFeeCapTooLow', { feeCap: blobFeeCap, baseFee: blobBaseFee });
}

/** EIP-3607: a sender may not have code. A delegation (EIP-7702) is allowed, and so is an impersonated contract. */
function checkSender({ from, impersonated }: Transaction, { code }: SenderView): void {
  if (impersonated || !code?.length) return;
  if (!isDelegation(code)) reject(`sender not an eoa: address ${from}`);
}

function reject(reason: string): never {
  throw new DevnetError('transactionRejected', { reason });
}
