import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { SystemClock } from '../clock.ts';
import { printable } from '../log/printable.ts';
import type { Io } from './main.ts';
import { exitAfterParsing, ownCommand } from './own-command.ts';
import { checkThreads } from './replay.ts';
import { untilSignal } from './until-signal.ts';

/** Defines the command line of `devnet worker`. */
export function workerLine(io: Io): Command {
  return ownCommand('worker', io)
    .description('Runs the recordings and consensus tests that `devnet replay --queue` puts into Redis.')
    .requiredOption('--redis <url>', 'redis://host:port or rediss://host:port')
    .option('-j, --threads <n>', 'files at a time (one for each core)', Number, availableParallelism());
}

/** `devnet worker --redis URL`: runs the jobs of `devnet replay --queue URL` until a signal. @returns the exit code */
export async function workerCommand(args: readonly string[], io: Io): Promise<number> {
  const program = workerLine(io);
  const exit = exitAfterParsing(program, args);
  if (exit !== undefined) return exit;
  const { redis, threads } = program.opts<{ redis: string; threads: number }>();
  checkThreads(threads);
  const [{ startWorker }, { withoutPassword }] = await Promise.all([
    import('../replay-queue/worker.ts'),
    import('../redis/connect.ts'),
  ]);
  const stop = untilSignal(io);
  try {
    const { version } = io;
    const worker = await startWorker(
      { redis, version, threads },
      {
        clock: new SystemClock(),
        onJob: (path, cases) => {
          const all = Object.values(cases);
          io.stdout.write(
            `${printable(path)}: ${all.filter(({ pass }) => pass).length} of ${all.length} passed\n`,
          );
        },
        onRefused: (other) =>
          io.stderr.write(`refused jobs of devnet ${printable(other)}: this is ${version}\n`),
        onRedis: (line) => io.stderr.write(`${printable(line)}\n`),
      },
    );
    io.stdout.write(
      `devnet ${version} works for ${withoutPassword(redis)}, ${threads} ${threads === 1 ? 'file' : 'files'} at a time\n`,
    );
    await stop.requested;
    await worker.close();
    return 0;
  } finally {
    stop[Symbol.dispose]();
  }
}
