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

/** Milliseconds. A node that has worked for so long has answered some dozen requests; then its compiled code is worth storing. */
const MUCH_WORK = 50;

/** Runs the command for which this process was started, and then ends the process. */
export async function command({ keep, keepMore }: Keeping): Promise<void> {
  const clock = new SystemClock();
  let work = () => 0;
  // If the reader of the log has gone (`devnet | head`), the chain goes on without it.
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
      // A command that doesn't handle signals ends as it would at SIGTERM.
      const onEnd = () => emit.call(process, PARENT_ENDED) || process.exit(128 + 15);
      watchParent(onEnd, { clock, processes: systemProcesses });
    },
    // Deferred, so that the first answer doesn't wait for it.
    onRunning: ({ mining }) =>
      void setImmediate(() => {
        keep();
        work = measureWork();
        // Set only now, because V8 uses stored code only under the flags with which it was stored.
        setFlag('flush-bytecode', false);
        // Modes with a block time have ticks with deadlines from the start.
        if (!('blockTime' in mining)) optimizeLater({ wall: clock });
        void prepareYoungGeneration({ wall: clock });
      }),
    // Loaded lazily, so that --help and an invalid option are answered without loading the engine.
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
