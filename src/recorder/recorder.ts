import type { Transaction, TrieBlock } from '../chain/block.ts';
import type { Clock } from '../clock.ts';
import type { Feed } from '../sequencer/feed/feed.ts';
import type { Cause, Inputs, RpcCall } from '../sequencer/inputs.ts';
import {
  blockLine,
  type During,
  encodeLine,
  flashblockLine,
  type HeadRecord,
  headRecord,
  type InputLine,
  inputOf,
} from './lines.ts';
import { RecordingFile } from './recording-file.ts';
import type { Steps } from './steps.ts';

/** Bytes of inputs, roughly, that are kept, so that a recording can be started late. */
const KEPT = 16 * 2 ** 20;
/** What a kept line costs besides its text, bytes. */
const OVERHEAD = 100;

/** A line that is kept: as it goes into a file, or what makes it, since most are never asked for. */
type Kept = Buffer | (() => InputLine);

/** A call that is on its way; its line is written when the first thing that it does begins. */
interface Call extends RpcCall {
  written: boolean;
}

/**
 * Writes down what changes the chain, in the order in which it does, and what came of it (SPEC 7). The inputs since
 * the start are kept in memory as long as there are few, so that `devnet_startRecording` has them all.
 */
export class Recorder implements Inputs {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #feed: Feed;
  readonly #steps: Steps;
  readonly #end: AbortController;
  readonly #options: () => Readonly<Record<string, unknown>>;
  readonly #fromGenesis: boolean;
  readonly #reopened: boolean;
  #kept: Kept[] | undefined = [];
  #keptLength = 0;
  #start: { readonly genesis: number; readonly offset: number; readonly head: HeadRecord } | undefined;
  /** why the task that is at work was begun, and the time that it sees, milliseconds on the clock */
  #task: { readonly cause: Cause; readonly at: number } | undefined;
  #file: RecordingFile | undefined;
  #listening: Disposable[] = [];

  /**
   * @param options.options the node's, as they go into the first line
   * @param options.fromGenesis nothing happened on the chain before
   * @param options.reopened another process made the chain
   * @param options.replays the inputs come from a recording, so that none is begun of them
   * @param deps.end aborted where the file can't be written: the chain is to end
   */
  constructor(
    options: {
      options: () => Readonly<Record<string, unknown>>;
      fromGenesis: boolean;
      reopened: boolean;
      replays: boolean;
    },
    deps: { clock: Pick<Clock, 'now'>; feed: Feed; steps: Steps; end: AbortController },
  ) {
    this.#steps = deps.steps;
    this.#options = options.options;
    this.#fromGenesis = options.fromGenesis;
    this.#reopened = options.reopened;
    if (options.replays) this.#kept = undefined;
    this.#clock = deps.clock;
    this.#feed = deps.feed;
    this.#end = deps.end;
  }

  /**
   * Begins a file with all inputs since the chain began, or goes on with the one of the process before, however that
   * ended.
   * @throws Error when there is a file that this chain can't go on with, or when inputs are missing
   */
  open(path: string): void {
    if (this.#file) throw new Error('a recording is under way');
    const kept = this.#kept;
    if (!kept)
      throw new Error(
        `${path}: what happened on this chain is too much for a recording, or not to be recorded`,
      );
    // The start itself, where it is there by now, has no outcome.
    const inputs = Math.max(0, kept.length - 1);
    const file = RecordingFile.open(path, this.#options(), {
      inputs,
      fromGenesis: this.#fromGenesis,
      reopened: this.#reopened,
      genesis: this.#start!.genesis,
    });
    try {
      for (const line of kept) file.write(typeof line === 'function' ? encodeLine(line()) : line.toString());
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

  /** From now on something is on the chain that no recording can have. @throws Error while one is under way */
  forgo(): void {
    if (this.#file) throw new Error('a recording is under way, and would lack what comes now');
    this.#kept = undefined;
  }

  /** @returns whether a recording was under way */
  close(): boolean {
    for (const listener of this.#listening.splice(0)) listener[Symbol.dispose]();
    const file = this.#file;
    this.#file = undefined;
    file?.close();
    return file !== undefined;
  }

  /**
   * The chain is about to be started.
   * @param genesis its timestamp, seconds
   * @param offset chain time less the clock's, milliseconds
   */
  starts(genesis: bigint, offset: number, head: TrieBlock): void {
    this.#start = { genesis: Number(genesis), offset, head: headRecord(head) };
  }

  /**
   * Runs a call of an RPC method that changes the chain, see `DispatcherDeps.record`. The call is written before the first
   * task that it causes, or when it has ended if it causes none.
   */
  call<T>(name: string, params: readonly unknown[], run: (cause: Cause) => T): T {
    const call: Call = { name, params, written: false };
    let result: T | undefined;
    try {
      result = run(call);
    } finally {
      // Also where it throws: it may have done something before.
      if (!(result instanceof Promise)) this.#writeCall(call);
    }
    return result instanceof Promise ? (result.finally(() => this.#writeCall(call)) as T) : result;
  }

  began(cause: Cause, at: number): void {
    this.#task = { cause, at };
    // With the time that the first block is begun at.
    if (cause === 'start') this.#writeStart();
    this.#steps.restart();
    if (cause === 'stop') this.#write({ stop: at });
    // Calls come from this recorder only.
    else if (typeof cause === 'object') this.#writeCall(cause as Call, true);
  }

  ended(): void {
    this.#task = undefined;
  }

  ticked(): void {
    this.#write({ tick: this.#now });
  }

  admitted(transaction: Transaction): void {
    const during = this.#task?.cause === 'send' ? {} : this.#during;
    const at = this.#now;
    // Without the decoded transaction, which is many times as large.
    const { raw, from, impersonated } = transaction;
    const line = () => inputOf({ raw, from, impersonated }, at, during);
    if (this.#file) this.#append(encodeLine(line()));
    this.#keep(line, 2 * raw.length);
  }

  /** The time on the chain's clock, which stands still while a task is at work. */
  get #now(): number {
    return this.#task?.at ?? this.#clock.now();
  }

  /** What a task of somebody else's is at, while it is. */
  get #during(): During {
    return this.#task ? this.#steps.now : {};
  }

  /** A recording that begins here knows where the chain does; one that goes on says what from. */
  #writeStart(): void {
    const { head, ...from } = this.#start!;
    const start = { start: this.#now, ...from, movesWithHead: true };
    const begins = this.#fromGenesis ? start : { ...start, head };
    this.#write(begins, this.#file?.goesOn ? { ...start, head } : begins);
  }

  /** @param own the task at work is the call's */
  #writeCall(call: Call, own = false): void {
    if (call.written) return;
    call.written = true;
    const { name, params } = call;
    this.#write({ call: name, params, at: this.#now, ...(own ? {} : this.#during) });
  }

  /** @param written what the recording that is under way gets, where that differs from what a later one would */
  #write(line: InputLine, written = line): void {
    if (!this.#file && !this.#kept) return;
    const text = encodeLine(line);
    this.#append(written === line ? text : encodeLine(written));
    // As bytes: a hex string of the library is one object per digit until somebody reads it.
    if (this.#kept) this.#keep(Buffer.from(text), text.length);
  }

  /** @param length bytes of the line */
  #keep(line: Kept, length: number): void {
    if (!this.#kept) return;
    this.#kept.push(line);
    this.#keptLength += OVERHEAD + length;
    if (this.#keptLength > KEPT) this.#kept = undefined;
  }

  /** A recording that lacks a line is none: it ends with the last whole one, and the chain with it. */
  #append(line: string): void {
    try {
      this.#file?.write(line);
    } catch (cause) {
      this.close();
      const error = new Error(`the recording can't be written: ${(cause as Error).message}`, { cause });
      this.#end.abort(error);
      throw error;
    }
  }
}
