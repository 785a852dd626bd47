import type { Transaction } from '../chain/block.ts';
import type { Feed } from '../sequencer/feed.ts';
import type { Cause, Inputs } from '../sequencer/inputs.ts';
import type { TaskClock } from '../sequencer/task-clock.ts';
import { isChanging } from './changing-methods.ts';
import { blockLine, type During, encodeLine, flashblockLine, type InputLine, inputOf } from './lines.ts';
import { RecordingFile } from './recording-file.ts';

/** Bytes of inputs, roughly, that are kept, so that a recording can be started late. */
const KEPT = 16 * 2 ** 20;
/** What a kept line costs besides its text, bytes. */
const OVERHEAD = 100;

/** A call that is on its way; its line is written when the first thing that it does begins. */
interface Call {
  readonly name: string;
  readonly params: readonly unknown[];
  written: boolean;
}

/**
 * Writes down what changes the chain, in the order in which it does, and what came of it (SPEC 7). The inputs since
 * the start are kept in memory as long as there are few, so that `devnet_startRecording` has them all.
 */
export class Recorder implements Inputs {
  readonly #clock: TaskClock;
  readonly #feed: Feed;
  /** The file can't be written: the chain is to end. */
  readonly #onFailure: (error: Error) => void;
  readonly #options: () => Readonly<Record<string, unknown>>;
  readonly #calls = new Set<Call>();
  #current: Call | undefined;
  /** lines as they go into a file */
  #kept: Buffer[] | undefined;
  #keptLength = 0;
  #start: InputLine | undefined;
  /** why the task that is at work was begun */
  #task: { readonly cause: Cause } | undefined;
  /** how many transactions it took so far, while it takes some */
  #done: number | undefined;
  /** it lets others run, between two of them */
  #paused = false;
  #file: RecordingFile | undefined;
  #listening: Disposable[] = [];

  /**
   * @param options.options the node's, as they go into the first line
   * @param options.fromGenesis nothing happened on the chain before
   */
  constructor(
    options: { options: () => Readonly<Record<string, unknown>>; fromGenesis: boolean },
    deps: { clock: TaskClock; feed: Feed; onFailure: (error: Error) => void },
  ) {
    this.#options = options.options;
    this.#kept = options.fromGenesis ? [] : undefined;
    this.#clock = deps.clock;
    this.#feed = deps.feed;
    this.#onFailure = deps.onFailure;
  }

  /**
   * Begins a file with all inputs since the chain began, or goes on with the one of the run before.
   * @throws Error when there is a file that this chain can't go on with, or when inputs are missing
   */
  open(path: string): void {
    if (this.#file) throw new Error('a recording is under way');
    // The start itself has no outcome.
    const unchecked = this.#kept && this.#kept.length - 1;
    const file = RecordingFile.open(path, this.#options(), unchecked);
    try {
      for (const line of this.#kept?.map(String) ?? [encodeLine(this.#start!)]) file.write(line);
    } catch (error) {
      file.close();
      throw error;
    }
    this.#file = file;
    this.#listening = [
      this.#feed.on('flashblock', (flashblock) => this.#append(encodeLine(flashblockLine(flashblock)))),
      this.#feed.on('sealed', (block) => this.#append(encodeLine(blockLine(block)))),
    ];
  }

  /** @returns whether a recording was under way */
  close(): boolean {
    for (const listener of this.#listening.splice(0)) listener[Symbol.dispose]();
    const file = this.#file;
    this.#file = undefined;
    file?.close();
    return file !== undefined;
  }

  started(genesis: bigint, offset: number): void {
    this.#start = { start: this.#clock.now(), genesis: Number(genesis), offset };
    this.#write(this.#start);
  }

  /** Runs a call; see `DispatcherDeps.record`. */
  call(name: string, params: readonly unknown[], run: () => unknown): unknown {
    if (!isChanging(name)) return run();
    const call: Call = { name, params, written: false };
    const outer = this.#current;
    this.#calls.add(call);
    this.#current = call;
    let result: unknown;
    try {
      result = run();
    } finally {
      this.#current = outer;
      if (!(result instanceof Promise)) this.#settled(call);
    }
    if (!(result instanceof Promise)) return result;
    return result.finally(() => this.#settled(call));
  }

  /** Lets other work run in the middle of a tick, and knows what comes meanwhile. */
  async pause(done: number, wait: () => Promise<void>): Promise<void> {
    // A block that is only tried lets others run too.
    this.#paused = done === this.#done;
    try {
      await wait();
    } finally {
      this.#paused = false;
    }
  }

  /** @param done see `Production` */
  progress(done: number | undefined): void {
    this.#done = done;
  }

  cause(): Cause {
    return this.#current;
  }

  began(cause: Cause): void {
    this.#clock.hold();
    this.#task = { cause };
    if (cause === 'tick' || cause === 'send' || cause === 'start') return;
    if (cause === 'stop') this.#write({ stop: this.#clock.now() });
    // A call that waited for something before it came here is the oldest one on its way.
    else this.#writeCall((cause as Call | undefined) ?? this.#oldest(), true);
  }

  ended(): void {
    this.#clock.release();
    this.#task = undefined;
  }

  ticked(): void {
    this.#write({ tick: this.#clock.now() });
  }

  admitted(transaction: Transaction): void {
    const during = this.#task?.cause === 'send' ? undefined : this.#during;
    this.#write(inputOf(transaction, this.#clock.now(), during));
  }

  /** What a task of somebody else's is at, while it is. */
  get #during(): During | undefined {
    if (!this.#task) return undefined;
    if (this.#done === undefined) return 'after';
    // Else it comes while the next one is executed, and counts after that.
    return this.#paused ? this.#done : this.#done + 1;
  }

  #oldest(): Call | undefined {
    for (const call of this.#calls) if (!call.written) return call;
    return undefined;
  }

  #settled(call: Call): void {
    this.#writeCall(call);
    this.#calls.delete(call);
  }

  /** @param own the task at work is the call's */
  #writeCall(call: Call | undefined, own = false): void {
    if (!call || call.written) return;
    call.written = true;
    const during = own ? undefined : this.#during;
    this.#write({
      call: call.name,
      params: call.params,
      at: this.#clock.now(),
      ...(during !== undefined && { during }),
    });
  }

  #write(line: InputLine): void {
    const text = encodeLine(line);
    this.#append(text);
    if (!this.#kept) return;
    // As bytes: a hex string of the library is one object per digit until somebody reads it.
    const bytes = Buffer.from(text);
    this.#keptLength += OVERHEAD + bytes.length;
    this.#kept.push(bytes);
    if (this.#keptLength > KEPT) this.#kept = undefined;
  }

  /** A recording that lacks a line is none: it ends with the last whole one, and the chain with it. */
  #append(line: string): void {
    try {
      this.#file?.write(line);
    } catch (cause) {
      this.close();
      const error = new Error(`the recording can't be written: ${(cause as Error).message}`, { cause });
      this.#onFailure(error);
      throw error;
    }
  }
}
