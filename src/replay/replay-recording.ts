import { mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeLine, type InputLine, isOutput, type OutputLine } from '../recorder/lines.ts';
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

class Run {
  readonly #path: string;
  readonly #dataDir: string;
  readonly #options: ReplayOptions;
  readonly #damage: Damage | undefined;
  readonly #counts = { blocks: 0, transactions: 0 };
  readonly #produced: OutputLine[] = [];
  /** the file's new lines, with `update` */
  readonly #lines: string[] = [];
  #held: { input: InputLine; at: Numbered; middle: MiddleLine[] } | undefined;
  #stopped = false;
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
      difference ??= (await this.#runHeld()) ?? (damage && changed(damage, this.#blockOf(damage)));
      difference ??= this.#stopped ? this.#leftOver(last + 1) : undefined;
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

  async #take(at: Numbered): Promise<Difference | undefined> {
    const { line, number } = at;
    if (!this.#chain) {
      const header = checkHeader(this.#path, line);
      this.#chain = new ReplayedChain({ header, dataDir: this.#dataDir });
      const { unchecked = 0, ...whole } = header;
      // The start isn't counted.
      this.#unchecked = unchecked > 0 ? unchecked + 1 : 0;
      this.#lines.push(encodeLine(whole));
      return undefined;
    }
    if (!line) return this.#differs('line', 'one of a recording', 'something else', number);
    if (isOutput(line)) {
      const stopped = await this.#runHeld();
      if (stopped || this.#options.update) return stopped;
      return compareLines(line, this.#produced.shift(), number);
    }
    const input = line as InputLine;
    const during = 'tx' in input || 'call' in input ? input.during : undefined;
    if (during !== undefined && this.#held) {
      this.#held.middle.push(input as MiddleLine);
      return undefined;
    }
    if (during !== undefined) {
      // It came while a block was stored: between the partial block and the sealed one, which are both made by now.
      this.#held = { input, at, middle: [] };
      return this.#runHeld();
    }
    const difference = (await this.#runHeld()) ?? this.#leftOver(number);
    this.#held = { input, at, middle: [] };
    return difference;
  }

  /** Runs the input that waited for what came in its middle. */
  async #runHeld(): Promise<Difference | undefined> {
    const held = this.#held;
    if (!held) return undefined;
    this.#held = undefined;
    this.#stopped = 'stop' in held.input;
    for (const line of [held.input, ...held.middle]) this.#lines.push(encodeLine(line));
    try {
      await this.#chain!.apply(held.input, held.middle);
    } catch (error) {
      return this.#differs('input', 'one that can be', (error as Error).message, held.at.number);
    }
    const outputs = this.#chain!.takeOutputs();
    for (const output of outputs) {
      if (!('sealed' in output)) continue;
      this.#counts.blocks++;
      this.#counts.transactions += output.transactions.length;
    }
    const unchecked = this.#unchecked > 0;
    this.#unchecked -= unchecked ? 1 + held.middle.length : 0;
    if (this.#options.update) this.#lines.push(...outputs.map(encodeLine));
    else if (!unchecked) this.#produced.push(...outputs);
    return undefined;
  }

  /** Something happened that the recording doesn't have. */
  #leftOver(line: number): Difference | undefined {
    const [output] = this.#produced;
    if (!output) return undefined;
    const kind = 'sealed' in output ? 'a sealed block' : 'a partial block';
    return { block: numberOf(output), field: 'block', expected: 'nothing', got: kind, line };
  }

  /** The block that a line is about which can't be believed. All before it was run. */
  #blockOf({ isOutput, next }: Damage): string {
    const [output] = isOutput ? this.#produced : [];
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
