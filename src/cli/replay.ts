import type { Command } from 'commander';
import { SystemClock } from '../clock.ts';
import { printable } from '../log/printable.ts';
import type { FileOutcome, Shard } from '../replay/replay-file.ts';
import type { Io } from './main.ts';
import { exitAfterParsing, ownCommand } from './own-command.ts';
import { progressBar } from './progress.ts';

/** What `devnet replay` takes. */
export function replayLine(io: Io): Command {
  return ownCommand('replay', io)
    .description('Runs recordings and consensus tests (BlockchainTests) again, and compares all hashes.')
    .argument('<files...>', 'recordings, BlockchainTests, folders with genesis.json and chain.rlp')
    .option('--json', 'print nothing but a line of JSON for each file')
    .option('--bail', 'end at the first failure')
    .option('--update', 'rewrite the hashes of recordings instead of comparing them')
    .option('--threads <n>', 'files at a time (one for each core)', Number)
    .option('--queue <url>', 'let workers do it: devnet worker --redis <url>')
    .option('--shard <i/n>', "every n-th case only, from the i-th on: a machine's part of n", shardOf);
}

/** `devnet replay FILE...`. @returns the exit code: 1 when anything differs */
export async function replayCommand(args: readonly string[], io: Io): Promise<number> {
  const program = replayLine(io);
  const exit = exitAfterParsing(program, args);
  if (exit !== undefined) return exit;
  const {
    json,
    bail = false,
    update = false,
    threads,
    queue,
    shard,
  } = program.opts<{
    json?: boolean;
    bail?: boolean;
    update?: boolean;
    threads?: number;
    queue?: string;
    shard?: Shard;
  }>();
  checkThreads(threads);
  const alone = Object.entries({ '--update': update || undefined, '--threads': threads, '--shard': shard });
  const [conflicting] = alone.find(([, value]) => value !== undefined) ?? [];
  if (queue !== undefined && conflicting) throw new Error(`--queue: can't be used with ${conflicting}`);
  const bar = json ? undefined : progressBar(io.stdout, 'Replaying');
  const clear = bar ? '\r\x1b[K' : '';
  const onFile = (outcome: FileOutcome) => {
    io.stdout.write(clear);
    if (!json) io.stdout.write(describe(outcome));
    io.stdout.write(`${printable(JSON.stringify(outcome.cases))}\n`);
  };
  const onProgress = bar && ((done: number) => bar({ bytes: done, total: program.args.length }));
  const paths = program.args;
  if (queue === undefined) {
    const { replayFiles } = await import('../replay/replay-files.ts');
    const chosen = { bail, update, shard, ...(threads !== undefined && { threads }) };
    const pass = await replayFiles(paths, { ...chosen, onFile, onProgress });
    await io.flush();
    return pass ? 0 : 1;
  }
  const { replayByWorkers } = await import('../replay-queue/replay-by-workers.ts');
  const onWaiting = (reason: string) => io.stderr.write(`${clear}${printable(reason)}\n`);
  const options = { redis: queue, version: io.version, bail };
  const pass = await replayByWorkers(paths, options, {
    clock: new SystemClock(),
    onFile,
    onProgress,
    onWaiting,
  });
  await io.flush();
  return pass ? 0 : 1;
}

/** @throws Error when it is no number of threads */
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

/** What failed, and how many passed. */
function describe({ path, cases }: FileOutcome): string {
  const outcomes = Object.entries(cases);
  const failed = outcomes.filter(([, { pass }]) => !pass);
  const blocks = outcomes.reduce((sum, [, outcome]) => sum + (outcome.blocks ?? 0), 0);
  const size = blocks > 0 ? `, ${blocks} blocks` : '';
  return [
    ...failed.map(([name, { error }]) => `failed: ${name}: ${error}`),
    `${path}: ${outcomes.length - failed.length} of ${outcomes.length} passed${size}`,
  ]
    .map((line) => `${printable(line)}\n`)
    .join('');
}
