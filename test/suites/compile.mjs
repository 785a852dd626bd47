import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Compiles a file of this folder with what it imports, from packages too.
 * @returns name -> ABI and creation code of each contract in the file itself
 */
export function compile(file, evmVersion = 'prague') {
  const sources = {};
  collect(file, resolve(import.meta.dirname, file), sources);
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      evmVersion,
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  // In a process of its own: solc takes every uncaught exception of its process for its own.
  const solc = resolve(import.meta.dirname, 'solc.mjs');
  const { errors = [], contracts } = JSON.parse(
    execFileSync(process.execPath, [solc, '--standard-json'], {
      input: JSON.stringify(input),
      maxBuffer: 1e9,
    }),
  );
  const failed = errors.filter(({ severity }) => severity === 'error');
  if (failed.length > 0) throw new Error(failed.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return Object.fromEntries(
    Object.entries(contracts[file]).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` },
    ]),
  );
}

function collect(name, path, sources) {
  if (sources[name]) return;
  const content = readFileSync(path, 'utf8');
  sources[name] = { content };
  for (const [, target] of content.matchAll(/^\s*import\s[^;]*?["']([^"']+)["']\s*;/gm)) {
    if (target.startsWith('.')) collect(join(dirname(name), target), join(dirname(path), target), sources);
    else collect(target, require.resolve(target), sources);
  }
}
