import { renameSync, statSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { ComparedChain } from '../against/compared-chain.ts';
import { createTemporaryDirectory } from '../chain/store/temporary-dir.ts';
import type { EngineName } from '../engine/engine-name.ts';
import type { CacheEntry } from '../fork-cache/cache-entry.ts';
import { forkedOf } from '../options/recorded.ts';
import {
  encodeLine,
  type InputLine,
  isOutput,
  type Line,
  type OutputLine,
  type StartLine,
} from '../recorder/lines.ts';
import { compareLines, type Difference } from './compare-lines.ts';
import { type Damage, findDamage } from './find-damage.ts';
import { checkHeader, type Numbered, readLines } from './read-recording.ts';
import { type MiddleLine, ReplayedChain } from './replayed-chain.ts';

/** The result of a replay. */
export interface ReplayResult {
  readonly pass: boolean;
  /** number of blocks that the replay sealed */
  readonly blocks: number;
  readonly transactions: number;
  /** hash of the head at the end, `0x` hex */
  readonly lastblockhash: string;
  /** the first difference */
  readonly difference?: Difference;
  /** whether the file ends with a stop line; not if it was truncated between two lines, or if the node was killed */
  readonly stopped: boolean;
  /** whether the file was rewritten with the replay's results */
  readonly updated?: boolean;
}

export interface ReplayOptions {
  /** rewrite the results and checksums in the file instead of comparing them */
  readonly update?: boolean;
  readonly onProgress?: ((progress: { blocks: number; bytes: number; total: number }) => void) | undefined;
  /** the engine that executes the transactions; default: `fast` */
  readonly engine?: EngineName | undefined;
  /** also runs the transactions under other rules */
  readonly compared?: ComparedChain | undefined;
}

/**
 * Replays a recording as fast as possible and compares every sealed block and flashblock, up to the first difference. For an input line
 * with a wrong checksum, the difference names the next block in the recording: it is the first that the input could change, even if it was
 * reverted later.
 * After the last block, it names the next block number.
 * @throws Error when the file isn't a recording in a format that this version reads
 */
export async function replayRecording(path: string, options: ReplayOptions = {}): Promise<ReplayResult> {
  const damage = options.update ? undefined : await findDamage(path);
  // A damaged input can't be replayed, and the affected block is already known.
  if (damage?.next !== undefined && !damage.isOutput)
    return {
      pass: false,
      blocks: 0,
      transactions: 0,
      lastblockhash: '0x',
      stopped: false,
      difference: changed(damage, damage.next),
    };
  const temporary = createTemporaryDirectory();
  try {
    return await new Run(path, temporary.path, options, damage).all();
  } finally {
    temporary.remove();
  }
}

/** An input and the lines after it, up to the next input that arrived outside of a task. */
interface Held {
  readonly input: InputLine;
  /** inputs that arrived while this one was being processed, and results; in the file's order */
  readonly rest: { readonly line: MiddleLine | OutputLine; readonly number: number }[];
  /** line number in the file */
  readonly number: number;
}

class Run {
  readonly #path: string;
  readonly #dataDir: string;
  readonly #options: ReplayOptions;
  readonly #damage: Damage | undefined;
  readonly #counts = { blocks: 0, transactions: 0 };
  /** results of the last input that aren't in the file */
  #extra: readonly OutputLine[] = [];
  /** the file's new lines, with `update` */
  readonly #lines: string[] = [];
  #held: Held | undefined;
  /** number of the next inputs whose results aren't in the recording */
  #unchecked = 0;
  #chain: ReplayedChain | undefined;

  constructor(path: string, dataDir: string, options: ReplayOptions, damage: Damage | undefined) {
    this.#damage = damage;
    this.#path = path;
    this.#dataDir = dataDir;
    this.#options = options;
  }

  async all(): Promise<ReplayResult> {
    const { size: total } = statSync(this.#path);
    const { update, onProgress } = this.#options;
    const damage = this.#damage;
    let difference: Difference | undefined;
    let last = 0;
    try {
      for await (const at of readLines(this.#path)) {
        if (at.number === damage?.line) break;
        last = at.number;
        difference = await this.#take(at);
        if (difference) break;
        onProgress?.({ blocks: this.#counts.blocks, bytes: at.position, total });
      }
      const stopped = this.#held !== undefined && 'stop' in this.#held.input;
      difference ??= (await this.#runHeld()) ?? (damage && changed(damage, this.#blockOf(damage)));
      // After a clean stop all results must be in the file. A killed process may not have written its last results.
      difference ??= stopped ? this.#leftOver(last + 1) : undefined;
      if (update && !difference) this.#rewrite();
      return {
        pass: difference === undefined,
        ...this.#counts,
        lastblockhash: this.#chain?.headHash ?? '0x',
        stopped,
        ...(difference && { difference }),
        ...(update && !difference && { updated: true }),
      };
    } finally {
      await this.#chain?.close();
      await this.#options.compared?.settle();
      this.#options.compared?.close();
    }
  }

  async #take({ line, number }: Numbered): Promise<Difference | undefined> {
    if (!this.#chain) {
      const header = checkHeader(this.#path, line);
      const reads = forkedOf(header.options) && (await this.#reads());
      const { engine, compared } = this.#options;
      const served = {
        options: { ...(engine && { engine }), ...compared?.options },
        hooks: compared?.hooks ?? {},
      };
      this.#chain = new ReplayedChain({ header, dataDir: this.#dataDir, reads }, served);
      const { unchecked = 0, ...whole } = header;
      // `unchecked` doesn't count the start line.
      this.#unchecked = unchecked > 0 ? unchecked + 1 : 0;
      this.#lines.push(encodeLine(whole));
      return undefined;
    }
    if (line && 'read' in line) {
      this.#lines.push(encodeLine(line));
      return undefined;
    }
    if (!line || 'recording' in line)
      return this.#differs('line', 'one of a recording', 'something else', number);
    if (isOutput(line) || ('during' in line && line.during !== undefined)) {
      if (!this.#held) return this.#differs('line', 'an input before it', 'none', number);
      this.#held.rest.push({ line, number });
      return undefined;
    }
    if ('start' in line) return this.#restart(line, number);
    const difference = (await this.#runHeld()) ?? this.#leftOver(number);
    this.#held = { input: line, rest: [], number };
    return difference;
  }

  /** Data that the recorded chain read from the chain that it was forked from. Such a line may come after the input that needed it. */
  async #reads(): Promise<CacheEntry[]> {
    const reads: CacheEntry[] = [];
    for await (const { line } of readLines(this.#path)) if (line && 'read' in line) reads.push(line.read);
    return reads;
  }

  /** Handles a restart of the recorded process, after a clean stop or a kill. */
  async #restart(line: StartLine, number: number): Promise<Difference | undefined> {
    const held = this.#held;
    const wasKilled = held !== undefined && !('stop' in held.input);
    if (wasKilled && this.#cameToNothing(line)) {
      this.#held = undefined;
      if (this.#options.update) this.#keep(held, []);
    }
    // After a kill the file may lack results of the last input.
    const difference = (await this.#runHeld()) ?? (wasKilled ? undefined : this.#leftOver(number));
    const { head } = line;
    if (head) this.#unchecked = 0;
    const now = this.#options.update ? this.#chain!.headRecord : undefined;
    const input = head && now?.number === head.number ? { ...line, head: now } : line;
    this.#held = { input, rest: [], number };
    return difference;
  }

  /**
   * Whether the last input before a kill was recorded but had no effect. Such an input must not be replayed: blocks that it added could be
   * removed again, but blocks that it removed (evm_revert) could not be restored.
   */
  #cameToNothing({ head }: StartLine): boolean {
    const outcomes = this.#held!.rest.some(({ line }) => isOutput(line));
    return !outcomes && head !== undefined && isDeepStrictEqual(this.#chain!.headRecord, head);
  }

  /** Runs the held input when all its lines have been read, and compares the results. */
  async #runHeld(): Promise<Difference | undefined> {
    const held = this.#held;
    if (!held) return undefined;
    this.#held = undefined;
    const { input, rest, number } = held;
    const middle = rest.flatMap(({ line }) => (isOutput(line) ? [] : [line]));
    try {
      await this.#chain!.apply(input, middle);
      await this.#options.compared?.settle();
    } catch (error) {
      return this.#differs('input', 'one that can be', (error as Error).message, number);
    }
    const produced = this.#chain!.takeOutputs();
    for (const output of produced) {
      if (!('sealed' in output)) continue;
      this.#counts.blocks++;
      this.#counts.transactions += output.transactions.length;
    }
    if (this.#options.update) {
      this.#keep(held, produced);
      return undefined;
    }
    if (this.#unchecked > 0) {
      this.#unchecked -= 1 + middle.length;
      return undefined;
    }
    for (const { line, number: at } of rest) {
      const difference = isOutput(line) && compareLines(line, produced.shift(), at);
      if (difference) return difference;
    }
    this.#extra = produced;
    return undefined;
  }

  /** Adds the input's lines to the new file, with the replay's results. */
  #keep({ input, rest }: Held, produced: OutputLine[]): void {
    const lines: Line[] = [input];
    for (const { line } of rest) lines.push(...(isOutput(line) ? produced.splice(0, 1) : [line]));
    this.#lines.push(...[...lines, ...produced].map(encodeLine));
  }

  /** The difference for a result that the recording doesn't contain. */
  #leftOver(line: number): Difference | undefined {
    const [output] = this.#extra;
    if (!output) return undefined;
    const kind = 'sealed' in output ? 'a sealed block' : 'a partial block';
    return { block: numberOf(output), field: 'block', expected: 'nothing', got: kind, line };
  }

  /** The block to which a damaged line belongs, after all lines before it were replayed. */
  #blockOf({ isOutput, next }: Damage): string {
    const [output] = isOutput ? this.#extra : [];
    return output ? numberOf(output) : (next ?? this.#comingBlock);
  }

  get #comingBlock(): string {
    return `${(this.#chain?.head ?? -1n) + 1n}`;
  }

  #differs(field: string, expected: string, got: string, line: number): Difference {
    return { block: this.#comingBlock, field, expected, got, line };
  }

  #rewrite(): void {
    const unfinished = `${this.#path}.new`;
    writeFileSync(unfinished, `${this.#lines.join('\n')}\n`);
    renameSync(unfinished, this.#path);
  }
}

const numberOf = (output: OutputLine) => ('sealed' in output ? output.sealed : output.block);

function changed({ line }: Damage, block: string): Difference {
  return {
    block,
    field: 'checksum',
    expected: 'that of the line',
    got: 'another one: the line was changed',
    line,
  };
}
