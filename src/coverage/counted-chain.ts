import type { BlockView, CallView } from '../chain/block.ts';
import { isL1Attributes } from '../chain/l1-attributes.ts';
import { Caller, type CallOverrides } from '../execution/call.ts';
import type { CallRequest } from '../execution/call-request.ts';
import type { Execution } from '../execution/execution.ts';
import { BlockReplay, type ReplayDeps } from '../execution/replay-block.ts';
import { TaskQueue } from '../task-queue.ts';
import { giveWay } from '../turns.ts';
import { addTransaction, Counting } from './counting.ts';
import { Profile } from './profile.ts';

/** A call or an estimate, with the state on which it was asked. */
export interface AskedCall {
  readonly view: CallView;
  readonly request: CallRequest;
  readonly overrides: CallOverrides;
}

/** Counts what the transactions of a node run as their blocks are sealed, also of blocks that are taken back later, and what its calls run. */
export class CountedChain {
  readonly profile = new Profile();
  readonly #tasks = new TaskQueue();
  #last: Promise<void> = Promise.resolve();
  #execution: Execution | undefined;
  #caller: Caller | undefined;

  /** To be called when the node starts. */
  follow(
    execution: Execution,
    feed: { on(event: 'sealed', listener: (block: BlockView) => void): unknown },
  ): void {
    const { engine, calls, hashOf } = execution;
    this.#execution = execution;
    this.#caller = new Caller(calls, { engine, hashOf });
    feed.on('sealed', (block) => {
      if (block.transactions.length > 0) this.#queue(this.#ofBlock(block, execution));
    });
  }

  /** A call was answered, or an estimate asked for. */
  asked(call: AskedCall): void {
    this.#queue(() => this.#call(call));
  }

  /** Waits until all is counted. To be called while the node still runs. */
  async settle(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
  }

  #queue(task: () => Promise<void>): void {
    this.#last = this.#tasks.run(task);
  }

  /** Looks up at once what may be gone soon: the block may be taken back. @returns what counts it; it never rejects */
  #ofBlock(block: BlockView, execution: Execution): () => Promise<void> {
    const { chain } = execution;
    const parent = chain.resolve({ hash: block.header.parentHash });
    const deps = { ...execution, chain: { genesis: chain.genesis, resolve: () => parent } };
    return async () => {
      let done = 0;
      try {
        const replay = await BlockReplay.open(block, deps);
        for (; done < block.transactions.length; done++) {
          await this.#transaction(block, done, replay, deps);
          await giveWay(deps.pauses);
        }
      } catch (error) {
        this.profile.miss(block.transactions.length - done, (error as Error).message);
      }
    };
  }

  async #transaction(
    { transactions, receipts }: BlockView,
    index: number,
    replay: BlockReplay,
    { engine }: ReplayDeps,
  ): Promise<void> {
    const transaction = transactions[index]!;
    if (isL1Attributes(transaction)) {
      await replay.next();
      return;
    }
    const counting = new Counting();
    const executed = await replay.next(counting);
    const hardfork = engine.hardforkOf(replay.env);
    addTransaction(this.profile, counting.counts, {
      transaction,
      receipt: receipts[index]!,
      executed,
      hardfork,
    });
  }

  async #call({ view, request, overrides }: AskedCall): Promise<void> {
    const counting = new Counting();
    try {
      await this.#caller!.call(view, request, overrides, {
        tracer: counting,
        ...(this.#execution!.pauses && { pauses: this.#execution!.pauses }),
      });
    } catch {
      // It was refused, as the call itself was.
      return;
    }
    this.profile.addCall(counting.counts);
  }
}
