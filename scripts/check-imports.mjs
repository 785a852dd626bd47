// Checks that the folders under src import each other in the direction that the diagram of the layers in CONTRIBUTING.md shows, which
// folders import which packages, that there are no import cycles, and that time and randomness enter in one place.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { importsOf } from './imports.mjs';

const src = resolve(import.meta.dirname, '../src');

/** Each layer may import itself and the layers before it. Names in one row don't import each other. */
const LAYERS = readLayers();

/** The folders of src/core, the lowest first: each may import itself and those before it. */
const CORE = ['memory', 'tables', 'state', 'trie', 'evm', 'transaction', 'block', 'out'];

/** package prefix -> folders that may import it; no folder: only tests may */
const PACKAGES = {
  preact: ['explorer'],
  '@preact/signals': ['explorer'],
  '@codemirror': ['explorer/source'],
  viem: ['explorer', 'sources/abi'],
  '@ethereumjs/vm': ['engine/ethereumjs', 'protocol/hardfork'],
  '@ethereumjs/evm': ['engine', 'protocol'],
  '@ethereumjs/statemanager': [],
  '@ethereumjs/mpt': [],
  level: ['chain/store'],
  'classic-level': ['chain/store'],
  express: ['server'],
  'prom-client': ['server/metrics'],
  ws: ['server', 'remote'],
  commander: ['cli'],
  '@vscode': ['cli/dap'],
  '@redis/client': ['redis'],
  bullmq: ['replay-queue'],
};

/** The page in the browser: it may import types from the node's other folders, but code from SHARED only. */
const PAGE = 'explorer';

/** Code for the page and the node: it imports nothing of the project outside of its folder. */
const SHARED = 'sources/abi/';

/** Properties that turn text into HTML: text from the chain must not become HTML. */
const MAKES_HTML = /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc)\b/g;

/** Calls that make two runs differ: only clock.ts may use them. */
const TIME_AND_CHANCE =
  /\b(?:Date\.now|Math\.random|performance\.now|setTimeout|setInterval)(?=\()|new Date(?=\(\))/g;

const isShared = (file) => relative(src, file).split(sep).join('/').startsWith(SHARED);
const rank = (layer) => LAYERS.findIndex((names) => names.includes(layer));
const layerOf = (file) => relative(src, file).split(sep)[0].replace(/\.ts$/, '');
/** Files beside the folders rank above them. */
const coreRank = (file) =>
  (CORE.indexOf(relative(src, file).split(sep)[1]) + CORE.length + 1) % (CORE.length + 1);
const problems = LAYERS.flat().flatMap(missing);
/** file -> the files whose values it imports */
const values = new Map();

for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const layer = layerOf(file);
  const name = relative(src, file);
  if (rank(layer) < 0) problems.push(`${name}: folder or file '${layer}' has no place in the import order`);
  const text = readFileSync(file, 'utf8');
  if (name !== 'clock.ts' && name !== join(PAGE, 'browser-clock.ts')) {
    for (const [call] of text.matchAll(TIME_AND_CHANCE))
      problems.push(`${name} calls ${call}: time comes from a Clock, chance from the seed`);
  }
  if (layer === PAGE)
    for (const [word] of text.matchAll(MAKES_HTML))
      problems.push(`${name} uses ${word}: text is set as text`);
  const targets = importsOf(text);
  if (layer === PAGE)
    for (const target of targets.filter((target) => target.startsWith('.')))
      if (layerOf(resolve(dirname(file), target)) !== PAGE && !isShared(resolve(dirname(file), target)))
        problems.push(`${name} imports ${target}: the page may import types only`);
  if (isShared(file))
    for (const target of targets.filter((target) => target.startsWith('.')))
      if (!isShared(resolve(dirname(file), target)))
        problems.push(`${name} imports ${target}: the page has this file too`);
  values.set(
    file,
    targets.filter((target) => target.startsWith('.')).map((target) => resolve(dirname(file), target)),
  );
  for (const [, target] of text.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    if (target.startsWith('.')) {
      const other = layerOf(resolve(dirname(file), target));
      if (layer === 'core' && coreRank(resolve(dirname(file), target)) > coreRank(file))
        problems.push(`${name} imports ${target}: against the order ${CORE.join(', ')}`);
      if (other === layer) continue;
      if (rank(other) >= rank(layer))
        problems.push(`${name} (${layer}) imports ${target} (${other}): against the direction`);
    } else {
      const key = Object.keys(PACKAGES).find((p) => target === p || target.startsWith(`${p}/`));
      if (key && !PACKAGES[key].some((place) => name.split(sep).join('/').startsWith(place)))
        problems.push(`${name} imports ${target}: only ${PACKAGES[key].join(', ') || 'tests'} may`);
    }
  }
}

checkCycles();

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log('import direction, packages, clock: ok');

/** The rows of the diagram in CONTRIBUTING.md, the lowest first: `| name name | description` */
function readLayers() {
  const text = readFileSync(resolve(src, '../CONTRIBUTING.md'), 'utf8');
  const picture = /<!-- layers\b[^>]*-->\n(.*?)<!-- \/layers -->/s.exec(text)?.[1] ?? '';
  const rows = [...picture.matchAll(/^\| (.+?) +\|/gm)].map(([, names]) => names.split(/ +/));
  if (rows.length === 0) throw new Error('CONTRIBUTING.md has no picture of the layers');
  return rows.reverse();
}

/** The problem of a name in the diagram that doesn't exist, or that the diagram contains twice. */
function missing(layer, index, all) {
  if (all.indexOf(layer) !== index) return `CONTRIBUTING.md: the picture of the layers has '${layer}' twice`;
  if (existsSync(join(src, layer)) || existsSync(join(src, `${layer}.ts`))) return [];
  return `CONTRIBUTING.md: the picture of the layers has '${layer}', but src doesn't`;
}

/** Adds a problem for each import cycle. Type imports don't count: they are gone at run time. */
function checkCycles() {
  const done = new Set();
  const visit = (file, path) => {
    const at = path.indexOf(file);
    if (at >= 0) {
      const cycle = [...path.slice(at), file].map((one) => relative(src, one));
      problems.push(`import cycle: ${cycle.join(' -> ')}`);
      return;
    }
    if (done.has(file)) return;
    for (const target of values.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of values.keys()) visit(file, []);
}
