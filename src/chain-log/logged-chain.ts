import type { Node } from '../boot/node.ts';
import type { StoreCopy } from '../chain/store/fill-copy.ts';
import { isIntact } from '../checked-line.ts';
import {
  decodeLine,
  type HeadRecord,
  type InputLine,
  isOutput,
  type LogLine,
  type OutputLine,
} from '../recorder/lines.ts';
import { compareLines, describeDifference } from '../replay/compare-lines.ts';
import { type MiddleLine, ReplayedChain, type Served } from '../replay/replayed-chain.ts';
import type { ChainRecord, Entry, SnapshotPlace } from './log-store.ts';
import { type Ends, type Position, START, textOf } from './position.ts';

/** Maximum number of characters of a call in a message. */
const MAX_OF_CALL = 120;

/** The chain differs from the leader's: a result is different, or tasks are missing in the log. */
export class Diverged extends Error {
  override readonly name: string = 'Diverged';
}

/** The log continues beyond this chain's position, but doesn't contain the tasks in between any more. */
export class TasksMissing extends Diverged {
  override readonly name = 'TasksMissing';
}

/** A chain that executes the tasks of a log and compares each result. */
export class LoggedChain {
  readonly #chain: ReplayedChain;
  #position: Position = START;
  #ends: Ends = [];

  /** @param options.dataDir an empty directory, which the caller deletes */
  constructor(options: { chain: ChainRecord; dataDir: string }, served: Served) {
    this.#chain = new ReplayedChain({ header: options.chain, dataDir: options.dataDir }, served);
  }

  /** position of the last executed task */
  get position(): Position {
    return this.#position;
  }

  /** The last positions of the leaders before the one whose tasks are executed now. */
  get ends(): Ends {
    return this.#ends;
  }

  /** The node that runs the chain; `undefined` before the log's first task is executed. */
  get node(): Node | undefined {
    return this.#chain.node;
  }

  /** Starts from a snapshot instead of the log's first task. @param from the result of {@link getSnapshot} */
  async restore(
    { position, ends, genesis }: SnapshotPlace,
    { running, copy }: { running: Uint8Array; copy: Omit<StoreCopy, 'head'> },
  ): Promise<void> {
    await this.#chain.restore(running, { genesis, copy });
    // Discards the results of reopening the open block.
    this.#chain.takeOutputs();
    this.#position = position;
    this.#ends = ends;
  }

  /** Executes the tasks of an entry that this chain hasn't executed yet. @throws Diverged */
  async take(entry: Entry): Promise<void> {
    const { position, tasks, after } = entry;
    if (after) {
      if (textOf(after) !== textOf(this.#position)) throw this.#gap(entry);
      if (after.fence > 0) this.#ends = [...this.#ends, after];
      this.#position = position;
      return;
    }
    const first = position.task - tasks.length + 1;
    const known = this.#position.task + 1 - first;
    if (position.fence !== this.#position.fence || known < 0) throw this.#gap(entry);
    for (const lines of tasks.slice(known)) {
      const next = { fence: position.fence, task: this.#position.task + 1 };
      await this.#run(lines.map(lineOf), next);
      this.#position = next;
    }
  }

  /** Lets the chain continue by itself, with timers that fire. */
  release(): void {
    this.#chain.release();
  }

  close(): Promise<void> {
    return this.#chain.close();
  }

  async #run(lines: readonly LogLine[], position: Position): Promise<void> {
    const inputs = lines.filter((line) => !isOutput(line) && !('reached' in line)) as InputLine[];
    const expected = lines.filter(isOutput);
    const place = placeOf(position, inputs);
    try {
      // Inputs that precede the task's own input, or arrived while a task ran that isn't in the log, have no other effect.
      const own = inputs.findIndex((line) => !('during' in line));
      for (const line of own < 0 ? inputs : inputs.slice(0, own)) await this.#chain.apply(line);
      if (own >= 0) await this.#chain.apply(inputs[own]!, inputs.slice(own + 1) as MiddleLine[]);
    } catch (error) {
      throw new Diverged(`${place} can't be executed: ${(error as Error).message}`);
    }
    this.#compare(expected, this.#chain.takeOutputs(), { position, place });
    for (const line of lines) if ('reached' in line) this.#compareHead(line.reached, place);
  }

  #compare(
    expected: readonly OutputLine[],
    got: readonly OutputLine[],
    { position, place }: { position: Position; place: string },
  ): void {
    for (const [i, line] of expected.entries()) {
      const difference = compareLines(line, got[i], position.task);
      if (difference)
        throw new Diverged(
          `this chain differs from the leader's: ${describeDifference(difference)}, ${place}`,
        );
    }
    const extra = got[expected.length];
    if (!extra) return;
    const number = 'sealed' in extra ? extra.sealed : extra.block;
    throw new Diverged(`this chain differs from the leader's: block ${number} has more here, after ${place}`);
  }

  /** Compares the head after a call, which may not show in a block. */
  #compareHead(expected: HeadRecord, place: string): void {
    const got = this.#chain.headRecord;
    for (const field of ['number', 'hash', 'stateRoot'] as const)
      if (got?.[field] !== expected[field])
        throw new Diverged(
          `this chain differs from the leader's: head ${expected.number}, ${field}: expected ${expected[field]}, ` +
            `got ${got?.[field]}, after ${place}`,
        );
  }

  #gap({ position }: Entry): TasksMissing {
    return new TasksMissing(
      `the log goes on at ${textOf(position)}, this chain is at ${textOf(this.#position)}: tasks between are lost. ` +
        'Start this follower again: it then begins with the newest snapshot',
    );
  }
}

/** Describes a task for messages, including its call. */
function placeOf(position: Position, inputs: readonly InputLine[]): string {
  const call = inputs.find((line) => 'call' in line);
  const what = call ? ` (${`${call.call} ${JSON.stringify(call.params)}`.slice(0, MAX_OF_CALL)})` : '';
  return `task ${textOf(position)} of the log${what}`;
}

function lineOf(text: string): LogLine {
  const bytes = Buffer.from(text);
  if (!isIntact(bytes)) throw new Diverged('a line of the log was changed: its checksum is wrong');
  return decodeLine(bytes) as LogLine;
}
