import { Address, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { createNode, type Node } from '../boot/node.ts';
import { type Clock, SystemClock, type Task } from '../clock.ts';
import { resolveOptions } from '../options/options.ts';
import { optionsOf } from '../options/recorded.ts';
import {
  blockLine,
  type CallLine,
  flashblockLine,
  type HeaderLine,
  type HeadRecord,
  headRecord,
  type InputLine,
  type OutputLine,
  type StartLine,
  type TransactionLine,
} from '../recorder/lines.ts';
import { ReplayClock } from './replay-clock.ts';

/** What may come while a tick is at work. */
export type MiddleLine = TransactionLine | CallLine;

/** A chain that is driven by the inputs of a recording. Its outputs come in the order in which they happened. */
export class ReplayedChain {
  readonly #header: HeaderLine;
  readonly #dataDir: string;
  readonly #clock = new ReplayClock();
  readonly #wall = new Stepped();
  readonly #outputs: OutputLine[] = [];
  #node: Node | undefined;
  #middle: MiddleLine[] = [];
  /** why the chain can't go on */
  #fatal: unknown;

  /** @param options.dataDir an empty directory, which the caller deletes */
  constructor(options: { header: HeaderLine; dataDir: string }) {
    this.#header = options.header;
    this.#dataDir = options.dataDir;
  }

  /** number of the last sealed block; -1 before there is a chain */
  get head(): bigint {
    return this.#node?.chain.latest.header.number ?? -1n;
  }

  /** `0x` hex; of the last sealed block */
  get headHash(): string | undefined {
    const hash = this.#node?.chain.latest.hash;
    return hash && `0x${Buffer.from(hash).toString('hex')}`;
  }

  /** What a restart would go on from. */
  get headRecord(): HeadRecord | undefined {
    return this.#node && headRecord(this.#node.chain.latest);
  }

  /** What happened since this was asked last. */
  takeOutputs(): OutputLine[] {
    return this.#outputs.splice(0);
  }

  /**
   * @param middle what came while the tick was at work
   * @throws Error where an input can't be: a node that isn't there, a tick that nothing waits for
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
    this.#wall.steps = middle.length > 0;
    try {
      if ('tick' in line) {
        this.#clock.set(line.tick);
        if (!(await this.#clock.fire())) throw new Error('no tick was due');
      } else await this.#applyMiddle(line);
      for (const late of this.#middle.splice(0)) await this.#applyMiddle(late);
    } finally {
      this.#wall.steps = false;
    }
    if (this.#fatal !== undefined) throw this.#fatal;
  }

  async close(): Promise<void> {
    await this.#node?.close();
  }

  async #start({ start, genesis, offset, movesWithHead = false, head }: StartLine): Promise<void> {
    // One that was killed has no outcome of its end.
    await this.#node?.close();
    this.#outputs.length = 0;
    this.#clock.set(start);
    const options = optionsOf(this.#header.options);
    const config = resolveOptions({
      ...options,
      ...(options.init === undefined && { timestamp: genesis }),
      dataDir: this.#dataDir,
    });
    this.#node = await createNode(config, {
      version: 'replay',
      onFatal: (error) => {
        this.#fatal ??= error;
      },
      onFeed: (feed) => {
        feed.on('flashblock', (flashblock) => this.#outputs.push(flashblockLine(flashblock)));
        feed.on('sealed', (block) => this.#outputs.push(blockLine(block)));
      },
      replay: {
        clock: this.#clock,
        wall: this.#wall,
        offset,
        movesWithHead,
        head,
        reached: (step, taken) => this.#takeMiddle(step, taken),
      },
    });
  }

  /** Applies what came until the task was there. */
  async #takeMiddle(step: number, taken: number): Promise<void> {
    for (;;) {
      const next = this.#middle[0];
      if (!next) return;
      const { during = 0, taken: after = Number.POSITIVE_INFINITY } = next;
      if (during > step || (during === step && after > taken)) return;
      await this.#applyMiddle(this.#middle.shift()!);
    }
  }

  /** What is refused now was taken then: the difference shows in the next block. */
  async #applyMiddle(line: MiddleLine): Promise<void> {
    const node = this.#node!;
    this.#clock.set(line.at);
    if ('call' in line) {
      await node.dispatcher.request(line.call, line.params).catch(() => {});
      return;
    }
    const from =
      line.from === undefined ? undefined : new Address(hexToBytes(line.from as PrefixedHexString));
    await node.submit(hexToBytes(line.tx as PrefixedHexString), from).catch(() => {});
  }
}

/** Wall time that can be made to run by itself, so that a tick lets others run after each transaction. */
class Stepped implements Clock {
  readonly #system = new SystemClock();
  steps = false;
  #added = 0;

  now(): number {
    if (this.steps) this.#added += 1000;
    return this.#system.now() + this.#added;
  }

  every(ms: number, task: Task): Disposable {
    return this.#system.every(ms, task);
  }

  after(ms: number, task: Task): Disposable {
    return this.#system.after(ms, task);
  }
}
