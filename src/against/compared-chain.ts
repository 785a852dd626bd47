import type { BlockView } from '../chain/block.ts';
import type { AnsweredCall, EndedEstimate } from '../execution/call.ts';
import type { Execution } from '../execution/execution.ts';
import type { HardforkName } from '../protocol/hardfork.ts';
import type { KnownContracts } from '../sources/contracts.ts';
import { TaskQueue } from '../task-queue.ts';
import { Against } from './against.ts';
import { Estimates } from './estimates.ts';
import { Tally } from './tally.ts';

/** An emitter of sealed blocks. */
export interface SealedFeed {
  on(event: 'sealed', listener: (block: BlockView) => void): unknown;
}

/** Compares a node's calls, and the transactions of its blocks as they are sealed. Blocks that a reorg removes later count, too. */
export class ComparedChain {
  readonly fork: HardforkName;
  readonly #tasks = new TaskQueue();
  /** one for each start of the node, the newest last */
  readonly #all: Against[] = [];
  #last: Promise<void> = Promise.resolve();

  readonly #artifacts: string | undefined;
  readonly #estimates = new Estimates();

  /**
   * @param options.fork the hardfork to compare with
   * @param options.artifacts folder of compiled contracts, if {@link options} is to contain one
   */
  constructor(options: { readonly fork: HardforkName; readonly artifacts?: string | undefined }) {
    this.fork = options.fork;
    this.#artifacts = options.artifacts;
  }

  /** Additional options for the node. */
  get options(): { readonly artifacts?: string } {
    return this.#artifacts === undefined ? {} : { artifacts: this.#artifacts };
  }

  /** The hooks to pass to the node. */
  readonly hooks = {
    onExecution: (...execution: Parameters<ComparedChain['follow']>) => this.follow(...execution),
    onEstimate: ({ request, gas }: EndedEstimate) => {
      if (gas !== undefined) this.#estimates.add(request, gas);
    },
  };

  /** Awaits a task and then all comparisons queued meanwhile, because blocks may come faster than they can be compared. */
  async after<T>(task: Promise<T>): Promise<T> {
    const result = await task;
    await this.settle();
    return result;
  }

  /** The caller must call this when a node starts. */
  follow(execution: Execution, feed: SealedFeed, known: KnownContracts): void {
    this.#endNewest();
    const against = new Against({ fork: this.fork }, execution, { known, estimates: this.#estimates });
    this.#all.push(against);
    feed.on('sealed', (block) => this.#queue(against.block(block)));
  }

  /** Queues the comparison of an answered call. */
  answered(call: AnsweredCall): void {
    const against = this.#all.at(-1);
    if (against) this.#queue(against.call(call));
  }

  /** Waits until everything is compared. Must be called while the node still runs. */
  async settle(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
  }

  /** The comparisons so far. */
  get tally(): Tally {
    const all = new Tally();
    for (const { part } of this.#all) all.addPart(part);
    return all;
  }

  /** The caller must call this when the node has ended. */
  close(): void {
    this.#endNewest();
  }

  #endNewest(): void {
    const newest = this.#all.at(-1);
    if (newest) this.#queue(async () => newest.close());
  }

  #queue(task: () => Promise<void>): void {
    this.#last = this.#tasks.run(task);
  }
}
