// Compares the lines that `devnet run --coverage` reports with those of `forge coverage`, on Foundry projects whose tests need no
// cheatcodes: forge runs the tests, and on devnet the same tests are deployed and called. Needs `npm run build` and `npm ci` in test/suites.
//   node scripts/coverage-forge.mjs [DIR]    DIR: folder of projects, each with src and test (default: test/suites/coverage-projects)
//   exit code 1 if less than 99.5 % of the lines that both report are equal
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { foundryBinary } from '../test/suites/nodes.mjs';

const root = resolve(import.meta.dirname, '..');
const SOLC = join(root, 'test/suites/solc.mjs');
const LEAST = 99.5;
const run = promisify(execFile);

const folder = resolve(process.argv[2] ?? join(root, 'test/suites/coverage-projects'));
let both = 0;
let equal = 0;
for (const name of readdirSync(folder)) {
  const project = mkdtempSync(join(tmpdir(), 'devnet-coverage-'));
  try {
    cpSync(join(folder, name), project, { recursive: true });
    writeFileSync(
      join(project, 'foundry.toml'),
      `[profile.default]\nsrc = "src"\ntest = "test"\nout = "out"\nlibs = []\nsolc = "${SOLC}"\n`,
    );
    const theirs = await byForge(project);
    const ours = await byDevnet(project);
    const told = compare(name, project, theirs, ours);
    both += told.both;
    equal += told.equal;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
const share = (100 * equal) / both;
console.log(`all: ${equal} of ${both} lines are equal (${share.toFixed(2)} %)`);
if (!(share >= LEAST)) process.exitCode = 1;

async function byForge(project) {
  await run(foundryBinary('forge'), ['coverage', '--report', 'lcov'], { cwd: project });
  return linesIn(readFileSync(join(project, 'lcov.info'), 'utf8'));
}

async function byDevnet(project) {
  await run(foundryBinary('forge'), ['build', '--build-info', '--force'], { cwd: project });
  const driver = join(import.meta.dirname, 'coverage-driver.mjs');
  const flags = ['--coverage', '--coverage-dir', 'covered', '--disable-code-size-limit'];
  const command = ['run', ...flags, '--', process.execPath, driver];
  await run(process.execPath, [join(root, 'bin/devnet.js'), ...command], { cwd: project });
  return linesIn(readFileSync(join(project, 'covered/lcov.info'), 'utf8'));
}

/** file -> line -> runs */
function linesIn(lcov) {
  const files = new Map();
  let lines;
  for (const record of lcov.split('\n')) {
    const [, name] = /^SF:(.*)$/.exec(record) ?? [];
    if (name) {
      lines = new Map();
      files.set(name, lines);
    }
    const [, line, runs] = /^DA:(\d+),(\d+)/.exec(record) ?? [];
    if (line) lines.set(Number(line), Number(runs));
  }
  return files;
}

function compare(name, project, theirs, ours) {
  const sum = { both: 0, equal: 0 };
  for (const [file, lines] of theirs) {
    if (!file.startsWith('src/')) continue;
    const own = ours.get(file) ?? new Map();
    const text = readFileSync(join(project, file), 'utf8').split('\n');
    const show = (line, what) => console.log(`    ${file}:${line} ${what}: ${text[line - 1].trim()}`);
    const common = [...lines.keys()].filter((line) => own.has(line));
    const same = common.filter((line) => lines.get(line) > 0 === own.get(line) > 0);
    sum.both += common.length;
    sum.equal += same.length;
    console.log(`${name}: ${same.length} of ${common.length} lines are equal`);
    for (const line of common)
      if (!same.includes(line)) show(line, `forge ${lines.get(line)}, devnet ${own.get(line)}`);
    for (const line of lines.keys()) if (!own.has(line)) show(line, 'forge only');
    for (const line of own.keys()) if (!lines.has(line)) show(line, 'devnet only');
  }
  return sum;
}
