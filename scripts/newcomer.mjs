// Follows docs/quick-start.md, and recipes of docs/recipes.md, like a user who has never seen devnet: an empty folder for each tool, the
// packed package, and the commands and files of the page. The tests must pass; one more test must fail and name the reason.
// Needs `npm run build`.
//   npm run test:newcomer              all tools
//   npm run test:newcomer -- Hardhat   those whose name has "Hardhat" in it
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { foundryBinary } from '../test/suites/nodes.mjs';
import { newcomerSection, SECTIONS, workflowCommands } from './newcomer-sections.mjs';
import { suitableNode } from './suitable-node.mjs';

const root = resolve(import.meta.dirname, '..');
const suites = join(root, 'test/suites');
const require = createRequire(join(suites, 'package.json'));

/** Time limit for the commands of one block, milliseconds: they take minutes on a loaded machine. */
const TIMEOUT = 600_000;
/** Patterns that the output of a failing test must match: the contract, its function, and the error with its argument. */
const NAMED = {
  contract: /\bCounter(?:\.|::)/,
  function: /\bCounter(?:\.|::)set\((?:to: )?5\)/,
  error: /\bNotOwner\((?:caller: |")?0x[\da-f]{40}"?\)/i,
};
/** Checked because a run without tests would pass, too. */
const ONE_PASSED = /\b1 (?:tests? )?pass(?:ed|ing)\b/;
const ONE_FAILED = /\b1 (?:tests? )?fail(?:ed|ing)\b/;
const FAILED = 'FAILED, see above';

const folder = mkdtempSync(join(tmpdir(), 'devnet-newcomer-'));
const rows = [];
try {
  const tarball = pack();
  const cache = cacheOfCompilers();
  const wanted = process.argv[2] ?? '';
  const names = Object.keys(SECTIONS).filter((name) => name.toLowerCase().includes(wanted.toLowerCase()));
  if (names.length === 0) throw new Error(`no tool has "${wanted}" in its name`);
  for (const name of names) rows.push([name, tried(name, tarball, cache)]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.table(Object.fromEntries(rows));
if (rows.some(([, { failure }]) => failure === FAILED)) process.exitCode = 1;

/** @returns the row of a tool; if it fails, the others are still tried */
function tried(name, tarball, cache) {
  try {
    return follow(name, tarball, cache);
  } catch (error) {
    console.error(error.message);
    return { failure: FAILED };
  }
}

/** @returns the row of a tool with its times */
function follow(name, tarball, cache) {
  console.log(`${name} ...`);
  const { install, run, passing, failing, output } = newcomerSection(name);
  const project = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(project);
  const node = SECTIONS[name].recentNode ? suitableNode() : process.execPath;
  const env = environment(node, cache);

  const start = Date.now();
  const shell = (lines) => runShell(lines, project, env);
  const installed = shell(install.replace(/(?<=npm install -D) devnet(?=\s)/, ` ${tarball}`));
  if (installed.status !== 0) fail(name, 'the installation failed', installed);
  const installedAfter = Date.now() - start;
  write(project, passing);
  const green = shell(run);
  if (green.status !== 0) fail(name, 'the passing test failed', green);
  const greenAfter = Date.now() - start;
  const row = { installed: seconds(installedAfter), 'from empty folder to green': seconds(greenAfter) };
  if (failing.size === 0) {
    for (const line of output)
      if (!green.text.includes(line)) fail(name, `the output lacks "${line}"`, green);
    return { ...row, failure: 'none (a recipe)' };
  }
  if (!ONE_PASSED.test(green.text)) fail(name, 'not one test passed', green);
  if (NAMED.error.test(green.text)) fail(name, 'the error is named where nothing fails', green);

  if (SECTIONS[name].workflow) {
    const jobs = shell(['npm pkg set scripts.test=jest', ...workflowCommands()].join('\n'));
    if (jobs.status !== 0) fail(name, 'the workflow of docs/recipes.md failed', jobs);
  }
  write(project, failing);
  const red = shell(run);
  if (red.status === 0) fail(name, 'the failing test passed', red);
  if (!ONE_PASSED.test(red.text) || !ONE_FAILED.test(red.text))
    fail(name, 'not one test passed and one failed', red);
  for (const line of output) if (!red.text.includes(line)) fail(name, `the output lacks "${line}"`, red);
  for (const [what, pattern] of Object.entries(NAMED))
    if (!pattern.test(red.text)) fail(name, `the output doesn't name the ${what}`, red);
  return { ...row, failure: 'named' };
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function fail(name, what, { status, text }) {
  throw new Error(`${name}: ${what} (exit code ${status})\n${text}`);
}

function write(project, files) {
  for (const [file, text] of files) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  }
}

/** @returns the exit code, and the output without colours */
function runShell(lines, cwd, env) {
  const { status, stdout, stderr, error } = spawnSync('sh', ['-ec', lines], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: TIMEOUT,
  });
  if (error) throw error;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with a control character
  return { status, text: `${stdout}${stderr}`.replace(/\x1b\[[\d;]*m/g, '') };
}

/** The environment of a new terminal, without variables of this npm. Tools find Foundry, and compilers that they needn't download. */
function environment(node, cache) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_|^(?:INIT_CWD|NODE_ENV|VITEST)/i.test(name),
  );
  return {
    ...Object.fromEntries(own),
    CI: 'true',
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    PATH: [dirname(node), dirname(foundryBinary('forge')), process.env.PATH].join(delimiter),
    XDG_CACHE_HOME: cache,
    FOUNDRY_SOLC: join(suites, 'solc.mjs'),
    FOUNDRY_OFFLINE: 'true',
    FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
  };
}

/** Fills the compiler cache of both Hardhats with the compiler from npm, as after a download. @returns the folder */
function cacheOfCompilers() {
  const cache = join(folder, 'cache');
  const full = require('solc')
    .version()
    .replace(/\.Emscripten.*$/, '');
  const [version] = full.split('+');
  const list = (path) => ({
    builds: [{ path, version, build: full, longVersion: full, keccak256: '', sha256: '', urls: [] }],
    releases: { [version]: path },
    latestRelease: version,
  });
  const platform = process.platform === 'darwin' ? 'macosx-amd64' : 'linux-amd64';
  for (const compilers of ['compilers-v2', 'compilers-v3']) {
    const native = place(cache, compilers, platform);
    writeFileSync(join(native, 'list.json'), JSON.stringify(list('solc')));
    writeFileSync(join(native, 'solc'), `#!/bin/sh\nexec node '${join(suites, 'solc.mjs')}' "$@"\n`);
    chmodSync(join(native, 'solc'), 0o755);
    // Hardhat 3 needs both.
    const wasm = place(cache, compilers, 'wasm');
    writeFileSync(join(wasm, 'list.json'), JSON.stringify(list('soljson.js')));
    copyFileSync(require.resolve('solc/soljson.js'), join(wasm, 'soljson.js'));
  }
  return cache;
}

function place(cache, compilers, platform) {
  const path = join(cache, 'hardhat-nodejs', compilers, platform);
  mkdirSync(path, { recursive: true });
  return path;
}

/** @returns {string} path of the package */
function pack() {
  if (!existsSync(join(root, 'dist/cli.js'))) throw new Error('not built: run npm ci');
  const [program, ...first] = process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  const flags = ['--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder];
  const text = execFileSync(program, [...first, 'pack', ...flags], { cwd: root, encoding: 'utf8' });
  return join(folder, JSON.parse(text)[0].filename);
}
