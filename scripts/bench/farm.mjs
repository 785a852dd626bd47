import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onCore, running } from './node.mjs';
import { startRedis } from './scale.mjs';
import { median } from './stats.mjs';

const ROUNDS = 3;
/** Number of replays of the folder per group of workers, one after the other: in the first one their code is cold. */
const REPLAYS = 3;

/** Milliseconds between two kills of a randomly chosen worker of three; another one is started in its place. */
const DEATH_EVERY = 2_000;

/**
 * Replays the files of a folder by `devnet replay --queue` with one worker and with two, each on a core of its own if there are two. The
 * requesting process and redis-server have no core of their own. Then with three workers; every two seconds a random one is killed.
 * All outputs must equal the output of `devnet replay` alone. @param farm the folder
 */
export async function farm({ bin, farm: folder, progress }) {
  if (!folder) throw new Error('--farm names a folder with BlockchainTests files');
  const files = readdirSync(folder).map((name) => resolve(folder, name));
  const times = { 1: [], 2: [] };
  const outputs = new Set();
  for (let round = 0; round < ROUNDS; round++)
    for (const count of [1, 2]) {
      const redis = await startRedis({ keeps: false });
      const workers = Array.from({ length: count }, (_, core) =>
        onCore(core, start(bin, ['worker', '--redis', redis.url, '-j', '1'])),
      );
      await sleep(2_000);
      const run = [];
      for (let i = 0; i < REPLAYS; i++) {
        const { ms, output } = await replay(bin, ['--queue', redis.url, ...files]);
        run.push(ms);
        outputs.add(output);
      }
      progress(`  ${count} workers: ${run.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}`);
      times[count].push(run);
      for (const worker of workers) worker.kill();
      await redis.stop();
    }
  progress('  three workers, one of which is killed every 2 s');
  const killed = await dying(bin, files);
  outputs.add(killed.output);
  progress('  alone');
  outputs.add((await replay(bin, files)).output);
  if (outputs.size !== 1) throw new Error('the outputs differ');
  const deaths = [
    'farm: by three workers, one of which is killed every 2 s',
    `${(killed.ms / 1000).toFixed(1)} s`,
    `${killed.deaths} workers killed; each output is that of a replay without workers`,
  ];
  const rows = ['first', ...Array.from({ length: REPLAYS - 1 }, () => 'next')].map((which, i) => {
    const [one, two] = [1, 2].map((count) => median(times[count].map((run) => run[i])));
    const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
    return [
      `farm: ${which} replay of ${files.length} files by one worker / by two`,
      `${seconds(one)} / ${seconds(two)}`,
      `${(one / two).toFixed(2)} times as fast; medians of ${ROUNDS}`,
    ];
  });
  return [...rows, deaths];
}

async function dying(bin, files) {
  const redis = await startRedis({ keeps: false });
  const worker = () => start(bin, ['worker', '--redis', redis.url, '-j', '1']);
  const workers = [worker(), worker(), worker()];
  let deaths = 0;
  const killing = setInterval(() => {
    const which = Math.floor(Math.random() * workers.length);
    workers[which].kill('SIGKILL');
    workers[which] = worker();
    deaths++;
  }, DEATH_EVERY);
  try {
    return { ...(await replay(bin, ['--queue', redis.url, ...files])), deaths };
  } finally {
    clearInterval(killing);
    for (const left of workers) left.kill();
    await redis.stop();
  }
}

function start(bin, args) {
  const launcher = resolve(import.meta.dirname, '../..', bin);
  const child = spawn(process.execPath, [launcher, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  child.stdout.resume();
  return child;
}

/** @returns the elapsed milliseconds, and the SHA-256 of the output */
async function replay(bin, args) {
  const began = performance.now();
  const child = start(bin, ['replay', '--json', ...args]);
  const hash = createHash('sha256');
  child.stdout.on('data', (chunk) => hash.update(chunk));
  await new Promise((done) => child.once('close', done));
  return { ms: performance.now() - began, output: hash.digest('hex') };
}
