import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, running } from './node.mjs';
import { Client } from './rpc.mjs';

const PACKAGE = '@foundry-rs/anvil';
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/**
 * Starts anvil from npm, fetched into a folder that is removed at the end. It is nobody's dependency.
 * @returns as `startNode`; or `{ missing }`, why there is none
 */
export async function startAnvil() {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-bench-anvil-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    await promisify(execFile)(
      'npm',
      ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', PACKAGE],
      { timeout: 90_000 },
    );
  } catch (error) {
    return { missing: `npm can't fetch ${PACKAGE}: ${lastLine(error.stderr ?? error.message)}` };
  }
  const binary = `${PACKAGE}-${process.platform}-${ARCHITECTURES[process.arch]}/bin/anvil`;
  const port = await freePort();
  const child = spawn(join(folder, 'node_modules', binary), ['--port', `${port}`, '--silent'], {
    stdio: 'ignore',
  });
  running.add(child);
  let ended;
  const exit = new Promise((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, signal) => done(`anvil ended (${signal ?? code})`));
  }).then((reason) => {
    running.delete(child);
    ended = reason;
  });
  const client = new Client(port, 16);
  const start = performance.now();
  while (!ended && performance.now() - start < 20_000) {
    try {
      await client.call('eth_blockNumber');
      const stop = async () => {
        client.close();
        child.kill('SIGTERM');
        await exit;
      };
      return { port, client, stop };
    } catch {
      await sleep(20);
    }
  }
  child.kill('SIGKILL');
  return { missing: ended ?? 'anvil gave no answer within 20 s' };
}

const lastLine = (text) => text.trim().split('\n').at(-1);
