import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const require = createRequire(import.meta.url);

const read = (file) => {
  try {
    return readFileSync(resolve(import.meta.dirname, file), 'utf8');
  } catch {
    return readFileSync(require.resolve(file), 'utf8');
  }
};

/**
 * Compiles a file of this folder with what it imports, from packages too.
 * @returns name -> ABI and creation code of each contract in the file itself
 */
export function compile(file, evmVersion = 'prague') {
  const solc = require('solc');
  const { errors = [], contracts } = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { [file]: { content: read(file) } },
        settings: {
          evmVersion,
          optimizer: { enabled: true, runs: 200 },
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
      }),
      { import: (path) => ({ contents: read(path) }) },
    ),
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
