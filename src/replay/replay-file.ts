import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ComparedChain } from '../against/compared-chain.ts';
import { Tally, type TallyPart } from '../against/tally.ts';
import { SystemClock } from '../clock.ts';
import type { HardforkName } from '../protocol/hardfork.ts';
import { type Difference, describeDifference } from './compare-lines.ts';
import { isConsensusFile } from './consensus/fixture.ts';
import { CaseRunner, type RunOptions } from './consensus/run-case.ts';
import { isStateTestFile, stateTestCases } from './consensus/state-test.ts';
import { foreignFile } from './foreign-file.ts';
import { membersOf, NoObject } from './json-members.ts';
import { isRecording } from './read-recording.ts';
import { isChainFolder, replayChain } from './replay-chain.ts';
import { replayRecording } from './replay-recording.ts';
import { NOTHING_REPLAYED, type Replayed } from './replay-tally.ts';

/** The result of one case: a case of a BlockchainTests or GeneralStateTests file, a whole recording, or a whole chain. */
export interface CaseOutcome {
  readonly pass: boolean;
  /** hash of the head at the end, `0x` hex; absent for a state test, which has no blocks */
  readonly lastblockhash?: string;
  /** state root at the end of a state test, `0x` hex */
  readonly stateRoot?: string;
  readonly error?: string;
  /** sealed blocks of a recording or an exported chain */
  readonly blocks?: number;
  /** transactions of a recording */
  readonly transactions?: number;
  /** the first difference from the recording */
  readonly difference?: Difference;
  /** false for a recording that ends without a stop line: its node was killed, or the file was truncated between two lines */
  readonly stopped?: false;
}

/** The result of a file. */
export interface FileOutcome {
  readonly path: string;
  readonly pass: boolean;
  /**
   * Results by case name. A recording or chain is one case with the file's name; a post of a state test is a case with the name
   * `test/hardfork/index`.
   */
  readonly cases: Readonly<Record<string, CaseOutcome>>;
  /** the case with which to continue, from 0, if the time limit of the run was reached; see {@link ReplayFileOptions.most} */
  readonly next?: number;
}

/** The result of a file, and the results of its transactions under other rules, if requested. */
export interface ComparedFile extends FileOutcome {
  readonly against?: TallyPart;
}

/** Other rules under which the transactions are executed, too. */
export interface OtherRules {
  readonly fork: HardforkName;
  /** folder of compiled contracts, for names; default: the same as for a node */
  readonly artifacts?: string | undefined;
}

/** One part of a run that is divided among machines: every `count`-th case, or file that is a single case, from `index` on. */
export interface Shard {
  /** 0 to count - 1 */
  readonly index: number;
  readonly count: number;
}

export interface ReplayFileOptions {
  /** stop at the first case that fails */
  readonly bail?: boolean;
  /** rewrite the results in a recording instead of comparing them */
  readonly update?: boolean;
  /** whether a recording that ends without a stop line fails */
  readonly whole?: boolean;
  /** Receives the progress of the file. */
  readonly onProgress?: ((done: Replayed) => void) | undefined;
  /** skips the cases of other shards. `file`: index of the file, from 0 */
  readonly shard?: (Shard & { readonly file: number }) | undefined;
  /** the case of a BlockchainTests or GeneralStateTests file to begin with, from 0 */
  readonly from?: number;
  /** milliseconds after which no further case of a file is started */
  readonly most?: number;
}

/** Options that also select the engine and other rules. */
export interface ComparedFileOptions extends ReplayFileOptions, RunOptions {}

/** The result of a file that can't be run. */
export function failedFile(path: string, { message }: Error): FileOutcome {
  return {
    path,
    pass: false,
    cases: { [path]: { pass: false, lastblockhash: '0x', error: message } },
  };
}

let runner: Promise<CaseRunner> | undefined;

type RunCase = (runner: CaseRunner, options: RunOptions) => Promise<CaseOutcome & { against?: TallyPart }>;

interface FileCase {
  readonly name: string;
  readonly run: RunCase;
  /** end of the case as a share of the file, 0 to 1 */
  readonly share: number;
}

/** The cases of a file of consensus tests, in order, while the file is read. @throws Error for other files */
async function* casesOf(path: string): AsyncGenerator<FileCase> {
  const { size } = await stat(path);
  let from = 0;
  let count = 0;
  try {
    for await (const { text, end } of membersOf(createReadStream(path))) {
      const cases = casesOfMember(JSON.parse(`{${text}}`));
      if (!cases) throw foreignFile(path);
      for (const [i, [name, run]] of cases.entries())
        yield { name, run, share: (from + ((end - from) * (i + 1)) / cases.length) / size };
      from = end;
      count += cases.length;
    }
  } catch (error) {
    throw error instanceof NoObject || error instanceof SyntaxError ? foreignFile(path) : error;
  }
  if (count === 0) throw foreignFile(path);
}

/** The cases of one member of a file; `undefined` if it isn't a consensus test. */
function casesOfMember(json: unknown): (readonly [name: string, run: RunCase])[] | undefined {
  if (isConsensusFile(json))
    return Object.entries(json).map(([name, fixture]) => [name, (by, options) => by.run(fixture, options)]);
  if (isStateTestFile(json))
    return stateTestCases(json).map(([name, one]) => [name, (by, options) => by.runState(one, options)]);
  return Object.hasOwn(json as object, '_info') ? [] : undefined;
}

/**
 * Replays a recording, a BlockchainTests or GeneralStateTests file, or a folder with genesis.json and chain.rlp.
 * @throws Error when the file can't be read, or is none of these
 */
export function replayFixture(path: string, options: ReplayFileOptions = {}): Promise<FileOutcome> {
  return replayFile(path, options);
}

/** Like {@link replayFixture}, and optionally compares with other rules. */
export async function replayFile(path: string, options: ComparedFileOptions = {}): Promise<ComparedFile> {
  const { shard, from = 0, most = Infinity, engine, against } = options;
  const isOurs = (i: number) => !shard || i % shard.count === shard.index;
  const isChain = await isChainFolder(path);
  if (shard && !isOurs(shard.file) && (isChain || (await isRecording(path))))
    return { path, pass: true, cases: {} };
  if (isChain) {
    const compared = against && (await comparedBy(against));
    const { name, ...outcome } = await replayChain(path, {
      onProgress: options.onProgress,
      engine,
      compared,
    });
    return { path, pass: outcome.pass, cases: { [name]: outcome }, ...partOf(compared) };
  }
  if (await isRecording(path)) return replayOne(path, options);
  runner ??= CaseRunner.create();
  const cases: Record<string, CaseOutcome> = {};
  const tally = against && new Tally();
  const compared = () => (tally ? { against: tally.part } : {});
  let pass = true;
  const clock = new SystemClock();
  const began = clock.now();
  let inFile = 0;
  let i = -1;
  for await (const { name, run, share } of casesOf(path)) {
    if (!isOurs(inFile++)) continue;
    i++;
    if (i < from) continue;
    if (i > from && clock.now() - began >= most) return { path, pass, cases, next: i, ...compared() };
    const { against: part, ...outcome } = await run(await runner, { engine, against });
    cases[name] = outcome;
    if (part) tally?.addPart(part, `${basename(path)}: ${name}`);
    pass &&= outcome.pass;
    options.onProgress?.({ ...NOTHING_REPLAYED, files: share, cases: i + 1 });
    if (!pass && options.bail) break;
  }
  return { path, pass, cases, ...compared() };
}

/** Loads the module lazily, only if a comparison is requested. */
async function comparedBy({ fork, artifacts }: OtherRules): Promise<ComparedChain> {
  const { ComparedChain } = await import('../against/compared-chain.ts');
  return new ComparedChain({ fork, artifacts });
}

function partOf(compared: ComparedChain | undefined): { against?: TallyPart } {
  return compared ? { against: compared.tally.part } : {};
}

async function replayOne(
  path: string,
  { update = false, whole = false, onProgress, engine, against }: ComparedFileOptions,
): Promise<ComparedFile> {
  const compared = against && (await comparedBy(against));
  const { pass, lastblockhash, blocks, transactions, difference, stopped } = await replayRecording(path, {
    update,
    engine,
    compared,
    ...(onProgress && {
      onProgress: ({ blocks, bytes, total }) =>
        onProgress({ files: bytes / Math.max(1, total), blocks, cases: 0 }),
    }),
  });
  const isCut = pass && !stopped;
  const outcome: CaseOutcome = {
    pass: pass && !(isCut && whole),
    lastblockhash,
    blocks,
    transactions,
    ...(difference && { error: describeDifference(difference), difference }),
    ...(isCut && whole && { error: 'the recording ends without a stop' }),
    ...(isCut && { stopped: false }),
  };
  return { path, pass: outcome.pass, cases: { [basename(path)]: outcome }, ...partOf(compared) };
}
