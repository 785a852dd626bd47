import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './rpc.mjs';

/** Children that end with this process. */
export const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

export const freePort = () =>
  new Promise((done, fail) => {
    const server = createServer().on('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/**
 * Starts the built node as a child process on a free port.
 * @param {string} bin the launcher, as a path from the project's folder
 * @param {string[]} flags
 * @returns the port, a client, the milliseconds from spawn to the first answer, rss(peak) in MiB and stop()
 */
export function startNode(bin, flags = []) {
  const launcher = resolve(import.meta.dirname, '../..', bin);
  return startProgram(process.execPath, [launcher, ...flags]);
}

/** Starts any node that takes the flag --port, as startNode does. @param {string} [cwd] the folder to start it in */
export async function startProgram(program, args, cwd) {
  const port = await freePort();
  const start = performance.now();
  const child = spawn(program, [...args, '--port', `${port}`], { stdio: ['ignore', 'ignore', 'pipe'], cwd });
  running.add(child);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    if (stderr.length < 10_000) stderr += chunk;
  });
  let ended;
  let stopping = false;
  const exit = new Promise((done) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      ended = `the node ended (${signal ?? code}): ${stderr.trim().slice(0, 500)}`;
      if (!stopping) console.error(ended);
      done();
    });
  });
  const client = new Client(port, 16);

  const stop = async () => {
    stopping = true;
    client.close();
    child.kill('SIGTERM');
    const inTime = await Promise.race([exit.then(() => true), sleep(5000, false, { ref: false })]);
    if (!inTime) child.kill('SIGKILL');
    await exit;
  };

  for (;;) {
    if (ended) throw new Error(ended);
    if (performance.now() - start > 30_000) {
      await stop();
      throw new Error(`no answer within 30 s: ${stderr.slice(0, 500)}`);
    }
    try {
      await client.call('eth_blockNumber');
      break;
    } catch {
      await sleep(2);
    }
  }
  const startMs = performance.now() - start;
  const rss = (peak = false) => {
    if (ended) throw new Error(ended);
    return memoryOf(child.pid, peak);
  };
  return { port, client, startMs, rss, stop };
}

/** Resident memory of a process in MiB; the most that it had, where the system knows it. */
export function memoryOf(pid, peak = false) {
  if (process.platform === 'linux') {
    const line = peak ? /VmHWM:\s+(\d+)/ : /VmRSS:\s+(\d+)/;
    return Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) / 1024;
}
