import type { BlockView } from '../../chain/block.ts';
import type { BlockRef } from '../../chain/refs.ts';
import { tipOf } from '../../mempool/fees.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import { inTurns } from '../../turns.ts';
import { type Hex, quantity } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';
import { elsewhere, joined } from '../fork/fee-history.ts';
import { blockAt } from './block-at.ts';

/** geth's limit on the blocks of one answer. */
const MAX_BLOCKS = 1024n;

/** The result of `eth_feeHistory`. The fee lists contain one more block, the one after the newest. */
export interface FeeHistory {
  oldestBlock: Hex;
  baseFeePerGas: Hex[];
  gasUsedRatio: number[];
  baseFeePerBlobGas: Hex[];
  blobGasUsedRatio: number[];
  reward?: Hex[][];
}

/** `eth_feeHistory` by geth's rules. @param percentiles ascending, 0 to 100; no rewards when absent or empty */
export function feeHistory(
  { chain, fees, fork }: Pick<RpcContext, 'chain' | 'fees' | 'fork'>,
  wanted: bigint,
  newest: BlockRef,
  percentiles: readonly number[] | undefined,
): Awaitable<FeeHistory> {
  return andThen(fork && elsewhere(fork, { chain, fees, wanted, newest, percentiles }), (before) => {
    if (before?.isAll) return before.history;
    return andThen(lastBlocks(chain, wanted, newest), (blocks) => {
      if (fork && blocks[0]?.header.number === fork.number) blocks.shift();
      const history = historyOf(blocks, fees, percentiles);
      return before && blocks.length > 0 ? joined(before.history, history) : history;
    });
  });
}

function historyOf(
  blocks: readonly BlockView[],
  fees: RpcContext['fees'],
  percentiles: readonly number[] | undefined,
): FeeHistory {
  const last = blocks.at(-1);
  const history: FeeHistory = {
    oldestBlock: quantity(blocks[0]?.header.number ?? 0n),
    baseFeePerGas: [],
    gasUsedRatio: [],
    baseFeePerBlobGas: [],
    blobGasUsedRatio: [],
  };
  if (!last) return history;
  for (const { header } of blocks) {
    const maxBlobGas = fees.maxBlobGas(header);
    history.baseFeePerGas.push(quantity(header.baseFeePerGas ?? 0n));
    history.gasUsedRatio.push(Number(header.gasUsed) / Number(header.gasLimit));
    history.baseFeePerBlobGas.push(quantity(fees.blobBaseFee(header) ?? 0n));
    history.blobGasUsedRatio.push(
      maxBlobGas === 0n ? 0 : Number(header.blobGasUsed ?? 0n) / Number(maxBlobGas),
    );
  }
  history.baseFeePerGas.push(quantity(fees.nextBaseFee(last.header) ?? 0n));
  history.baseFeePerBlobGas.push(quantity(fees.nextBlobBaseFee(last.header) ?? 0n));
  if (percentiles && percentiles.length > 0)
    history.reward = blocks.map((block) => rewards(block, percentiles).map(quantity));
  return history;
}

function lastBlocks(chain: RpcContext['chain'], wanted: bigint, newest: BlockRef): Awaitable<BlockView[]> {
  const count = Number(wanted < MAX_BLOCKS ? wanted : MAX_BLOCKS);
  return andThen(blockAt(chain, newest), (start) => {
    const blocks: BlockView[] = [];
    let block: BlockView | undefined = start;
    const step = (): boolean => {
      if (!block || blocks.length === count) return false;
      blocks.push(block);
      if (block.header.number === chain.genesis) return false;
      // By hash, so that a revert in between can't mix two histories. The list ends at pruned history. Only the pending
      // block may be a promise.
      block = chain.resolve({ hash: block.header.parentHash }) as BlockView | undefined;
      return true;
    };
    return andThen(inTurns(step), () => blocks.reverse());
  });
}

/** The tips at the given percentiles of the block's gas, sorted by tip. Zeros for an empty block. */
function rewards({ header, transactions, receipts }: BlockView, percentiles: readonly number[]): bigint[] {
  const baseFee = header.baseFeePerGas ?? 0n;
  const tips = transactions
    .map(({ tx }, i) => ({ tip: tipOf(tx, baseFee), gasUsed: receipts[i]!.gasUsed }))
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0));
  const first = tips[0];
  if (!first) return percentiles.map(() => 0n);
  let at = 0;
  let sum = first.gasUsed;
  return percentiles.map((percentile) => {
    const threshold = BigInt(Math.floor((Number(header.gasUsed) * percentile) / 100));
    while (sum < threshold && at < tips.length - 1) sum += tips[++at]!.gasUsed;
    return tips[at]!.tip;
  });
}
