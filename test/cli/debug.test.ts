import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { startNode } from '../../src/start.ts';
import { callsOf } from '../wire.ts';

const fixtures = join(import.meta.dirname, '../../fixtures');
const output = JSON.parse(
  readFileSync(join(fixtures, 'stack-traces/807a97336cdc75ad9fa6466e8aef2545.json'), 'utf8'),
);
const { sources } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../stack-trace/scenarios/shop.json'), 'utf8'),
);
const input = {
  sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
};

async function debug(...args: string[]) {
  const printed = { stdout: '', stderr: '' };
  const write = (to: keyof typeof printed) => ({
    write: (text: string) => {
      printed[to] += text;
    },
  });
  const code = await main(['debug', ...args], {
    ...{ version: '1.2.3', stdout: write('stdout'), stderr: write('stderr'), env: {} },
    ...{ signals: new EventEmitter(), exit: () => {}, flush: async () => {} },
    load: () => Promise.reject(new Error('not here')),
    loadFollow: () => Promise.reject(new Error('not here')),
  });
  return { code, ...printed };
}

it('devnet debug tells the line at which a transaction failed, and what called it', async () => {
  const node = await startNode({ automine: true, port: 0 });
  try {
    const call = callsOf(node);
    const [from] = await call('eth_accounts');
    await call('hardhat_addCompilationResult', '0.8.37', input, output);
    const { Vault } = output.contracts['contracts/Vault.sol'];
    const send = (fields: object) => call('eth_sendTransaction', { from, gas: '0x500000', ...fields });
    const deployed = await send({ data: `0x${Vault.evm.bytecode.object}` });
    const { contractAddress: to } = await call('eth_getTransactionReceipt', deployed);
    const data = `0x${Vault.evm.methodIdentifiers['take(uint256)']}${'9'.padStart(64, '0')}`;
    const failed = await send({ to, data });
    const told = await debug(failed, '--rpc', node.url!);
    expect(told).toMatchObject({ code: 0, stderr: '' });
    const lines = told.stdout.split('\n');
    expect(lines[0]).toBe(`Transaction ${failed}`);
    expect(told.stdout).toContain("reverted with reason string 'a fee too high'");
    const line =
      sources['contracts/Vault.sol'].split('\n').findIndex((text: string) => text.includes('too high')) + 1;
    const at = lines.indexOf(`  at Vault.fee (contracts/Vault.sol:${line}:20) with n: 9`);
    expect(lines[at + 1]).toBe(`     ${line} | if (n > 4) revert("a fee too high");`);
    expect(lines[at + 2]).toBe(`       | ${' '.repeat(11)}^`);
    expect(lines[at + 3]).toMatch(/^ {2}at Vault\.take \(contracts\/Vault\.sol:\d+:\d+\) with price: 9$/);
    expect((await debug(deployed, '--rpc', node.url!)).stdout).toContain(
      'creates a contract\n  It succeeded.',
    );
    const unknown = `0x${'1'.repeat(64)}`;
    expect(await debug(unknown, '--rpc', node.url!)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`has no transaction ${unknown}`),
    });
  } finally {
    await node.close();
  }
});

it('what is no hash, and a node that does not answer, are told in one line', async () => {
  expect(await debug('0x12')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("expected the hash of a transaction, got '0x12'"),
  });
  const hash = `0x${'1'.repeat(64)}`;
  const { code, stderr } = await debug(hash, '--rpc', 'http://127.0.0.1:1');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: no answer from http:\/\/127\.0\.0\.1:1: .*\n$/);
});
