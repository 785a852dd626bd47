import { decodeBlock } from '../../chain/block-rlp.ts';
import { DevnetError } from '../../errors.ts';
import { data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { traceBlock } from '../trace/block.ts';
import { traceConfig } from '../trace/config.ts';

/**
 * Executes a block, given in RLP, on its parent's state, and returns each transaction's trace.
 * @returns a list of `{ txHash, result }`
 */
export const debug_traceBlock = defineMethod({
  kind: 'read',
  computes: true,
  forkable: true,
  params: [data, traceConfig],
  handler: ({ decoder, forks, tracing, shapes }, rlp, config) => {
    const decode = () => {
      try {
        return decodeBlock(rlp, forks, (raw, fork) => decoder.decode(raw, fork.common));
      } catch (error) {
        throw new DevnetError('invalidParams', { reason: `params[0]: ${(error as Error).message}` });
      }
    };
    return traceBlock({ tracing, shapes }, { ...decode(), receipts: [] }, config);
  },
});
