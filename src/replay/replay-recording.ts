import { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
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

/** What came of a replay. */
export interface ReplayResult {
  readonly pass: boolean;
  /** sealed blocks that were made */
  readonly blocks: number;
  readonly transactions: number;
  /** `0x` hex of the head that the replay ended with */
  readonly lastblockhash: string;
  /** the first one */
  readonly difference?: Difference;
  /** the file was rewritten with what the replay made */
  readonly updated?: boolean;
}

export interface ReplayOptions {
  /** Rewrites the hashes and checksums of the file instead of comparing them. */
  readonly update?: boolean;
  readonly onProgress?: ((progress: { number: bigint; bytes: number; total: number }) => void) | undefined;
}

/**
 * Runs a recording again, as fast as it can, and compares every sealed and partial block. It ends at the first
 * difference. An input that was changed in the file counts for the block that the recording has next after it, the
 * first that it could change, whether or not that block was reverted later; after the last one, for the block that
 * would have come.
 * @throws Error where the file isn't a recording that this program reads
 */
export async function replayRecording(path: string, options: ReplayOptions = {}): Promise<ReplayResult> {
  const damage = options.update ? undefined : await findDamage(path);
  // Nothing that runs says more about an input that isn't the recorded one.
  if (damage?.next !== undefined && !damage.isOutput)
    return {
      pass: false,
      blocks: 0,
      transactions: 0,
      lastblockhash: '0x',
      difference: changed(damage, damage.next),
    };
  const dir = mkdtempSync(join(tmpdir(), 'devnet-replay-'));
  try {
    return await new Run(path, join(dir, 'chain'), options, damage).all();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** An input, and what the file has until the next one that came by itself. */
interface Held {
  readonly input: InputLine;
  /** what came while it was at work, and what came of it; in the file's order */
  readonly rest: { readonly line: MiddleLine | OutputLine; readonly number: number }[];
  /** where it stands in the file */
  readonly number: number;
}

class Run {
  readonly #path: string;
  readonly #dataDir: string;
  readonly #options: ReplayOptions;
  readonly #damage: Damage | undefined;
  readonly #counts = { blocks: 0, transactions: 0 };
  /** what came of the input that ran last, and the file doesn't have */
  #extra: readonly OutputLine[] = [];
  /** the file's new lines, with `update` */
  readonly #lines: string[] = [];
  #held: Held | undefined;
  /** inputs to come of which the recording doesn't say what came of them */
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
        onProgress?.({ number: this.#chain?.head ?? 0n, bytes: at.position, total });
      }
      const stopped = this.#held && 'stop' in this.#held.input;
      difference ??= (await this.#runHeld()) ?? (damage && changed(damage, this.#blockOf(damage)));
      // A process that was killed had no time to write down all that came of its last input.
      difference ??= stopped ? this.#leftOver(last + 1) : undefined;
      if (update && !difference) this.#rewrite();
      return {
        pass: difference === undefined,
        ...this.#counts,
        lastblockhash: this.#chain?.headHash ?? '0x',
        ...(difference && { difference }),
        ...(update && !difference && { updated: true }),
      };
    } finally {
      await this.#chain?.close();
    }
  }

  async #take({ line, number }: Numbered): Promise<Difference | undefined> {
    if (!this.#chain) {
      const header = checkHeader(this.#path, line);
      this.#chain = new ReplayedChain({ header, dataDir: this.#dataDir });
      const { unchecked = 0, ...whole } = header;
      // The start isn't counted.
      this.#unchecked = unchecked > 0 ? unchecked + 1 : 0;
      this.#lines.push(encodeLine(whole));
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

  /** The process of the recording was started again, after a clean stop or a kill. */
  async #restart(line: StartLine, number: number): Promise<Difference | undefined> {
    const held = this.#held;
    const wasKilled = held !== undefined && !('stop' in held.input);
    if (wasKilled && this.#cameToNothing(line)) {
      this.#held = undefined;
      if (this.#options.update) this.#keep(held, []);
    }
    // All that came of it may not have been written down either.
    const difference = (await this.#runHeld()) ?? (wasKilled ? undefined : this.#leftOver(number));
    const { head } = line;
    if (head) this.#unchecked = 0;
    const now = this.#options.update ? this.#chain!.headRecord : undefined;
    const input = head && now?.number === head.number ? { ...line, head: now } : line;
    this.#held = { input, rest: [], number };
    return difference;
  }

  /**
   * Whether the last input before a kill was written down and not done. What it would have done can be taken back, but
   * not what it would have taken back (evm_revert).
   */
  #cameToNothing({ head }: StartLine): boolean {
    const outcomes = this.#held!.rest.some(({ line }) => isOutput(line));
    return !outcomes && head !== undefined && isDeepStrictEqual(this.#chain!.headRecord, head);
  }

  /** Runs the input that waited for all that belongs to it, and compares what comes of it. */
  async #runHeld(): Promise<Difference | undefined> {
    const held = this.#held;
    if (!held) return undefined;
    this.#held = undefined;
    const { input, rest, number } = held;
    const middle = rest.flatMap(({ line }) => (isOutput(line) ? [] : [line]));
    try {
      await this.#chain!.apply(input, middle);
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

  /** The lines as they were, with what came of them now. */
  #keep({ input, rest }: Held, produced: OutputLine[]): void {
    const lines: Line[] = [input];
    for (const { line } of rest) lines.push(...(isOutput(line) ? produced.splice(0, 1) : [line]));
    this.#lines.push(...[...lines, ...produced].map(encodeLine));
  }

  /** Something happened that the recording doesn't have. */
  #leftOver(line: number): Difference | undefined {
    const [output] = this.#extra;
    if (!output) return undefined;
    const kind = 'sealed' in output ? 'a sealed block' : 'a partial block';
    return { block: numberOf(output), field: 'block', expected: 'nothing', got: kind, line };
  }

  /** The block that a line is about which can't be believed. All before it was run. */
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
