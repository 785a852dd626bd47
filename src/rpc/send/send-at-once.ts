import { EncodedTransaction } from '../../chain/encoded-transaction.ts';
import type { Awaitable } from '../../state/view.ts';
import type { Hex } from '../codec/hex.ts';
import { hexCallOf } from '../codec/hex-call.ts';
import type { RpcContext } from '../context.ts';
import { offeredFees } from './fill-transaction.ts';
import { send } from './send.ts';

/**
 * Makes a transaction of a request that has no other members than most have, signs it with a key of the node, and submits it. The
 * engine encodes it in one step.
 * @returns its hash; `undefined` where that has to be done step by step: nothing has changed then
 * @throws as {@link send}
 */
export function sendAtOnce(context: RpcContext, request: unknown): Awaitable<Hex> | undefined {
  const { chain, caller, fees, signers, sequencer, decoder, fork, shapes } = context;
  // A send that is under way may take the nonce.
  const call = fork || !sequencer.isIdle ? undefined : hexCallOf(request);
  const account = call?.from === undefined ? undefined : signers.unlocked(call.from);
  const opening = account && chain.opening;
  const baseFee = opening?.start.env.baseFeePerGas;
  const { ecsign } = signers;
  if (baseFee === undefined || !ecsign) return undefined;
  const offered = offeredFees(baseFee, call!.amounts ?? {}, {
    tip: fees.suggestedTip,
    toSend: true,
    fills: shapes.fills,
  });
  const signed = caller.signHex(opening!, call!, offered, (hash) =>
    ecsign(hash, account!.privateKey, { prehash: false, format: 'recovered' }),
  );
  if (!signed) return undefined;
  const transaction = new EncodedTransaction(signed.raw, decoder, signed.json);
  transaction.accept({ from: account!.address, hash: signed.hash });
  return send(context, transaction);
}
