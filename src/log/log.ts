import { type Address, bytesToHex } from '@ethereumjs/util';
import type { BlockView, Transaction } from '../chain/block.ts';
import type { Clock } from '../clock.ts';
import type { Frame } from '../engine/tracers/frames.ts';
import { DevnetError } from '../errors.ts';
import { isL1Attributes } from '../protocol/op-stack/l1-attributes.ts';
import type { CallReport } from '../rpc/dispatch.ts';
import type { FeedEvents } from '../sequencer/feed/feed.ts';
import type { StackTrace } from '../stack-trace/stack-trace.ts';
import type { Explained, Explainer, TraceNames } from './explainer.ts';
import { isAtEachLevel, LEVELS, type Level, type LogEvent, type LogFormat, levelOf } from './log-event.ts';

/** How long lines are gathered before they are printed, in milliseconds, where nobody says otherwise. */
const WINDOW = 100;

/** Transactions of a window whose calls are decoded. */
const MOST_DECODED = 100;
/** Failed transactions of a window that are executed again to learn why, and the most transactions of their block. */
const MOST_REPLAYED = 3;
const SMALL_BLOCK = 50;

/** Where the log hears of blocks: the sequencer's feed. */
export interface LogSource {
  on<E extends keyof FeedEvents>(name: E, listener: (event: FeedEvents[E]) => void): Disposable;
}

/**
 * What a running node tells: the methods that are called, transactions, blocks. It gathers for a tenth of a second, so
 * that a busy chain stays readable, and writes little; or it prints each thing when it happens, so that a test has all of it.
 */
export class Log {
  readonly #level: number;
  readonly #window: number;
  readonly #format: LogFormat;
  readonly #clock: Clock;
  /** `undefined` until the log listens to a chain */
  #explainer: Explainer | undefined;
  readonly #write: (text: string) => unknown;
  #events: LogEvent[] = [];
  /** what is still to be learnt about events of this window */
  #open: Promise<void>[] = [];
  #replayed = 0;
  #traced = 0;
  #decoded = 0;
  /** number of the newest block of which a pre-confirmed transaction was told */
  #told = -1n;
  #timer: Disposable | undefined;

  /**
   * @param options.windowMs how long lines are gathered before they are printed; 0: not at all
   * @param deps.clock wall time
   */
  constructor(
    options: { readonly level: Level; readonly format: LogFormat; readonly windowMs?: number | undefined },
    deps: { clock: Clock; write: (text: string) => unknown },
  ) {
    this.#level = LEVELS.indexOf(options.level);
    this.#window = options.windowMs ?? WINDOW;
    this.#format = options.format;
    this.#clock = deps.clock;
    this.#write = deps.write;
  }

  /** The node listens. */
  started({ version, address }: { readonly version: string; readonly address: string }): void {
    this.#add({ at: this.#clock.now(), kind: 'started', version, address });
  }

  /** A call was answered. */
  call(report: CallReport): void {
    const event: LogEvent & {
      failure: string | undefined;
      called: Explained | undefined;
      trace: StackTrace | undefined;
    } = {
      at: this.#clock.now(),
      kind: 'call',
      report,
      failure: undefined,
      called: undefined,
      trace: undefined,
    };
    const { error, params = [], method } = report;
    if (this.#add(event) && error instanceof DevnetError && typeof error.data === 'string')
      this.#learn(async () => {
        event.called = await this.#explainer?.request(params);
        event.failure = await this.#explainer?.revert(error.data as string);
        // A transaction that was mined is told with its block.
        if (error.transaction === undefined && this.#traced++ < MOST_REPLAYED)
          event.trace = await this.#explainer?.whereFailed(error, { method, params });
      });
  }

  /** A slow WebSocket reader lost messages. */
  lost(messages: number): void {
    this.#add({ at: this.#clock.now(), kind: 'lost', messages });
  }

  /** A contract printed a line with console.log. */
  console(line: string, from: Address): void {
    const event: LogEvent & { contract: string | undefined } = {
      ...{ at: this.#clock.now(), kind: 'console', line, from: from.toString() },
      contract: undefined,
    };
    const explainer = this.#explainer;
    if (this.#add(event) && explainer)
      this.#learn(async () => {
        event.contract = await explainer.nameOf(from);
      });
    this.#printNow();
  }

  /** Calls that contracts made. */
  trace(root: Frame): void {
    const event: LogEvent & { names: TraceNames | undefined } = {
      ...{ at: this.#clock.now(), kind: 'trace', root },
      names: undefined,
    };
    const explainer = this.#explainer;
    if (this.#add(event) && explainer)
      this.#learn(async () => {
        event.names = await explainer.namesIn(root);
      });
    this.#printNow();
  }

  /** Something that is told as it stands. @param about the other node: the one that is followed, or that is forked */
  tell(message: string, about: 'follow' | 'fork' = 'follow'): void {
    this.#add({ at: this.#clock.now(), kind: 'told', about, message });
  }

  /** Names contracts and functions from now on. */
  explainWith(explainer: Explainer): void {
    this.#explainer = explainer;
  }

  /** Listens to the chain. */
  follow(feed: LogSource, explainer: Explainer): void {
    this.explainWith(explainer);
    feed.on('preconfirmed', (flashblock) => {
      const { block, transactions } = flashblock;
      if (transactions.every(isL1Attributes)) return;
      this.#told = block.header.number;
      const explained = new Map<string, Explained>();
      if (this.#add({ at: this.#clock.now(), kind: 'flashblock', flashblock, explained }))
        this.#explain(block, transactions, explained);
    });
    feed.on('sealed', (block) => {
      const told = this.#told === block.header.number;
      const explained = new Map<string, Explained>();
      const isAdded = this.#add({ at: this.#clock.now(), kind: 'sealed', block, told, explained });
      if (isAdded && !told) this.#explain(block, block.transactions, explained);
    });
    feed.on('back', (way) => this.#add({ at: this.#clock.now(), kind: 'back', ...way }));
    feed.on('dropped', (drop) => this.#add({ at: this.#clock.now(), kind: 'dropped', ...drop }));
  }

  /** Whether all is printed. */
  get isSettled(): boolean {
    return this.#events.length === 0;
  }

  /** Waits until all is known about what has happened, and prints it. */
  async settle(): Promise<void> {
    for (let open = 0; open < this.#open.length; ) {
      open = this.#open.length;
      await Promise.all(this.#open);
    }
    this.flush();
  }

  /** Prints what is gathered, at once. */
  flush(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const events = this.#events;
    this.#events = [];
    this.#open = [];
    this.#replayed = 0;
    this.#traced = 0;
    this.#decoded = 0;
    const lines = this.#format.lines(events);
    if (lines.length > 0) this.#write(`${lines.join('\n')}\n`);
  }

  /** @returns whether it is important enough */
  #add(event: LogEvent): boolean {
    if (this.#level > 0 && !isAtEachLevel(event) && LEVELS.indexOf(levelOf(event)) < this.#level)
      return false;
    // As it is, since what is learnt later is written into it.
    this.#events.push(event);
    const print = () => this.settle();
    if (this.#window > 0) this.#timer ??= this.#clock.after(this.#window, print);
    // After the caller, who may have something to learn about the event.
    else if (this.#events.length === 1) queueMicrotask(print);
    return true;
  }

  /** Prints what there is nothing to learn about, before the request is answered that it belongs to. */
  #printNow(): void {
    if (this.#window === 0 && this.#open.length === 0) this.flush();
  }

  /** Finds out what the last transactions of a block call, and why they failed: of the first few. */
  #explain(block: BlockView, added: readonly Transaction[], explained: Map<string, Explained>): void {
    const { transactions, receipts } = block;
    added.forEach((transaction, i) => {
      if (isL1Attributes(transaction) || this.#decoded++ >= MOST_DECODED) return;
      const receipt = receipts[receipts.length - added.length + i]!;
      this.#learn(async () => {
        // The transactions before it in its block are executed again too.
        const isReplayed =
          receipt.status === false && transactions.length <= SMALL_BLOCK && this.#replayed++ < MOST_REPLAYED;
        const call = this.#explainer!.call(transaction, receipt);
        const failure = isReplayed ? this.#explainer!.failure(transaction) : undefined;
        const id = bytesToHex(transaction.hash);
        const trace = isReplayed ? this.#explainer!.whereFailed({ transaction: id }) : undefined;
        explained.set(id, { ...(await call), failure: await failure, trace: await trace });
      });
    });
  }

  #learn(task: () => Promise<void>): void {
    // The block may be gone meanwhile, or the node.
    this.#open.push(task().catch(() => {}));
  }
}
