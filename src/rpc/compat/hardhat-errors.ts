import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { DevnetError, type ErrorName } from '../../errors.ts';
import { PANIC, revertReason } from '../../protocol/revert-reason.ts';
import { callText } from '../../sources/abi/argument-text.ts';
import type { Decoded } from '../../sources/abi/decoder.ts';

/** Hardhat's texts for Solidity's panic codes (hex digits). */
const PANICS: Readonly<Record<string, string>> = {
  '1': 'Assertion error',
  '11': 'Arithmetic operation overflowed outside of an unchecked block',
  '12': 'Division or modulo division by zero',
  '21': 'Tried to convert a value into an enum, but the value was too big or negative',
  '22': 'Incorrectly encoded storage byte array',
  '31': '.pop() was called on an empty array',
  '32': 'Array accessed at an out-of-bounds or negative index',
  '41': 'Too much memory was allocated, or an array was created that is too large',
  '51': 'Called a zero-initialized variable of internal function type',
};

/** Hardhat's messages for failures other than reverts. Failures that aren't listed have the message of a revert without data. */
const HALTS: Readonly<Record<string, string>> = {
  'invalid opcode': 'VM Exception while processing transaction: invalid opcode',
  'max code size exceeded': 'Transaction reverted: trying to deploy a contract whose code is too large',
};
const WITHOUT_REASON = 'Transaction reverted without a reason string';

const outOfGas = () => new DevnetError('gasRanOut');
const reverted = (text: string, data: string) => new DevnetError('revertedIn', { text }).withData(data);

type Payload<N extends ErrorName> = NonNullable<DevnetError<N>['payload']>;

/** Hardhat's messages, or errors with other codes, by the name of the error. A plain message gets the code -32000. */
const WORDING: {
  readonly [N in ErrorName]?: (
    p: Payload<N>,
    error: DevnetError<N>,
    custom: Decoded | undefined,
  ) => string | DevnetError;
} = {
  reverted: (_, { data }, custom) => reverted(revertText(String(data ?? '0x'), custom), String(data ?? '0x')),
  vmError: ({ reason }) =>
    reason === 'out of gas' ? outOfGas() : reverted(HALTS[reason] ?? WITHOUT_REASON, '0x'),
  gasAllowance: outOfGas,
  headerNotFound: (_, { message, payload }) =>
    payload
      ? `Received invalid block tag ${payload.asked}. Latest block number is ${payload.latest}`
      : message,
  transactionGasCap: (p) =>
    `Transaction gas limit is ${p.got} and exceeds transaction gas cap of ${p.cap} (--disable-tx-gas-limit lifts it)`,
  alreadyKnown: ({ hash }) => `Known transaction: ${hash}`,
  poolNonceTooLow: ({ expected, got, refusesGaps }) =>
    refusesGaps
      ? `Nonce too low. Expected nonce to be ${expected} but got ${got}. Note that transactions can't be queued when automining.`
      : `Transaction nonce too low. Expected nonce to be at least ${expected} but got ${got}.`,
  poolNonceTooHigh: ({ expected, got }) =>
    `Nonce too high. Expected nonce to be ${expected} but got ${got}. Note that transactions can't be queued when automining.`,
  poolFeeCapTooLow: (p) =>
    `Transaction ${p.field} (${p.feeCap}) is too low for the next block, which has a baseFeePerGas of ${p.baseFee}`,
  feeCapTooLow: (p) =>
    `Transaction maxFeePerGas (${p.feeCap}) is too low for the next block, which has a baseFeePerGas of ${p.baseFee}`,
  poolTipTooHigh: tipTooHigh,
  tipAboveFeeCap: tipTooHigh,
  poolInsufficientFunds: insufficientFunds,
  insufficientFunds,
  poolIntrinsicGas: intrinsicGas,
  intrinsicGas,
  poolFloorGas: ({ required, got }) =>
    `Transaction requires gas floor of ${required} but got limit of ${got}`,
  poolBlockGasLimit: ({ got, limit }) =>
    `Transaction gas limit is ${got} and exceeds block gas limit of ${limit}`,
  replacementUnderpriced: ({ minimum, nonce }) =>
    `Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least ${minimum} is necessary to replace the existing transaction with nonce ${nonce}.`,
  transactionRejected: (_, { cause, message }) =>
    cause instanceof DevnetError && Object.hasOwn(WORDING, cause.kind) ? worded(cause) : message,
  noBaseFee: () => 'hardhat_setNextBlockBaseFeePerGas is disabled because EIP-1559 is not active',
  noPrevRandao: ({ hardfork }) =>
    `hardhat_setPrevRandao is only available in post-merge hardforks, the current hardfork is ${hardfork.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
  unknownAccount: ({ address }) => `Unknown account ${address}`,
  timestampTooLow: ({ timestamp, earliest }) =>
    timestamp + 1n === earliest
      ? `Timestamp ${timestamp} is equal to the previous block's timestamp. Enable the 'allowBlocksWithSameTimestamp' option to allow this`
      : `Timestamp ${timestamp} is lower than the previous block's timestamp ${earliest - 1n}`,
};

/** A failed JSON-RPC call. */
export interface FailedCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Returns the error in Hardhat 3's format: `data` repeats the message, except for reverts. */
export function asHardhat(
  error: DevnetError,
  _call?: FailedCall,
  custom?: Decoded,
  inferred?: string,
): DevnetError {
  const said = worded(error, custom, inferred);
  if (said.data !== undefined) return said;
  const { message } = said;
  const { transaction } = error;
  return said.withData(
    said.kind === 'gasRanOut'
      ? { message, ...(transaction !== undefined && { txHash: transaction }), data: '0x' }
      : { message },
  );
}

/** Returns the error in Hardhat 2's format: for reverts, `data` is an object, and the code differs. */
export function asHardhat2(
  error: DevnetError,
  call?: FailedCall,
  custom?: Decoded,
  inferred?: string,
): DevnetError {
  const said = worded(error, custom, inferred);
  const { transaction } = error;
  if (said.kind === 'revertedIn') {
    const reverted = new DevnetError('vmException', { text: said.message });
    const { message } = reverted;
    return reverted.withData({
      message,
      ...(transaction !== undefined && { txHash: transaction }),
      data: said.data,
    });
  }
  if (said.data !== undefined) return said;
  const { message } = said;
  if (said.kind === 'gasRanOut') return said.withData({ message, txHash: transaction ?? null, data: '0x' });
  const isRefusal = said.code === -32602 || said.code === -32601;
  return said.withData({ message, data: isRefusal && call ? call : null });
}

function worded(error: DevnetError, custom?: Decoded, inferred?: string): DevnetError {
  if (inferred !== undefined) return reverted(inferred, String(error.data ?? '0x'));
  // The function found by an error's name accepts the error of that name; TypeScript can't express this here.
  const reword = WORDING[error.kind] as
    | ((payload: unknown, error: DevnetError, custom: Decoded | undefined) => string | DevnetError)
    | undefined;
  const said = reword?.(error.payload, error, custom) ?? error;
  return typeof said === 'string' ? new DevnetError('server', { reason: said }) : said;
}

function tipTooHigh({ tip, feeCap }: { tip: bigint; feeCap: bigint }): string {
  return `maxPriorityFeePerGas (${tip}) is bigger than maxFeePerGas (${feeCap})`;
}

function insufficientFunds({ balance, cost }: { balance: bigint; cost: bigint }): string {
  return `Sender doesn't have enough funds to send tx. The max upfront cost is: ${cost} and the sender's balance is: ${balance}.`;
}

function intrinsicGas({ required, got }: { required: bigint; got: bigint }): string {
  return `Transaction requires at least ${required} gas but got ${got}`;
}

function revertText(data: string, custom: Decoded | undefined): string {
  if (data === '0x') return WITHOUT_REASON;
  const start = 'VM Exception while processing transaction: reverted with';
  if (custom) return `${start} custom error '${callText(custom, 'hardhat')}'`;
  const reason = revertReason(hexToBytes(data as PrefixedHexString));
  if (data.startsWith(PANIC) && reason !== undefined) {
    const code = BigInt(`0x${data.slice(10, 74)}`).toString(16);
    const meaning = PANICS[code];
    return meaning === undefined
      ? `${start} unknown panic code 0x${code}`
      : `${start} panic code 0x${code} (${meaning})`;
  }
  if (reason !== undefined) return `${start} reason string '${reason}'`;
  return `${start} an unrecognized custom error (return data: ${data})`;
}
