import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import solc from 'solc';
import { expect } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { callsOf } from '../wire.ts';

/** A call of a contract's function. */
export interface Called {
  /** as in the ABI: `take(uint256)` */
  readonly signature: string;
  /** absent: no argument */
  readonly n?: number;
  readonly fails?: boolean;
}

/** Compiles a contract, calls its functions, and returns the tracefile. @param settings of solc */
export async function coverageOf(
  { text, name, settings = {} }: { text: string; name: string; settings?: object },
  calls: readonly Called[],
): Promise<string> {
  const file = `contracts/${name}.sol`;
  const project = mkdtempSync(join(tmpdir(), 'devnet-compiled-'));
  const artifacts = join(project, 'artifacts');
  mkdirSync(join(project, 'contracts'));
  mkdirSync(join(artifacts, 'build-info'), { recursive: true });
  writeFileSync(join(project, file), text);
  const outputSelection = { '*': { '*': ['*'], '': ['ast'] } };
  const sources = { [file]: { content: text } };
  const input = { language: 'Solidity', sources, settings: { ...settings, outputSelection } };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  expect(output.contracts, output.errors?.[0]?.formattedMessage).toBeDefined();
  const build = JSON.stringify({ solcVersion: '0.8.37', input, output });
  writeFileSync(join(artifacts, 'build-info/1.json'), build);
  const { evm } = output.contracts[file][name];
  const node = await createDevnet({ automine: true, artifacts, silent: true });
  try {
    const call = callsOf(node);
    const [from] = await call('eth_accounts');
    const send = async (data: string, { to = '', fails = false } = {}) => {
      const hash = await call('eth_sendTransaction', { from, ...(to && { to }), data, gas: '0x200000' });
      const receipt = await call('eth_getTransactionReceipt', hash);
      expect(receipt.status).toBe(fails ? '0x0' : '0x1');
      return receipt;
    };
    const { contractAddress: to } = await send(`0x${evm.bytecode.object}`);
    for (const { signature, n, fails = false } of calls) {
      const argument = n === undefined ? '' : n.toString(16).padStart(64, '0');
      await send(`0x${evm.methodIdentifiers[signature]}${argument}`, { to, fails });
    }
    return (await call('devnet_coverage')).lcov;
  } finally {
    await node.close();
    rmSync(project, { recursive: true });
  }
}
