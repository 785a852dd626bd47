import { bytesToHex } from '@ethereumjs/util';
import type { BlockView, Transaction } from '../chain/block.ts';
import { isL1Attributes } from '../chain/l1-attributes.ts';
import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import type { Frame } from '../evm/tracers/frames.ts';
import type { Executed } from '../evm/types.ts';
import type { CallReport } from '../rpc/dispatch.ts';
import type { FeedEvents } from '../sequencer/feed/feed.ts';
import type { CustomErrors } from './custom-errors.ts';
import { LEVELS, type Level, type LogEvent, type LogFormat, levelOf } from './log-event.ts';

/** How long lines are gathered before they are printed, in milliseconds, where nobody says otherwise. */
const WINDOW = 100;

/** Failed transactions of a window that are executed again to learn why, and the most transactions of their block. */
const MOST_REPLAYED = 3;
const SMALL_BLOCK = 50;

/** Where the log hears of blocks: the sequencer's feed. */
export interface LogSource {
  on<E extends keyof FeedEvents>(name: E, listener: (event: FeedEvents[E]) => void): Disposable;
}

/** Executes a transaction of a block again; `undefined` for one that is in no block. */
export type ExecuteAgain = (hash: Uint8Array) => Promise<Executed | undefined>;

/**
 * What a running node tells: the methods that are called, transactions, blocks. It gathers for a tenth of a second, so
 * that a busy chain stays readable, and writes little; or it prints each thing when it happens, so that a test has all of it.
 */
export class Log {
  readonly #level: number;
  readonly #window: number;
  readonly #format: LogFormat;
  readonly #clock: Clock;
  readonly #errors: CustomErrors;
  readonly #write: (text: string) => unknown;
  #events: LogEvent[] = [];
  /** what is still to be learnt about events of this window */
  #open: Promise<void>[] = [];
  #replayed = 0;
  /** number of the newest block of which a pre-confirmed transaction was told */
  #told = -1n;
  #timer: Disposable | undefined;

  /**
   * @param options.windowMs how long lines are gathered before they are printed; 0: not at all
   * @param deps.clock wall time
   */
  constructor(
    options: { readonly level: Level; readonly format: LogFormat; readonly windowMs?: number | undefined },
    deps: { clock: Clock; errors: CustomErrors; write: (text: string) => unknown },
  ) {
    this.#level = LEVELS.indexOf(options.level);
    this.#window = options.windowMs ?? WINDOW;
    this.#format = options.format;
    this.#clock = deps.clock;
    this.#errors = deps.errors;
    this.#write = deps.write;
  }

  /** The node listens. */
  started({ version, address }: { readonly version: string; readonly address: string }): void {
    this.#add({ at: this.#clock.now(), kind: 'started', version, address });
  }

  /** A call was answered. */
  call(report: CallReport): void {
    const event: LogEvent & { failure: string | undefined } = {
      at: this.#clock.now(),
      kind: 'call',
      report,
      failure: undefined,
    };
    const { error } = report;
    if (this.#add(event) && error instanceof DevnetError && typeof error.data === 'string')
      this.#learn(async () => {
        event.failure = `reverted with ${await this.#errors.describe(error.data as string)}`;
      });
  }

  /** A slow WebSocket reader lost messages. */
  lost(messages: number): void {
    this.#add({ at: this.#clock.now(), kind: 'lost', messages });
  }

  /** A contract printed a line with console.log. */
  console(line: string): void {
    this.#add({ at: this.#clock.now(), kind: 'console', line });
    this.#printNow();
  }

  /** Calls that contracts made. */
  trace(root: Frame): void {
    this.#add({ at: this.#clock.now(), kind: 'trace', root });
    this.#printNow();
  }

  /** Something that is told as it stands. */
  tell(message: string): void {
    this.#add({ at: this.#clock.now(), kind: 'told', message });
  }

  /** Listens to the chain. */
  follow(feed: LogSource, again: ExecuteAgain): void {
    feed.on('preconfirmed', (flashblock) => {
      const { block, transactions } = flashblock;
      if (transactions.every(isL1Attributes)) return;
      this.#told = block.header.number;
      const failures = new Map<string, string>();
      if (this.#add({ at: this.#clock.now(), kind: 'flashblock', flashblock, failures }))
        this.#explain(block, transactions, failures, again);
    });
    feed.on('sealed', (block) => {
      const told = this.#told === block.header.number;
      const failures = new Map<string, string>();
      const isAdded = this.#add({ at: this.#clock.now(), kind: 'sealed', block, told, failures });
      if (isAdded && !told && !block.succeeded) this.#explain(block, block.transactions, failures, again);
    });
    feed.on('back', (way) => this.#add({ at: this.#clock.now(), kind: 'back', ...way }));
    feed.on('dropped', (drop) => this.#add({ at: this.#clock.now(), kind: 'dropped', ...drop }));
  }

  /** Prints what is gathered, at once. */
  flush(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const events = this.#events;
    this.#events = [];
    this.#open = [];
    this.#replayed = 0;
    const lines = this.#format.lines(events);
    if (lines.length > 0) this.#write(`${lines.join('\n')}\n`);
  }

  /** @returns whether it is important enough */
  #add(event: LogEvent): boolean {
    if (this.#level > 0 && LEVELS.indexOf(levelOf(event)) < this.#level) return false;
    // As it is, since what is learnt later is written into it.
    this.#events.push(event);
    const print = async () => {
      await Promise.all(this.#open);
      this.flush();
    };
    if (this.#window > 0) this.#timer ??= this.#clock.after(this.#window, print);
    // After the caller, who may have something to learn about the event.
    else if (this.#events.length === 1) queueMicrotask(print);
    return true;
  }

  /** Prints what there is nothing to learn about, before the request is answered that it belongs to. */
  #printNow(): void {
    if (this.#window === 0 && this.#open.length === 0) this.flush();
  }

  /** Finds out why the last transactions of a block failed, of the first few that did. */
  #explain(
    { transactions, receipts }: BlockView,
    added: readonly Transaction[],
    failures: Map<string, string>,
    again: ExecuteAgain,
  ): void {
    // The transactions before it in its block are executed again too.
    if (transactions.length > SMALL_BLOCK) return;
    added.forEach(({ hash }, i) => {
      const { status } = receipts[receipts.length - added.length + i]!;
      if (status !== false || this.#replayed++ >= MOST_REPLAYED) return;
      this.#learn(async () => {
        const executed = await again(hash);
        const { failure } = executed ?? {};
        if (!failure) return;
        const reason = failure.revert
          ? `reverted with ${await this.#errors.describe(bytesToHex(executed!.returnData))}`
          : failure.reason;
        failures.set(bytesToHex(hash), reason);
      });
    });
  }

  #learn(task: () => Promise<void>): void {
    // The block may be gone meanwhile, or the node.
    this.#open.push(task().catch(() => {}));
  }
}
