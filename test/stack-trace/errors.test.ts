import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';
import { tellingSource } from '../../src/test-runners/solidity-errors.ts';
import { callsOf } from '../wire.ts';

const fixture = join(
  import.meta.dirname,
  '../../fixtures/stack-traces/807a97336cdc75ad9fa6466e8aef2545.json',
);
const output = JSON.parse(readFileSync(fixture, 'utf8'));
const { sources } = JSON.parse(readFileSync(join(import.meta.dirname, 'scenarios/shop.json'), 'utf8'));
const input = {
  sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
};
const folder = mkdtempSync(join(tmpdir(), 'solidity-errors-'));
mkdirSync(join(folder, 'build-info'));
writeFileSync(join(folder, 'build-info/1.json'), JSON.stringify({ solcVersion: '0.8.37', input, output }));
afterAll(() => rmSync(folder, { recursive: true }));

const { Vault } = output.contracts['contracts/Vault.sol'];
const take = (price: number) =>
  `0x${Vault.evm.methodIdentifiers['take(uint256)']}${price.toString(16).padStart(64, '0')}`;
const LINE =
  sources['contracts/Vault.sol'].split('\n').findIndex((line: string) => line.includes('a fee too high')) + 1;
const FRAME = `at Vault.fee (contracts/Vault.sol:${LINE}:20)`;

async function start(options: DevnetOptions = {}) {
  const lines: string[] = [];
  const node = await createDevnet(
    { automine: true, artifacts: folder, port: 0, ...options },
    { onLog: (line) => void lines.push(line) },
  );
  const call = callsOf(node);
  const [from] = await call('eth_accounts');
  const deployed = await call('eth_sendTransaction', {
    from,
    data: `0x${Vault.evm.bytecode.object}`,
    gas: '0x500000',
  });
  const { contractAddress: to } = await call('eth_getTransactionReceipt', deployed);
  const ask = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(node.url!, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return ((await response.json()) as { error: Record<string, unknown> }).error;
  };
  return { node, call, ask, lines, from, to, [Symbol.asyncDispose]: () => node.close() };
}

it.each(['hardhat', 'hardhat2'] as const)(
  "errors of the dialect %s have Hardhat's sentence, the data as it was, and the frames",
  async (compat) => {
    await using chain = await start({ compat });
    const unknown = await chain.ask('eth_call', { to: chain.to, data: '0x12345678' }, 'latest');
    expect(unknown.message).toMatch(/function selector was not recognized and there's no fallback function$/);
    expect(unknown.stack).toMatch(/^ {4}at Vault\.<unrecognized-selector> \(contracts\/Vault\.sol:\d+:1\)$/);
    const error = await chain.ask('eth_call', { to: chain.to, data: take(9) }, 'latest');
    expect(error.message).toMatch(/reverted with reason string 'a fee too high'$/);
    const data = compat === 'hardhat' ? error.data : (error.data as { data: string }).data;
    expect(data).toMatch(/^0x08c379a0/);
    expect((error.stack as string).split('\n')[0]!.trim()).toBe(FRAME);
  },
);

it('a transaction that was sent and failed has the frames, too', async () => {
  await using chain = await start({ compat: 'hardhat' });
  const error = await chain.ask('eth_sendTransaction', {
    from: chain.from,
    to: chain.to,
    data: take(1),
    gas: '0x50000',
  });
  expect(error.message).toBe(
    `VM Exception while processing transaction: reverted with custom error 'Short("0x0000000000000000000000000000000000000002", 0, "pay more")'`,
  );
  expect(error.stack).toMatch(/at Vault\.take \(contracts\/Vault\.sol:\d+:20\)/);
});

it('errors of other dialects are as they were', async () => {
  await using chain = await start();
  const error = await chain.ask('eth_call', { to: chain.to, data: take(9) }, 'latest');
  expect(Object.keys(error)).toEqual(['code', 'message', 'data']);
  expect(error.message).toBe('execution reverted: a fee too high');
});

it("without build infos Hardhat's dialect tells what the data tells", async () => {
  await using chain = await start({ compat: 'hardhat', artifacts: join(folder, 'none') });
  const error = await chain.ask('eth_call', { to: chain.to, data: '0x12345678' }, 'latest');
  expect(error).toMatchObject({ message: 'Transaction reverted without a reason string', data: '0x' });
  expect(error).not.toHaveProperty('stack');
});

it('the provider of a test runner throws errors whose stack begins in the Solidity source', async () => {
  await using chain = await start({ silent: true });
  const provider = tellingSource(chain.node.provider, folder);
  const error = await provider
    .request({ method: 'eth_call', params: [{ to: chain.to, data: take(9) }, 'latest'] })
    .catch((thrown: Error) => thrown);
  const [first, frame, ...others] = (error as Error).stack!.split('\n');
  expect(first).toMatch(/execution reverted: a fee too high$/);
  expect(frame!.trim()).toBe(FRAME);
  expect(others.join('\n')).toMatch(/at .*\.ts/);
});

it('the log shows the lines of source below a failed transaction', async () => {
  await using chain = await start({ logLevel: 'info' });
  await chain.call('eth_sendTransaction', { from: chain.from, to: chain.to, data: take(9), gas: '0x50000' });
  const text = chain.lines.join('\n');
  expect(text).toContain(`${FRAME} with n: 9
         ${LINE} | if (n > 4) revert("a fee too high");
           |            ^`);
});

it('the log tells what was wrong with a call that the contract refused without a reason', async () => {
  await using chain = await start({ logLevel: 'info' });
  const { from, to } = chain;
  await chain.ask('eth_call', { from, to, data: '0x12345678' }, 'latest');
  const sum = `0x${Vault.evm.methodIdentifiers['sum()']}`;
  await chain.ask('eth_sendTransaction', { from, to, data: sum, value: '0x7', gas: '0x50000' });
  await chain.node.close();
  const lines = chain.lines.flatMap((text) => text.split('\n')).map((line) => line.trim());
  const told = lines.filter((line) => line.startsWith('Error: '));
  expect(told).toEqual([
    "Error: eth_call reverted: function selector was not recognized and there's no fallback function",
    'Error: reverted: non-payable function was called with value 7',
  ]);
});

it('a contract that is compiled while the node runs is known at the next failure', async () => {
  await using chain = await start({ silent: true, artifacts: join(folder, 'later') });
  const asked = [{ to: chain.to, data: take(9) }, 'latest'] as const;
  const before = await chain.call('devnet_stackTrace', ...asked);
  expect(before.frames).toMatchObject([{ kind: 'unknown-contract-failed', message: 'a fee too high' }]);
  cpSync(join(folder, 'build-info'), join(folder, 'later/build-info'), { recursive: true });
  const after = await chain.call('devnet_stackTrace', ...asked);
  expect(after.frames.at(-1)).toMatchObject({ file: 'contracts/Vault.sol', line: LINE });
  // The same code compiled again from a file of another name: the newest counts.
  const renamed = JSON.stringify({ solcVersion: '0.8.37', input, output }).replaceAll(
    'contracts/Vault.sol',
    'contracts/Safe.sol',
  );
  const newer = join(folder, 'later/build-info/2.json');
  writeFileSync(newer, renamed);
  utimesSync(newer, 4e9, 4e9);
  expect((await chain.call('devnet_stackTrace', ...asked)).frames.at(-1)).toMatchObject({
    file: 'contracts/Safe.sol',
  });
});

it('what succeeded has no stack trace, and no transaction of this hash is an error', async () => {
  await using chain = await start({ silent: true });
  const sum = `0x${Vault.evm.methodIdentifiers['sum()']}`;
  expect(await chain.call('devnet_stackTrace', { to: chain.to, data: sum })).toBeNull();
  await expect(chain.call('devnet_stackTrace', `0x${'12'.repeat(32)}`)).rejects.toMatchObject({
    code: -32_000,
    message: 'transaction not found',
  });
  await expect(chain.call('devnet_stackTrace', '0x12')).rejects.toMatchObject({ code: -32_602 });
});

it('a transaction that still waits is said to wait', async () => {
  await using chain = await start({ silent: true });
  await chain.call('evm_setAutomine', false);
  const hash = await chain.call('eth_sendTransaction', {
    from: chain.from,
    to: chain.to,
    data: take(9),
    gas: '0x50000',
  });
  for (const method of ['devnet_stackTrace', 'devnet_execution'])
    await expect(chain.call(method, hash)).rejects.toMatchObject({
      code: -32_000,
      message: 'transaction not executed yet: devnet_transactionStatus tells what it waits for',
    });
  await chain.call('evm_mine');
  expect((await chain.call('devnet_stackTrace', hash)).frames.at(-1)).toMatchObject({ line: LINE });
});

it('the message names a custom error that a function outside of contracts reverts with', async () => {
  const source =
    'pragma solidity ^0.8.0; error Low(uint256 n); function check(uint256 n) pure { if (n < 9) revert Low(n); } contract User { fallback() external { check(7); } }';
  const { default: solc } = await import('solc');
  const request = {
    language: 'Solidity',
    sources: { 'User.sol': { content: source } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm'], '': ['ast'] } } },
  };
  const built = JSON.parse(solc.compile(JSON.stringify(request)));
  await using chain = await start({ compat: 'hardhat', artifacts: join(folder, 'none') });
  await chain.call('hardhat_addCompilationResult', '0.8.37', request, built);
  const code = `0x${built.contracts['User.sol'].User.evm.bytecode.object}`;
  const hash = await chain.call('eth_sendTransaction', { from: chain.from, data: code, gas: '0x500000' });
  const { contractAddress: to } = await chain.call('eth_getTransactionReceipt', hash);
  const error = await chain.ask('eth_call', { to, data: '0x01' }, 'latest');
  expect(error.message).toMatch(/reverted with custom error 'Low\(7\)'$/);
});
