import { blockRef } from '../codec/block-ref.ts';
import { hex } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';
import { opcodeGas } from '../trace/opcode-gas.ts';

/**
 * Returns the result of `trace_transactionOpcodeGas` for each transaction of a block, or null if there is no such block. As in reth.
 * @returns `{ blockHash, blockNumber, transactions }`, numbers as JSON numbers, or null
 */
export const trace_blockOpcodeGas = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [blockRef],
  handler: async ({ chain, tracing }, ref) => {
    const block = await chain.resolve(ref);
    if (!block) return null;
    const { transactions } = block;
    return {
      blockHash: hex(block.hash),
      blockNumber: Number(block.header.number),
      transactions:
        transactions.length > 0 ? await tracing.block(block, (index) => opcodeGas(transactions[index]!)) : [],
    };
  },
});
