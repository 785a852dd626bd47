import type { BlockView, CallView } from '../chain/block.ts';
import { takeRun } from '../chain/counted-runs.ts';
import { Counting } from '../engine/tracers/counting.ts';
import { Caller, type CallOverrides } from '../execution/call.ts';
import type { CallRequest } from '../execution/call-request.ts';
import type { Execution } from '../execution/execution.ts';
import { isL1Attributes } from '../protocol/op-stack/l1-attributes.ts';
import { TaskQueue } from '../task-queue.ts';
import { addRun } from './counting.ts';
import { Profile } from './profile.ts';

/** A call or an estimate, with the view on which it was requested. */
export interface AskedCall {
  readonly view: CallView;
  readonly request: CallRequest;
  readonly overrides: CallOverrides;
}

/**
 * The profile of a node: the transactions of its sealed blocks, as its engine counted them when it executed them, including those of
 * blocks that a reorg removes later; and its calls, which are executed again for the profile.
 */
export class CountedChain {
  readonly profile = new Profile();
  readonly #tasks = new TaskQueue();
  #last: Promise<void> = Promise.resolve();
  #execution: Execution | undefined;
  #caller: Caller | undefined;

  /** The caller must call this when the node starts. */
  follow(
    execution: Execution,
    feed: { on(event: 'sealed', listener: (block: BlockView) => void): unknown },
  ): void {
    const { engine, calls, hashOf } = execution;
    this.#execution = execution;
    this.#caller = new Caller(calls, { engine, hashOf });
    feed.on('sealed', (block) => this.#add(block, execution));
  }

  /** Queues an answered call or a requested estimate. */
  asked(call: AskedCall): void {
    this.#last = this.#tasks.run(() => this.#call(call));
  }

  /** Waits until everything is counted. Must be called while the node still runs. */
  async settle(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
  }

  #add({ header, transactions, receipts }: BlockView, { engine }: Execution): void {
    const hardfork = engine.hardforkOf(header);
    for (const [i, transaction] of transactions.entries()) {
      const receipt = receipts[i]!;
      const run = takeRun(receipt);
      if (isL1Attributes(transaction)) continue;
      if (run) addRun(this.profile, run, { transaction, receipt, hardfork });
      else this.profile.miss(1, 'this node did not execute it');
    }
  }

  async #call({ view, request, overrides }: AskedCall): Promise<void> {
    const counting = new Counting();
    try {
      await this.#caller!.call(view, request, overrides, {
        tracer: counting,
        ...(this.#execution!.pauses && { pauses: this.#execution!.pauses }),
      });
    } catch {
      // The call was rejected, as it was for its caller.
      return;
    }
    this.profile.addCall(counting.counts);
  }
}
