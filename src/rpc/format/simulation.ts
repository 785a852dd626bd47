import type { DevnetError } from '../../errors.ts';
import type { SimulatedBlock } from '../../execution/simulate/object-writer.ts';
import { hex, quantity } from '../codec/hex.ts';
import { formatBlock } from './block.ts';
import { formatLog } from './log.ts';

/**
 * Formats a simulated block and the results of its calls. Log indexes count over the whole block.
 * @param errors the error of each call, `undefined` if it succeeded
 */
export function formatSimulatedBlock(
  { block, calls }: SimulatedBlock,
  errors: readonly (DevnetError | undefined)[],
  full: boolean,
) {
  // As in geth, the logs of reverted calls and frames are counted, too, so there are gaps between the indexes.
  let before = 0;
  return {
    ...formatBlock(block, full),
    calls: calls.map((executed, transactionIndex) => {
      const error = errors[transactionIndex];
      const first = before;
      before += executed.emittedLogs ?? executed.logs.length;
      return {
        status: executed.success ? '0x1' : '0x0',
        // As in geth, revert data is only in the error.
        returnData: executed.success ? hex(executed.returnData) : '0x',
        // Gas after refunds, and before refunds.
        gasUsed: quantity(executed.gasUsed),
        maxUsedGas: quantity(executed.maxUsedGas),
        logs: executed.logs.map((log, i) =>
          formatLog(log, block, transactionIndex, first + (log.emission ?? i)),
        ),
        ...(error && {
          error: {
            code: error.code,
            message: error.message,
            ...(error.data !== undefined && { data: error.data }),
          },
        }),
      };
    }),
  };
}
