// Compiles fixtures/contracts/*.sol into fixtures/contracts/<Name>.json. Equal sources and solc versions give equal bytes: the metadata
// hash, which covers comments and file names, is left out.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import solc from 'solc';

const folder = resolve(import.meta.dirname, '../fixtures/contracts');

/** Code for paris runs on every hardfork from the merge on; only EIP-1153 (transient storage) needs cancun. */
const EVM_VERSION = { 'Kitchen.sol': 'cancun' };

/** Warnings about features that Kitchen.sol uses on purpose: selfdestruct (5159), transient storage (2394). */
const EXPECTED_WARNINGS = ['5159', '2394'];

for (const file of readdirSync(folder).filter((name) => name.endsWith('.sol'))) {
  const evmVersion = EVM_VERSION[file] ?? 'paris';
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(join(folder, file), 'utf8') } },
    settings: {
      evmVersion,
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const problems = (output.errors ?? []).filter(({ errorCode }) => !EXPECTED_WARNINGS.includes(errorCode));
  if (problems.length > 0) {
    console.error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'));
    process.exit(1);
  }
  for (const [contractName, { abi, evm }] of Object.entries(output.contracts[file])) {
    const artifact = {
      contractName,
      abi,
      bytecode: `0x${evm.bytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
      solc: solc.version(),
      evmVersion,
    };
    writeFileSync(join(folder, `${contractName}.json`), `${JSON.stringify(artifact, null, 2)}\n`);
    console.log(
      `${basename(file)}: ${contractName}, ${evm.deployedBytecode.object.length / 2} bytes (${evmVersion})`,
    );
  }
}
