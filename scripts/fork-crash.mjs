// Kills the built node, forked, with a cache and a data directory, again and again: no acknowledged transaction may be lost, and the
// cache must not be corrupt. node scripts/fork-crash.mjs --rounds 200
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort, startNode } from './bench/node.mjs';
import { Client } from './bench/rpc.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, bin: { type: 'string', default: 'bin/devnet.js' } },
});
const rounds = Number(values.rounds);
const token = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../fixtures/contracts/Token.json'), 'utf8'),
);
const word = (value) => BigInt(value).toString(16).padStart(64, '0');
const transferOf = (to, amount) => `0xa9059cbb${word(to)}${word(amount)}`;

const folder = mkdtempSync(join(tmpdir(), 'devnet-fork-crash-'));
const origin = await startNode(values.bin, ['--automine', '--silent', '--accounts', '500']);
const accounts = await origin.client.call('eth_accounts');
const [from] = accounts;
const args = [
  word(96),
  word(160),
  word(10n ** 24n),
  word(1),
  '54'.padEnd(64, '0'),
  word(1),
  '54'.padEnd(64, '0'),
];
const deployment = await origin.client.call('eth_sendTransaction', [
  { from, data: token.bytecode + args.join(''), gas: '0x2dc6c0' },
]);
const { contractAddress: to } = await origin.client.call('eth_getTransactionReceipt', [deployment]);
const url = `http://127.0.0.1:${origin.port}`;

/** received receipts, by transaction hash */
const announced = new Map();
let entries = 0;
let sent = 0;
try {
  for (let round = 1; round <= rounds; round++) {
    const port = await freePort();
    const flags = ['--port', `${port}`, '--automine', '--silent', '--fork-url', url];
    const kept = ['--fork-cache', join(folder, 'cache'), '--data-dir', join(folder, 'chain')];
    const launcher = resolve(import.meta.dirname, '..', values.bin);
    const child = spawn(process.execPath, [launcher, ...flags, ...kept], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = new Promise((done) => child.once('exit', done));
    const client = new Client(port, 4);
    for (let tries = 0; ; tries++) {
      try {
        await client.call('eth_blockNumber');
        break;
      } catch (error) {
        if (child.exitCode !== null || tries > 6000)
          throw new Error(`round ${round}: no start: ${error.message}`);
        await sleep(5);
      }
    }
    for (const [hash, receipt] of announced) {
      const again = await client.call('eth_getTransactionReceipt', [hash]);
      if (JSON.stringify(again) !== receipt) throw new Error(`round ${round}: ${hash} was lost or changed`);
    }
    // Different accounts in each round, so that the cache grows while the process is killed.
    let killed;
    try {
      for (let i = 0; ; i++) {
        const recipient = accounts[(round * 7 + i) % accounts.length];
        const request = { from, to, data: transferOf(recipient, 1), gas: '0x186a0' };
        const hash = await client.call('eth_sendTransaction', [request]);
        sent++;
        announced.set(hash, JSON.stringify(await client.call('eth_getTransactionReceipt', [hash])));
        // The timer starts after the first transaction, so that a busy machine has sent some, too.
        killed ??= sleep((round * 137) % 800).then(() => child.kill('SIGKILL'));
      }
    } catch (error) {
      // Any other error means that the node was killed.
      if (typeof error.code === 'number' || !killed) throw error;
    }
    await killed;
    await ended;
    if (announced.size > 200)
      for (const hash of [...announced.keys()].slice(0, announced.size - 200)) announced.delete(hash);
    if (round % 20 === 0) console.error(`${round} rounds, ${sent} transactions`);
  }
  for (const name of readdirSync(join(folder, 'cache'), { recursive: true }).filter((one) =>
    one.endsWith('.jsonl'),
  ))
    for (const line of readFileSync(join(folder, 'cache', name), 'utf8').split('\n')) {
      if (line === '') continue;
      entries++;
      JSON.parse(line);
    }
  if (sent === 0) throw new Error('no transaction was sent before the kills');
  console.log(
    `${rounds} kills: ${sent} transactions, nothing announced was lost; ${entries} lines in the cache, all whole`,
  );
} finally {
  await origin.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
