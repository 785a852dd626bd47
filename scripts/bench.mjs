// Measures the built node (npm run build) from outside, over HTTP on the loopback interface.
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { latency } from './bench/latency.mjs';
import { memory } from './bench/memory.mjs';
import { reads } from './bench/reads.mjs';
import { replay } from './bench/replay.mjs';
import { simulate } from './bench/simulate.mjs';
import { snapshots } from './bench/snapshots.mjs';
import { soak } from './bench/soak.mjs';
import { startup } from './bench/startup.mjs';
import { subscribers } from './bench/subscribers.mjs';
import { suites } from './bench/suites.mjs';
import { throughput } from './bench/throughput.mjs';
import { ticks } from './bench/ticks.mjs';

const HELP = `npm run bench -- [options]

Starts the built node as a child process for each section and prints one markdown table.

  --only <a,b>     sections to run: startup, throughput, latency, reads, simulate, ticks, snapshots,
                   replay, memory, soak, subscribers, suites
                   (default: all but the last five)
  --count <n>      transactions of each throughput measurement (default 2000)
  --replay <n>     run replay, with n transactions (default 10000)
  --minutes <n>    run memory, over n minutes of empty blocks (default 1)
  --soak <s>       run soak, for s seconds (default 60)
  --subscribers <s> run subscribers, 200 of them, for s seconds (default 60)
  --suites         run suites: the same tests on devnet, anvil and Hardhat's node
  --rate <n>       ERC-20 transfers a second in soak (default 200)
  --bin <file>     the launcher (default bin/devnet.js)
  --help
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    count: { type: 'string', default: '2000' },
    replay: { type: 'string' },
    minutes: { type: 'string' },
    soak: { type: 'string' },
    subscribers: { type: 'string' },
    suites: { type: 'boolean' },
    rate: { type: 'string', default: '200' },
    bin: { type: 'string', default: 'bin/devnet.js' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}

const options = {
  bin: values.bin,
  count: positive('count'),
  replay: positive('replay', '10000'),
  minutes: positive('minutes', '1'),
  soak: positive('soak', '60'),
  subscribers: positive('subscribers', '60'),
  rate: positive('rate'),
  progress: (line) => console.error(line),
};

/** section -> what it runs, and the seconds it may take */
const SECTIONS = {
  startup: { run: startup, limit: 180 },
  throughput: { run: throughput, limit: 300 + options.count / 10 },
  latency: { run: latency, limit: 240 },
  reads: { run: reads, limit: 180 },
  simulate: { run: simulate, limit: 240 },
  ticks: { run: ticks, limit: 240 },
  snapshots: { run: snapshots, limit: 180 },
  replay: { run: replay, limit: 180 + options.replay / 10 },
  memory: { run: memory, limit: 120 + options.minutes * 60 },
  soak: { run: soak, limit: 180 + options.soak },
  subscribers: { run: subscribers, limit: 180 + options.subscribers },
  suites: { run: suites, limit: 1200 },
};

/** sections that run only when asked for -> their option */
const ASKED = {
  replay: 'replay',
  memory: 'minutes',
  soak: 'soak',
  subscribers: 'subscribers',
  suites: 'suites',
};
const byDefault = Object.keys(SECTIONS).filter((name) => !(name in ASKED));
const asked = Object.keys(ASKED).filter((name) => values[ASKED[name]] !== undefined);
const names = values.only ? values.only.split(',') : [...byDefault, ...asked];
const unknown = names.filter((name) => !(name in SECTIONS));
if (unknown.length > 0)
  fail(`no section ${unknown.join(', ')}; there are ${Object.keys(SECTIONS).join(', ')}`);
if (values.bin === 'bin/devnet.js' && !existsSync(resolve(import.meta.dirname, '../dist/cli.js')))
  fail('not built: run npm run build');

const rows = [];
for (const name of names) {
  options.progress(`${name} ...`);
  const { run, limit } = SECTIONS[name];
  try {
    const timer = new AbortController();
    const tooLong = sleep(limit * 1000, undefined, { signal: timer.signal, ref: false }).then(() => {
      throw new Error(`took longer than ${limit} s`);
    });
    rows.push(...(await Promise.race([run(options), tooLong]).finally(() => timer.abort())));
  } catch (error) {
    rows.push([name, 'failed', error.message.replaceAll('\n', ' ')]);
    process.exitCode = 1;
  }
}

console.log(
  `node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} x ${cpus()[0]?.model}\n`,
);
console.log('| measurement | value | note |\n|---|---:|---|');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
// A section that took too long may still hold its child, which ends with this process.
process.exit();

function positive(name, fallback) {
  const number = Number(values[name] ?? fallback);
  if (!(number > 0)) fail(`--${name} must be a positive number`);
  return number;
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
