import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useCommand } from './devnet-process.ts';
import { beside, CALL, FAIL } from './run-script.ts';

const command = useCommand();
const { run, ended } = beside(command);

it('what another hardfork changes is told at the end, and can make the run fail where the command passes', async () => {
  // 100 zero bytes: 21,400 gas at cancun, at least 22,000 at prague.
  const script = `${CALL}
    const [from] = await call(DEVNET_URL, 'eth_accounts');
    const data = '0x' + '00'.repeat(100);
    await call(DEVNET_URL, 'eth_sendTransaction', { from, to: from, data, gas: '0x5398' });
    await call(DEVNET_URL, 'eth_call', { from, to: from });
    console.log('done');`;
  const against = ['--hardfork', 'cancun', '--against', 'prague', '--against-calls'];
  const { code, stdout, stderr } = await ended(run(script, ...against, '--fail-on', 'fails-with-this-limit'));
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'done',
    '1 transaction and 1 call by cancun, against prague; fails with this limit: 1, same: 1',
  ]);
  expect([code, stderr]).toEqual([1, '']);
  expect((await ended(run(script, ...against, '--fail-on', 'other-logs'))).code).toBe(0);
  expect(await ended(run('process.exit(3)', '--log', 'never', ...against))).toMatchObject({ code: 3 });
});

it('--coverage and --gas count, tell tables, write files, and compare with an earlier run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-run-'));
  try {
    const flags = ['--coverage', '--gas', '--coverage-dir', folder, '--artifacts', join(folder, 'artifacts')];
    const script = FAIL.replace('process.exit(1)', '');
    const first = await ended(run(script, ...flags));
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^No build info was found.*\nCoverage:\n/);
    expect(first.stdout).toMatch(/deployment of a contract without an artifact +1 +0 +\d+/);
    const gas = JSON.parse(readFileSync(join(folder, 'gas.json'), 'utf8'));
    const rows = [...gas.rows, ...gas.files].map((each) => each.gas);
    expect(rows.reduce((sum, each) => sum + each, 0)).toBe(gas.gasUsed);
    expect(JSON.parse(readFileSync(join(folder, 'gas.speedscope.json'), 'utf8')).profiles).toHaveLength(1);
    expect(readFileSync(join(folder, 'gas.html'), 'utf8')).toContain('3 transactions');
    const baseline = join(folder, 'baseline.json');
    const [transfer] = gas.functions.slice(1);
    transfer.average -= 10;
    writeFileSync(baseline, JSON.stringify(gas));
    const more = await ended(run(script, ...flags, '--gas-baseline', baseline));
    expect(more.code).toBe(1);
    expect(more.stdout).toContain('1 of them uses more gas');
    const within = await ended(run(script, ...flags, '--gas-baseline', baseline, '--gas-tolerance', '5'));
    expect(within.code).toBe(0);
    expect((await ended(run('', ...flags))).stdout).toContain('No transaction was counted: ');
    // A build info whose sources are nowhere in the project.
    const fixture = join(
      import.meta.dirname,
      '../../../fixtures/stack-traces/807a97336cdc75ad9fa6466e8aef2545.json',
    );
    const output = JSON.parse(readFileSync(fixture, 'utf8'));
    const input = { sources: { 'contracts/Vault.sol': { content: 'contract Vault {}' } } };
    mkdirSync(join(folder, 'artifacts/build-info'), { recursive: true });
    writeFileSync(
      join(folder, 'artifacts/build-info/1.json'),
      JSON.stringify({ solcVersion: '0.8.37', input, output }),
    );
    const { stdout } = await ended(run(script, ...flags));
    expect(stdout).toContain('No contract that ran is in the build info');
    expect(stdout).toContain(
      `No source of the build info counts: it is a package or a test, or doesn't lie in ${folder}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a folder for the files that cannot be written is refused before the command runs', async () => {
  const taken = join(import.meta.dirname, '../../../package.json');
  const folders = [taken, join(taken, 'within'), ...(process.platform === 'linux' ? ['/proc/devnet/a'] : [])];
  for (const folder of folders) {
    const { code, stdout, stderr } = await ended(
      run('console.log("ran")', '--coverage', '--coverage-dir', folder),
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: --coverage-dir: can't be written \(E/);
  }
});
