import type { TypedTransaction } from '@ethereumjs/tx';
import { bytesToHex } from '@ethereumjs/util';
import type { Transaction } from '../chain/block.ts';
import { DevnetError } from '../errors.ts';
import { DEPOSIT_TYPE, type DepositTransaction } from '../evm/deposit-transaction.ts';
import type { Hardfork } from '../evm/hardfork.ts';
import { intrinsicGas } from '../evm/intrinsic-gas.ts';
import { messageOf } from '../evm/message.ts';
import type { Message } from '../evm/types.ts';
import { sizeViolation } from '../evm/validity.ts';
import { feesOf } from './fees.ts';

/** The sender's account in the pending view. */
export interface SenderView {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  /** absent or empty without code */
  readonly code?: Uint8Array;
}

/** What a transaction must satisfy to wait here. */
export interface AdmissionRules {
  /** gas; a transaction above it never fits a block */
  readonly blockGasLimit: bigint;
  /** wei per gas that the fee cap must reach; default 0 */
  readonly minGasPrice?: bigint;
  /**
   * Of the block that is made for each send alone, in wei per (blob) gas. A fee cap below is refused then: no block would
   * follow in which the fee falls.
   */
  readonly blockFees?: { readonly baseFee: bigint | undefined; readonly blobBaseFee: bigint | undefined };
  /** Refuses a nonce after a gap, instead of letting it wait. */
  readonly refusesGaps?: boolean;
  /** Whose rules the block to come has; asked about deposits only. */
  readonly hardfork: () => Hardfork;
  /** Lifts EIP-3860's limit on the size of init code. */
  readonly unlimitedInitCode?: boolean;
}

/**
 * geth's checks at the door of its pool, in its order, before the nonce queues are looked at. A fee cap below the base
 * fee is fine, unless the rules say otherwise: the transaction waits until the base fee falls.
 * @throws DevnetError -32003
 */
export function checkAdmission(transaction: Transaction, view: SenderView, rules: AdmissionRules): void {
  const { tx } = transaction;
  if (tx.type === DEPOSIT_TYPE) {
    checkDeposit(tx, messageOf(transaction), view, rules);
    return;
  }
  if (!rules.unlimitedInitCode) checkInitCode(tx);
  checkGas(tx, rules.blockGasLimit);
  checkFees(tx, rules);
  checkSender(transaction, view);
  if (tx.nonce < view.nonce)
    throw new DevnetError('poolNonceTooLow', {
      expected: view.nonce,
      got: tx.nonce,
      ...(rules.refusesGaps && { refusesGaps: true }),
    });
  const cost = maximumCost(tx);
  if (view.balance < cost) throw new DevnetError('poolInsufficientFunds', { balance: view.balance, cost });
}

/**
 * What anvil asks of a deposit. On an OP chain L1 says which there are: there one that breaks these rules stands in its
 * block, and fails.
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

/** The most that a transaction can cost its sender: gas and blob gas at their caps, and the value. In wei. */
export function maximumCost(tx: TypedTransaction): bigint {
  const { feeCap, blobFeeCap } = feesOf(tx);
  const blobs = 'blobVersionedHashes' in tx ? BigInt(tx.blobVersionedHashes.length) : 0n;
  const blobGas = blobs === 0n ? 0n : blobs * tx.common.param('blobGasPerBlob');
  return tx.gasLimit * feeCap + blobGas * (blobFeeCap ?? 0n) + tx.value;
}

/** EIP-3860 */
function checkInitCode(tx: TypedTransaction): void {
  if (tx.to || !tx.common.isActivatedEIP(3860)) return;
  const max = Number(tx.common.param('maxInitCodeSize'));
  if (tx.data.length > max) reject(`max initcode size exceeded: code size ${tx.data.length}, limit ${max}`);
}

/** The block's limit, the intrinsic gas and the floor for call data (EIP-7623). */
function checkGas(tx: TypedTransaction, blockGasLimit: bigint): void {
  checkBlockGas(tx, blockGasLimit);
  const intrinsic = tx.getIntrinsicGas();
  if (tx.gasLimit < intrinsic)
    throw new DevnetError('poolIntrinsicGas', { required: intrinsic, got: tx.gasLimit });
  const floor = tx.getMinimumGasLimit();
  if (tx.gasLimit < floor) throw new DevnetError('poolFloorGas', { required: floor, got: tx.gasLimit });
}

function checkBlockGas({ gasLimit }: { readonly gasLimit: bigint }, limit: bigint): void {
  if (gasLimit > limit) throw new DevnetError('poolBlockGasLimit', { limit, got: gasLimit });
}

function checkFees(tx: TypedTransaction, { minGasPrice = 0n, blockFees }: AdmissionRules): void {
  const { feeCap, tip, blobFeeCap } = feesOf(tx);
  if (tip > feeCap) throw new DevnetError('poolTipTooHigh', { tip, feeCap });
  if (feeCap < minGasPrice) throw new DevnetError('underpriced', { minimum: minGasPrice, got: feeCap });
  // One wei is the least the blob base fee can be (EIP-4844), so less never enters a block.
  if (blobFeeCap !== undefined && blobFeeCap < 1n)
    throw new DevnetError('underpriced', { minimum: 1n, got: blobFeeCap });
  const { baseFee = 0n, blobBaseFee = 0n } = blockFees ?? {};
  const field = 'maxFeePerGas' in tx ? 'maxFeePerGas' : 'gasPrice';
  if (feeCap < baseFee) throw new DevnetError('poolFeeCapTooLow', { field, feeCap, baseFee });
  if (blobFeeCap !== undefined && blobFeeCap < blobBaseFee)
    throw new DevnetError('poolBlobFeeCapTooLow', { feeCap: blobFeeCap, baseFee: blobBaseFee });
}

/** EIP-3607; a delegation (EIP-7702) doesn't count as code. A contract can send by impersonation. */
function checkSender({ from, impersonated }: Transaction, { code }: SenderView): void {
  if (impersonated || !code?.length) return;
  const isDelegation = code.length === 23 && bytesToHex(code.subarray(0, 3)) === '0xef0100';
  if (!isDelegation) reject(`sender not an eoa: address ${from}`);
}

function reject(reason: string): never {
  throw new DevnetError('transactionRejected', { reason });
}
