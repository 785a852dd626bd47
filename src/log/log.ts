import { type Address, bytesToHex } from '@ethereumjs/util';
import type { BlockView, Transaction } from '../chain/block.ts';
import type { Clock } from '../clock.ts';
import type { Frame } from '../engine/tracers/frames.ts';
import { DevnetError } from '../errors.ts';
import { isL1Attributes } from '../protocol/op-stack/l1-attributes.ts';
import type { CallReport } from '../rpc/dispatch.ts';
import type { FeedEvents } from '../sequencer/feed/feed.ts';
import type { StackTrace } from '../stack-trace/stack-trace.ts';
import { type Explained, type Explainer, failureText, type TraceNames } from './explainer.ts';
import { isAtEachLevel, LEVELS, type Level, type LogEvent, type LogFormat, levelOf } from './log-event.ts';

/** Default time in milliseconds for which lines are gathered before they are printed. */
const WINDOW = 100;

/** Maximum number of transactions per window whose calls are decoded. */
const MAX_DECODED = 100;
/** Maximum number of failed transactions per window that are executed again to find the reason, and of transactions in their block. */
const MAX_REPLAYED = 3;
const SMALL_BLOCK = 50;

/** The source of events about blocks: the sequencer's feed. */
export interface LogSource {
  on<E extends keyof FeedEvents>(name: E, listener: (event: FeedEvents[E]) => void): Disposable;
}

/**
 * The log of a running node: called methods, transactions, blocks. By default it gathers events for a tenth of a second, so that the log of
 * a busy chain stays readable and is cheap to write. It can also print each event at once, so that a test has all of its output.
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
  /** tasks that still collect details of events in this window */
  #open: Promise<void>[] = [];
  #replayed = 0;
  #traced = 0;
  #decoded = 0;
  /** number of the newest block whose pre-confirmed transactions were logged */
  #newestLogged = -1n;
  #timer: Disposable | undefined;

  /**
   * @param options.windowMs how long lines are gathered before they are printed, milliseconds; 0: print at once
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

  /** Logs that the node listens. */
  started({ version, address }: { readonly version: string; readonly address: string }): void {
    this.#add({ at: this.#clock.now(), kind: 'started', version, address });
  }

  /** Logs a call that was answered. */
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
        // A mined transaction is logged with its block.
        if (error.transaction === undefined && this.#traced++ < MAX_REPLAYED)
          event.trace = await this.#explainer?.whereFailed(error, { method, params });
        event.failure = failureText(event.failure, event.trace);
      });
  }

  /** Logs that a slow WebSocket reader lost messages. */
  lost(messages: number): void {
    this.#add({ at: this.#clock.now(), kind: 'lost', messages });
  }

  /** Logs a line that a contract printed with console.log. */
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

  /** Logs a call tree. */
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

  /** Logs a message as it is. @param about the other node: the followed one, or the one of the forked chain */
  tell(message: string, about: 'follow' | 'fork' = 'follow'): void {
    this.#add({ at: this.#clock.now(), kind: 'notice', about, message });
  }

  /** From now on, contracts and functions are named. */
  explainWith(explainer: Explainer): void {
    this.#explainer = explainer;
  }

  /** Listens to the chain. */
  follow(feed: LogSource, explainer: Explainer): void {
    this.explainWith(explainer);
    feed.on('preconfirmed', (flashblock) => {
      const { block, transactions } = flashblock;
      if (transactions.every(isL1Attributes)) return;
      this.#newestLogged = block.header.number;
      const explained = new Map<string, Explained>();
      if (this.#add({ at: this.#clock.now(), kind: 'flashblock', flashblock, explained }))
        this.#explain(block, transactions, explained);
    });
    feed.on('sealed', (block) => {
      const isRepeated = this.#newestLogged === block.header.number;
      const explained = new Map<string, Explained>();
      const isAdded = this.#add({ at: this.#clock.now(), kind: 'sealed', block, isRepeated, explained });
      if (isAdded && !isRepeated) this.#explain(block, block.transactions, explained);
    });
    feed.on('rewound', (way) => this.#add({ at: this.#clock.now(), kind: 'rewound', ...way }));
    feed.on('dropped', (drop) => this.#add({ at: this.#clock.now(), kind: 'dropped', ...drop }));
  }

  /** Whether all events have been printed. */
  get isSettled(): boolean {
    return this.#events.length === 0;
  }

  /** Waits until all details of past events are known, and prints them. */
  async settle(): Promise<void> {
    for (let open = 0; open < this.#open.length; ) {
      open = this.#open.length;
      await Promise.all(this.#open);
    }
    this.flush();
  }

  /** Prints the gathered events at once. */
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

  /** @returns whether the event is important enough to be logged */
  #add(event: LogEvent): boolean {
    if (this.#level > 0 && !isAtEachLevel(event) && LEVELS.indexOf(levelOf(event)) < this.#level)
      return false;
    // The object itself is stored, because details are added to it later.
    this.#events.push(event);
    const print = () => this.settle();
    if (this.#window > 0) this.#timer ??= this.#clock.after(this.#window, print);
    // Printed after the caller has run, which may still add a task to collect details.
    else if (this.#events.length === 1) queueMicrotask(print);
    return true;
  }

  /** Prints events that need no further details, before the request that caused them is answered. */
  #printNow(): void {
    if (this.#window === 0 && this.#open.length === 0) this.flush();
  }

  /** Describes the last transactions of a block, and for the first few failed ones the reason. */
  #explain(block: BlockView, added: readonly Transaction[], explained: Map<string, Explained>): void {
    const { transactions, receipts } = block;
    added.forEach((transaction, i) => {
      if (isL1Attributes(transaction) || this.#decoded++ >= MAX_DECODED) return;
      const receipt = receipts[receipts.length - added.length + i]!;
      this.#learn(async () => {
        // This also executes the transactions before it in its block again.
        const isReplayed =
          receipt.status === false && transactions.length <= SMALL_BLOCK && this.#replayed++ < MAX_REPLAYED;
        const call = this.#explainer!.call(transaction, receipt);
        const failing = isReplayed ? this.#explainer!.failure(transaction) : undefined;
        const id = bytesToHex(transaction.hash);
        const tracing = isReplayed ? this.#explainer!.whereFailed({ transaction: id }) : undefined;
        const [failure, trace] = [await failing, await tracing];
        explained.set(id, { ...(await call), failure: failureText(failure, trace), trace });
      });
    });
  }

  #learn(task: () => Promise<void>): void {
    // The block may have been removed in the meantime, or the node closed.
    this.#open.push(task().catch(() => {}));
  }
}
