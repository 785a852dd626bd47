// Which tests are quick, which run a whole node, which start processes: told by what a test imports, so that no file is
// ever in the wrong place.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { importsOf } from './imports.mjs';

const root = resolve(import.meta.dirname, '..');

const HOOK = /^(?:before|after)(?:Each|All)\(/m;

/** What a test reaches by its imports -> its project; the first that fits. */
const PROJECTS = [
  // They need redis-server, which a newcomer's machine lacks: npm run test:redis.
  ['redis', ['test/redis-server.ts']],
  // Imported by a test or by what stands beside it: what src starts is its own affair.
  ['process', ['node:child_process']],
  ['node', ['src/boot/node.ts', 'src/chain/store/checked-level.ts', 'express', 'ws']],
  // Seconds, not milliseconds: random cases, and other implementations to compare with.
  ['node', ['fast-check', 'test/fuzz.ts', '@ethereumjs/vm', '@ethereumjs/mpt', '@ethereumjs/statemanager']],
  ['node', ['src/replay/consensus/run-case.ts']],
];

/** Of the file's name: tests that take so long that they are a command of their own, npm run test:slow. */
const SLOW = '.slow.test.ts';

/** @returns {{ unit: string[], node: string[], process: string[], redis: string[], slow: string[] }} paths of test files, from the project's folder */
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

/** Packages by their name, files by their path from the project's folder. */
function read(file) {
  const path = join(root, file);
  if (!/\.m?ts$/.test(file) || !existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  // Test files share the modules that they import, so this would run for the first of them only.
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
