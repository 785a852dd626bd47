import type { Transaction } from '../../chain/block.ts';
import type { DevnetError } from '../../errors.ts';
import type { Executed } from '../../protocol/types.ts';
import { hex } from '../codec/hex.ts';

/**
 * Formats the results of a bundle's transactions as mev-geth does: amounts as decimal text in wei, gas as numbers.
 * @param errors the error of each transaction, `undefined` if it succeeded
 * @param balances balances of the block's coinbase in wei: before the first transaction, and after each
 * @param baseFee wei per gas
 */
export function formatBundle(
  transactions: readonly Transaction[],
  executed: readonly Executed[],
  errors: readonly (DevnetError | undefined)[],
  balances: readonly bigint[],
  baseFee: bigint,
) {
  let gasUsed = 0n;
  let gasFees = 0n;
  const results = transactions.map(({ hash, from, tx }, i) => {
    const run = executed[i]!;
    const fees = run.gasUsed * (run.effectiveGasPrice - baseFee);
    gasUsed += run.gasUsed;
    gasFees += fees;
    const error = errors[i];
    return {
      txHash: hex(hash),
      fromAddress: from.toString(),
      toAddress: tx.to?.toString() ?? null,
      gasUsed: Number(run.gasUsed),
      ...paid(balances[i + 1]! - balances[i]!, fees, run.gasUsed, 'gasPrice'),
      ...(error ? { error: error.message, revert: hex(run.returnData) } : { value: hex(run.returnData) }),
    };
  });
  return {
    ...paid(balances.at(-1)! - balances[0]!, gasFees, gasUsed, 'bundleGasPrice'),
    results,
    totalGasUsed: Number(gasUsed),
  };
}

function paid<N extends string>(coinbaseDiff: bigint, gasFees: bigint, gasUsed: bigint, price: N) {
  return {
    [price]: String(gasUsed === 0n ? 0n : coinbaseDiff / gasUsed),
    coinbaseDiff: String(coinbaseDiff),
    ethSentToCoinbase: String(coinbaseDiff - gasFees),
    gasFees: String(gasFees),
  };
}
