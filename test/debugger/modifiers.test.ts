import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { encodeDeployData, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { callsOf, type Wire } from '../wire.ts';

const output = JSON.parse(
  readFileSync(resolve('fixtures/stack-traces/f0c410df624d74a539c52713fff7752e.json'), 'utf8'),
);
const { sources } = JSON.parse(readFileSync(resolve('test/stack-trace/scenarios/modifiers.json'), 'utf8'));
const { abi, evm } = output.contracts['contracts/Vault.sol'].Vault;
const bytecode = `0x${evm.bytecode.object}` as const;

const folder = mkdtempSync(join(tmpdir(), 'modifiers-'));
let node: Devnet;
let call: ReturnType<typeof callsOf>;
let vault: string;

beforeAll(async () => {
  mkdirSync(join(folder, 'build-info'));
  const input = {
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
  };
  writeFileSync(join(folder, 'build-info/1.json'), JSON.stringify({ solcVersion: '0.8.37', input, output }));
  node = await createDevnet({ port: 0, automine: true, silent: true, artifacts: folder });
  call = callsOf(node);
  const { contractAddress } = await receiptOf({ data: encodeDeployData({ abi, bytecode, args: [1n] }) });
  vault = contractAddress;
});
afterAll(async () => {
  await node.close();
  rmSync(folder, { recursive: true });
});

async function receiptOf(transaction: object): Promise<Wire> {
  const [from] = await call('eth_accounts');
  // anvil's error for a transaction that failed has no hash: the transaction is in the newest block.
  await call('eth_sendTransaction', { from, gas: '0x200000', ...transaction }).catch(() => {});
  const { transactions } = await call('eth_getBlockByNumber', 'latest', false);
  return call('eth_getTransactionReceipt', transactions[0]);
}

/** The variables at the failure, by name. */
async function variablesOf(transaction: object): Promise<Record<string, string | null>> {
  const { transactionHash, status } = await receiptOf(transaction);
  expect(status).toBe('0x0');
  const { failure } = await call('devnet_execution', transactionHash);
  const { frames } = await call('devnet_step', transactionHash, failure.step);
  return Object.fromEntries(frames.at(-1).variables.map(({ name, value }: Wire) => [name, value]));
}

it.each([
  ['guarded', { paid: '10', total: '21', twice: '20' }],
  // Above both parameters of the modifier, and the variable that it has at `_`.
  ['measured', { paid: '10', who: expect.stringMatching(/^0x/), i: '6', both: '16' }],
  // `_` stands twice in the modifier, once above a variable of its own.
  ['again', { paid: '10', twice: null }],
  // Another contract may override the modifier.
  ['opened', { paid: '10', twice: null }],
])('the variables of %s have values where the slots of its modifiers are known', async (name, expected) => {
  const data = encodeFunctionData({ abi, functionName: name, args: [10n] });
  expect(await variablesOf({ to: vault, data })).toEqual(expected);
});
