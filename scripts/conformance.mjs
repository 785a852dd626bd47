// Runs the cases of a folder against the built node (npm run build): genesis.json, chain.rlp and <method>/<case>.io.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { askProvider, readCases, runCases } from './conformance/cases.mjs';

const HELP = `npm run test:conformance -- DIR [options]

Imports DIR/genesis.json and DIR/chain.rlp and asks every case of DIR (ethereum/execution-apis' .io files).

  --verbose        the first difference of each failing case
  --known <file>   cases that may fail, one name a line; the exit code tells of others only
  --help
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean', default: false },
    known: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || positionals.length !== 1) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
const built = resolve(import.meta.dirname, '../dist/index.js');
if (!existsSync(built)) {
  console.error('not built: run npm run build');
  process.exit(2);
}
const { createDevnet } = await import(built);

const [dir] = positionals;
const known = values.known ? readFileSync(values.known, 'utf8').split(/\s+/).filter(Boolean) : [];
const chain = { init: join(dir, 'genesis.json'), import: join(dir, 'chain.rlp') };
const started = performance.now();
// The expected responses of eth_simulateV1 in the specification contain the computed state root.
const node = await createDevnet({ ...chain, simulateStateRoot: true }).catch((error) => {
  if (error.name === 'OptionError' && error.option === 'simulateStateRoot') return createDevnet(chain);
  throw error;
});
console.log(`imported in ${Math.round(performance.now() - started)} ms\n`);
const results = await runCases(readCases(dir), askProvider(node.provider));
await node.close();

for (const method of new Set(results.map((result) => result.method))) {
  const own = results.filter((result) => result.method === method);
  const passed = own.filter((result) => !result.difference).length;
  console.log(`${passed === own.length ? ' ' : '!'} ${method} ${passed}/${own.length}`);
}
const failed = results.filter((result) => result.difference);
console.log(`\n${results.length - failed.length} of ${results.length} passed`);
if (values.verbose) for (const { name, difference } of failed) console.log(`\n${name}\n  ${difference}`);
if (failed.some(({ name }) => !known.includes(name))) process.exitCode = 1;
