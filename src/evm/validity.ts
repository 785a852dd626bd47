import { equalsBytes, KECCAK256_NULL } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { StateView } from '../state/view.ts';
import type { Fork } from './fork.ts';
import type { IntrinsicGas } from './intrinsic-gas.ts';
import type { BlockEnv, Message, Rules } from './types.ts';

/** EIP-7825: gas that one transaction may ask for */
export const TRANSACTION_GAS_CAP = 1n << 24n;
/** EIP-7702: code of an account that delegates starts with this. */
const DELEGATION_PREFIX = new Uint8Array([0xef, 0x01, 0x00]);

/** EIP-7702: does this code only point to another account's? */
export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && equalsBytes(code.subarray(0, 3), DELEGATION_PREFIX);
}

/** What the sender pays for gas, in wei. */
export interface GasCost {
  /** wei per gas that is charged, and that GASPRICE answers */
  readonly gasPrice: bigint;
  /** wei per gas that goes to the coinbase */
  readonly tip: bigint;
  readonly blobGas: bigint;
  /** wei, charged before execution and not given back */
  readonly blobFee: bigint;
}

/** The price a message pays in a block: EIP-1559, EIP-4844. */
export function gasCost(message: Message, env: BlockEnv, fork: Fork): GasCost {
  const baseFee = env.baseFeePerGas ?? 0n;
  const offered = baseFee + message.maxPriorityFeePerGas;
  const gasPrice = offered < message.maxFeePerGas ? offered : message.maxFeePerGas;
  const blobs = message.blobVersionedHashes?.length ?? 0;
  const blobGas = blobs === 0 ? 0n : BigInt(blobs) * fork.param('blobGasPerBlob');
  return {
    gasPrice,
    // A call that offers no fee pays no tip either, whatever the base fee.
    tip: gasPrice > baseFee ? gasPrice - baseFee : 0n,
    blobGas,
    blobFee: message.maxFeePerBlobGas ? blobGas * (env.blobBaseFee ?? 0n) : 0n,
  };
}

/**
 * The rules that a message must keep to stand in a block (yellow paper section 6.2 and the EIPs cited), in geth's order.
 * @returns the first one broken
 */
export async function findViolation(
  message: Message,
  env: BlockEnv,
  state: StateView,
  rules: Rules,
  fork: Fork,
  cost: GasCost,
  intrinsic: IntrinsicGas,
): Promise<DevnetError | undefined> {
  const address = message.from.toString();
  const account = await state.getAccount(message.from);

  if (rules.nonce) {
    const expected = account?.nonce ?? 0n;
    if (message.nonce < expected)
      return new DevnetError('nonceTooLow', { address, expected, got: message.nonce });
    if (message.nonce > expected)
      return new DevnetError('nonceTooHigh', { address, expected, got: message.nonce });
  }
  if (rules.gasCap && fork.has(7825) && message.gasLimit > TRANSACTION_GAS_CAP) {
    const reason = `transaction gas limit too high (cap: ${TRANSACTION_GAS_CAP}, tx: ${message.gasLimit})`;
    return new DevnetError('transactionRejected', { reason });
  }
  if (rules.sender && account && !equalsBytes(account.codeHash, KECCAK256_NULL)) {
    if (!fork.has(7702) || !isDelegation(await state.getCode(message.from))) {
      return new DevnetError('senderNotEOA', { address });
    }
  }
  const feeError = feeViolation(message, env, rules, address);
  if (feeError) return feeError;
  const shapeError = shapeViolation(message, fork);
  if (shapeError) return shapeError;

  const blobCap = cost.blobGas * (message.maxFeePerBlobGas ?? 0n);
  const worst = message.gasLimit * message.maxFeePerGas + message.value + blobCap;
  const balance = account?.balance ?? 0n;
  if (balance < worst) return new DevnetError('insufficientFunds', { address, balance, cost: worst });

  const required = intrinsic.gas > intrinsic.floor ? intrinsic.gas : intrinsic.floor;
  if (message.gasLimit < required)
    return new DevnetError('intrinsicGas', { required, got: message.gasLimit });
  if (message.to === undefined && fork.has(3860)) {
    const max = Number(fork.param('maxInitCodeSize'));
    if (message.data.length > max) return new DevnetError('initCodeSize', { size: message.data.length, max });
  }
  return undefined;
}

function feeViolation(
  message: Message,
  env: BlockEnv,
  rules: Rules,
  address: string,
): DevnetError | undefined {
  const { maxFeePerGas: feeCap, maxPriorityFeePerGas: tip, maxFeePerBlobGas } = message;
  if (env.baseFeePerGas !== undefined && (rules.fees || feeCap > 0n || tip > 0n)) {
    if (feeCap < tip) {
      const reason = `max priority fee per gas higher than max fee per gas: address ${address}, maxPriorityFeePerGas: ${tip}, maxFeePerGas: ${feeCap}`;
      return new DevnetError('transactionRejected', { reason });
    }
    if (feeCap < env.baseFeePerGas) {
      return new DevnetError('feeCapTooLow', { address, feeCap, baseFee: env.baseFeePerGas });
    }
  }
  if (message.blobVersionedHashes && (rules.fees || (maxFeePerBlobGas ?? 0n) > 0n)) {
    if ((maxFeePerBlobGas ?? 0n) < (env.blobBaseFee ?? 0n)) {
      const reason = `max fee per blob gas less than block blob gas fee: address ${address} blobGasFeeCap: ${maxFeePerBlobGas ?? 0n}, blobBaseFee: ${env.blobBaseFee ?? 0n}`;
      return new DevnetError('transactionRejected', { reason });
    }
  }
  return undefined;
}

/** Types that the fork doesn't know, and what a type demands (EIP-4844, EIP-7702). */
function shapeViolation(message: Message, fork: Fork): DevnetError | undefined {
  const reject = (reason: string) => new DevnetError('transactionRejected', { reason });
  const { type, to, blobVersionedHashes, authorizationList } = message;
  const eip = [0, 2930, 1559, 4844, 7702][type];
  if (eip === undefined || (eip > 0 && !fork.has(eip)))
    return reject(`transaction type not supported: ${type}`);
  if (type === 3) {
    if (to === undefined) return reject('blob transaction of type create');
    if (!blobVersionedHashes?.length) return reject('blob transaction missing blob hashes');
    const bad = blobVersionedHashes.findIndex((hash) => hash[0] !== 0x01);
    if (bad >= 0) return reject(`blob ${bad} has invalid hash version`);
  }
  if (type === 4) {
    if (to === undefined) return reject('EIP-7702 transaction cannot be used to create contract');
    if (!authorizationList?.length) return reject('EIP-7702 transaction with empty auth list');
  }
  return undefined;
}
