import { Address, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { GivenFork } from '../boot/fork.ts';
import { createNode, type Node, type NodeHooks, type ReplaySource } from '../boot/node.ts';
import { headOf, timeOf } from '../boot/running-state.ts';
import type { StoreCopy } from '../chain/store/fill-copy.ts';
import { type Clock, SystemClock, type Task } from '../clock.ts';
import type { CacheEntry } from '../fork-cache/cache-entry.ts';
import { MemoryEntries } from '../fork-cache/entries.ts';
import type { ForkBlock } from '../fork-cache/fork-block.ts';
import { type DevnetOptions, resolveOptions } from '../options/options.ts';
import { forkedOf, withFormerRules, withShared } from '../options/recorded.ts';
import {
  blockLine,
  type CallLine,
  type ExpiredLine,
  flashblockLine,
  type HeaderLine,
  type HeadRecord,
  headRecord,
  type InputLine,
  type LeftOutLine,
  type OutputLine,
  RULES,
  type StartLine,
  type TransactionLine,
} from '../recorder/lines.ts';
import { conditions } from '../rpc/codec/conditions.ts';
import { ReplayClock } from './replay-clock.ts';

/** An input that may arrive while another one is being processed. */
export type MiddleLine = TransactionLine | CallLine | ExpiredLine | LeftOutLine;

/** A chain that is driven by the inputs of a recording, and collects its results in order. */
export class ReplayedChain {
  readonly #header: Pick<HeaderLine, 'options'>;
  readonly #dataDir: string;
  readonly #fork: { readonly block: ForkBlock; readonly reads: readonly CacheEntry[] } | undefined;
  readonly #served: Served;
  readonly #clock: ReplayClock;
  readonly #wall = new Stepped();
  readonly #outputs: OutputLine[] = [];
  #isReleased = false;
  #node: Node | undefined;
  #middle: MiddleLine[] = [];
  /** the error because of which the chain can't continue */
  #fatal: unknown;

  /**
   * @param options.dataDir an empty directory, which the caller deletes
   * @param options.reads the data that a forked chain read from the original chain
   */
  constructor(
    options: {
      header: Pick<HeaderLine, 'options'>;
      dataDir: string;
      reads?: readonly CacheEntry[] | undefined;
    },
    served: Served = { options: {}, hooks: {} },
  ) {
    this.#header = options.header;
    this.#dataDir = options.dataDir;
    const block = forkedOf(options.header.options);
    this.#fork = block && { block, reads: options.reads ?? [] };
    this.#served = served;
    this.#clock = new ReplayClock(served.clock);
  }

  /** The node that runs the chain; `undefined` before the start. */
  get node(): Node | undefined {
    return this.#node;
  }

  /** Lets the chain continue by itself: its timers fire, including those already set. */
  release(): void {
    this.#clock.release();
    // The results aren't collected any more.
    this.#isReleased = true;
    this.#outputs.length = 0;
  }

  /** number of the last sealed block; -1 before the start */
  get head(): bigint {
    return this.#node?.chain.latest.header.number ?? -1n;
  }

  /** hash of the last sealed block, `0x` hex */
  get headHash(): string | undefined {
    const hash = this.#node?.chain.latest.hash;
    return hash && `0x${Buffer.from(hash).toString('hex')}`;
  }

  /** the head from which a restarted process would continue */
  get headRecord(): HeadRecord | undefined {
    return this.#node && headRecord(this.#node.chain.latest);
  }

  /** Takes the results since the last call. */
  takeOutputs(): OutputLine[] {
    return this.#outputs.splice(0);
  }

  /**
   * Applies an input.
   * @param middle inputs that arrived while this one was being processed
   * @throws Error when the input is impossible: the chain isn't started, or no timer is set for a tick
   */
  async apply(line: InputLine, middle: readonly MiddleLine[] = []): Promise<void> {
    if ('start' in line) return this.#start(line);
    const node = this.#node;
    if (!node) throw new Error('no chain was started');
    if ('stop' in line) {
      this.#clock.set(line.stop);
      await node.close();
      return;
    }
    this.#middle = [...middle];
    for (const one of middle) if ('expired' in one && one.refused !== undefined) node.failNext(one.refused);
    node.leaveOut(middle.flatMap((one) => ('leftOut' in one ? [one.leftOut] : [])));
    // The preceding line is missing in the file.
    if ('expired' in line || 'leftOut' in line) throw new Error('no call was running');
    this.#clock.set('tick' in line ? line.tick : line.at);
    this.#wall.steps = middle.some((one) => !('leftOut' in one));
    try {
      if ('tick' in line) {
        if (!(await this.#clock.fire())) throw new Error('no tick was due');
      } else await this.#applyMiddle(line);
      for (const late of this.#middle.splice(0)) await this.#applyMiddle(late);
    } finally {
      node.failNext(undefined);
      node.leaveOut([]);
      this.#wall.steps = false;
      this.#clock.pass();
    }
    if (this.#fatal !== undefined) throw this.#fatal;
  }

  async close(): Promise<void> {
    await this.#node?.close();
  }

  /**
   * Starts from the captured state of a running node, instead of from the first line.
   * @param genesis timestamp of the genesis block, seconds
   * @param copy the parts of its store
   */
  restore(
    running: Uint8Array,
    { genesis, copy }: { genesis: number; copy: Omit<StoreCopy, 'head'> },
  ): Promise<void> {
    const { at, offset } = timeOf(running);
    const start = { start: at, genesis, offset, movesWithHead: true, rules: RULES };
    return this.#start(start, { running, copy: { ...copy, head: headOf(running) } });
  }

  async #start(
    { start, genesis, offset, movesWithHead = false, rules = 1, head }: StartLine,
    from?: ReplaySource['from'],
  ): Promise<void> {
    // The recorded process was killed, so the results of closing this node aren't in the file.
    await this.#node?.close();
    this.#outputs.length = 0;
    this.#clock.set(start);
    const options = withShared(this.#header.options, this.#served.options);
    const resolved = resolveOptions({
      ...options,
      ...(options.init === undefined && !this.#fork && { timestamp: genesis }),
      ...(this.#fork && NOBODY),
      dataDir: this.#dataDir,
    });
    const config = rules < RULES ? withFormerRules(resolved, options) : resolved;
    const { hooks } = this.#served;
    const fork = this.#fork && givenFork(this.#fork);
    this.#node = await createNode(config, {
      version: 'replay',
      ...hooks,
      onFatal: (error) => {
        this.#fatal ??= error;
        hooks.onFatal?.(error);
      },
      onFeed: (feed, reexecutor, known) => {
        hooks.onFeed?.(feed, reexecutor, known);
        const collect = (line: () => OutputLine) => {
          if (!this.#isReleased) this.#outputs.push(line());
        };
        feed.on('flashblock', (flashblock) => collect(() => flashblockLine(flashblock)));
        feed.on('sealed', (block) => collect(() => blockLine(block)));
      },
      replay: {
        clock: this.#clock,
        wall: this.#wall,
        offset,
        movesWithHead,
        fork,
        reserves: rules >= 2,
        head,
        from,
        reached: (step, taken) => this.#takeMiddle(step, taken),
      },
    });
    this.#clock.pass();
  }

  /** Applies the inputs that arrived before this step of the task. */
  async #takeMiddle(step: number, taken: number): Promise<void> {
    for (;;) {
      const next = this.#middle[0];
      if (!next) return;
      const { during = 0, taken: after = Number.POSITIVE_INFINITY } = next;
      if (during > step || (during === step && after > taken)) return;
      await this.#applyMiddle(this.#middle.shift()!);
    }
  }

  /** Errors are ignored: the recorded input was accepted, so a rejection shows as a difference in the next block. */
  async #applyMiddle(line: MiddleLine): Promise<void> {
    const node = this.#node!;
    if ('expired' in line) {
      if (line.refused === undefined) node.expire();
      return;
    }
    if ('leftOut' in line) return;
    this.#clock.set(line.at);
    if ('call' in line) {
      await node.call(line.call, line.params).catch(() => {});
      return;
    }
    const from =
      line.from === undefined ? undefined : new Address(hexToBytes(line.from as PrefixedHexString));
    const given =
      line.conditions === undefined ? undefined : conditions.decode(line.conditions, 'conditions');
    await node.submit(hexToBytes(line.tx as PrefixedHexString), from, given).catch(() => {});
  }
}

/** Options of a forked chain whose reads are in the recording: the URL is never contacted. */
const NOBODY: DevnetOptions = { forkUrl: 'http://recording.invalid', forkOffline: true };

function givenFork({ block, reads }: { block: ForkBlock; reads: readonly CacheEntry[] }): GivenFork {
  const entries = new MemoryEntries();
  entries.add(reads);
  return { block, entries, isWhole: true };
}

/** What a chain that serves readers needs in addition. */
export interface Served {
  /** the node's own options, which override those of the recording */
  readonly options: DevnetOptions;
  readonly hooks: Partial<NodeHooks>;
  /** provides the time between inputs */
  readonly clock?: Clock;
}

/** Wall time that can jump ahead at each call of `now`, so that a tick yields to other work after each transaction. */
class Stepped implements Clock {
  readonly #system = new SystemClock();
  steps = false;
  #added = 0;

  now(): number {
    if (this.steps) this.#added += 1000;
    return this.#system.now() + this.#added;
  }

  precise(): number {
    return this.#system.precise() + this.#added;
  }

  every(ms: number, task: Task): Disposable {
    return this.#system.every(ms, task);
  }

  after(ms: number, task: Task): Disposable {
    return this.#system.after(ms, task);
  }
}
