import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { send } from '../send/send.ts';
import { decodeSent } from '../send/submit.ts';

/**
 * Sends a signed transaction of any type, and returns its hash. With automine, its block is sealed before the answer.
 * @returns a hash
 * @geth a rejected transaction is -32000 in geth, -32003 here; geth rejects fees above 1 ether (`--rpc.txfeecap`) and transactions without
 * a chain id
 */
export const eth_sendRawTransaction = defineMethod({
  kind: 'send',
  params: [data],
  handler: (context, raw) =>
    send(
      context,
      decodeSent(context, raw, (bytes) => context.decoder.decodeLater(bytes)),
    ),
});
