// Measures the built node (npm run build) from outside, over HTTP on the loopback interface.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bigAnswers } from './bench/big-answers.mjs';
import { coverage } from './bench/coverage.mjs';
import { explorer } from './bench/explorer.mjs';
import { fanOut } from './bench/fan-out.mjs';
import { farm } from './bench/farm.mjs';
import { fleet } from './bench/fleet.mjs';
import { FORK_ROWS, fork } from './bench/fork.mjs';
import { forms } from './bench/forms.mjs';
import { heavy } from './bench/heavy.mjs';
import { largeStates } from './bench/large-states.mjs';
import { lateStart } from './bench/late-start.mjs';
import { latency } from './bench/latency.mjs';
import { longChain } from './bench/long-chain.mjs';
import { memory } from './bench/memory.mjs';
import { WORKLOADS } from './bench/peer-workloads.mjs';
import { peers } from './bench/peers.mjs';
import { reads } from './bench/reads.mjs';
import { replay } from './bench/replay.mjs';
import { scale } from './bench/scale.mjs';
import { simulate } from './bench/simulate.mjs';
import { snapshots } from './bench/snapshots.mjs';
import { soak } from './bench/soak.mjs';
import { startup } from './bench/startup.mjs';
import { subscribers } from './bench/subscribers.mjs';
import { suites } from './bench/suites.mjs';
import { throughput } from './bench/throughput.mjs';
import { ticks } from './bench/ticks.mjs';
import { views } from './bench/views.mjs';

const HELP = `npm run bench -- [options]

Starts the built node as a child process for each section and prints one markdown table. docs/benchmarks.md
says how the nodes are compared.

  --only <a,b>     sections to run: startup, throughput, latency, reads, simulate, ticks, snapshots; and, only
                   when asked for, replay, memory, soak, heavy, subscribers, explorer, views, coverage, scale, forms, fleet, farm, fan-out, big-answers,
                   large-states, late-start, long-chain, suites, peers, fork
  --count <n>      transactions of each throughput measurement (default 2000)
  --replay <n>     run replay, with n transactions (default 10000)
  --minutes <n>    run memory, over n minutes of empty blocks (default 1)
  --soak <s>       run soak, for s seconds (default 60)
  --rate <n>       ERC-20 transfers a second in soak (default 200)
  --heavy <s>      run heavy: 20 endless requests in flight, twice for s seconds (default 30)
  --subscribers <s> run subscribers, 200 of them, for s seconds (default 60)
  --scale <s>      run scale: a leader and two followers on redis-server, s seconds of load (default 30)
  --farm <dir>     run farm: the BlockchainTests files of a folder by one worker and by two, on redis-server
  --explorer <n>   run explorer, a page open for n minutes in Chromium (default 30)
  --blocks <n>     run long-chain, over n blocks (default 100000)
  --accounts <n>   run large-states, of n accounts (default 100000)
  --transfers <n>  run late-start, in a chain of n transfers (default 60000)
  --suites         run suites: the same tests on devnet, anvil and Hardhat's node
  --rounds <n>     rounds of peers: the same requests to devnet, anvil and Hardhat's node (default 3)
  --rows <a,b>     workloads of peers: ${Object.keys(WORKLOADS).join(', ')}
                   nodes of fork: ${Object.keys(FORK_ROWS).join(', ')}
  --docs           write the table of peers into docs/benchmarks.md
  --json <file>    write all that was measured to the file
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
    heavy: { type: 'string' },
    subscribers: { type: 'string' },
    scale: { type: 'string' },
    farm: { type: 'string' },
    explorer: { type: 'string' },
    blocks: { type: 'string' },
    accounts: { type: 'string' },
    transfers: { type: 'string' },
    suites: { type: 'boolean' },
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string' },
    docs: { type: 'boolean', default: false },
    json: { type: 'string' },
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
  heavy: positive('heavy', '30'),
  subscribers: positive('subscribers', '60'),
  scale: positive('scale', '30'),
  farm: values.farm,
  explorer: positive('explorer', '30'),
  rate: positive('rate'),
  blocks: positive('blocks', '100000'),
  accounts: positive('accounts', '100000'),
  transfers: positive('transfers', '60000'),
  rounds: positive('rounds'),
  rows: values.rows?.split(','),
  progress: (line) => console.error(line),
};

/** section -> its function, and its time limit in seconds */
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
  heavy: { run: heavy, limit: 300 + 4 * options.heavy },
  subscribers: { run: subscribers, limit: 180 + options.subscribers },
  scale: { run: scale, limit: 240 + 2 * options.scale },
  fork: { run: fork, limit: 600 },
  forms: { run: forms, limit: 600 },
  fleet: { run: fleet, limit: 240 },
  farm: { run: farm, limit: 3600 },
  explorer: { run: explorer, limit: 180 + options.explorer * 75 },
  views: { run: views, limit: 900 },
  coverage: { run: coverage, limit: 600 },
  'fan-out': { run: fanOut, limit: 300 },
  'big-answers': { run: bigAnswers, limit: 300 },
  'large-states': { run: largeStates, limit: 600 + options.accounts / 25 },
  'late-start': { run: lateStart, limit: 300 + options.transfers / 10 },
  'long-chain': { run: longChain, limit: 180 + options.blocks / 100 },
  suites: { run: suites, limit: 1200 },
  peers: { run: peers, limit: 120 + options.rounds * 1200 },
};

/** sections that run only on request, by --only or by their option -> the option */
const ASKED = {
  replay: 'replay',
  memory: 'minutes',
  soak: 'soak',
  heavy: 'heavy',
  subscribers: 'subscribers',
  scale: 'scale',
  farm: 'farm',
  explorer: 'explorer',
  'long-chain': 'blocks',
  suites: 'suites',
  views: undefined,
  coverage: undefined,
  fork: undefined,
  forms: undefined,
  fleet: undefined,
  'fan-out': undefined,
  'big-answers': undefined,
  'large-states': 'accounts',
  'late-start': 'transfers',
  peers: undefined,
};
const byDefault = Object.keys(SECTIONS).filter((name) => !(name in ASKED));
const asked = Object.keys(ASKED).filter((name) => values[ASKED[name]] !== undefined);
const names = values.only ? values.only.split(',') : [...byDefault, ...asked];
const unknown = names.filter((name) => !(name in SECTIONS));
if (unknown.length > 0)
  fail(`no section ${unknown.join(', ')}; there are ${Object.keys(SECTIONS).join(', ')}`);
if (values.bin === 'bin/devnet.js' && !existsSync(resolve(import.meta.dirname, '../dist/cli.js')))
  fail('not built: run npm run build');
const possible = Object.keys(names.includes('fork') ? FORK_ROWS : WORKLOADS);
const noRows = options.rows?.filter((name) => !possible.includes(name)) ?? [];
if (noRows.length > 0) fail(`no rows ${noRows.join(', ')}; there are ${possible.join(', ')}`);
if (values.docs && (options.rows || !names.includes('peers'))) fail('--docs is for all rows of --only peers');

const rows = [];
/** the result of peers: { text, samples } */
let compared;
for (const name of names) {
  options.progress(`${name} ...`);
  const { run, limit } = SECTIONS[name];
  try {
    const timer = new AbortController();
    const tooLong = sleep(limit * 1000, undefined, { signal: timer.signal, ref: false }).then(() => {
      throw new Error(`took longer than ${limit} s`);
    });
    const found = await Promise.race([run(options), tooLong]).finally(() => timer.abort());
    if (Array.isArray(found)) rows.push(...found);
    else compared = found;
  } catch (error) {
    rows.push([name, 'failed', error.message.replaceAll('\n', ' ')]);
    process.exitCode = 1;
  }
}

const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} x ${cpus()[0]?.model}`;
const table = compared && `${new Date().toISOString().slice(0, 10)}, ${machine}; ${compared.text}`;
if (rows.length > 0) {
  console.log(`${machine}\n\n| measurement | value | note |\n|---|---:|---|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}
if (table) console.log(table);
if (table && values.docs) writeTable(table);
if (values.json) {
  const found = { date: new Date().toISOString(), machine, rows, samples: compared?.samples };
  writeFileSync(values.json, `${JSON.stringify(found, null, 2)}\n`);
}
// A section that hit its time limit may still have a child process, which ends with this process.
process.exit();

function positive(name, fallback) {
  const number = Number(values[name] ?? fallback);
  if (!(number > 0)) fail(`--${name} must be a positive number`);
  return number;
}

/** Writes the table into its place in docs/benchmarks.md. */
function writeTable(text) {
  const file = resolve(import.meta.dirname, '../docs/benchmarks.md');
  const place = /(<!-- peers[^>]*-->\n).*(<!-- \/peers -->)/s;
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(place, (_, begin, end) => `${begin}\n${text}\n\n${end}`),
  );
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
