import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './rpc.mjs';

/** Child processes that are killed when this process exits. */
export const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** A free port below the ephemeral ports, so that the system gives it to no other program before the node listens. */
export async function freePort() {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const isFree = await new Promise((done) => {
      const server = createServer().on('error', () => done(false));
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
    });
    if (isFree) return port;
  }
}

/**
 * Starts the built node as a child process on a free port.
 * @param {string} bin the launcher, as a path relative to the project's folder
 * @param {string[]} flags
 * @returns as {@link startProgram}
 */
export async function startNode(bin, flags = []) {
  const port = await freePort();
  const launcher = resolve(import.meta.dirname, '../..', bin);
  return startProgram(process.execPath, [launcher, '--port', `${port}`, ...flags], port);
}

/**
 * Starts a program that serves JSON-RPC on the port, as a child process.
 * @returns the fields of {@link answering}, stop(), and kill() with SIGKILL
 */
export async function startProgram(command, args, port) {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    if (stderr.length < 10_000) stderr += chunk;
  });
  let ended;
  let stopping = false;
  const exit = new Promise((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, signal) => done(signal ?? code));
  }).then((reason) => {
    running.delete(child);
    ended = `the node ended (${reason}): ${stderr.trim().slice(0, 500)}`;
    if (!stopping) console.error(ended);
  });
  const stop = async () => {
    stopping = true;
    child.kill('SIGTERM');
    const inTime = await Promise.race([exit.then(() => true), sleep(5000, false, { ref: false })]);
    if (!inTime) child.kill('SIGKILL');
    await exit;
  };
  const kill = () => {
    stopping = true;
    child.kill('SIGKILL');
  };
  try {
    return { ...(await answering(child.pid, port, start, () => ended)), stop, kill };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Waits for the first response of a process.
 * @param ended returns the reason once the process has ended
 * @returns pid, port, client, the milliseconds from `start` to the response, rss(peak) in MiB and cpu() in ms
 */
export async function answering(pid, port, start, ended = () => undefined) {
  const client = new Client(port, 16);
  const alive = () => {
    if (ended()) throw new Error(ended());
  };
  for (;;) {
    alive();
    if (performance.now() - start > 600_000) throw new Error('no answer within 600 s');
    try {
      await client.call('eth_blockNumber');
      break;
    } catch {
      await sleep(2);
    }
  }
  const startMs = performance.now() - start;
  const rss = (peak = false) => {
    alive();
    return memoryOf(pid, peak);
  };
  return { pid, port, client, startMs, rss, cpu: () => cpuOf(pid) };
}

/** The machine's cores, read at once: after `taskset` the number would be that of this process. */
const CORES = availableParallelism();

/**
 * Pins a process and its future children to one core, if there are two.
 * @param {0 | 1} core
 * @returns the process
 */
export function onCore(core, process) {
  if (CORES === 2) spawnSync('taskset', ['-acp', `${core}`, `${process.pid}`]);
  return process;
}

/** Resident memory of a process in MiB; with `peak` its maximum so far, if the system provides it. */
export function memoryOf(pid, peak = false) {
  if (process.platform === 'linux') {
    const line = peak ? /VmHWM:\s+(\d+)/ : /VmRSS:\s+(\d+)/;
    return Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) / 1024;
}

/**
 * The parts of a process's resident memory in MiB, if the system provides them: its own memory, and mapped pages of files, such as
 * LevelDB's tables, which the system reclaims when it needs memory.
 */
export function memoryParts(pid) {
  if (process.platform !== 'linux') return { memory: memoryOf(pid) };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const part = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024;
  return { 'own memory': part('RssAnon'), 'mapped files': part('RssFile') };
}

/** Processor time of a process so far in ms, user and system, in steps of 10; undefined without /proc. */
export function cpuOf(pid) {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}
