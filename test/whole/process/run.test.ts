import { once } from 'node:events';
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
