import { type Transaction, withState } from '../../chain/block.ts';
import { messageOf } from '../../engine/message.ts';
import { DevnetError } from '../../errors.ts';
import { callError } from '../../execution/call-error.ts';
import type { CallRequest } from '../../execution/call-request.ts';
import { type Awaitable, andThen, endingWith, orElse } from '../../state/view.ts';
import { type Hex, hex } from '../codec/hex.ts';
import type { TransactionRequest } from '../codec/transaction.ts';
import type { RpcContext } from '../context.ts';
import type { ForkContext } from '../fork/context.ts';
import { makeTransaction } from './make-transaction.ts';
import { submit } from './submit.ts';

/**
 * Submits a transaction to the sequencer.
 * @returns its hash
 * @throws DevnetError -32003 if it isn't admitted; in Hardhat's dialects also 3 if it was mined at once and reverted
 */
export function send(context: RpcContext, transaction: Transaction): Awaitable<Hex> {
  const { shapes, fork } = context;
  const expected = fork && expecting(fork, transaction);
  const sent = endingWith(expected, () => submit(context, transaction));
  const checked = shapes.sendsThrow ? andThen(sent, () => throwIfFailed(context, transaction)) : sent;
  return andThen(checked, () => hex(transaction.hash));
}

/** On a forked chain, announces a transaction, so that what it will read is fetched together. */
function expecting(fork: ForkContext, { from, tx }: Transaction): Disposable | undefined {
  const { to, data } = tx;
  const accessList = 'accessList' in tx ? accessListOf(tx.accessList as AccessListBytes) : undefined;
  if (!to || (data.length === 0 && !accessList?.length)) return undefined;
  return fork.expecting({ from: from.toString(), to: to.toString(), data: hex(data), accessList });
}

function expectingRequest(
  { fork, accounts }: RpcContext,
  { to, data, from = accounts[0]?.address }: TransactionRequest,
): Disposable | undefined {
  if (!fork || !to || !data?.length) return undefined;
  return fork.expecting({ from: from?.toString(), to: to.toString(), data: hex(data) });
}

type AccessListBytes = readonly (readonly [Uint8Array, readonly Uint8Array[]])[];

function accessListOf(list: AccessListBytes) {
  return list.map(([address, slots]) => ({ address: hex(address), storageKeys: slots.map(hex) }));
}

/**
 * Throws the error of a mined transaction that failed. A receipt doesn't have the return data of a revert, so the transaction is executed
 * again on its state.
 */
async function throwIfFailed({ chain, caller }: RpcContext, transaction: Transaction): Promise<void> {
  const place = chain.findTransaction(transaction.hash);
  if (!place?.block.sealed || place.block.receipts[place.index]?.status !== false) return;
  const { block, index } = place;
  const parent = await chain.resolve({ number: block.header.number - 1n });
  if (!parent) return;
  const calls = block.transactions.slice(0, index + 1).map((earlier) => ({ request: requestOf(earlier) }));
  const executed = await caller.callInSequence(withState(block, parent.state), calls);
  const error = callError(executed.at(-1)!);
  if (error) throw Object.assign(error, { transaction: hex(transaction.hash) });
}

/** Returns a request for the same transaction. */
export function requestOf(transaction: Transaction): CallRequest {
  const { type, gasLimit, deposit, raw: _, ...message } = messageOf(transaction);
  return {
    ...message,
    type: BigInt(type),
    gas: gasLimit,
    ...(deposit && {
      sourceHash: deposit.sourceHash,
      mint: deposit.mint,
      isSystemTx: deposit.isSystemTransaction,
    }),
  };
}

/**
 * Makes a transaction from a request and submits it. Requests without a nonce are processed one at a time, and repeated if the chosen nonce
 * was used in the meantime.
 * @returns its hash
 * @throws like {@link makeTransaction} and {@link send}
 */
export function sendRequest(
  context: RpcContext,
  request: TransactionRequest,
  options: { unsigned?: boolean } = {},
): Awaitable<Hex> {
  const { sequencer } = context;
  // The gas may have to be estimated.
  const sendNow = () =>
    endingWith(expectingRequest(context, request), () =>
      andThen(makeTransaction(context, request, options), (made) => send(context, made)),
    );
  if (request.nonce !== undefined) return sendNow();
  const attempt = (tries: number): Awaitable<Hex> =>
    orElse(sendNow, async (error) => {
      if (!isTaken(error) || tries === MAX_TRIES) throw error;
      await sequencer.settled();
      return attempt(tries + 1);
    });
  return sequencer.sends.runSoon(() => attempt(1));
}

/** Maximum number of attempts to find a free nonce: another client may keep sending from the same account. */
const MAX_TRIES = 10;

/** Whether an error means that the nonce was used in the meantime. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof DevnetError &&
    (error.kind === 'poolNonceTooLow' || error.kind === 'replacementUnderpriced')
  );
}
