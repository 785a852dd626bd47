import type { Clock } from '../clock.ts';
import type { TaskLog } from '../recorder/recorder.ts';
import { replyCode } from '../redis/refusal.ts';
import { ChainReplaced, type Entry, type LogStore } from './log-store.ts';
import { type Position, textOf } from './position.ts';

/** Delay before a failed append is retried, in milliseconds. */
const RETRY_MS = 200;
/** Approximate maximum size of the tasks in one entry, in bytes. */
const MAX_OF_ENTRY = 256 * 2 ** 10;
/** Maximum size in bytes of written entries that are kept, in case Redis loses its newest entries when it crashes. */
const MAX_KEPT = 8 * 2 ** 20;

export interface LogWriterOptions {
  /** the position at which this leader began */
  readonly begin: Position;
  /** maximum number of tasks that may wait for Redis */
  readonly mostTasks: number;
  /** maximum size of these tasks in bytes */
  readonly mostBytes: number;
}

export interface LogWriterDeps {
  readonly store: Pick<LogStore, 'append' | 'last'>;
  /** the machine's clock */
  readonly clock: Clock;
  /**
   * Called when the log lacks tasks: new followers need a snapshot, and followers that haven't read the missing tasks must restart. @param
   * reason to print
   */
  readonly onCut: (reason: string) => void;
  /** Called when another leader writes the log. */
  readonly onSuperseded: () => void;
  /** Called when Redis has accepted an entry, or with the reason why Redis rejects one. */
  readonly onAnswer?: (refused?: unknown) => void;
}

interface Written {
  readonly entry: Entry;
  readonly before: Position;
  readonly bytes: number;
}

/** Writes the log of a leader in the background. While Redis is away, a limited number of tasks is queued. */
export class LogWriter implements TaskLog {
  readonly #options: LogWriterOptions;
  readonly #deps: LogWriterDeps;
  #position: Position;
  /** the last position of the newest entry */
  #packed: Position;
  /** the last position in Redis, if it isn't {@link #packed} */
  #last: Position | undefined;
  #waiting: { readonly lines: readonly string[]; readonly bytes: number }[] = [];
  #waitingBytes = 0;
  /** entries that aren't in Redis yet, oldest first */
  readonly #unsent: Written[] = [];
  readonly #kept: Written[] = [];
  #keptBytes = 0;
  #isCut = false;
  #isPumping = false;
  #isClosed = false;
  #retry: Disposable | undefined;
  #onEmpty = () => {};
  /** how many times the log has lost tasks */
  cuts = 0;

  constructor(options: LogWriterOptions, deps: LogWriterDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#position = options.begin;
    this.#packed = options.begin;
  }

  /** The position of the last task. */
  get position(): Position {
    return this.#position;
  }

  /** The last known position in Redis. */
  get written(): Position {
    return this.#unsent[0]?.before ?? this.#last ?? this.#packed;
  }

  /** Number of tasks that aren't in Redis yet. */
  get waiting(): number {
    return this.#waiting.length + this.#unsent.reduce((sum, { entry }) => sum + entry.tasks.length, 0);
  }

  /** Whether the log lacks tasks, until {@link LogWriter.resume}. */
  get isCut(): boolean {
    return this.#isCut;
  }

  task(lines: readonly string[]): void {
    const { fence, task } = this.#position;
    this.#position = { fence, task: task + 1 };
    if (this.#isCut || this.#isClosed) return;
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    this.#waiting.push({ lines, bytes });
    this.#waitingBytes += bytes;
    const { mostTasks, mostBytes } = this.#options;
    if (this.waiting > mostTasks || this.#waitingBytes + this.#unsentBytes > mostBytes)
      this.#cut('more tasks wait for Redis than are kept');
    else void this.#pump();
  }

  /** Continues with the task after the newest one: a snapshot contains everything before. @param last the last position in Redis */
  resume(last: Position): void {
    this.#isCut = false;
    this.#last = last;
    this.#packed = this.#position;
  }

  /**
   * Checks whether Redis still has the newest entry, and writes lost entries again. While nothing is written, only this check can notice a
   * loss.
   * Throws the errors of Redis.
   */
  async check(): Promise<void> {
    const before = this.#packed;
    const isResting = () =>
      !this.#isCut && !this.#isClosed && !this.#isPumping && this.waiting === 0 && this.#packed === before;
    if (!isResting()) return;
    const last = await this.#deps.store.last();
    if (!isResting() || textOf(last) === textOf(this.#last ?? before)) return;
    // There is a later leader, which the renewal of the lease detects.
    if (last.fence > before.fence) return;
    this.#repeat(last);
    void this.#pump();
  }

  /** Resolves when all tasks are in Redis, or after a timeout. @param ms timeout in milliseconds */
  async close(ms: number): Promise<void> {
    if (this.waiting > 0 && !this.#isCut && !this.#isClosed)
      await new Promise<void>((resolve) => {
        const limit = this.#deps.clock.after(ms, resolve);
        this.#onEmpty = () => {
          limit[Symbol.dispose]();
          resolve();
        };
      });
    this.#isClosed = true;
    this.#retry?.[Symbol.dispose]();
  }

  get #unsentBytes(): number {
    return this.#unsent.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #pump(): Promise<void> {
    if (this.#isPumping || this.#isClosed) return;
    this.#isPumping = true;
    try {
      while (!this.#isClosed && !this.#isCut && (this.#unsent.length > 0 || this.#waiting.length > 0)) {
        if (this.#unsent.length === 0) this.#pack();
        await this.#send(this.#unsent[0]!);
      }
      if (this.waiting === 0) this.#onEmpty();
    } catch (error) {
      if (error instanceof ChainReplaced) {
        this.#isClosed = true;
        this.#deps.onSuperseded();
      } else if (replyCode(error) !== undefined) this.#deps.onAnswer?.(error);
      // Also retried if the connection ended before the answer: appending the same entry twice has no effect.
      if (!this.#isClosed) this.#retry = this.#deps.clock.after(RETRY_MS, () => void this.#pump());
    } finally {
      this.#isPumping = false;
    }
  }

  /** Makes an entry of the queued tasks, as many as fit. */
  #pack(): void {
    let bytes = 0;
    let count = 0;
    while (count < this.#waiting.length && (count === 0 || bytes < MAX_OF_ENTRY))
      bytes += this.#waiting[count++]!.bytes;
    const tasks = this.#waiting.splice(0, count).map(({ lines }) => lines);
    this.#waitingBytes -= bytes;
    const before = this.#last ?? this.#packed;
    this.#last = undefined;
    this.#packed = { fence: this.#packed.fence, task: this.#packed.task + count };
    const entry = { position: this.#packed, at: this.#deps.clock.now(), tasks };
    this.#unsent.push({ entry, before, bytes });
  }

  async #send({ entry, before }: Written): Promise<void> {
    const last = await this.#deps.store.append(entry, before);
    this.#deps.onAnswer?.();
    if (this.#unsent[0]?.entry !== entry) return;
    if (textOf(last) === textOf(entry.position)) this.#keep(this.#unsent.shift()!);
    else if (last.fence > entry.position.fence) {
      this.#isClosed = true;
      this.#deps.onSuperseded();
    } else this.#repeat(last);
  }

  #keep(written: Written): void {
    this.#kept.push(written);
    this.#keptBytes += written.bytes;
    while (this.#keptBytes > MAX_KEPT) this.#keptBytes -= this.#kept.shift()!.bytes;
  }

  /**
   * Queues the entries that Redis has lost, as far as they are kept here. If older entries are lost, too, only followers that had read them
   * can continue with the rest. @param last the last position in Redis
   */
  #repeat(last: Position): void {
    const at = this.#kept.findIndex(({ before }) => textOf(before) === textOf(last));
    const again = this.#kept.splice(Math.max(at, 0));
    this.#keptBytes -= again.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#unsent.unshift(...again);
    if (at >= 0) return;
    const [oldest] = this.#unsent;
    if (oldest) this.#unsent[0] = { ...oldest, before: last };
    else this.#last = last;
    this.cuts++;
    this.#deps.onCut(`Redis has lost the log after ${textOf(last)}`);
  }

  #cut(reason: string): void {
    this.#isCut = true;
    this.cuts++;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#unsent.length = 0;
    this.#kept.length = 0;
    this.#keptBytes = 0;
    this.#deps.onCut(reason);
    this.#onEmpty();
  }
}
