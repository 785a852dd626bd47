import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useCommand } from './devnet-process.ts';

const command = useCommand();

/** Runs JavaScript in a process of its own beside a chain. @param options of `devnet run` */
function run(script: string, ...options: string[]) {
  return command.run(['run', ...options, '--', process.execPath, '--input-type=module', '-e', script]);
}

async function ended(running: ReturnType<typeof run>) {
  const code = await running.exited;
  // How long a call took is another thing each time.
  return { code, stdout: running.stdout, stderr: running.stderr.replaceAll(/ \d+ ms$/gm, '') };
}

const CALL = `
  const call = async (url, method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await (await fetch(url, { method: 'POST', body })).json()).result;
  };
  const { DEVNET_URL, RPC_URL, ETH_RPC_URL, DEVNET_WS_URL } = process.env;`;

it('the command finds a chain with automine at the addresses in its environment, and nothing but its own output is printed', async () => {
  const script = `${CALL}
    const [from] = await call(DEVNET_URL, 'eth_accounts');
    await call(RPC_URL, 'eth_sendTransaction', { from, to: from });
    console.log(await call(ETH_RPC_URL, 'eth_blockNumber'), new URL(DEVNET_WS_URL).protocol);`;
  expect(await ended(run(script))).toEqual({ code: 0, stdout: '0x1 ws:\n', stderr: '' });
});

it('a mode that is named is the one', async () => {
  const script = `${CALL}
    const [from] = await call(DEVNET_URL, 'eth_accounts');
    await call(DEVNET_URL, 'eth_sendTransaction', { from, to: from });
    console.log(await call(DEVNET_URL, 'eth_blockNumber'));`;
  expect(await ended(run(script, '--no-mining'))).toMatchObject({ code: 0, stdout: '0x0\n' });
});

it("the exit code is the command's, and where it failed the chain's log follows", async () => {
  const script = `${CALL} await call(DEVNET_URL, 'eth_chainId'); process.exit(3);`;
  const log = "\nThe chain's log:\neth_chainId\n";
  expect(await ended(run(script))).toEqual({ code: 3, stdout: '', stderr: log });
  expect(await ended(run(script, '--log', 'never'))).toEqual({ code: 3, stdout: '', stderr: '' });
  const passing = script.replace('3', '0');
  expect(await ended(run(passing, '--log', 'always'))).toEqual({
    code: 0,
    stdout: '',
    stderr: 'eth_chainId\n',
  });
});

/** Deploys the token of fixtures/contracts, and ends at once after a transfer that fails. */
const FAIL = `${CALL}
  import { readFileSync } from 'node:fs';
  const { bytecode } = JSON.parse(readFileSync('fixtures/contracts/Token.json', 'utf8'));
  const [owner, holder] = await call(DEVNET_URL, 'eth_accounts');
  const word = (hex) => hex.padStart(64, '0');
  const name = word('1') + '54'.padEnd(64, '0');
  const data = bytecode + word('60') + word('a0') + word('7') + name + name;
  const hash = await call(DEVNET_URL, 'eth_sendTransaction', { from: owner, data, gas: '0x400000' });
  const { contractAddress: to } = await call(DEVNET_URL, 'eth_getTransactionReceipt', hash);
  const transfer = '0xa9059cbb' + word(owner.slice(2)) + word('5');
  await call(DEVNET_URL, 'eth_sendTransaction', { from: owner, to, data: transfer, gas: '0x30d40' });
  await call(DEVNET_URL, 'eth_sendTransaction', { from: holder, to, data: transfer, gas: '0x30d40' });
  process.exit(1);`;
const ERROR =
  'reverted with InsufficientBalance(account: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, balance: 0, needed: 5)';

it('the log has, in the order of time, what failed right before the end and why, and a summary', async () => {
  const { code, stderr } = await ended(run(FAIL, '--artifacts', 'fixtures/contracts'));
  expect(code).toBe(1);
  const lines = stderr.split('\n').map((line) => line.trim());
  const inOrder = [
    /^Contract created: 0x\w+ \(Token\)$/,
    /^Block Number: 1$/,
    /^Call: Token\.transfer\(to: 0xf39F\w+, value: 5\)$/,
    /^Gas used: \d+ of 200000$/,
    /^Block Number: 2$/,
    /^eth_sendTransaction$/,
    /^Gas used: \d+ of 200000 \(failed\)$/,
    /^Error: reverted with InsufficientBalance\(account: 0x7099\w+, balance: 0, needed: 5\)$/,
    /^Summary: 3 transactions, 1 failed$/,
    /^Failed: 0x[0-9a-f]{64} Token\.transfer\(.*\): reverted with InsufficientBalance/,
    /^Gas by function:$/,
    /^deployment of Token +1 +0 /,
    /^Token\.transfer +2 +1 +\d+ +\d+ +\d+ +\d+$/,
  ];
  let from = 0;
  for (const wanted of inOrder) {
    const at = lines.findIndex((line, i) => i >= from && wanted.test(line));
    expect(at, `${wanted} after line ${from} of\n${stderr}`).toBeGreaterThanOrEqual(from);
    from = at + 1;
  }
});

it('a report in JSON, in Markdown to a file, and as the summary of a job on GitHub', async () => {
  const artifacts = ['--artifacts', 'fixtures/contracts'];
  const json = await ended(run(FAIL, ...artifacts, '--report', 'json', '--log', 'never'));
  expect(json.stderr).toBe('');
  expect(JSON.parse(json.stdout)).toMatchObject({
    transactions: 3,
    failedTransactions: [
      { block: 3, contract: 'Token', value: '0', gasLimit: 200_000, reason: ERROR, call: expect.any(String) },
    ],
    functions: [
      { function: 'deployment of Token', calls: 1, failed: 0 },
      { function: 'Token.transfer', calls: 2, failed: 1 },
    ],
  });
  const file = join(command.dir, 'report.md');
  const summary = join(command.dir, 'summary.md');
  const running = command.run(
    [
      ...['run', ...artifacts, '--report', 'markdown', '--report-file', file, '--'],
      ...[process.execPath, '--input-type=module', '-e', FAIL],
    ],
    { env: { GITHUB_STEP_SUMMARY: summary } },
  );
  expect(await running.exited).toBe(1);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^## devnet: 3 transactions, 1 failed\n/);
  expect(text).toMatch(/^\| Token\.transfer \| 2 \| 1 \| \d+ \| \d+ \| \d+ \| \d+ \|$/m);
  expect(readFileSync(summary, 'utf8')).toBe(text);
});

it('a report in another format is refused', async () => {
  expect(await ended(run('', '--report', 'xml'))).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: "error: --report: expected json, markdown, got 'xml'\n",
  });
});

it("a file for the report that can't be written is refused before the command runs", async () => {
  const file = join(command.dir, 'nowhere', 'report.md');
  const said = await ended(run('console.log("ran")', '--report', 'json', '--report-file', file));
  expect(said).toMatchObject({ code: 1, stdout: '' });
  expect(said.stderr).toMatch(/^error: --report-file: can't be written \(ENOENT: .*\)\n$/);
});

it('signals reach the command, and the chain ends after it', async () => {
  const running = run(`${CALL}
    process.on('SIGTERM', async () => {
      console.log(await call(DEVNET_URL, 'eth_blockNumber'));
      process.exit(5);
    });
    setInterval(() => {}, 1000);
    console.log('ready');`);
  await once(running.child.stdout!, 'data');
  expect(await running.kill('SIGTERM')).toBe(5);
  expect(running.stdout).toBe('ready\n0x0\n');
  const killed = run('process.kill(process.pid, "SIGKILL")');
  expect(await killed.exited).toBe(137);
});

it('a command that is not there, or not named, is one line', async () => {
  const missing = command.run(['run', '--', 'no-such-command-here']);
  expect(await ended(missing)).toMatchObject({
    code: 127,
    stderr: "error: 'no-such-command-here' is no command that can be found\n",
  });
  expect(await ended(command.run(['run', 'npx', 'vitest']))).toMatchObject({
    code: 1,
    stderr: 'error: expected -- before the command, as in: devnet run -- npx hardhat test\n',
  });
  expect(await ended(command.run(['run', '--log', 'no', '--', 'true']))).toMatchObject({
    code: 1,
    stderr: "error: --log: expected always, failure, never, got 'no'\n",
  });
});

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
    expect(more.stdout).toContain('1 of them uses more than 0 % more gas');
    const within = await ended(run(script, ...flags, '--gas-baseline', baseline, '--gas-tolerance', '5'));
    expect(within.code).toBe(0);
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
    expect((await ended(run(script, ...flags))).stdout).toContain(
      `No source of the build info counts: it is a package or a test, or doesn't lie in ${folder}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
