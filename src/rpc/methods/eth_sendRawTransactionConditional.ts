import { contradictionIn, costOf } from '../../chain/conditions.ts';
import { DevnetError } from '../../errors.ts';
import { conditions } from '../codec/conditions.ts';
import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { send } from '../send/send.ts';
import { decodeSent } from '../send/submit.ts';

/** The highest number of values that conditions may look up, as in op-geth. */
const MAX_COST = 1_000;

/**
 * Sends a signed transaction that may be included only under conditions (ERC-7796). `knownAccounts` has for each address the root of its
 * storage, or expected values of slots, `balance`, `nonce` and `code`. `blockNumberMin`, `blockNumberMax`, `timestampMin` and
 * `timestampMax` limit the block that includes the transaction. The conditions are checked at once, for the next block, and again when the
 * transaction is about to be included; if one of them doesn't hold then, the transaction is dropped.
 * @returns a hash
 * @geth geth has no such method; op-geth has it, and compares numbers and times with the newest block, and the state with that of its
 * parent, too
 * @throws conditionUnmet, conditionsTooCostly
 */
export const eth_sendRawTransactionConditional = defineMethod({
  kind: 'send',
  params: [data, conditions],
  handler: (context, raw, given) => {
    const cost = costOf(given);
    if (cost > MAX_COST) throw new DevnetError('conditionsTooCostly', { cost, most: MAX_COST });
    const contradiction = contradictionIn(given);
    if (contradiction)
      throw new DevnetError('conditionUnmet', { reason: `failed conditional validation: ${contradiction}` });
    const transaction = decodeSent(context, raw, (bytes) => context.decoder.decode(bytes));
    return send(context, { ...transaction, conditions: given });
  },
});
