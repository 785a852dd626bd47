// Writes src/state/predeploy-code.ts: runtime code of the contracts that OP chains have from their genesis block on.
// Some are compiled from src/state/predeploys; the others are those of Optimism's contracts, as they were published:
//   npm pack @eth-optimism/contracts-bedrock@0.17.3 && tar xzf eth-optimism-contracts-bedrock-0.17.3.tgz
//   node scripts/compile-predeploys.mjs ./package
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import solc from 'solc';
import { compiledPredeploy, OWN } from './compiled-predeploy.mjs';

const [published] = process.argv.slice(2);
if (published === undefined) {
  console.error('usage: node scripts/compile-predeploys.mjs FOLDER, that of @eth-optimism/contracts-bedrock');
  process.exit(2);
}
const state = resolve(import.meta.dirname, '../src/state');
const PUBLISHED = [
  'L2ToL1MessagePasser',
  'L2CrossDomainMessenger',
  'L2StandardBridge',
  'OptimismMintableERC20Factory',
  'L1BlockNumber',
];

function read(name) {
  const path = join(published, 'forge-artifacts', `${name}.sol`, `${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')).deployedBytecode.object;
}

const constants = (names, code) => names.map((name) => `  ${name}:\n    '${code(name)}',`).join('\n');
const { version } = JSON.parse(readFileSync(join(published, 'package.json'), 'utf8'));
// Kept in the bundle, as a comment that esbuild takes for a legal one.
const licence = readFileSync(join(published, 'LICENSE'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => ` * ${line}`.trimEnd())
  .join('\n');
writeFileSync(
  join(state, 'predeploy-code.ts'),
  `// Written by scripts/compile-predeploys.mjs.

/** Runtime code, \`0x\` hex, of the contracts in src/state/predeploys; compiled with solc ${solc.version()}. */
export const OWN_CODE = {
${constants(OWN, compiledPredeploy)}
} as const;

/*!
 * Runtime code of contracts of the npm package @eth-optimism/contracts-bedrock ${version}, unchanged.
 *
${licence}
 */
/** Runtime code, \`0x\` hex. */
export const OPTIMISM_CODE = {
${constants(PUBLISHED, read)}
} as const;
`,
);
for (const name of OWN) console.log(name, compiledPredeploy(name).length / 2 - 1, 'bytes');
for (const name of PUBLISHED) console.log(name, read(name).length / 2 - 1, 'bytes');
