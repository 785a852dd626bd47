import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { encodeDeployData, encodeFunctionData } from 'viem';

const ROOT = resolve(import.meta.dirname, '../..');
export const CONTRACTS = 500;

/** A folder with a build info of the shop and of hundreds of other contracts, and their artifacts. */
export function makeProject() {
  const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  const output = read('fixtures/stack-traces/807a97336cdc75ad9fa6466e8aef2545.json');
  const { sources } = read('test/stack-trace/scenarios/shop.json');
  const contracts = {
    Shop: output.contracts['contracts/Shop.sol'].Shop,
    Vault: output.contracts['contracts/Vault.sol'].Vault,
  };
  const folder = mkdtempSync(join(tmpdir(), 'devnet-bench-project-'));
  mkdirSync(join(folder, 'build-info'));
  const vault = output.sources['contracts/Vault.sol'];
  for (let i = 0; i < CONTRACTS; i++) {
    const name = `Other${i}`;
    const file = `contracts/${name}.sol`;
    // The code differs, so that each one is a different contract.
    const other = JSON.parse(
      JSON.stringify(contracts.Vault).replaceAll(
        '"object":"60',
        `"object":"61${i.toString(16).padStart(4, '0')}60`,
      ),
    );
    output.contracts[file] = { [name]: other };
    output.sources[file] = { ...vault, id: 1_000 + i };
    sources[file] = sources['contracts/Vault.sol'].replace('Vault', name);
    const deployedBytecode = `0x${other.evm.deployedBytecode.object}`;
    writeFileSync(
      join(folder, `${name}.json`),
      JSON.stringify({ contractName: name, abi: other.abi, deployedBytecode }),
    );
  }
  const input = {
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
  };
  writeFileSync(join(folder, 'build-info/1.json'), JSON.stringify({ solcVersion: '0.8.37', input, output }));
  const data = (name, functionName, args) =>
    encodeFunctionData({ abi: contracts[name].abi, functionName, args });
  const creation = (name, args = []) =>
    encodeDeployData({
      abi: contracts[name].abi,
      bytecode: `0x${contracts[name].evm.bytecode.object}`,
      args,
    });
  return { folder, data, creation };
}
