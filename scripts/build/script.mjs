import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const BUILTIN = new RegExp(`^(?:node:.*|${builtinModules.join('|')})$`);

/** Packages for rare cases that read a file beside themselves, are large or are optional: they stay in node_modules. */
const LATE = /^(?:tiny-secp256k1|micro-eth-signer\/.+|@paulmillr\/trusted-setups\/.+|@redis\/client|bullmq)$/;

/** Modules that most starts don't need: they run when one of their exports is first used. */
const DEFERRED = /(?:^@ethereumjs\/(?:mpt|statemanager|vm)|[/](?:bls12_381|bn254)\/index\.js)$/;

/**
 * Large modules that are never called. Of Express, because src/server reads bodies and writes files and headers itself: the body parsers
 * include 500 kB of character sets, and mime-types 150 kB of types. Of prom-client, because its metrics of the process are not collected.
 */
const UNUSED = /^(?:body-parser|mime-types|qs|send|serve-static|@opentelemetry\/api)$/;

/**
 * Writes `devnet-<hash>.js`, one script with the command, the API and all their dependencies. It is a script instead of modules, because
 * Node 20 can cache the compiled code of scripts only; and it is one file, because command and API share most of the code. The API loads
 * synchronously, so that \`require('devnet')\` works: esbuild rejects a top-level \`await\` in its imports.
 * @param {string} root the project's folder
 * @param {string} outdir the folder to write to
 * @param {import('esbuild').BuildOptions} options of all bundles
 * @returns the script's name and metafile
 */
export async function buildScript(root, outdir, options) {
  const { outputFiles, metafile } = await build({
    ...options,
    stdin: {
      contents: `
        bundle.command = () => import('./src/cli/command.ts');
        bundle.api = () => require('./src/index.ts');`,
      resolveDir: root,
    },
    format: 'esm',
    write: false,
    outfile: join(outdir, 'devnet.js'),
    legalComments: 'external',
    define: { ...options.define, 'import.meta.url': 'bundle.url' },
    plugins: [unused, late, deferred(root), withoutNumbers, nativeAddons],
    banner: { js: '(function (bundle) { "use strict"; const { require } = bundle;' },
    footer: { js: '})' },
  });
  const contents = outputFiles.find(({ path }) => path.endsWith('devnet.js')).contents;
  const legal = outputFiles.find(({ path }) => path.endsWith('.LEGAL.txt')).contents;
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8);
  const name = `devnet-${hash}.js`;
  writeFileSync(join(outdir, name), contents);
  writeFileSync(join(outdir, `${name}.LEGAL.txt`), legal);
  return { name, metafile };
}

/**
 * Loads Node's own modules, and those of DEFERRED, lazily: when one of their exports is first used. Node's modules are compiled but not
 * run at the start: loading those that the dependencies import would take 20 ms.
 */
const deferred = (root) => ({
  name: 'deferred',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: BUILTIN }, ({ path, kind, namespace }) => {
      if (namespace !== 'deferred' && typeof require(path) === 'object')
        return { path, namespace: 'deferred' };
      return kind === 'require-call' ? { path, external: true } : { path, namespace: 'required' };
    });
    onResolve({ filter: DEFERRED }, async ({ path, kind, namespace, importer, resolveDir, pluginData }) => {
      if (namespace === 'deferred' || namespace === 'parts' || pluginData === 'found') return;
      const found = await resolve(path, { kind, resolveDir, pluginData: 'found' });
      const suffix = kind === 'import-statement' ? `?${importedFrom(path, importer)}` : '';
      return { path: found.path, suffix, namespace: 'deferred' };
    });
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
    onLoad({ filter: /.*/, namespace: 'deferred' }, async ({ path, suffix }) => {
      const names = suffix === '' ? await namesOf(path) : suffix.slice(1).split(',');
      const from = suffix === '' ? path : `parts:${path}${suffix}`;
      return { contents: deferring(from, names), resolveDir: root };
    });
    // The imported parts of a module: esbuild leaves out code that they don't need.
    onResolve({ filter: /^parts:/ }, ({ path }) => {
      const [, file, names] = /^parts:(.*)[?](.*)$/.exec(path);
      return { path: file, suffix: `?${names}`, namespace: 'parts', sideEffects: false };
    });
    onLoad({ filter: /.*/, namespace: 'parts' }, ({ path, suffix }) => ({
      contents: `export { ${suffix.slice(1)} } from ${JSON.stringify(path)};`,
      resolveDir: root,
    }));
  },
});

const unused = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** A script can't use import(): the launcher does it. */
const late = {
  name: 'late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: LATE }, ({ path }) => ({ path, namespace: 'late' }));
    onLoad({ filter: /.*/, namespace: 'late' }, async ({ path }) => ({
      contents: `export const { ${await namesOf(path)} } = await bundle.import(${JSON.stringify(path)});`,
    }));
  },
};

/** The names that a file imports from a module, as a list: `a,b`. */
function importedFrom(module, file) {
  const source = readFileSync(file, 'utf8');
  const names = [...source.matchAll(/^import \{([^}]*)\} from ['"]([^'"]*)['"]/gm)]
    .filter(([, , from]) => from === module)
    .flatMap(([, list]) => list.split(','))
    .map((name) => name.trim().split(' as ')[0])
    .filter((name) => name !== '' && !name.startsWith('type '));
  if (names.length === 0) throw new Error(`${file}: its import of ${module} names nothing in braces`);
  return names.sort().join(',');
}

/** The names that a module exports. */
async function namesOf(path) {
  const module = await import(isAbsolute(path) ? pathToFileURL(path).href : path);
  return Object.keys(module).filter((name) => name !== 'default' && name !== 'module.exports');
}

/** A CommonJS module whose exports are getters that load the real module. */
const deferring = (path, names) => `
  let loaded;
  const load = () => (loaded ??= require(${JSON.stringify(path)}));
  for (const name of ${JSON.stringify(names)})
    Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });
`;

/**
 * On loading, @ethereumjs/util creates a table of all bigints below 65,536. That takes 5 to 10 ms, and the garbage collector needs as long
 * again to copy the table. In the bundle each of these bigints is created when it is needed.
 */
const withoutNumbers = {
  name: 'without-numbers',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@ethereumjs[\\/]util[\\/]dist[\\/]esm[\\/]bytes\.js$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8')
        .replace(/for \(let i = 0; [^}]*BIGINT_CACHE\[i\] = BigInt\(i\);\s*\}/, '')
        .replace('const BIGINT_CACHE = [];', '')
        .replaceAll(/return BIGINT_CACHE\[(.*)\];/g, 'return BigInt($1);');
      if (contents.includes('BIGINT_CACHE')) throw new Error(`${path}: its table of bigints is another one`);
      return { contents };
    });
  },
};

/** The JavaScript of native addons is in the bundle; the native code stays in node_modules and is located there. */
const nativeAddons = {
  name: 'native-addons',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:classic-level[\\/]binding|secp256k1[\\/]bindings)\.js$/ }, ({ path }) => {
      const { name } = require(join(dirname(path), 'package.json'));
      const folder = `require('node:path').dirname(bundle.require.resolve('${name}/package.json'))`;
      return { contents: readFileSync(path, 'utf8').replace('__dirname', folder) };
    });
  },
};
