import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median, ms } from './stats.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = 5;
const FLAGS = {
  without: [],
  'with --coverage': ['--coverage'],
  'with --coverage --gas': ['--coverage', '--gas'],
};

/**
 * How long a suite takes with and without coverage: `devnet run` with a command that sends transactions over HTTP and reads what they came
 * to, as tests with viem or ethers do. The runs take turns, so that what the machine does besides hits all of them.
 */
export async function coverage({ bin, progress }) {
  const project = makeProject();
  const times = Object.fromEntries(Object.keys(FLAGS).map((name) => [name, []]));
  try {
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, flags] of Object.entries(FLAGS)) {
        times[name].push(await run(bin, project, flags));
        progress(`coverage ${round + 1}/${ROUNDS}: ${name} ${ms(times[name].at(-1))}`);
      }
  } finally {
    rmSync(project, { recursive: true });
  }
  const base = median(times.without);
  return Object.entries(times).map(([name, all]) => [
    `coverage: a suite of 300 tests, ${name}`,
    ms(median(all)),
    name === 'without'
      ? `median of ${ROUNDS}, ${ms(Math.min(...all))} to ${ms(Math.max(...all))}`
      : `${(median(all) / base).toFixed(2)} times; of the fastest runs ${(Math.min(...all) / Math.min(...times.without)).toFixed(2)} times`,
  ]);
}

function run(bin, cwd, flags) {
  const args = [
    resolve(bin),
    'run',
    ...flags,
    '--',
    process.execPath,
    join(import.meta.dirname, 'covered-suite.mjs'),
  ];
  const started = performance.now();
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    child.on('error', fail);
    child.on('exit', (code) => (code === 0 ? done(performance.now() - started) : fail(new Error(said))));
  });
}

/** A folder with the build info of the shop of test/stack-trace/scenarios, as Hardhat 2 writes it. */
function makeProject() {
  const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  const { sources } = read('test/stack-trace/scenarios/shop.json');
  const output = read('fixtures/stack-traces/807a97336cdc75ad9fa6466e8aef2545.json');
  const input = {
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
  };
  const folder = mkdtempSync(join(tmpdir(), 'devnet-bench-coverage-'));
  mkdirSync(join(folder, 'artifacts/build-info'), { recursive: true });
  const build = JSON.stringify({ solcVersion: '0.8.37', input, output });
  writeFileSync(join(folder, 'artifacts/build-info/1.json'), build);
  return folder;
}
