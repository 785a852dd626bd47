import type { Flash } from './store.ts';
import type { Hex } from './types.ts';

/** A flashblock as `devnet_flashblocks` returns it: `transactions` and `gasUsed` are totals of the block up to this flashblock. */
export interface FlashblockRecord {
  readonly payloadId: Hex;
  readonly blockNumber: Hex;
  readonly index: number;
  readonly transactions: number;
  readonly gasUsed: Hex;
  /** milliseconds on the node's clock */
  readonly at: number;
  readonly sealedAt: number | null;
}

/** The flashblocks from before the page was opened that the node still has, by block. */
export class Recalled {
  readonly #blocks = new Map<number, readonly FlashblockRecord[]>();

  /** @param records the oldest first; a block whose first flashblocks the node has forgotten is skipped */
  constructor(records: readonly FlashblockRecord[] = []) {
    const blocks = new Map<number, FlashblockRecord[]>();
    for (const record of records) {
      const number = Number(record.blockNumber);
      blocks.set(number, [...(blocks.get(number) ?? []), record]);
    }
    for (const [number, list] of blocks) if (list[0]!.index === 0) this.#blocks.set(number, list);
  }

  /** The number of transactions in the block after each of its flashblocks. */
  endsOf(number: number): readonly number[] | undefined {
    return this.#blocks.get(number)?.map(({ transactions }) => transactions);
  }

  /** The payload id of a block's flashblocks. */
  payloadOf(number: number): Hex | undefined {
    return this.#blocks.get(number)?.[0]?.payloadId;
  }

  /** @param interval milliseconds between flashblocks */
  flashes(interval: number): Flash[] {
    return [...this.#blocks].flatMap(([block, list]) =>
      list.map(({ index, transactions, gasUsed, at }, i) => {
        const before = list[i - 1];
        return {
          block,
          index,
          gas: Number(gasUsed) - Number(before?.gasUsed ?? 0),
          transactions: transactions - (before?.transactions ?? 0),
          at,
          late: before !== undefined && at - before.at > 1.5 * interval,
        };
      }),
    );
  }
}
