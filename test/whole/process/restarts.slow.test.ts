import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { DevnetProcess, rpc, useCommand } from './devnet-process.ts';

const command = useCommand();
/** With the test's directory as the system's temporary one. */
const start = (...args: string[]) => command.run(['--port', '0', ...args], { env: { TMPDIR: command.dir } });

it('the built script keeps its compiled code at the first start, for the next ones', async () => {
  // A copy, since other tests start the command at the same time.
  const copy = `${dirname(command.path)}-copy`;
  cpSync(dirname(command.path), copy, { recursive: true, filter: (path) => !path.endsWith('.cache') });
  try {
    const kept = () => {
      const [name] = readdirSync(copy).filter((file) => file.endsWith('.cache'));
      return name && statSync(join(copy, name)).mtimeMs;
    };
    const use = async () => {
      const node = new DevnetProcess(join(copy, 'cli.js'), ['--port', '0'], {
        env: { TMPDIR: command.dir },
      });
      expect(await rpc(await node.listening(), 'eth_blockNumber')).toBe('0x0');
      expect(await node.kill('SIGTERM')).toBe(0);
    };
    await use();
    expect(kept()).toBeDefined();
    // On a slow machine a start counts as much work, after which more code is kept: by four processes at most.
    const times = new Set([kept()]);
    for (let i = 0; i < 6; i++) {
      await use();
      times.add(kept());
    }
    expect(times.size).toBeLessThanOrEqual(5);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

it('a data directory made with other options is refused by name and left as it was', async () => {
  const dataDir = join(command.dir, 'data');
  const first = start('--data-dir', dataDir, '--timestamp', '1000000000');
  const genesis = await rpc(await first.listening(), 'eth_getBlockByNumber', '0x0', false);
  await first.kill('SIGTERM');
  for (const [args, message] of [
    [['--chain-id', '5'], /--chain-id 31337/],
    [['--balance', '7'], /genesis/],
    [['--timestamp', '1000000001'], /genesis/],
  ] as const) {
    const other = start('--data-dir', dataDir, ...args);
    expect(await other.exited).toBe(1);
    expect(other.stderr).toMatch(/^error: data directory .*\n$/);
    expect(other.stderr).toMatch(message);
  }
  for (const args of [[], ['--timestamp', '1000000000']]) {
    const again = start('--data-dir', dataDir, ...args);
    const url = await again.listening();
    expect(await rpc(url, 'eth_getBlockByNumber', '0x0', false)).toEqual(genesis);
    await again.kill('SIGTERM');
  }
});
