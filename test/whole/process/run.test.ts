import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useCommand } from './devnet-process.ts';
import { beside, CALL, FAIL } from './run-script.ts';

const command = useCommand();
const { run, ended } = beside(command);

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
    stderr: "error: command not found: 'no-such-command-here'\n",
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
