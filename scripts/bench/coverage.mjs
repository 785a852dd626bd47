import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CONTRACTS, makeProject } from './project.mjs';
import { median, ms } from './stats.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = 5;
const SUITE = join(import.meta.dirname, 'covered-suite.mjs');

/** The cases: flags of `devnet run`, and its command. The first case with a command is the baseline of the others with the same command. */
const casesWith = (artifacts) => [
  { name: 'a suite of 300 tests, without', flags: [], command: [SUITE] },
  { name: 'a suite of 300 tests, with --coverage', flags: ['--coverage'], command: [SUITE] },
  { name: 'a suite of 300 tests, with --coverage --gas', flags: ['--coverage', '--gas'], command: [SUITE] },
  {
    name: `a suite of 300 tests beside ${CONTRACTS} artifacts, without`,
    flags: ['--artifacts', artifacts],
    command: [SUITE],
  },
  { name: 'start and end of a node', flags: [], command: ['-e', '0'] },
  {
    name: `start and end of a node beside ${CONTRACTS} artifacts`,
    flags: ['--artifacts', artifacts],
    command: ['-e', '0'],
  },
];

/**
 * The time that a test suite takes with and without coverage: `devnet run` with a command that sends transactions over HTTP and reads their
 * receipts, as tests with viem or ethers do. And the cost of artifacts that are not used. The cases alternate, so that other work of the
 * machine affects all of them.
 */
export async function coverage({ bin, progress }) {
  const project = makeSmallProject();
  const { folder } = makeProject();
  const cases = casesWith(folder).map((each) => ({ ...each, runs: [] }));
  try {
    for (let round = 0; round < ROUNDS; round++)
      for (const { name, flags, command, runs } of cases) {
        runs.push(await run(bin, project, flags, command));
        const { took, processor } = runs.at(-1);
        progress(`coverage ${round + 1}/${ROUNDS}: ${name} ${ms(took)}, processor ${ms(processor)}`);
      }
  } finally {
    rmSync(project, { recursive: true });
    rmSync(folder, { recursive: true });
  }
  return cases.map(({ name, command, runs }) => {
    const base = cases.find((each) => each.command.join() === command.join());
    const of = (all, key) => median(all.map((each) => each[key]));
    const times = (key) => (of(runs, key) / of(base.runs, key)).toFixed(2);
    const took = runs.map((each) => each.took);
    const range = `median of ${ROUNDS}, ${ms(Math.min(...took))} to ${ms(Math.max(...took))}`;
    const compared =
      base.runs === runs ? range : `${times('took')} times; processor time ${times('processor')} times`;
    return [`coverage: ${name}`, ms(of(runs, 'took')), `${compared}; processor ${ms(of(runs, 'processor'))}`];
  });
}

function run(bin, cwd, flags, command) {
  const args = [resolve(bin), 'run', ...flags, '--', process.execPath, ...command];
  const started = performance.now();
  const before = childrenMs();
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    child.on('error', fail);
    child.on('exit', (code) => {
      if (code !== 0) fail(new Error(said));
      else done({ took: performance.now() - started, processor: childrenMs() - before });
    });
  });
}

/** Processor time of this process's ended children and their descendants, in milliseconds. NaN on systems other than Linux. */
function childrenMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return 10 * (Number(fields[13]) + Number(fields[14]));
  } catch {
    return Number.NaN;
  }
}

/** A folder with the build info of test/stack-trace/scenarios/shop.json in Hardhat 2's format. */
function makeSmallProject() {
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
