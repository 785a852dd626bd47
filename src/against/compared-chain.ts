import type { BlockView } from '../chain/block.ts';
import type { AnsweredCall, EndedEstimate } from '../execution/call.ts';
import type { Execution } from '../execution/execution.ts';
import type { HardforkName } from '../protocol/hardfork.ts';
import type { KnownContracts } from '../sources/contracts.ts';
import { TaskQueue } from '../task-queue.ts';
import { Against } from './against.ts';
import { Estimates } from './estimates.ts';
import { Tally } from './tally.ts';

/** What tells of sealed blocks. */
export interface SealedFeed {
  on(event: 'sealed', listener: (block: BlockView) => void): unknown;
}

/** Compares the transactions of a node's blocks as they are sealed, also of those that are taken back later, and its calls. */
export class ComparedChain {
  readonly fork: HardforkName;
  readonly #tasks = new TaskQueue();
  /** one for each node, the newest last */
  readonly #all: Against[] = [];
  #last: Promise<void> = Promise.resolve();

  readonly #artifacts: string | undefined;
  readonly #estimates = new Estimates();

  /**
   * @param options.fork by whose rules they run besides
   * @param options.artifacts folder of compiled contracts, where {@link options} is to name one
   */
  constructor(options: { readonly fork: HardforkName; readonly artifacts?: string | undefined }) {
    this.fork = options.fork;
    this.#artifacts = options.artifacts;
  }

  /** Options of the node. */
  get options(): { readonly artifacts?: string } {
    return this.#artifacts === undefined ? {} : { artifacts: this.#artifacts };
  }

  /** What the node tells. */
  readonly hooks = {
    onExecution: (...execution: Parameters<ComparedChain['follow']>) => this.follow(...execution),
    onEstimate: ({ request, gas }: EndedEstimate) => {
      if (gas !== undefined) this.#estimates.add(request, gas);
    },
  };

  /** What something comes to, once what was sealed meanwhile is compared: where blocks come faster than they can be compared. */
  async after<T>(task: Promise<T>): Promise<T> {
    const result = await task;
    await this.settle();
    return result;
  }

  /** To be called when a node starts. */
  follow(execution: Execution, feed: SealedFeed, known: KnownContracts): void {
    this.#endNewest();
    const against = new Against({ fork: this.fork }, execution, { known, estimates: this.#estimates });
    this.#all.push(against);
    feed.on('sealed', (block) => this.#queue(against.block(block)));
  }

  /** A call was answered. */
  answered(call: AnsweredCall): void {
    const against = this.#all.at(-1);
    if (against) this.#queue(against.call(call));
  }

  /** Waits until all is compared. To be called while the node still runs. */
  async settle(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
  }

  /** What has been compared so far. */
  get tally(): Tally {
    const all = new Tally();
    for (const { part } of this.#all) all.addPart(part);
    return all;
  }

  /** To be called when the node has ended. */
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
