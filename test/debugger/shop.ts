import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';

const output = JSON.parse(
  readFileSync(resolve('fixtures/stack-traces/807a97336cdc75ad9fa6466e8aef2545.json'), 'utf8'),
);
export const { sources } = JSON.parse(readFileSync(resolve('test/stack-trace/scenarios/shop.json'), 'utf8'));

/** The number of the first line of a source that has a text. */
export const lineOf = (file: string, text: string): number =>
  sources[file].split('\n').findIndex((line: string) => line.includes(text)) + 1;

/** A build info of the scenario's contracts, as Hardhat 2 writes it. @param change what is different of it */
export function buildInfo(change: (build: typeof output) => void = () => {}) {
  const build = structuredClone({
    solcVersion: '0.8.37',
    input: {
      sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    },
    output,
  });
  change(build);
  return JSON.stringify(build);
}

/** A folder of artifacts that has a build info. */
export function artifactFolder(build: string = buildInfo()) {
  const folder = mkdtempSync(join(tmpdir(), 'debugger-'));
  mkdirSync(join(folder, 'build-info'));
  writeFileSync(join(folder, 'build-info/1.json'), build);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

interface Contract {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

export const contracts: Readonly<Record<'Shop' | 'Vault', Contract>> = {
  ...output.contracts['contracts/Shop.sol'],
  ...output.contracts['contracts/Vault.sol'],
};

export const creation = (name: 'Shop' | 'Vault', args: unknown[] = []): Hex =>
  encodeDeployData({
    abi: contracts[name].abi,
    bytecode: `0x${contracts[name].evm.bytecode.object}`,
    args,
  } as Parameters<typeof encodeDeployData>[0]);

export const callData = (name: 'Shop' | 'Vault', functionName: string, args: unknown[] = []): Hex =>
  encodeFunctionData({ abi: contracts[name].abi, functionName, args });
