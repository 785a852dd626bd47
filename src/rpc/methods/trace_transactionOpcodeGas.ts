import { hash32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { opcodeGas } from '../trace/opcode-gas.ts';

/**
 * Returns how often a transaction executed each opcode, and how much gas the opcode used in total, not counting gas used inside the calls
 * that it made. Returns null if there is no such transaction. As in reth.
 * @returns `{ transactionHash, opcodeGas }`, with a list of `{ opcode, count, gasUsed }`, numbers as JSON numbers; or null
 */
export const trace_transactionOpcodeGas = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [hash32],
  handler: ({ chain, tracing }, hash) => {
    const place = chain.findTransaction(hash);
    if (!place) return null;
    return tracing.transaction(place.block, place.index, opcodeGas(place.block.transactions[place.index]!));
  },
});
