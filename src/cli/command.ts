import pkg from '../../package.json' with { type: 'json' };
import { SystemClock } from '../clock.ts';
import { measureWork } from '../process/main-thread-work.ts';
import { optimizeLater } from '../process/optimize-later.ts';
import { resetFlags, setFlag } from '../process/v8-flags.ts';
import { v8Memory } from '../process/v8-memory.ts';
import { prepareYoungGeneration } from '../process/young-generation.ts';
import type { Keeping } from './bundle.ts';
import { main } from './main.ts';
import { isStartedByPackageManager, systemProcesses, watchParent } from './parent.ts';
import { PARENT_ENDED } from './signal.ts';

/** A node that has worked for so many milliseconds has answered some dozen requests. Then its code is worth keeping. */
const MUCH_WORK = 50;

/** Runs the command that this process was started as, and ends the process with it. */
export async function command({ keep, keepMore }: Keeping): Promise<void> {
  const clock = new SystemClock();
  let work = () => 0;
  // Whoever read the log went away (`devnet | head`): the chain goes on without it.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  const code = await main(process.argv.slice(2), {
    version: pkg.version,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    signals: process,
    exit: (exitCode) => process.exit(exitCode),
    flush: () => new Promise((done) => process.stdout.write('', () => done())),
    endWithParent: () => {
      if (!isStartedByPackageManager(process.env)) return;
      const { emit } = process as NodeJS.EventEmitter;
      // What listens to no signals ends at this as it ends at SIGTERM.
      const onEnd = () => emit.call(process, PARENT_ENDED) || process.exit(128 + 15);
      watchParent(onEnd, { clock, processes: systemProcesses });
    },
    // The first answer doesn't wait for it.
    onRunning: ({ mining }) =>
      void setImmediate(() => {
        keep();
        work = measureWork();
        // Later, since V8 only uses code that was kept under the same flags.
        setFlag('flush-bytecode', false);
        // Ticks have a time by which they are to be done, from the first one on.
        if (!('blockTime' in mining)) optimizeLater({ wall: clock });
        void prepareYoungGeneration({ wall: clock });
      }),
    // Late, so that --help and a bad option answer without loading the engine.
    loadFollow: async () => {
      const { startFollower } = await import('../start.ts');
      return (stream, options, hooks) => startFollower(stream, options, { memory: v8Memory, ...hooks });
    },
    load: async () => {
      const { startNode } = await import('../start.ts');
      return (options, hooks) => startNode(options, { memory: v8Memory, ...hooks });
    },
  });
  if (work() >= MUCH_WORK) {
    resetFlags();
    keepMore();
  }
  process.exit(code);
}
