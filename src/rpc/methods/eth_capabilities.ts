import { hex, quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Returns which blocks, states and other parts of the chain this node has: all of them, from its oldest block on.
 * @returns `{ head, state, tx, logs, receipts, blocks, stateproofs }`
 */
export const eth_capabilities = defineMethod({
  kind: 'read',
  handler: ({ chain }) => {
    const head = chain.latest;
    const whole = { disabled: false, oldestBlock: quantity(chain.first) };
    const states = { disabled: false, oldestBlock: quantity(chain.states) };
    return {
      head: { number: quantity(head.header.number), hash: hex(head.hash) },
      state: states,
      tx: whole,
      logs: whole,
      receipts: whole,
      blocks: whole,
      stateproofs: states,
    };
  },
});
