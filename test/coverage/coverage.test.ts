import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';
import { callsOf } from '../wire.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/stack-traces');
const output = JSON.parse(readFileSync(join(fixtures, '807a97336cdc75ad9fa6466e8aef2545.json'), 'utf8'));
const scenario = join(import.meta.dirname, '../stack-trace/scenarios/shop.json');
const { sources } = JSON.parse(readFileSync(scenario, 'utf8')) as { sources: Record<string, string> };
const input = {
  sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
};
const project = mkdtempSync(join(tmpdir(), 'devnet-coverage-'));
const artifacts = join(project, 'artifacts');
mkdirSync(join(artifacts, 'build-info'), { recursive: true });
mkdirSync(join(project, 'contracts'));
for (const [name, text] of Object.entries(sources)) writeFileSync(join(project, name), text);
const build = JSON.stringify({ solcVersion: '0.8.37', input, output });
writeFileSync(join(artifacts, 'build-info/1.json'), build);
afterAll(() => rmSync(project, { recursive: true }));

const FILE = 'contracts/Vault.sol';
const { Vault } = output.contracts[FILE];
const TEXT = sources[FILE]!.split('\n');
const lineOf = (text: string) => TEXT.findIndex((line) => line.includes(text)) + 1;
const take = (price: number) =>
  `0x${Vault.evm.methodIdentifiers['take(uint256)']}${price.toString(16).padStart(64, '0')}`;

async function start(options: DevnetOptions = {}) {
  const node = await createDevnet({ automine: true, artifacts, silent: true, ...options });
  const call = callsOf(node);
  const [from] = await call('eth_accounts');
  const send = async (data: string, to?: string, value = '0x0') => {
    const hash = await call('eth_sendTransaction', { from, ...(to && { to }), data, value, gas: '0x500000' });
    return call('eth_getTransactionReceipt', hash);
  };
  const { contractAddress: to } = await send(`0x${Vault.evm.bytecode.object}`);
  return { call, send, to, [Symbol.asyncDispose]: () => node.close() };
}

/** Runs of lines of Vault.sol, as the tracefile has them. */
function linesIn(lcov: string): Map<number, number> {
  const [, record = ''] = new RegExp(`SF:${FILE}\n([^]*?)end_of_record`).exec(lcov) ?? [];
  return new Map(
    [...record.matchAll(/^DA:(\d+),(\d+)$/gm)].map(([, line, runs]) => [Number(line), Number(runs)]),
  );
}

describe.each(['fast', 'ethereumjs'] as const)('engine %s', (engine) => {
  it('tells how often each line ran, in which files and functions, and that the rest did not', async () => {
    await using chain = await start({ engine });
    await chain.send(take(1), chain.to, '0x5');
    await chain.send(take(1), chain.to, '0x1');
    const coverage = await chain.call('devnet_coverage');
    expect(coverage.transactions).toBe(3);
    const lines = linesIn(coverage.lcov);
    expect(lines.get(lineOf('uint needed'))).toBe(2);
    expect(lines.get(lineOf('a fee too high'))).toBe(2);
    expect(lines.get(lineOf('revert Short'))).toBe(1);
    expect(lines.get(lineOf('sum += msg.value'))).toBe(1);
    expect(lines.get(lineOf('function fee'))).toBe(2);
    expect(coverage.lcov).toContain('FNDA:2,Vault.take\n');
    // The way of `if (n > 4)` was never taken, that of `if (msg.value < needed)` once.
    expect(coverage.lcov).toMatch(new RegExp(`BRDA:${lineOf('a fee too high')},\\d+,0,0\n`));
    expect(coverage.lcov).toMatch(new RegExp(`BRDA:${lineOf('msg.value < needed')},\\d+,0,1\n`));
    const vault = coverage.files.find(({ name }: { name: string }) => name === FILE);
    expect(vault.functions).toEqual({ total: 3, covered: 3 });
    expect(vault.statements.covered).toBe(vault.statements.total - 1);
    const shop = coverage.files.find(({ name }: { name: string }) => name === 'contracts/Shop.sol');
    expect(shop.lines).toMatchObject({ covered: 0 });
    expect(Object.keys(coverage.istanbul)).toEqual(['contracts/Shop.sol', FILE]);
  });

  it('the gas of all lines and rows is that of the receipts', async () => {
    await using chain = await start({ engine });
    const receipts = [
      await chain.send(take(1), chain.to, '0x5'),
      await chain.send(take(1), chain.to, '0x7'),
      // Fails.
      await chain.send(take(9), chain.to, '0x5'),
      await chain.send('0x', '0x000000000000000000000000000000000000dEaD', '0x1'),
    ];
    const { gas } = await chain.call('devnet_coverage', '0x2');
    const used = receipts.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0);
    expect(gas.gasUsed).toBe(used);
    const parts = [...gas.files, ...gas.rows].map((part: { gas: number }) => part.gas);
    expect(parts.reduce((sum, each) => sum + each, 0)).toBe(used);
    for (const { gas: all, lines } of gas.files)
      expect(lines.reduce((sum: number, line: { gas: number }) => sum + line.gas, 0)).toBe(all);
    const intrinsic = gas.rows.find(({ what }: { what: string }) => what.startsWith('intrinsic'));
    expect(intrinsic.gas).toBeGreaterThan(4 * 21_000);
    const [byTake] = gas.functions.filter((row: { function: string }) => row.function === 'Vault.take');
    const takes = receipts.slice(0, 3).map(({ gasUsed }) => Number(gasUsed));
    expect(byTake).toEqual({
      function: 'Vault.take',
      calls: 3,
      failed: 1,
      min: Math.min(...takes),
      average: Math.round(takes.reduce((sum, each) => sum + each, 0) / 3),
      median: takes.sort((a, b) => a - b)[1],
      max: Math.max(...takes),
    });
    expect(gas.functions).toContainEqual(
      expect.objectContaining({ function: 'transfer of ETH', calls: 1, max: 21_000 }),
    );
  });
});

it('blocks may be named; a range that ends before it begins is refused', async () => {
  await using chain = await start();
  await chain.send(take(1), chain.to, '0x5');
  expect((await chain.call('devnet_coverage', '0x2', '0x2')).transactions).toBe(1);
  expect((await chain.call('devnet_coverage', null, '0x1')).transactions).toBe(1);
  await expect(chain.call('devnet_coverage', '0x2', '0x1')).rejects.toMatchObject({ code: -32000 });
});

it('without a build info there is no file, and the gas is still told', async () => {
  await using chain = await start({ artifacts: join(project, 'nowhere') });
  await chain.send(take(1), chain.to, '0x5');
  const { files, gas } = await chain.call('devnet_coverage');
  expect(files).toEqual([]);
  expect(gas.rows.reduce((sum: number, row: { gas: number }) => sum + row.gas, 0)).toBe(gas.gasUsed);
  expect(gas.rows.map(({ what }: { what: string }) => what)).toContain(
    'code of a contract that no build info has',
  );
});

describe('artifacts without a build info', () => {
  const Shop = output.contracts['contracts/Shop.sol'].Shop;
  const written = mkdtempSync(join(tmpdir(), 'devnet-artifacts-'));
  afterAll(() => rmSync(written, { recursive: true }));
  const plain = ({ evm, abi }: typeof Vault, contractName: string) => ({
    contractName,
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
  });
  const functionsOf = async (files: Record<string, unknown>) => {
    const folder = mkdtempSync(join(written, 'of-'));
    for (const [name, json] of Object.entries(files))
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(json));
    await using chain = await start({ artifacts: folder });
    // Of a constructor's arguments nothing is known but that they come after the code.
    await chain.send(`0x${Vault.evm.bytecode.object}${'01'.repeat(64)}`);
    await chain.send(take(1), chain.to, '0x5');
    await chain.send('0x12345678', chain.to);
    const { gas } = await chain.call('devnet_coverage');
    return gas.functions
      .map(({ function: name, calls }: { function: string; calls: number }) => `${name} ${calls}`)
      .sort();
  };

  it('name functions by their ABI, and deployments by their creation code', async () => {
    expect(await functionsOf({ Shop: plain(Shop, 'Shop'), Vault: plain(Vault, 'Vault') })).toEqual([
      'Vault.0x12345678 1',
      'Vault.take 1',
      'deployment of Vault 2',
    ]);
  });

  it('are read as Foundry and solc write them', async () => {
    const { abi, evm } = Vault;
    const { bytecode, deployedBytecode } = evm;
    for (const json of [
      { abi, bytecode, deployedBytecode },
      { abi, evm: { bytecode, deployedBytecode } },
    ])
      expect(await functionsOf({ Vault: json })).toContain('deployment of Vault 2');
  });

  it('that have no creation code leave deployments without a name', async () => {
    const { bytecode: _, ...rest } = plain(Vault, 'Vault');
    for (const bytecode of [undefined, '0x', '', 7, 'zz', { object: null }])
      expect(await functionsOf({ Vault: { ...rest, bytecode } })).toEqual([
        'Vault.0x12345678 1',
        'Vault.take 1',
        'deployment of a contract without an artifact 2',
      ]);
  });
});
