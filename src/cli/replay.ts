import { Command, CommanderError } from 'commander';
import type { FileOutcome } from '../replay/replay-file.ts';
import type { Io } from './main.ts';
import { progressBar } from './progress.ts';

/** `devnet replay FILE...`. @returns the exit code: 1 when anything differs */
export async function replayCommand(args: readonly string[], io: Io): Promise<number> {
  const program = new Command('devnet replay')
    .description('Runs recordings and consensus tests (BlockchainTests) again, and compares all hashes.')
    .argument('<files...>', 'recordings, BlockchainTests, folders with genesis.json and chain.rlp')
    .option('--json', 'print nothing but a line of JSON for each file')
    .option('--bail', 'end at the first failure')
    .option('--update', 'rewrite the hashes of recordings instead of comparing them')
    .option('--threads <n>', 'files at a time (one for each core)', Number)
    .helpOption('-h, --help', 'show this')
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(`${text.trim().replaceAll('\n', ' ')}\n`),
    })
    .exitOverride();
  try {
    program.parse([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
  const { json, bail, update, threads } = program.opts<{
    json?: boolean;
    bail?: boolean;
    update?: boolean;
    threads?: number;
  }>();
  if (threads !== undefined && !(Number.isInteger(threads) && threads > 0))
    throw new Error('--threads: expected a number from 1');
  const { replayFiles } = await import('../replay/replay-files.ts');
  const bar = json ? undefined : progressBar(io.stdout, 'Replaying');
  const clear = bar ? '\r\x1b[K' : '';
  const pass = await replayFiles(program.args, {
    bail: bail ?? false,
    update: update ?? false,
    ...(threads !== undefined && { threads }),
    onFile: (outcome) => {
      io.stdout.write(clear);
      if (!json) io.stdout.write(describe(outcome));
      io.stdout.write(`${JSON.stringify(outcome.cases)}\n`);
    },
    onProgress: bar && ((done) => bar({ bytes: done, total: program.args.length })),
  });
  return pass ? 0 : 1;
}

/** What failed, and how many passed. */
function describe({ path, cases }: FileOutcome): string {
  const outcomes = Object.entries(cases);
  const failed = outcomes.filter(([, { pass }]) => !pass);
  const blocks = outcomes.reduce((sum, [, outcome]) => sum + (outcome.blocks ?? 0), 0);
  const size = blocks > 0 ? `, ${blocks} blocks` : '';
  return [
    ...failed.map(([name, { error }]) => `failed: ${name}: ${error}\n`),
    `${path}: ${outcomes.length - failed.length} of ${outcomes.length} passed${size}\n`,
  ].join('');
}
