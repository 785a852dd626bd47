import type { Clock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import type { Frame } from '../evm/tracers/frames.ts';
import type { CallReport } from '../rpc/dispatch.ts';
import type { FeedEvents } from '../sequencer/feed/feed.ts';
import { callLines, emptyLine, eventLines, type LogEvent } from './log-lines.ts';
import { traceLines } from './trace-lines.ts';

/** How long lines are gathered before they are printed, in milliseconds. */
const WINDOW = 100;

/** Where the log hears of blocks: the sequencer's feed. */
export interface LogSource {
  on<E extends keyof FeedEvents>(name: E, listener: (event: FeedEvents[E]) => void): Disposable;
}

/**
 * What a running node tells on the terminal, in anvil's words: the methods that are called, transactions, blocks. It
 * gathers for a tenth of a second, so that a busy chain stays readable: calls of one method become one line with their
 * number, a flashblock of many transactions becomes one line. Blocks without transactions are told as a range, before
 * the next thing that happens.
 */
export class Log {
  readonly #clock: Clock;
  readonly #write: (text: string) => unknown;
  #calls = new Map<string, number>();
  #events: LogEvent[] = [];
  #empty: { first: bigint; last: bigint } | undefined;
  /** number of the newest block of which a pre-confirmed transaction was told */
  #told = -1n;
  #timer: Disposable | undefined;

  /** @param deps.clock wall time */
  constructor(deps: { clock: Clock; write: (text: string) => unknown }) {
    this.#clock = deps.clock;
    this.#write = deps.write;
  }

  /** A call was answered. */
  call({ method, error }: CallReport): void {
    // An unknown method's name is the caller's text; it must not write to the terminal as it likes.
    const name = /^\w{1,80}$/.test(method) ? method : JSON.stringify(method.slice(0, 80));
    this.#calls.set(name, (this.#calls.get(name) ?? 0) + 1);
    // What callers got wrong, they are told. A fault of the node's own they aren't.
    const isFault = error !== undefined && !(error instanceof DevnetError);
    if (isFault) this.#add({ kind: 'fault', message: `${name}: ${firstLine(error)}` });
    else this.#soon();
  }

  /** A slow WebSocket reader lost messages. */
  lost(messages: number): void {
    this.#add({ kind: 'lost', messages });
  }

  /** A contract printed a line with console.log. */
  console(line: string): void {
    this.#add({ kind: 'printed', lines: line.split('\n').map(harmless) });
  }

  /** Calls that contracts made. */
  trace(root: Frame): void {
    this.#add({ kind: 'printed', lines: [...traceLines(root).map(harmless), ''] });
  }

  /** Something that is told as it stands. */
  tell(message: string): void {
    this.#add({ kind: 'told', message });
  }

  /** Listens to the chain. */
  follow(feed: LogSource): void {
    feed.on('preconfirmed', (flashblock) => {
      const { block, transactions } = flashblock;
      if (transactions.length === 0) return;
      this.#told = block.header.number;
      this.#add({ kind: 'flashblock', flashblock });
    });
    feed.on('sealed', (block) => {
      const { number } = block.header;
      if (block.transactions.length > 0) this.#add({ kind: 'sealed', block, told: this.#told === number });
      else this.#empty = { first: this.#empty?.first ?? number, last: number };
    });
    feed.on('back', (way) => this.#add({ kind: 'back', ...way }));
    feed.on('dropped', (drop) => this.#add({ kind: 'dropped', ...drop }));
  }

  /** Prints what is gathered, at once. */
  flush(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const calls = this.#calls;
    const events = this.#events;
    if (calls.size === 0 && events.length === 0) return;
    this.#calls = new Map();
    this.#events = [];
    const lines = callLines(calls);
    const mined = [...calls.keys()].some((method) => /mine/i.test(method));
    if (this.#empty && (events.length > 0 || mined)) {
      lines.push(emptyLine(this.#empty.first, this.#empty.last));
      this.#empty = undefined;
    }
    lines.push(...eventLines(events));
    this.#write(`${lines.join('\n')}\n`);
  }

  #add(event: LogEvent): void {
    this.#events.push(event);
    this.#soon();
  }

  #soon(): void {
    this.#timer ??= this.#clock.after(WINDOW, () => this.flush());
  }
}

/** What a contract prints must not write to the terminal as it likes: no escapes. */
function harmless(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (char) =>
    JSON.stringify(char).slice(1, -1),
  );
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
}
