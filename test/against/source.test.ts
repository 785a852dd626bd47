import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { againstHtml } from '../../src/cli/against-html.ts';
import { againstMarkdown, againstText } from '../../src/cli/against-report.ts';
import { comparedNode } from './compared.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/stack-traces');
const output = JSON.parse(readFileSync(join(fixtures, '807a97336cdc75ad9fa6466e8aef2545.json'), 'utf8'));
const scenarios = join(import.meta.dirname, '../stack-trace/scenarios/shop.json');
const { sources } = JSON.parse(readFileSync(scenarios, 'utf8'));
const FILE = 'contracts/Vault.sol';
const { Vault } = output.contracts[FILE];
const lines: string[] = sources[FILE].split('\n');
const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1;

const artifacts = mkdtempSync(join(tmpdir(), 'devnet-against-source-'));
mkdirSync(join(artifacts, 'build-info'));
const input = {
  sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
};
writeFileSync(join(artifacts, 'build-info/1.json'), JSON.stringify({ solcVersion: '0.8.37', input, output }));
afterAll(() => rmSync(artifacts, { recursive: true }));

test('the line of Solidity at which the runs part is in each format of the report', async () => {
  // An SSTORE of a new slot costs 22,100 gas at berlin, 20,800 before it.
  const { call, send, end } = await comparedNode('istanbul', 'berlin', { artifacts });
  const data = `0x${Vault.evm.bytecode.object}`;
  const deployed = await send({ data, gas: '0x500000' });
  const { contractAddress: to, gasUsed } = await call('eth_getTransactionReceipt', deployed);
  const take = `0x${Vault.evm.methodIdentifiers['take(uint256)']}${'1'.padStart(64, '0')}`;
  const spent = await send({ to, data: take, value: '0x2', gas: '0x20000' });
  const { gasUsed: exact } = await call('eth_getTransactionReceipt', spent);
  await send({ data, gas: gasUsed });
  await call('anvil_setStorageAt', to, '0x0', `0x${'00'.repeat(32)}`);
  await send({ to, data: take, value: '0x2', gas: exact });
  const fields = await end();
  const source = 'sum += msg.value;';
  expect(fields.different).toMatchObject([
    {
      verdict: 'fails with this limit',
      at: { file: FILE, line: lineOf(source), source: expect.stringContaining(source), address: to },
    },
  ]);
  const { at } = fields.different[0]!;
  expect(at!.contract).toBe('Vault');
  for (const report of [againstText(fields), againstMarkdown(fields), againstHtml(fields)]) {
    expect(report).toContain(`${FILE}:${at!.line}:${at!.column}`);
    expect(report).toContain(source);
  }
});

test('the code of a creation has its place in the contract, too', async () => {
  const { call, send, end } = await comparedNode('paris', 'shanghai', { artifacts });
  const data = `0x${Vault.evm.bytecode.object}`;
  const hash = await send({ data, gas: '0x500000' });
  const { gasUsed } = await call('eth_getTransactionReceipt', hash);
  // EIP-3860 takes more before the code begins: the end of the creation can't pay for the code that it returns.
  await send({ data, gas: `0x${(BigInt(gasUsed) + 20n).toString(16)}` });
  const { different } = await end();
  expect(different).toMatchObject([
    { verdict: 'fails with this limit', at: { contract: 'Vault', opcode: 'RETURN', file: FILE } },
  ]);
});
