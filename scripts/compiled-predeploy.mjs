import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import solc from 'solc';

const folder = resolve(import.meta.dirname, '../src/state/predeploys');

/** The contracts of that folder. */
export const OWN = ['L1Block', 'GasPriceOracle', 'FeeVault', 'WETH9', 'CreateX'];

/**
 * @param {string} name name of a contract in src/state/predeploys
 * @returns {string} its runtime code, `0x` hex
 */
export function compiledPredeploy(name) {
  const file = `${name}.sol`;
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(join(folder, file), 'utf8') } },
    settings: {
      // The code runs on every hardfork that OP chains have.
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
    },
  };
  const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return `0x${contracts[file][name].evm.deployedBytecode.object}`;
}
