import { equalsBytes, KECCAK256_NULL, MAX_UINT64 } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { StateView } from '../state/view.ts';
import type { Hardfork } from './hardfork.ts';
import type { IntrinsicGas } from './intrinsic-gas.ts';
import type { RollupFees } from './op-stack/rollup-fees.ts';
import type { BlockEnv, Message, Rules } from './types.ts';

/** EIP-7825: gas limit of one transaction */
export const TRANSACTION_GAS_CAP = 1n << 24n;
/** EIP-8037: the gas limit must only fit into 32 bits; {@link TRANSACTION_GAS_CAP} limits the execution gas instead. */
const MAX_GAS_LIMIT = 2n ** 32n - 1n;

/** The highest gas limit of one transaction; `undefined` before EIP-7825. */
export function transactionGasCap(hardfork: Hardfork): bigint | undefined {
  if (hardfork.has(8037)) return MAX_GAS_LIMIT;
  return hardfork.has(7825) ? TRANSACTION_GAS_CAP : undefined;
}

/** The part of a gas limit that counts against the block's execution gas (EIP-8037). */
export function executionGasOf(gasLimit: bigint, hardfork: Hardfork): bigint {
  return hardfork.has(8037) && gasLimit > TRANSACTION_GAS_CAP ? TRANSACTION_GAS_CAP : gasLimit;
}

/** EIP-7702: prefix of the code of an account that delegates. */
export const DELEGATION_PREFIX = new Uint8Array([0xef, 0x01, 0x00]);

/** EIP-7702: whether the code is a delegation to another account's code. */
export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && equalsBytes(code.subarray(0, 3), DELEGATION_PREFIX);
}

/** What the sender pays for gas, in wei. */
export interface GasCost {
  /** wei per gas that the sender pays; the result of GASPRICE */
  readonly gasPrice: bigint;
  /** wei per gas that goes to the coinbase */
  readonly tip: bigint;
  readonly blobGas: bigint;
  /** wei, charged before execution and never refunded */
  readonly blobFee: bigint;
}

/** The gas price and blob fee of a message in a block: EIP-1559, EIP-4844. */
export function gasCost(message: Message, env: BlockEnv, hardfork: Hardfork): GasCost {
  const baseFee = env.baseFeePerGas ?? 0n;
  const offered = baseFee + message.maxPriorityFeePerGas;
  const gasPrice = offered < message.maxFeePerGas ? offered : message.maxFeePerGas;
  const blobs = hardfork.has(4844) ? (message.blobVersionedHashes?.length ?? 0) : 0;
  const blobGas = blobs === 0 ? 0n : BigInt(blobs) * hardfork.param('blobGasPerBlob');
  return {
    gasPrice,
    // A call may offer no fee at all; then it pays no tip.
    tip: gasPrice > baseFee ? gasPrice - baseFee : 0n,
    blobGas,
    blobFee: message.maxFeePerBlobGas ? blobGas * (env.blobBaseFee ?? 0n) : 0n,
  };
}

/** A message's first violation of the rules of yellow paper 6.2 and the EIPs cited, in geth's order. */
export async function findViolation(
  message: Message,
  env: BlockEnv,
  state: StateView,
  rules: Rules,
  hardfork: Hardfork,
  cost: GasCost,
  intrinsic: IntrinsicGas,
  rollup?: RollupFees,
): Promise<DevnetError | undefined> {
  if (message.deposit) return new DevnetError('noDeposits');
  const eip = [0, 2930, 1559, 4844, 7702][message.type];
  // A call without fee fields has type 2 on any hardfork. As in geth, the type matters only for real transactions.
  const asCall = !rules.fees && message.type <= 2;
  if (eip === undefined || (eip > 0 && !hardfork.has(eip) && !asCall))
    return rejected(`transaction type not supported: ${message.type}`);

  const address = message.from.toString();
  const account = await state.getAccount(message.from);

  if (rules.nonce) {
    const expected = account?.nonce ?? 0n;
    if (message.nonce < expected)
      return new DevnetError('nonceTooLow', { address, expected, got: message.nonce });
    if (message.nonce > expected)
      return new DevnetError('nonceTooHigh', { address, expected, got: message.nonce });
    if (expected >= MAX_UINT64)
      return rejected(`nonce has max value: address ${address}, nonce: ${expected}`);
  }
  const cap = transactionGasCap(hardfork);
  if (rules.gasCap && cap !== undefined && message.gasLimit > cap)
    return new DevnetError('transactionGasCap', { cap, got: message.gasLimit });
  if (rules.sender && account && !equalsBytes(account.codeHash, KECCAK256_NULL)) {
    if (!hardfork.has(7702) || !isDelegation(await state.getCode(message.from))) {
      return new DevnetError('senderNotEOA', { address });
    }
  }
  const error =
    feeViolation(message, env, rules, address) ??
    blobViolation(message, env, rules, address, hardfork) ??
    delegationViolation(message);
  if (error) return error;

  const blobCap = cost.blobGas * (message.maxFeePerBlobGas ?? 0n);
  let worst = message.gasLimit * message.maxFeePerGas + message.value + blobCap;
  if (rollup) worst += rollup.l1Fee + rollup.operatorFee(message.gasLimit);
  const balance = account?.balance ?? 0n;
  if (balance < worst) return new DevnetError('insufficientFunds', { address, balance, cost: worst });
  return sizeViolation(message, hardfork, intrinsic);
}

/** The gas limit must cover the intrinsic gas, and init code has a maximum size (EIP-3860). */
export function sizeViolation(
  message: Message,
  hardfork: Hardfork,
  intrinsic: IntrinsicGas,
): DevnetError | undefined {
  const required = intrinsic.gas > intrinsic.floor ? intrinsic.gas : intrinsic.floor;
  if (message.gasLimit < required)
    return new DevnetError('intrinsicGas', { required, got: message.gasLimit });
  if (hardfork.has(8037) && required > TRANSACTION_GAS_CAP)
    return new DevnetError('transactionGasCap', { cap: TRANSACTION_GAS_CAP, got: required });
  if (message.to === undefined && hardfork.has(3860)) {
    const max = Number(hardfork.param('maxInitCodeSize'));
    if (message.data.length > max) return new DevnetError('initCodeSize', { size: message.data.length, max });
  }
  return undefined;
}

function feeViolation(
  { maxFeePerGas: feeCap, maxPriorityFeePerGas: tip }: Message,
  env: BlockEnv,
  rules: Rules,
  address: string,
): DevnetError | undefined {
  if (env.baseFeePerGas === undefined || !(rules.fees || feeCap > 0n || tip > 0n)) return undefined;
  if (feeCap < tip) return new DevnetError('tipAboveFeeCap', { address, tip, feeCap });
  if (feeCap >= env.baseFeePerGas || !rules.baseFee) return undefined;
  return new DevnetError('feeCapTooLow', { address, feeCap, baseFee: env.baseFeePerGas });
}

/** Why an OP chain rejects a blob transaction. */
export const NO_BLOBS = 'transaction type not supported: an OP chain has no blobs (type 3)';

/** EIP-4844, EIP-7594 */
function blobViolation(
  { type, to, blobVersionedHashes: hashes, maxFeePerBlobGas: feeCap = 0n }: Message,
  { blobBaseFee = 0n }: BlockEnv,
  rules: Rules,
  address: string,
  hardfork: Hardfork,
): DevnetError | undefined {
  if (type !== 3) return undefined;
  if (hardfork.rollup) return rejected(NO_BLOBS);
  if (to === undefined) return rejected('blob transaction of type create');
  if (!hashes?.length) return rejected('blob transaction missing blob hashes');
  if (hardfork.has(7594) && BigInt(hashes.length) > hardfork.param('maxBlobsPerTx')) {
    return rejected(
      `too many blobs in transaction (max: ${hardfork.param('maxBlobsPerTx')}, tx: ${hashes.length})`,
    );
  }
  const bad = hashes.findIndex((hash) => hash[0] !== 0x01);
  if (bad >= 0) return rejected(`blob ${bad} has invalid hash version`);
  if ((rules.fees || feeCap > 0n) && feeCap < blobBaseFee) {
    return rejected(
      `max fee per blob gas less than block blob gas fee: address ${address} blobGasFeeCap: ${feeCap}, blobBaseFee: ${blobBaseFee}`,
    );
  }
  return undefined;
}

/** EIP-7702 */
function delegationViolation({ type, to, authorizationList }: Message): DevnetError | undefined {
  if (type !== 4) return undefined;
  if (to === undefined) return rejected('EIP-7702 transaction cannot be used to create contract');
  if (!authorizationList?.length) return rejected('EIP-7702 transaction with empty auth list');
  return undefined;
}

export function rejected(reason: string): DevnetError {
  return new DevnetError('transactionRejected', { reason });
}
