import type { Address } from '@ethereumjs/util';
import {
  type AddOptions,
  type BlockAccesses,
  type BlockFinish,
  type BlockMaker,
  type BlockSoFar,
  type BlockStart,
  type Included,
  type MadeBlock,
  openEach,
} from '../evm/block-maker.ts';
import type { BlockWriter } from '../evm/block-writer.ts';
import { type Executable, messageOf } from '../evm/message.ts';
import type { Message, Outcome, Rules } from '../evm/types.ts';
import type { ChainState } from '../state/chain-state.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../state/view.ts';
import type { CoreBlockMaker } from './core-block-maker.ts';

/** A step of making blocks, which can be taken in any maker. */
type Step<T> = (maker: BlockMaker) => Awaitable<T>;

/**
 * Makes blocks in the core, as long as it can. What it can't do, such as a message that needs more memory than it has, and all that
 * comes after that, is done in another maker, which goes on with what the core has written.
 */
export class FastBlockMaker implements BlockMaker {
  readonly #makeOther: () => BlockMaker;
  #core: CoreBlockMaker | undefined;
  #other: BlockMaker | undefined;
  /** of the block that was opened last */
  #start: BlockStart | undefined;
  /**
   * The steps that were taken in the core. After an error that nobody expected nothing is certain there, and they are all taken
   * again elsewhere. `undefined` when that can't be done.
   */
  #taken: Step<unknown>[] | undefined = [];

  /** @param makeOther a maker on the same state, for what the core can't do */
  constructor(core: CoreBlockMaker, makeOther: () => BlockMaker) {
    this.#core = core;
    this.#makeOther = makeOther;
  }

  get state(): StateView {
    return this.#core ?? this.#other!.state;
  }

  open(start: BlockStart, before?: BlockSoFar): Awaitable<void> {
    const opened = this.#take<unknown>(
      (core) => core.open(start, before),
      (other) => other.open(start, before),
    );
    this.#start = start;
    return andThen(opened, () => {});
  }

  openEach(starts: Iterable<BlockStart>): Promise<void> {
    return openEach(this, starts);
  }

  add(message: Message, raw: Uint8Array, rules: Rules, options: AddOptions): Awaitable<Outcome> {
    return this.#take(
      (core) => core.add(message, raw, rules, options),
      (other) => other.add(message, raw, rules, options),
      // It was printed the first time.
      (other) => other.add(message, raw, rules, { ...options, console: false }),
    );
  }

  addSigned(
    transaction: Executable,
    rules: Rules,
    options: { console: boolean },
  ): Awaitable<Included | undefined> {
    const core = this.#core;
    if (!core) return undefined;
    // It was printed the first time.
    const again: Step<unknown> = (other) =>
      other.add(messageOf(transaction), transaction.raw, rules, { console: false });
    const end = (included: Included | undefined) => {
      if (included) this.#taken?.push(again);
      return included;
    };
    const inCore = () => core.addSigned(transaction, rules, options);
    return this.#guard<Included | undefined, Included | undefined>(core, inCore, end, () => undefined);
  }

  get accesses(): BlockAccesses | undefined {
    return this.#core?.accesses;
  }

  get writer(): BlockWriter | undefined {
    const writer = this.#core?.writer;
    // What is written isn't among the steps.
    if (writer) this.#taken = undefined;
    return writer;
  }

  nonceOf(address: Address): Awaitable<bigint> {
    return this.#maker.nonceOf(address);
  }

  apply(writes: StateWrites): void {
    const step = (maker: Pick<BlockMaker, 'apply'>) => maker.apply(writes);
    if (this.#core) this.#taken?.push(step);
    step(this.#maker);
  }

  seal(finish: BlockFinish): Awaitable<MadeBlock> {
    return this.#take(
      (core) => core.seal(finish),
      (other) => other.seal(finish),
    );
  }

  writes(): StateWrites {
    return this.#maker.writes();
  }

  keep(): Awaitable<{ state: ChainState; writes: StateWrites }> {
    return this.#take(
      (core) => core.keep(),
      (other) => other.keep(),
    );
  }

  discard(): void {
    this.#core?.discard();
    this.#other?.discard();
  }

  get #maker(): Pick<BlockMaker, 'nonceOf' | 'apply' | 'writes'> {
    return this.#core ?? this.#other!;
  }

  /**
   * Takes a step in the core, or else elsewhere.
   * @param inCore gives `undefined` when the core can't, and has changed nothing
   * @param again how to take the step once more
   */
  #take<T>(
    inCore: (core: CoreBlockMaker) => Awaitable<T | undefined>,
    step: Step<T>,
    again: Step<T> = step,
  ): Awaitable<T> {
    const core = this.#core;
    if (!core) return step(this.#other!);
    const end = (result: T | undefined): Awaitable<T> => {
      if (result === undefined) return step(this.#leave(core));
      this.#taken?.push(again);
      return result;
    };
    return this.#guard(core, () => inCore(core), end, step);
  }

  /**
   * Does something in the core, and ends it.
   * @param step taken after all steps so far are taken again elsewhere, where an error makes uncertain what the core holds
   * @throws the error, where that can't be done
   */
  #guard<R, T>(
    core: CoreBlockMaker,
    inCore: () => Awaitable<R>,
    end: (result: R) => Awaitable<T>,
    step: Step<T>,
  ): Awaitable<T> {
    const fail = (error: unknown): Awaitable<T> => {
      const taken = this.#taken;
      if (!core.isLost || !taken) throw error;
      return this.#takeAllAgain(core, taken, step);
    };
    let result: Awaitable<R>;
    try {
      result = inCore();
    } catch (error) {
      return fail(error);
    }
    return result instanceof Promise ? result.then(end, fail) : end(result);
  }

  /** Goes on elsewhere, with what the core has written. */
  #leave(core: CoreBlockMaker): BlockMaker {
    const writes = core.writes();
    const { soFar } = core;
    const other = this.#goElsewhere(core);
    other.apply(writes);
    // Nothing is waited for: what the protocol writes at the block's start is among the writes.
    if (this.#start) void other.open(this.#start, soFar);
    return other;
  }

  async #takeAllAgain<T>(core: CoreBlockMaker, taken: readonly Step<unknown>[], next: Step<T>): Promise<T> {
    const other = this.#goElsewhere(core);
    for (const step of taken) await step(other);
    return next(other);
  }

  #goElsewhere(core: CoreBlockMaker): BlockMaker {
    const other = this.#makeOther();
    this.#other = other;
    this.#core = undefined;
    this.#taken = undefined;
    core.discard();
    return other;
  }
}
