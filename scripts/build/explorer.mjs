import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** Limits in bytes, compressed by gzip: the files that a browser loads before the page shows something, each other file, and all files. */
const FIRST_LOAD = 45_000;
const CHUNK = 80_000;
const ALL = 180_000;

/**
 * Builds the explorer, src/explorer.
 * @param {string} root the project's folder
 * @param {string} outdir the folder to write to
 * @returns {Promise<string[]>} the bundled files, as paths relative to `root`
 * @throws Error if the explorer has become too large
 */
export async function buildExplorer(root, outdir) {
  const { output } = await asProduction(() =>
    build({
      configFile: false,
      mode: 'production',
      root: join(root, 'src/explorer'),
      base: '/explorer/',
      publicDir: false,
      logLevel: 'warn',
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        outDir: outdir,
        emptyOutDir: true,
        assetsDir: '',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        target: 'es2022',
      },
    }),
  );
  checkSize(output, readFileSync(join(outdir, 'index.html')));
  return output.flatMap((chunk) =>
    chunk.type === 'chunk' ? chunk.moduleIds.map((id) => relative(root, id.split('?')[0])) : [],
  );
}

/** Vite builds for production only if NODE_ENV says so; within a test runner it is `test`. */
async function asProduction(build) {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    return await build();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

function checkSize(output, html) {
  const sizes = new Map(
    output.map((file) => [file.fileName, gzipSync(file.type === 'chunk' ? file.code : file.source).length]),
  );
  const first = new Set(output.filter(({ fileName }) => fileName.endsWith('.css')).map((it) => it.fileName));
  const load = (name) => {
    if (first.has(name)) return;
    first.add(name);
    for (const other of output.find(({ fileName }) => fileName === name).imports) load(other);
  };
  for (const chunk of output) if (chunk.isEntry) load(chunk.fileName);
  const firstLoad = [...first].reduce((sum, name) => sum + sizes.get(name), gzipSync(html).length);
  const problems = [...sizes]
    .filter(([, size]) => size > CHUNK)
    .map(([name, size]) => `${name} has ${size} bytes, ${CHUNK} are allowed`);
  if (firstLoad > FIRST_LOAD)
    problems.push(
      `the first load has ${firstLoad} bytes (${[...first].join(', ')}), ${FIRST_LOAD} are allowed`,
    );
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (all > ALL) problems.push(`all files together have ${all} bytes, ${ALL} are allowed`);
  if (problems.length > 0) throw new Error(`explorer, compressed: ${problems.join('; ')}`);
  console.log(
    `explorer: first load ${(firstLoad / 1000).toFixed(1)} kB, all ${(all / 1000).toFixed(1)} kB (gzip)`,
  );
}
