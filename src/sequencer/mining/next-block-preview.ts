import type { TrieBlock } from '../../chain/block.ts';
import type { OpenBlock } from '../../chain/block-draft.ts';
import { feesOfPlan, type NextFees } from '../next-fees.ts';
import type { ProducerDeps } from './block-producer.ts';
import type { Filled } from './fill.ts';

type Deps = Pick<ProducerDeps, 'assembler' | 'chain' | 'engine' | 'mempool' | 'settings' | 'clock'>;

/**
 * The block that would be mined now, where none is open: built when somebody asks, and kept until something changes.
 */
export class NextBlockPreview {
  readonly #deps: Deps;
  #built: { key: readonly unknown[]; view: Promise<TrieBlock> } | undefined;
  /** the block opened last: who looks at `pending` before a send has opened the block of the send */
  #opened: { key: readonly unknown[]; open: OpenBlock } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Its fees in wei per gas and per blob gas, and its rules. */
  fees(): NextFees {
    const { chain, engine, settings, clock } = this.#deps;
    const parent = chain.latest.header;
    return feesOfPlan(parent, settings.plan(parent, clock.now()), engine.schedule);
  }

  view(): Promise<TrieBlock> {
    const { assembler, chain, mempool, settings, clock } = this.#deps;
    const at = clock.now();
    const { timestamp } = settings.plan(chain.latest.header, at);
    const key = [chain.latest, settings.version, timestamp, mempool.version];
    if (!this.#built || differ(this.#built.key, key)) {
      const view = this.build({ at, quiet: true }).then(({ filled }) => assembler.view(filled.open));
      const built = { key, view };
      this.#built = built;
      view.catch(() => {
        // The next one who asks tries again.
        if (this.#built === built) this.#built = undefined;
      });
    }
    return this.#built.view;
  }

  /**
   * @param options.transactions that it takes; all by default
   * @param options.at when it is sealed, milliseconds on the clock
   * @param options.quiet see `FillLimits`
   * @returns the block as it was opened, and with what waits
   */
  async build(options: {
    transactions?: number;
    at: number;
    quiet?: boolean;
  }): Promise<{ empty: OpenBlock; filled: Filled }> {
    const { transactions = Number.POSITIVE_INFINITY, at, quiet = false } = options;
    const empty = await this.#open(at);
    const filled = await this.#deps.assembler.fill(empty, { gas: empty.env.gasLimit, transactions, quiet });
    return { empty, filled };
  }

  /** A block was made: what was built before is old, whatever it looks like. */
  forget(): void {
    this.#built = undefined;
  }

  async #open(at: number): Promise<OpenBlock> {
    const { assembler, chain, settings } = this.#deps;
    const { latest } = chain;
    // All else that is decided when a block is opened follows from these.
    const key = [latest, settings.version, settings.plan(latest.header, at).timestamp];
    if (this.#opened && !differ(this.#opened.key, key)) return this.#opened.open;
    const open = await assembler.open(latest, at);
    this.#opened = { key, open };
    return open;
  }
}

function differ(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.some((part, i) => part !== other[i]);
}
