import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { DevnetError, type ErrorName } from '../errors.ts';
import { revertReason } from '../evm/revert-reason.ts';

/** Panic(uint256) */
const PANIC = '0x4e487b71';

const server = (reason: string) => new DevnetError('server', { reason });

/** Errors that Hardhat words or numbers otherwise, from what they were made of. */
const WORDING: { readonly [N in ErrorName]?: (error: DevnetError<N>) => DevnetError } = {
  reverted: ({ data = '0x' }) => new DevnetError('revertedIn', { text: revertText(data) }).withData(data),
  poolNonceTooLow: ({ payload }) =>
    server(`Nonce too low. Expected nonce to be ${payload!.expected} but got ${payload!.got}.`),
  poolNonceTooHigh: ({ payload }) =>
    server(
      `Nonce too high. Expected nonce to be ${payload!.expected} but got ${payload!.got}. Note that transactions can't be queued when automining.`,
    ),
  poolFeeCapTooLow: ({ payload }) =>
    server(
      `Transaction ${payload!.field} (${payload!.feeCap}) is too low for the next block, which has a baseFeePerGas of ${payload!.baseFee}`,
    ),
  poolInsufficientFunds: ({ payload }) =>
    server(
      `Sender doesn't have enough funds to send tx. The max upfront cost is: ${payload!.cost} and the sender's balance is: ${payload!.balance}.`,
    ),
  unknownAccount: ({ payload }) => server(`Unknown account ${payload!.address}`),
  timestampTooLow: ({ payload }) =>
    server(
      payload!.timestamp + 1n === payload!.earliest
        ? `Timestamp ${payload!.timestamp} is equal to the previous block's timestamp. Enable the 'allowBlocksWithSameTimestamp' option to allow this`
        : `Timestamp ${payload!.timestamp} is lower than the previous block's timestamp ${payload!.earliest - 1n}`,
    ),
};

/** The error as Hardhat puts it (`--compat hardhat`). */
export function asHardhat(error: DevnetError): DevnetError {
  // A row takes the error of its own name, which is what it was found by.
  const reword = WORDING[error.name] as ((error: DevnetError) => DevnetError) | undefined;
  return reword?.(error) ?? error;
}

function revertText(data: string): string {
  const start = 'VM Exception while processing transaction: reverted with';
  if (data === '0x') return 'Transaction reverted without a reason string';
  const reason = revertReason(hexToBytes(data as PrefixedHexString));
  if (data.startsWith(PANIC))
    return `${start} panic code 0x${BigInt(`0x${data.slice(10)}`).toString(16)} (${reason})`;
  if (reason !== undefined) return `${start} reason string '${reason}'`;
  return `${start} an unrecognized custom error (return data: ${data})`;
}
