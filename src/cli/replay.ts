import { basename } from 'node:path';
import type { Command } from 'commander';
import { SystemClock } from '../clock.ts';
import { ENGINES, type EngineName } from '../engine/engine-name.ts';
import { printable } from '../log/printable.ts';
import { suggestion } from '../nearest.ts';
import { OptionError } from '../options/options.ts';
import { CHAIN } from '../options/table/chain.ts';
import { plural } from '../plural.ts';
import type { Progress } from '../progress.ts';
import type { ComparedFile, FileOutcome, Shard } from '../replay/replay-file.ts';
import type { Replayed } from '../replay/replay-tally.ts';
import {
  AGAINST_FLAGS,
  AGAINST_REPEATED,
  AGAINST_VALUES,
  type AgainstAsked,
  readAgainst,
  tellAgainst,
} from './against-options.ts';
import type { Io } from './main.ts';
import { exitAfterParsing, ownCommand } from './own-command.ts';
import { ownOptions } from './program.ts';
import { openProgress, styleOn } from './progress.ts';

const ENGINE = '--engine <name>';

/** Defines the command line of `devnet replay`. */
export function replayLine(io: Io): Command {
  const command = ownCommand('replay', io)
    .description(
      'Runs recordings and consensus tests (BlockchainTests, GeneralStateTests) again, and compares all hashes.',
    )
    .argument(
      '<files...>',
      'recordings, BlockchainTests, GeneralStateTests, folders with genesis.json and chain.rlp',
    )
    .option('--json', 'print nothing but a line of JSON for each file')
    .option('--bail', 'end at the first failure')
    .option('--update', 'rewrite the hashes of recordings instead of comparing them')
    .option('--whole', 'fail for recordings that end without a stop: of a killed node, or cut')
    .option('-j, --threads <n>', 'files at a time (one for each core)', Number)
    .option('--queue <url>', 'let workers do it: devnet worker --redis <url>')
    .option('--shard <i/n>', "every n-th case only, from the i-th on: a machine's part of n", shardOf);
  for (const option of ownOptions({
    flags: {
      [ENGINE]: CHAIN.engine.help,
      ...AGAINST_FLAGS,
      '--artifacts <dir>': 'folder of compiled contracts, for the names in that report (artifacts and out)',
    },
    values: { [ENGINE]: ENGINES, ...AGAINST_VALUES },
    repeated: AGAINST_REPEATED,
  }))
    command.addOption(option);
  return command;
}

/** `devnet replay FILE...`. @returns the exit code: 1 if anything differs */
export async function replayCommand(args: readonly string[], io: Io): Promise<number> {
  const program = replayLine(io);
  const exit = exitAfterParsing(program, args);
  if (exit !== undefined) return exit;
  const {
    json,
    bail = false,
    update = false,
    whole = false,
    threads,
    engine,
    queue,
    shard,
    artifacts,
    ...asked
  } = program.opts<
    AgainstAsked & {
      json?: boolean;
      bail?: boolean;
      update?: boolean;
      whole?: boolean;
      threads?: number;
      engine?: EngineName;
      queue?: string;
      shard?: Shard;
      artifacts?: string;
    }
  >();
  checkThreads(threads);
  if (engine !== undefined && !ENGINES.includes(engine))
    throw new OptionError('--engine', `${CHAIN.engine.type.expected}${suggestion(engine, ENGINES)}`, engine);
  const against = readAgainst(asked);
  if (artifacts !== undefined && !against) throw new Error('--artifacts needs --against');
  const alone = Object.entries({
    '--update': update || undefined,
    '--threads': threads,
    '--shard': shard,
    '--engine': engine,
    '--against': against,
  });
  const [conflicting] = alone.find(([, value]) => value !== undefined) ?? [];
  if (queue !== undefined && conflicting) throw new Error(`--queue: can't be used with ${conflicting}`);
  const paths = program.args;
  // With --json nothing else is printed, because a program may read stderr, too; a terminal isn't read by a program.
  const isSilent = json === true && styleOn(io.stderr, io.env) === 'lines';
  const progress = openProgress({ silent: isSilent }, io);
  const stdout = progress?.over(io.stdout) ?? io.stdout;
  const { Tally } = against ? await import('../against/tally.ts') : {};
  const tally = against && new Tally!();
  const onFile = (outcome: ComparedFile) => {
    if (outcome.against)
      tally?.addPart(outcome.against, paths.length > 1 ? basename(outcome.path) : undefined);
    if (!json) stdout.write(describe(outcome));
    stdout.write(`${printable(JSON.stringify(outcome.cases))}\n`);
  };
  const onProgress = (done: Replayed) => progress?.report(progressOf(done, paths));
  const replay = async (): Promise<boolean> => {
    if (queue === undefined) {
      const { replayFiles } = await import('../replay/replay-files.ts');
      const chosen = {
        ...{ bail, update, whole, shard, engine, against: against && { fork: against.fork, artifacts } },
        ...(threads !== undefined && { threads }),
      };
      return replayFiles(paths, { ...chosen, onFile, onProgress });
    }
    const { replayByWorkers } = await import('../replay-queue/replay-by-workers.ts');
    const onWaiting = (reason: string) =>
      (progress?.over(io.stderr) ?? io.stderr).write(`${printable(reason)}\n`);
    const options = { redis: queue, version: io.version, bail, whole };
    const clock = new SystemClock();
    return replayByWorkers(paths, options, { clock, onFile, onProgress, onWaiting });
  };
  const pass = await replay().finally(() => progress?.[Symbol.dispose]());
  const fails =
    tally !== undefined && tellAgainst(tally.fields(against!.fork), against!, { stdout: io.stdout, json });
  await io.flush();
  return pass && !fails ? 0 : 1;
}

/** Formats the progress. The rate is that of blocks or cases, since files may be few and large. */
function progressOf({ files, blocks, cases }: Replayed, paths: readonly string[]): Progress {
  const [path] = paths;
  return {
    task: `Replaying${paths.length === 1 ? ` ${basename(path!)}` : ''}`,
    ...{ done: files, total: paths.length, unit: 'files' },
    ...(blocks + cases > 0 && {
      also: blocks > 0 ? { done: blocks, unit: 'blocks' } : { done: cases, unit: 'cases' },
    }),
  };
}

/** @throws Error if it isn't a valid number of threads */
export function checkThreads(threads: number | undefined): void {
  if (threads !== undefined && !(Number.isInteger(threads) && threads > 0))
    throw new Error('--threads: expected a number from 1');
}

/** `1/4`: the first of four parts. */
function shardOf(text: string): Shard {
  const [, i, n] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (!i || !n || i > n)
    throw new Error(`--shard: expected a part of a number of parts such as 1/4, got ${text}`);
  return { index: i - 1, count: n };
}

/** Lists failed cases, and counts those that passed. */
function describe({ path, cases }: FileOutcome): string {
  const outcomes = Object.entries(cases);
  const failed = outcomes.filter(([, { pass }]) => !pass);
  const blocks = outcomes.reduce((sum, [, outcome]) => sum + (outcome.blocks ?? 0), 0);
  const size = blocks > 0 ? `, ${plural(blocks, 'block')}` : '';
  const end = outcomes.some(([, { stopped }]) => stopped === false) ? ', ends without a stop' : '';
  return [
    ...failed.map(([name, { error }]) => `failed: ${name}: ${error}`),
    `${path}: ${outcomes.length - failed.length} of ${outcomes.length} passed${size}${end}`,
  ]
    .map((line) => `${printable(line)}\n`)
    .join('');
}
