import { bytesToHex } from '@ethereumjs/util';
import type { Transaction, TrieBlock } from '../chain/block.ts';
import { withChecksum } from '../checked-line.ts';
import type { Clock } from '../clock.ts';
import type { CacheEntry } from '../fork-cache/cache-entry.ts';
import type { Feed } from '../sequencer/feed/feed.ts';
import type { CallInput, Cause, Inputs } from '../sequencer/inputs.ts';
import {
  blockLine,
  type During,
  encodeLine,
  flashblockLine,
  type HeadRecord,
  headRecord,
  type InputLine,
  inputOf,
  RULES,
} from './lines.ts';
import { RecordingFile } from './recording-file.ts';
import type { Steps } from './steps.ts';

/** Approximate maximum size of inputs in bytes that are kept in memory so that a recording can be started late. */
const KEPT = 16 * 2 ** 20;
/** Memory overhead of a kept line besides its text, in bytes. */
const OVERHEAD = 100;
/** Maximum number of characters of parameters for which a call is kept unencoded. */
const SHORT = 200;
/** The number of characters that counts for a number, a boolean or null. */
const OTHER_WORD = 8;

/** A kept line: its JSON, or a function that creates the line lazily, since most lines are never needed. */
type Kept = Buffer | (() => InputLine);

/** An RPC call in progress. Its line is written when the first task that it enqueued begins. */
interface Call extends CallInput {
  written: boolean;
}

/** @returns the approximate length of the parameters if they are short and immutable; otherwise `undefined` */
function lengthOfWords(params: readonly unknown[]): number | undefined {
  let length = 0;
  for (const param of params) {
    if (typeof param === 'object' && param !== null) return undefined;
    length += typeof param === 'string' ? param.length : OTHER_WORD;
  }
  return length <= SHORT ? length : undefined;
}

/** Receives the lines of a recording, in addition to the file or instead of it. */
export interface TaskLog {
  /** @param lines the lines of one task: its inputs and their results; or the line of an input outside of a task */
  task(lines: readonly string[]): void;
}

interface RecorderOptions {
  /** the node's options, for the first line */
  readonly options: () => Readonly<Record<string, unknown>>;
  /** whether the chain is new */
  readonly fromGenesis: boolean;
  /** whether the chain was created by an earlier process */
  readonly reopened: boolean;
  /** whether the inputs come from a recording; then no new recording can be started */
  readonly replays: boolean;
}

interface RecorderDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly feed: Feed;
  readonly steps: Steps;
  /** the newest sealed block */
  readonly head: () => TrieBlock;
  /** aborted when the file can't be written: the chain has to stop */
  readonly end: AbortController;
  /** reads of a forked chain from the original chain */
  readonly reads?: ForkReads | undefined;
}

/** The reads of a forked chain from the original chain, which a recording must contain. */
export interface ForkReads {
  /** all reads so far */
  inputs(): Iterable<CacheEntry>;
  /** Sets the listener of further reads, which is called before the data is used; `undefined` removes it. */
  onInput(hear: ((entry: CacheEntry) => void) | undefined): void;
}

/**
 * Records the inputs that change the chain, in the order in which they take effect, and the resulting blocks, so that `devnet replay` can
 * repeat them. As long as the inputs since the start are few, they are kept in memory, so that `devnet_startRecording` can still write all
 * of them.
 */
export class Recorder implements Inputs {
  readonly #options: RecorderOptions;
  readonly #deps: RecorderDeps;
  #kept: Kept[] | undefined = [];
  #keptLength = 0;
  #start: { readonly genesis: number; readonly offset: number; readonly head: HeadRecord } | undefined;
  /** cause of the running task, and the clock's time during the task in milliseconds */
  #task: { readonly cause: Cause; readonly at: number } | undefined;
  #file: RecordingFile | undefined;
  #log: TaskLog | undefined;
  /** lines of the running task, for the log */
  #lines: string[] = [];
  /** whether these lines contain a call */
  #hasCall = false;
  #listening: Disposable[] = [];

  constructor(options: RecorderOptions, deps: RecorderDeps) {
    this.#options = options;
    this.#deps = deps;
    if (options.replays) this.#kept = undefined;
  }

  /**
   * Starts a recording with all inputs since the chain's start, or continues the file of the previous process, even if that was killed.
   * @throws Error when the file exists and can't be continued by this chain, or when inputs are missing
   */
  open(path: string): void {
    if (this.#file) throw new Error('a recording is under way');
    const kept = this.#kept;
    if (!kept)
      throw new Error(
        `${path}: what happened on this chain is too much for a recording, or not to be recorded`,
      );
    // The start line, if it was already written, is not an input with results.
    const inputs = Math.max(0, kept.length - 1);
    const { options, fromGenesis, reopened } = this.#options;
    const { genesis } = this.#start!;
    const file = RecordingFile.open(path, options(), { inputs, fromGenesis, reopened, genesis });
    const { reads } = this.#deps;
    try {
      for (const read of reads?.inputs() ?? []) file.write(encodeLine({ read }));
      for (const line of kept)
        file.write(typeof line === 'function' ? encodeLine(line()) : withChecksum(line.toString()));
    } catch (error) {
      file.close();
      throw error;
    }
    this.#file = file;
    reads?.onInput((read) => this.#append(encodeLine({ read })));
    this.#listen();
  }

  /** Also passes all further lines to a log, starting between two tasks; `undefined` ends that. */
  writeTo(log: TaskLog | undefined): void {
    this.#log = log;
    this.#lines = [];
    this.#hasCall = false;
    if (log) this.#listen();
    else this.#leave();
  }

  /**
   * The caller must call this before changes that no recording can contain: no recording can be started afterwards. @throws Error if one is
   * running
   */
  forgo(): void {
    if (this.running) throw new Error('a recording is under way, and would lack what comes now');
    this.#kept = undefined;
  }

  /** Whether a recording is running. */
  get running(): boolean {
    return this.#file !== undefined || this.#log !== undefined;
  }

  /** Ends the recording in the file. @returns whether one was running */
  close(): boolean {
    const file = this.#file;
    this.#file = undefined;
    if (file) this.#deps.reads?.onInput(undefined);
    file?.close();
    this.#leave();
    return file !== undefined;
  }

  /**
   * The caller must call this before the chain is started.
   * @param genesis timestamp of the genesis block, seconds
   * @param offset chain time minus the clock's time, milliseconds
   */
  starts(genesis: bigint, offset: number, head: TrieBlock): void {
    this.#start = { genesis: Number(genesis), offset, head: headRecord(head) };
  }

  /**
   * Runs a call of an RPC method that changes the chain, see `DispatcherDeps.record`. The call is written before the first task that it
   * causes, or at its end if it causes none.
   */
  call<T>(name: string, params: readonly unknown[], run: (cause: Cause) => T): T {
    const call: Call = { name, params, written: false };
    let result: T | undefined;
    try {
      result = run(call);
    } finally {
      // Also written when the call throws, since it may have had an effect before.
      if (!(result instanceof Promise)) this.#writeCall(call);
    }
    // This handler runs before those of the caller. Most calls are written by then.
    const ended = () => this.#writeCall(call);
    if (result instanceof Promise && !call.written) void result.then(ended, ended);
    return result;
  }

  began(cause: Cause, at: number): void {
    this.#task = { cause, at };
    // The start line gets the time at which the first block begins.
    if (cause === 'start') this.#writeStart();
    this.#deps.steps.restart();
    if (cause === 'stop') this.#write({ stop: at });
    // A cause that is an object was made by `call`.
    else if (typeof cause === 'object') this.#writeCall(cause as Call, true);
  }

  ended(): void {
    this.#task = undefined;
    if (this.#lines.length > 0) this.#logTask(this.#lines);
    this.#lines = [];
    this.#hasCall = false;
  }

  get logsHead(): boolean {
    return this.#log !== undefined;
  }

  /** A call may change the head without a new block, for example by evm_revert, so the head is added to the log. */
  #logTask(lines: readonly string[]): void {
    const reached = this.#hasCall ? [encodeLine({ reached: headRecord(this.#deps.head()) })] : [];
    this.#hasCall = false;
    this.#log?.task([...lines, ...reached]);
  }

  ticked(): void {
    this.#write({ tick: this.#now });
  }

  admitted(transaction: Transaction): void {
    const during = this.#task?.cause === 'send' ? {} : this.#during;
    const at = this.#now;
    // Only these fields are kept: the decoded transaction takes many times the memory.
    const { raw, from, impersonated, conditions } = transaction;
    const line = () => inputOf({ raw, from, impersonated, conditions }, at, during);
    if (this.running) this.#append(encodeLine(line()));
    this.#keep(line, 2 * raw.length);
  }

  expired(): void {
    this.#write({ expired: this.#now, ...this.#during });
  }

  refused(points: number): void {
    this.#write({ expired: this.#now, refused: points, ...this.#during });
  }

  leftOut(hash: Uint8Array): void {
    this.#write({ leftOut: bytesToHex(hash), at: this.#now, ...this.#during });
  }

  dropped(call: CallInput): void {
    (call as Call).written = true;
  }

  /** The time on the sequencer's clock, which doesn't advance during a task. */
  get #now(): number {
    return this.#task?.at ?? this.#deps.clock.now();
  }

  /** The step of the running task, for an input that doesn't belong to the task. */
  get #during(): During {
    return this.#task ? this.#deps.steps.now : {};
  }

  /** The start line of a new chain's recording needs no head; that of a reopened chain, or in a continued file, does. */
  #writeStart(): void {
    const { head, ...from } = this.#start!;
    const start = { start: this.#now, ...from, movesWithHead: true, rules: RULES };
    const begins = this.#options.fromGenesis ? start : { ...start, head };
    this.#write(begins, this.#file?.isContinued ? { ...start, head } : begins);
  }

  /** @param own whether the running task was enqueued by this call */
  #writeCall(call: Call, own = false): void {
    if (call.written) return;
    call.written = true;
    this.#hasCall = true;
    const { name, params } = call;
    const at = this.#now;
    const during = own ? {} : this.#during;
    const length = this.running ? undefined : lengthOfWords(params);
    if (length === undefined) this.#write({ call: name, params, at, ...during });
    else {
      // Most of these lines are never needed. The list is copied, since the caller may change it.
      const words = params.slice();
      this.#keep(() => ({ call: name, params: words, at, ...during }), name.length + length);
    }
  }

  /** @param written the line for the running recording, if it differs from that for a recording started later */
  #write(line: InputLine, written = line): void {
    if (!this.running && !this.#kept) return;
    const json = JSON.stringify(line);
    if (this.running) this.#append(written === line ? withChecksum(json) : encodeLine(written));
    // Kept as bytes: EthereumJS builds hex strings by concatenation, and V8 keeps an object for each piece until the string is read.
    if (this.#kept) this.#keep(Buffer.from(json), json.length);
  }

  /** @param length length of the line in bytes */
  #keep(line: Kept, length: number): void {
    if (!this.#kept) return;
    this.#kept.push(line);
    this.#keptLength += OVERHEAD + length;
    if (this.#keptLength > KEPT) this.#kept = undefined;
  }

  #listen(): void {
    const { feed } = this.#deps;
    if (this.#listening.length > 0) return;
    this.#listening = [
      feed.on('flashblock', (flashblock) => this.#append(encodeLine(flashblockLine(flashblock)))),
      feed.on('sealed', (block) => this.#append(encodeLine(blockLine(block)))),
    ];
  }

  #leave(): void {
    if (this.running) return;
    for (const listener of this.#listening.splice(0)) listener[Symbol.dispose]();
  }

  /** Writes a line. If that fails, the recording and the chain end: without the line no replay is possible. */
  #append(line: string): void {
    if (this.#log && this.#task) this.#lines.push(line);
    else if (this.#log) this.#logTask([line]);
    try {
      this.#file?.write(line);
    } catch (cause) {
      this.close();
      const error = new Error(`the recording can't be written: ${(cause as Error).message}`, { cause });
      this.#deps.end.abort(error);
      throw error;
    }
  }
}
