import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { coverageTable } from '../../src/cli/coverage-table.ts';
import { compareGas, comparisonLines } from '../../src/cli/gas-comparison.ts';
import { readProfileOptions } from '../../src/cli/profile-options.ts';
import { gasTable } from '../../src/cli/report.ts';
import { CountedNode, mergeProfiles } from '../../src/coverage/counted-node.ts';
import { figuresOf } from '../../src/coverage/gas-functions.ts';
import { Profile } from '../../src/coverage/profile.ts';
import { startNode } from '../../src/start.ts';
import { callsOf } from '../wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'devnet-profiles-'));
afterAll(() => rmSync(folder, { recursive: true }));
const { bytecode } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/contracts/Counter.json'), 'utf8'),
);

/** A node that counts deploys a contract, is asked for an estimate and a call, and ends. */
async function countOne(target: string, calls: boolean): Promise<number> {
  const counted = new CountedNode(target, { calls });
  const node = await startNode({ automine: true }, counted.hooks({}));
  const call = callsOf(node);
  const [from] = await call('eth_accounts');
  const hash = await call('eth_sendTransaction', { from, data: bytecode, gas: '0x200000' });
  const { gasUsed, contractAddress: to } = await call('eth_getTransactionReceipt', hash);
  await call('eth_call', { to, data: '0x8381f58a' }, 'latest').catch(() => {});
  await call('eth_estimateGas', { from, to, data: '0xd09de08a' }).catch(() => {});
  // What is taken back counts, too.
  const id = await call('evm_snapshot');
  const other = await call('eth_sendTransaction', { from, data: bytecode, gas: '0x200000' });
  const taken = await call('eth_getTransactionReceipt', other);
  await call('evm_revert', id);
  await counted.settle();
  await node.close();
  counted.end();
  return Number(gasUsed) + Number(taken.gasUsed);
}

it('the profiles of several nodes add up', async () => {
  const target = join(folder, 'nodes');
  const used = (await countOne(target, false)) + (await countOne(target, false));
  writeFileSync(join(target, 'torn.json'), '{"totals":');
  const profile = new Profile();
  // The file of a node is empty until it ends: a process that is killed leaves it so.
  const open = new CountedNode(target, { calls: false });
  expect(mergeProfiles(target, profile)).toBe(2);
  rmSync(target, { recursive: true });
  open.end();
  expect(existsSync(target)).toBe(false);
  expect(profile.totals).toMatchObject({ transactions: 4, gasUsed: used });
  expect(profile.calls).toBe(0);
  const [creation, ...others] = [...profile.codes.values()];
  expect(others).toEqual([]);
  expect(creation!.runs[0]).toBe(4);
  const [deployment] = [...profile.functions.values()];
  expect(deployment).toMatchObject({ isCreation: true, isOutermost: true });
  expect([...deployment!.gas.values()].reduce((sum, count) => sum + count, 0)).toBe(4);
  const [node] = [...profile.root.calls.values()];
  expect(node).toMatchObject({ count: 4, isCreation: true });
});

it('calls and estimates count where it is asked for, without gas', async () => {
  const target = join(folder, 'calls');
  const used = await countOne(target, true);
  const profile = new Profile();
  mergeProfiles(target, profile);
  expect(profile.calls).toBe(2);
  expect(profile.totals.gasUsed).toBe(used);
  const deployed = [...profile.codes.values()].find(({ isCreation }) => !isCreation)!;
  expect(deployed.runs[0]).toBe(2);
  expect(deployed.gas.every((gas) => gas === 0)).toBe(true);
});

it('the median of an even number lies between the two in the middle', () => {
  expect(
    figuresOf(
      new Map([
        [30, 1],
        [10, 2],
        [20, 1],
      ]),
    ),
  ).toEqual({
    ...{ calls: 4, min: 10, average: 18, median: 15, max: 30 },
  });
});

const row = (name: string, average: number) => ({
  ...{ function: name, calls: 1, failed: 0, min: average, average, median: average, max: average },
});

it('gas that rose by more than the tolerance is a regression', () => {
  const before = { functions: [row('A.a', 100), row('A.b', 100), row('A.gone', 5)] };
  const now = { functions: [row('A.a', 101), row('A.b', 102), row('A.new', 5)], calledFunctions: [] };
  const comparison = compareGas(before, now, 1);
  expect(comparison.regressions.map((each) => each.function)).toEqual(['A.b']);
  expect(compareGas(before, now, 0).regressions).toHaveLength(2);
  expect(compareGas(before, before, 0).changed).toEqual([]);
  expect(comparisonLines(comparison, { file: 'old.json', tolerance: 1 })).toEqual([
    'Gas compared with old.json:',
    '    function  before  now   change',
    '    A.b          100  102  +2.00 %',
    '    A.a          100  101  +1.00 %',
    '    new: A.new',
    '    not called any more: A.gone',
    '    1 of them uses more than 1 % more gas',
  ]);
});

it('flags that lack another one, and values that are none, are refused before anything runs', () => {
  const baseline = join(folder, 'baseline.json');
  writeFileSync(baseline, JSON.stringify({ functions: [row('A.a', 100)] }));
  const other = join(folder, 'other.json');
  writeFileSync(other, '{"functions":[{}]}');
  expect(readProfileOptions({})).toBeUndefined();
  expect(readProfileOptions({ gas: true, gasBaseline: baseline, gasTolerance: '1.5' })).toMatchObject({
    ...{ coverage: false, gas: true, calls: false, folder: 'coverage', tolerance: 1.5 },
    baseline: { file: baseline },
  });
  expect(() => readProfileOptions({ gas: true, coverageCalls: true })).toThrow(
    '--coverage-calls needs --coverage',
  );
  expect(() => readProfileOptions({ coverage: true, gasBaseline: baseline })).toThrow('needs --gas');
  expect(() => readProfileOptions({ gas: true, gasTolerance: '1' })).toThrow('needs --gas-baseline');
  const torn = join(folder, 'torn.json');
  writeFileSync(torn, '{"functions":');
  for (const file of [other, torn])
    expect(() => readProfileOptions({ gas: true, gasBaseline: file })).toThrow('gas.json');
  for (const file of [folder, join(folder, 'missing.json')])
    expect(() => readProfileOptions({ gas: true, gasBaseline: file })).toThrow(
      "--gas-baseline: can't be read (E",
    );
  for (const gasTolerance of ['-1', 'x', ' ', '', '5%', 'Infinity', '0x10', '1e3', ' 2'])
    expect(() => readProfileOptions({ gas: true, gasBaseline: baseline, gasTolerance })).toThrow(
      'a number of percent',
    );
});

describe('in a terminal that is narrower than the table', () => {
  const share = { total: 3, covered: 2 };
  const shares = { lines: share, statements: share, branches: { total: 0, covered: 0 }, functions: share };
  const uncoveredLines = Array.from({ length: 30 }, (_, i) => 2 * i + 1);
  const files = [
    { name: 'contracts/strategies/Compounding.sol', ...shares, uncoveredLines },
    { name: 'contracts/A.sol', ...shares, uncoveredLines: [] },
  ];

  it('coverage has percentages only, and uncovered lines are below their file', () => {
    const lines = coverageTable(files, 90);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(90);
    expect(lines[1]).toMatch(/^ {4}contracts\/strategies\/Compounding.sol +66.66 % +66.66 % +- +66.66 %$/);
    expect(lines[2]).toMatch(/^ {8}uncovered: 1, 3, 5, .*,$/);
    expect(lines[3]).toMatch(/^ {8}\d+, .*59$/);
    expect(lines.slice(4).map((line) => line.trim().split(' ')[0])).toEqual(['contracts/A.sol', 'total']);
    const [, narrower] = coverageTable(files, 80);
    expect(narrower).toMatch(/^ {4}\.\.\..*Compounding.sol /);
    expect(narrower).toHaveLength(80);
  });

  it('gas has shorter names', () => {
    const rows = [row(`Vault.${'long'.repeat(20)}`, 100), row('A.a', 5)];
    const lines = gasTable(rows, 80);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(90);
    expect(lines[1]).toMatch(/^ {4}\.\.\.(?:long)?.*long +1 /);
    expect(gasTable(rows)[1]).toContain('Vault.long');
  });

  it('elsewhere both are whole', () => {
    const [, line] = coverageTable(files);
    expect(line).toMatch(/^ {4}contracts\/strategies\/Compounding.sol {2}66.66 % \(2\/3\) .* 1, 3, .* 59$/);
    expect(coverageTable(files, 300)).toEqual(coverageTable(files));
  });
});
