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
  readonly #options: () => Readonly<Record<string, unknown>>;
  /** the call whose handler runs, up to the first thing that it waits for */
  #current: Call | undefined;
  /** lines as they go into a file */
  #kept: Buffer[] | undefined;
  #keptLength = 0;
  #start: InputLine | undefined;
  /** why the task that is at work was begun */
  #task: { readonly cause: Cause } | undefined;
  /** how many blocks it began to fill */
  #fills = 0;
  /** how many transactions it took so far for the one that it fills */
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
    deps: { clock: TaskClock; feed: Feed },
  ) {
    this.#options = options.options;
    this.#kept = options.fromGenesis ? [] : undefined;
    this.#clock = deps.clock;
    this.#feed = deps.feed;
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
    this.#file = file;
    for (const line of this.#kept?.map(String) ?? [encodeLine(this.#start!)]) file.write(line);
    this.#listening = [
      this.#feed.on('flashblock', (flashblock) => file.write(encodeLine(flashblockLine(flashblock)))),
      this.#feed.on('sealed', (block) => file.write(encodeLine(blockLine(block)))),
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

  /**
   * Runs a call; see `DispatcherDeps.record`. What it puts in the sequencer's queue before it waits for anything is known
   * to be its doing.
   */
  call<T>(name: string, params: readonly unknown[], run: () => T): T {
    if (!isChanging(name)) return run();
    const call: Call = { name, params, written: false };
    const outer = this.#current;
    this.#current = call;
    let result: T | undefined;
    try {
      result = run();
    } finally {
      this.#current = outer;
      // Also where it throws: it may have done something before.
      if (!(result instanceof Promise)) this.#writeCall(call);
    }
    return result instanceof Promise ? (result.finally(() => this.#writeCall(call)) as T) : result;
  }

  /** Lets other work run in the middle of a tick, and knows what comes meanwhile. */
  async pause(done: number | undefined, wait: () => Promise<void>): Promise<void> {
    // A block that is only tried lets others run too.
    if (done === undefined) return wait();
    this.#paused = true;
    try {
      await wait();
    } finally {
      this.#paused = false;
    }
  }

  /** @param done see `Production` */
  progress(done: number | undefined): void {
    if (done === 0) this.#fills++;
    this.#done = done;
  }

  cause(): Cause {
    return this.#current;
  }

  began(cause: Cause): void {
    this.#clock.hold();
    this.#task = { cause };
    this.#fills = 0;
    if (cause === 'tick' || cause === 'send' || cause === 'start') return;
    if (cause === 'stop') this.#write({ stop: this.#clock.now() });
    else if (cause) this.#writeCall(cause as Call, true);
  }

  ended(): void {
    this.#clock.release();
    this.#task = undefined;
  }

  ticked(): void {
    this.#write({ tick: this.#clock.now() });
  }

  admitted(transaction: Transaction): void {
    const during = this.#task?.cause === 'send' ? {} : this.#during;
    this.#write(inputOf(transaction, this.#clock.now(), during));
  }

  /** What a task of somebody else's is at, while it is. */
  get #during(): During {
    if (!this.#task) return {};
    const fill = this.#fills === 1 ? {} : { fill: this.#fills };
    if (this.#done === undefined) return { during: 'after', ...fill };
    // Else it comes while the next one is executed, and counts after that.
    return { during: this.#paused ? this.#done : this.#done + 1, ...fill };
  }

  /** @param own the task at work is the call's */
  #writeCall(call: Call, own = false): void {
    if (call.written) return;
    call.written = true;
    const { name, params } = call;
    this.#write({ call: name, params, at: this.#clock.now(), ...(own ? {} : this.#during) });
  }

  #write(line: InputLine): void {
    const text = encodeLine(line);
    this.#file?.write(text);
    if (!this.#kept) return;
    // As bytes: a hex string of the library is one object per digit until somebody reads it.
    const bytes = Buffer.from(text);
    this.#keptLength += OVERHEAD + bytes.length;
    this.#kept.push(bytes);
    if (this.#keptLength > KEPT) this.#kept = undefined;
  }
}
