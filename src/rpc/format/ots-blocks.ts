import type { Block, Header } from '../../chain/block.ts';
import type { HardforkSchedule } from '../../protocol/hardfork.ts';
import { blockReward, ownReward, uncleReward } from '../../protocol/rewards.ts';
import { type Hex, quantity } from '../codec/hex.ts';
import { formatBlock } from './block.ts';
import { formatReceipt } from './receipt.ts';
import { formatTransaction } from './transaction.ts';

/** length of a function selector as hex, with `0x` */
const SELECTOR = 10;

export function formatBlockDetails(block: Block, forks: HardforkSchedule) {
  const totalFees = block.receipts.reduce(
    (sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice,
    0n,
  );
  return {
    block: formatOtsBlock(block),
    issuance: issuanceOf(block.header, block.uncles, forks),
    // wei that senders paid for gas, including the burned base fee
    totalFees: quantity(totalFees),
  };
}

/**
 * Formats a page of a block's transactions, in block order. Pages are counted from the end of the block, because Otterscan shows the last
 * transaction first. The input is cut to the selector.
 */
export function formatBlockPage(block: Block, page: number, size: number) {
  const end = Math.max(0, block.transactions.length - page * size);
  const start = Math.max(0, end - size);
  const indexes = Array.from({ length: end - start }, (_, i) => start + i);
  return {
    fullblock: {
      ...formatOtsBlock(block),
      transactions: indexes.map((index) => {
        const transaction = formatTransaction(block.transactions[index]!, { block, index });
        return { ...transaction, input: (transaction.input as Hex).slice(0, SELECTOR) as Hex };
      }),
    },
    receipts: indexes.map((index) => ({
      ...formatReceipt(block, index),
      logs: null,
      logsBloom: null,
      timestamp: quantity(block.header.timestamp),
    })),
  };
}

/** A block in Otterscan's format, without fields that Otterscan doesn't show. */
function formatOtsBlock(block: Block) {
  const { transactions, ...rest } = formatBlock(block, false);
  return { ...rest, logsBloom: null, transactionCount: transactions.length };
}

/** Rewards in wei; zero since the merge. */
function issuanceOf(
  { number, timestamp, difficulty }: Header,
  uncles: readonly Header[],
  forks: HardforkSchedule,
) {
  const base = difficulty === 0n || number === 0n ? 0n : blockReward(forks.at(number, timestamp, difficulty));
  const own = ownReward(uncles.length, base);
  const theirs = uncles.reduce((sum, uncle) => sum + uncleReward(uncle.number, number, base), 0n);
  return { blockReward: quantity(own), uncleReward: quantity(theirs), issuance: quantity(own + theirs) };
}
