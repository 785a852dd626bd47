import { equalsBytes } from '@ethereumjs/util';
import type { BlockView } from '../../chain/block.ts';
import type { BlockRef } from '../../chain/refs.ts';
import { tipOf } from '../../mempool/fees.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import { inTurns } from '../../turns.ts';
import { type Hex, quantity } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';
import { joined, remoteFeeHistory } from '../fork/fee-history.ts';
import { blockAt } from './block-at.ts';

/** geth's limit on the number of blocks. */
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
  return andThen(fork && remoteFeeHistory(fork, { chain, wanted, newest, percentiles }), (before) => {
    if (before?.isAll) return before.endsAtFork ? withNext(before.history, chain, fees) : before.history;
    return andThen(lastBlocks(chain, wanted, newest), (blocks) => {
      if (fork && blocks[0]?.header.number === fork.number) blocks.shift();
      const history = historyOf(blocks, { chain, fees }, percentiles);
      return before && blocks.length > 0 ? joined(before.history, history) : history;
    });
  });
}

function historyOf(
  blocks: readonly BlockView[],
  { chain, fees }: Pick<RpcContext, 'chain' | 'fees'>,
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
  const { baseFee, blobBaseFee } = feesAfter(last, { chain, fees });
  history.baseFeePerGas.push(quantity(baseFee ?? 0n));
  history.baseFeePerBlobGas.push(quantity(blobBaseFee ?? 0n));
  if (percentiles && percentiles.length > 0)
    history.reward = blocks.map((block) => rewards(block, percentiles).map(quantity));
  return history;
}

interface BaseFees {
  readonly baseFee: bigint | undefined;
  readonly blobBaseFee: bigint | undefined;
}

/**
 * Returns the fees of the block after this one. If that block exists, its fees. After the newest sealed block, those of the next block,
 * which `anvil_setNextBlockBaseFeePerGas` may have set. After the pending block, those that were set for the block after it, or else follow
 * from it.
 */
function feesAfter(
  { header, hash, sealed }: BlockView,
  { chain, fees }: Pick<RpcContext, 'chain' | 'fees'>,
): BaseFees {
  if (sealed) {
    if (equalsBytes(hash, chain.latest.hash)) return fees.next();
    // Resolving a sealed block is synchronous, unless it is on another node; the blocks of this chain are here.
    const next = chain.resolve({ number: header.number + 1n }) as BlockView | undefined;
    if (next && equalsBytes(next.header.parentHash, hash))
      return { baseFee: next.header.baseFeePerGas, blobBaseFee: fees.blobBaseFee(next.header) };
  }
  const set = sealed ? undefined : fees.baseFeeAfterOpen();
  return { baseFee: set ?? fees.nextBaseFee(header), blobBaseFee: fees.nextBlobBaseFee(header) };
}

/** Replaces the last fees of a history that ends with the fork block: the block after it is this chain's. */
function withNext(history: FeeHistory, chain: RpcContext['chain'], fees: RpcContext['fees']): FeeHistory {
  const next =
    chain.latest.header.number === chain.genesis
      ? undefined
      : (chain.resolve({ number: chain.genesis + 1n }) as BlockView | undefined);
  const { baseFee, blobBaseFee } = next
    ? { baseFee: next.header.baseFeePerGas, blobBaseFee: fees.blobBaseFee(next.header) }
    : fees.next();
  const ended = (list: readonly Hex[] | undefined, fee: bigint | undefined) =>
    list && [...list.slice(0, -1), quantity(fee ?? 0n)];
  const { baseFeePerGas, baseFeePerBlobGas } = history;
  return {
    ...history,
    ...(baseFeePerGas?.length > 0 && { baseFeePerGas: ended(baseFeePerGas, baseFee) }),
    ...(baseFeePerBlobGas?.length > 0 && { baseFeePerBlobGas: ended(baseFeePerBlobGas, blobBaseFee) }),
  } as FeeHistory;
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

/** Returns the tips at the given percentiles of the block's gas, in ascending order of tips. Zeros for an empty block. */
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
