import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { DevnetError, type ErrorName } from '../../errors.ts';
import { PANIC, revertReason } from '../../evm/revert-reason.ts';

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

/** Hardhat's texts for failures other than reverts. Any other one gets the text of a revert without data. */
const HALTS: Readonly<Record<string, string>> = {
  'invalid opcode': 'VM Exception while processing transaction: invalid opcode',
  'max code size exceeded': 'Transaction reverted: trying to deploy a contract whose code is too large',
};
const WITHOUT_REASON = 'Transaction reverted without a reason string';

const server = (reason: string) => new DevnetError('server', { reason });
const outOfGas = () => new DevnetError('gasRanOut');
const reverted = (text: string, data: string) => new DevnetError('revertedIn', { text }).withData(data);

/** Makes Hardhat's version of errors that have another message or code there, by error name. */
const WORDING: { readonly [N in ErrorName]?: (error: DevnetError<N>) => DevnetError } = {
  reverted: ({ data }) => reverted(revertText(String(data ?? '0x')), String(data ?? '0x')),
  vmError: ({ payload }) =>
    payload!.reason === 'out of gas' ? outOfGas() : reverted(HALTS[payload!.reason] ?? WITHOUT_REASON, '0x'),
  gasAllowance: outOfGas,
  headerNotFound: ({ message, payload }) =>
    server(
      payload
        ? `Received invalid block tag ${payload.asked}. Latest block number is ${payload.latest}`
        : message,
    ),
  transactionGasCap: ({ payload }) =>
    server(
      `Transaction gas limit is ${payload!.got} and exceeds transaction gas cap of ${payload!.cap} (--disable-tx-gas-limit lifts it)`,
    ),
  alreadyKnown: ({ payload }) => server(`Known transaction: ${payload!.hash}`),
  poolNonceTooLow: ({ payload }) => nonceTooLow(payload!),
  poolNonceTooHigh: ({ payload }) =>
    server(
      `Nonce too high. Expected nonce to be ${payload!.expected} but got ${payload!.got}. Note that transactions can't be queued when automining.`,
    ),
  poolFeeCapTooLow: ({ payload }) =>
    server(
      `Transaction ${payload!.field} (${payload!.feeCap}) is too low for the next block, which has a baseFeePerGas of ${payload!.baseFee}`,
    ),
  feeCapTooLow: ({ payload }) =>
    server(
      `Transaction maxFeePerGas (${payload!.feeCap}) is too low for the next block, which has a baseFeePerGas of ${payload!.baseFee}`,
    ),
  poolTipTooHigh: ({ payload }) =>
    server(`maxPriorityFeePerGas (${payload!.tip}) is bigger than maxFeePerGas (${payload!.feeCap})`),
  poolInsufficientFunds: ({ payload }) => insufficientFunds(payload!),
  insufficientFunds: ({ payload }) => insufficientFunds(payload!),
  poolIntrinsicGas: ({ payload }) => intrinsicGas(payload!),
  intrinsicGas: ({ payload }) => intrinsicGas(payload!),
  poolFloorGas: ({ payload }) =>
    server(`Transaction requires gas floor of ${payload!.required} but got limit of ${payload!.got}`),
  poolBlockGasLimit: ({ payload }) =>
    server(`Transaction gas limit is ${payload!.got} and exceeds block gas limit of ${payload!.limit}`),
  replacementUnderpriced: ({ payload }) =>
    server(
      `Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least ${payload!.minimum} is necessary to replace the existing transaction with nonce ${payload!.nonce}.`,
    ),
  transactionRejected: ({ cause, message }) =>
    cause instanceof DevnetError && Object.hasOwn(WORDING, cause.name) ? worded(cause) : server(message),
  unknownAccount: ({ payload }) => server(`Unknown account ${payload!.address}`),
  timestampTooLow: ({ payload }) =>
    server(
      payload!.timestamp + 1n === payload!.earliest
        ? `Timestamp ${payload!.timestamp} is equal to the previous block's timestamp. Enable the 'allowBlocksWithSameTimestamp' option to allow this`
        : `Timestamp ${payload!.timestamp} is lower than the previous block's timestamp ${payload!.earliest - 1n}`,
    ),
};

/** A failed JSON-RPC call. */
export interface FailedCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The error in Hardhat 3's format: `data` contains the message again, except for reverts. */
export function asHardhat(error: DevnetError): DevnetError {
  const said = worded(error);
  if (said.data !== undefined) return said;
  const { message } = said;
  const { transaction } = error;
  return said.withData(
    said.name === 'gasRanOut'
      ? { message, ...(transaction !== undefined && { txHash: transaction }), data: '0x' }
      : { message },
  );
}

/** The error in Hardhat 2's format: reverts also have an object as `data`, and another code. */
export function asHardhat2(error: DevnetError, call?: FailedCall): DevnetError {
  const said = worded(error);
  const { transaction } = error;
  if (said.name === 'revertedIn') {
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
  if (said.name === 'gasRanOut') return said.withData({ message, txHash: transaction ?? null, data: '0x' });
  const isRefusal = said.code === -32602 || said.code === -32601;
  return said.withData({ message, data: isRefusal && call ? call : null });
}

function worded(error: DevnetError): DevnetError {
  // Each function takes the error of the name under which it is found; TypeScript can't express that here.
  const reword = WORDING[error.name] as ((error: DevnetError) => DevnetError) | undefined;
  return reword?.(error) ?? error;
}

function nonceTooLow({
  expected,
  got,
  refusesGaps,
}: {
  expected: bigint;
  got: bigint;
  refusesGaps?: boolean;
}): DevnetError {
  return refusesGaps
    ? server(
        `Nonce too low. Expected nonce to be ${expected} but got ${got}. Note that transactions can't be queued when automining.`,
      )
    : server(`Transaction nonce too low. Expected nonce to be at least ${expected} but got ${got}.`);
}

function insufficientFunds({ balance, cost }: { balance: bigint; cost: bigint }): DevnetError {
  return server(
    `Sender doesn't have enough funds to send tx. The max upfront cost is: ${cost} and the sender's balance is: ${balance}.`,
  );
}

function intrinsicGas({ required, got }: { required: bigint; got: bigint }): DevnetError {
  return server(`Transaction requires at least ${required} gas but got ${got}`);
}

function revertText(data: string): string {
  if (data === '0x') return WITHOUT_REASON;
  const start = 'VM Exception while processing transaction: reverted with';
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
