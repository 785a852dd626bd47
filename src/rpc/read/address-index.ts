import type { Block } from '../../chain/block.ts';
import { TRANSFER_GAS } from '../../engine/estimate.ts';
import type { Frame } from '../../engine/tracers/frames.ts';
import { DevnetError } from '../../errors.ts';
import type { Tracing } from '../../execution/trace.ts';
import { hex } from '../codec/hex.ts';
import { frameTrace } from '../format/ots-trace.ts';

/**
 * The addresses that a transaction involves: sender, recipient, and every caller, callee, created contract and beneficiary of a
 * self-destruct in it. A block is executed again at the first request, unless it has plain transfers only, and the result is cached.
 */
export class AddressIndex {
  readonly #limit: number;
  readonly #tracing: Tracing;
  /** each transaction's addresses by block hash; the oldest blocks are dropped if there are too many addresses */
  readonly #known = new Map<string, readonly ReadonlySet<string>[]>();
  #size = 0;

  /** @param options.most maximum number of cached addresses, counted once per transaction */
  constructor(options: { readonly most: number }, deps: { readonly tracing: Tracing }) {
    this.#limit = options.most;
    this.#tracing = deps.tracing;
  }

  /** Whether {@link of} can answer without executing the block. */
  knows(block: Block): boolean {
    return this.#known.has(hex(block.hash)) || isAllTransfers(block);
  }

  /**
   * Returns the addresses (`0x` hex) of each of the block's transactions. If the block can't be executed because its parent's state is
   * missing (pruned, or not in a state file), only the addresses in the transactions and receipts.
   */
  async of(block: Block): Promise<readonly ReadonlySet<string>[]> {
    if (isAllTransfers(block)) return named(block);
    const key = hex(block.hash);
    const known = this.#known.get(key);
    if (known) return known;
    try {
      const found = await this.#tracing.block(block, () =>
        frameTrace((root) => addressesIn(root, new Set())),
      );
      this.#remember(key, found);
      return found;
    } catch (error) {
      if (error instanceof DevnetError) return named(block);
      throw error;
    }
  }

  #remember(key: string, found: readonly ReadonlySet<string>[]): void {
    if (this.#known.has(key)) return;
    this.#known.set(key, found);
    this.#size += sizeOf(found);
    for (const [oldest, sets] of this.#known) {
      if (this.#size <= this.#limit) break;
      this.#known.delete(oldest);
      this.#size -= sizeOf(sets);
    }
  }
}

function sizeOf(sets: readonly ReadonlySet<string>[]): number {
  return sets.reduce((sum, { size }) => sum + size, 0);
}

/**
 * Whether a block has only plain transfers, which run no code. Always false before London, because there a refund could make a call of code
 * as cheap as a transfer.
 */
export function isAllTransfers({ header, transactions, receipts }: Block): boolean {
  return (
    header.baseFeePerGas !== undefined &&
    transactions.every(({ tx }, i) => tx.to && tx.data.length === 0 && receipts[i]!.gasUsed === TRANSFER_GAS)
  );
}

function named({ transactions, receipts }: Block): ReadonlySet<string>[] {
  return transactions.map(
    ({ from, tx }, i) =>
      new Set([from, tx.to, receipts[i]!.contractAddress].flatMap((address) => address?.toString() ?? [])),
  );
}

function addressesIn(frame: Frame, found: Set<string>): Set<string> {
  found.add(frame.from.toString());
  if (frame.to) found.add(frame.to.toString());
  for (const call of frame.calls) addressesIn(call, found);
  return found;
}
