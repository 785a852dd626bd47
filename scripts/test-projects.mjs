// Assigns tests to projects: quick tests, tests with a whole node, and tests that start processes. A test's imports decide, so that no
// file can be in the wrong project.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { importsOf } from './imports.mjs';

const root = resolve(import.meta.dirname, '..');

const HOOK = /^(?:before|after)(?:Each|All)\(/m;

/** Project -> files or packages that a test of it imports, directly or not; the first match wins. */
const PROJECTS = [
  // These need redis-server, which a new contributor's machine may lack: npm run test:redis.
  ['redis', ['test/redis-server.ts']],
  // Imported by a test or a file beside it: processes that src starts don't count.
  ['process', ['node:child_process']],
  ['node', ['src/boot/node.ts', 'src/chain/store/checked-level.ts', 'express', 'ws']],
  // These take seconds, not milliseconds: random cases, and comparisons with other implementations.
  ['node', ['fast-check', 'test/fuzz.ts', '@ethereumjs/vm', '@ethereumjs/mpt', '@ethereumjs/statemanager']],
  ['node', ['src/replay/consensus/run-case.ts']],
];

/** File name ending of tests that take so long that they have a command of their own, npm run test:slow. */
const SLOW = '.slow.test.ts';

/** @returns {{ unit: string[], node: string[], process: string[], redis: string[], slow: string[] }} paths, relative to the project */
export function testProjects() {
  const projects = { unit: [], node: [], process: [], redis: [], slow: [] };
  const known = new Map();
  const importsOf = (file) => {
    if (!known.has(file)) known.set(file, read(file));
    return known.get(file);
  };
  for (const file of testFiles(join(root, 'test'))) {
    const reached = reachedFrom(file, importsOf);
    const [name] = file.endsWith(SLOW)
      ? ['slow']
      : (PROJECTS.find(([, marks]) => marks.some((mark) => reached.has(mark))) ?? ['unit']);
    projects[name].push(file);
  }
  return projects;
}

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return testFiles(path);
      return entry.name.endsWith('.test.ts') ? [relative(root, path).split(sep).join('/')] : [];
    })
    .sort();
}

function reachedFrom(file, importsOf) {
  const reached = new Set([file]);
  for (const one of reached) for (const target of importsOf(one)) reached.add(target);
  return reached;
}

/** The imports of a file: packages by name, files by their path relative to the project's folder. */
function read(file) {
  const path = join(root, file);
  if (!/\.m?ts$/.test(file) || !existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  // Test files share the modules that they import: the hook would run for the first test file only.
  if (!file.endsWith('.test.ts') && HOOK.test(text))
    throw new Error(
      `${file} registers a hook when it is imported: export a function that does, for test files to call`,
    );
  return importsOf(text)
    .filter((target) => target !== 'node:child_process' || file.startsWith('test/'))
    .map((target) => {
      if (target === 'devnet' || target.startsWith('drop-in:')) return 'src/index.ts';
      if (!target.startsWith('.')) return target;
      return relative(root, resolve(dirname(path), target))
        .split(sep)
        .join('/');
    });
}
