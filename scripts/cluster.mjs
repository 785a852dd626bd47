// Drives a leader, followers, Redis and TCP proxies, controlled by a seed, through two faults at a time, and compares the responses of all
// nodes:
//   npm run test:cluster -- --seeds 500 --seed 1
// Needs redis-server and the result of npm run build. The nodes run in this process, each with its own connections and timers, so that
// several seeds can run in parallel (--jobs); with --processes each node is the built command. --fault limits the run to the named faults,
// --without excludes faults. All time limits are multiplied by the slowness of the machine, which is measured at the start or given by
// --slowness.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Cluster, NotBegun } from './cluster/cluster.mjs';
import { FAULTS, twoFaults } from './cluster/faults.mjs';
import { allClosed, InProcess } from './cluster/in-process.mjs';
import { OwnProcess } from './cluster/own-process.mjs';
import { Random } from './cluster/random.mjs';

/** Time that the command's help takes on an otherwise idle machine, milliseconds. */
const QUICK_MS = 600;
/** Milliseconds between the starts of the first parallel seeds. */
const APART_MS = 1_000;
/** Value that --without accepts in addition to the names of faults. */
const PRUNING = 'pruned history';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    seed: { type: 'string' },
    rounds: { type: 'string', default: '2' },
    jobs: { type: 'string', default: '1' },
    'redis-timeout': { type: 'string', default: '1500' },
    slowness: { type: 'string' },
    fault: { type: 'string', multiple: true },
    without: { type: 'string', multiple: true, default: [] },
    processes: { type: 'boolean', default: false },
    bin: { type: 'string', default: 'bin/devnet.js' },
    verbose: { type: 'boolean', default: false },
  },
});
const numbers = Object.fromEntries(
  ['seeds', 'seed', 'rounds', 'jobs', 'redis-timeout'].map((name) => [
    name,
    Number(values[name] ?? 1 + Math.floor(Math.random() * 1e9)),
  ]),
);
for (const [name, number] of Object.entries(numbers))
  if (!Number.isInteger(number) || number < 1) {
    console.error(`--${name}: expected a whole number from 1, got ${values[name]}`);
    process.exit(2);
  }
const mayPrune = !values.without.includes(PRUNING);
for (const name of [...(values.fault ?? []), ...values.without.filter((one) => one !== PRUNING)])
  if (!Object.hasOwn(FAULTS, name)) {
    console.error(`no such fault: '${name}'. There are:\n${Object.keys(FAULTS).join('\n')}`);
    process.exit(2);
  }
const names = (values.fault ?? Object.keys(FAULTS)).filter((name) => !values.without.includes(name));
const bin = resolve(import.meta.dirname, '..', values.bin);
const before = performance.now();
const help = spawnSync(process.execPath, [bin, '--help'], { encoding: 'utf8' }).stdout;
// A machine that is busy with other work gets more time.
const measured = Math.min(8, Math.max(1, (performance.now() - before) / QUICK_MS));
const slowness = values.slowness === undefined ? measured : Number(values.slowness);
if (!(slowness >= 1)) {
  console.error(`--slowness: expected a number from 1, got ${values.slowness}`);
  process.exit(2);
}
const redisTimeout = help.includes('--redis-timeout')
  ? Math.round(numbers['redis-timeout'] * slowness)
  : undefined;

const runner = values.processes
  ? { make: () => new OwnProcess(), deps: { bin } }
  : { make: () => new InProcess(), deps: { devnet: await import('../dist/index.js') } };

const { seeds, seed: first } = numbers;
console.log(
  `--seeds ${seeds} --seed ${first} --rounds ${numbers.rounds}, times ${slowness.toFixed(1)} times as long`,
);
const failed = [];
const took = [];
let next = first;
/** seeds whose nodes didn't start, to be tried again */
const again = [];
let acknowledged = 0;
let excused = 0;

async function work(lane) {
  await sleep(lane * APART_MS);
  while (next < first + seeds || again.length > 0) {
    const seed = next < first + seeds ? next++ : again.shift();
    const random = new Random(seed);
    const lines = [];
    const start = performance.now();
    const log = (line) => {
      lines.push(`[${((performance.now() - start) / 1000).toFixed(1)} s] ${line}`);
      if (values.verbose) console.log(`${seed} ${lines.at(-1)}`);
    };
    const cluster = new Cluster(
      random,
      { runner, redisTimeout, slowness, mayPrune, plan: (by) => twoFaults(by, names) },
      log,
    );
    const failures = await cluster.run(numbers.rounds).catch(async (error) => {
      await cluster.close();
      if (!(error instanceof NotBegun)) throw error;
      return undefined;
    });
    if (!failures) {
      console.log(`seed ${seed}: not begun, it is tried again later: the machine is too busy`);
      again.push(seed);
      continue;
    }
    const outputs = failures.length > 0 ? await cluster.outputs() : [];
    await cluster.close();
    const seconds = (performance.now() - start) / 1000;
    took.push(seconds);
    acknowledged += cluster.acknowledged;
    excused += cluster.excused;
    const what =
      failures.length > 0 ? 'FAILED' : cluster.isGone ? 'ok, the chain is gone, and it was told' : 'ok';
    console.log(
      `seed ${seed}: ${what}, ${seconds.toFixed(1)} s, ${cluster.acknowledged} writes, ${cluster.excused} lost with a leader`,
    );
    if (failures.length === 0) continue;
    failed.push(seed);
    console.log([...lines, ...outputs].map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n'));
    console.log(`  again: npm run test:cluster -- --seeds 1 --seed ${seed} --rounds ${numbers.rounds}`);
  }
}

await Promise.all(Array.from({ length: numbers.jobs }, (_, lane) => work(lane)));
await allClosed();
const mean = took.reduce((sum, one) => sum + one, 0) / took.length;
console.log(
  `${seeds - failed.length} of ${seeds} seeds passed, ${mean.toFixed(1)} s for each; ${acknowledged} writes were acknowledged, ${excused} ` +
    `of them lost with a leader that had not written them yet${failed.length > 0 ? `; failed: ${failed.join(', ')}` : ''}`,
);
process.exit(failed.length > 0 ? 1 : 0);
