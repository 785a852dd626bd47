// A long run under mixed load, which checks invariants of the chain against the responses of the built node (npm run build).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { encodeDeployData, encodeFunctionData } from 'viem';
import { atRate, receiptOf } from './bench/load.mjs';
import { memoryParts, startNode } from './bench/node.mjs';
import { Client } from './bench/rpc.mjs';
import { artifact } from './bench/senders.mjs';
import { mib } from './bench/stats.mjs';
import { directorySize } from './soak/directory-size.mjs';
import { executeAgain } from './soak/execute-again.mjs';
import { Ledger } from './soak/ledger.mjs';
import { listen } from './soak/listeners.mjs';
import { trend } from './soak/trend.mjs';

const HELP = `npm run test:soak -- --minutes N [--rate TRANSACTIONS_A_SECOND] [--prune-history BLOCKS] [--options="OPTIONS OF DEVNET"]
`;
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rate: { type: 'string', default: '300' },
    'prune-history': { type: 'string' },
    options: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
if (values.help || !(minutes > 0) || !(rate > 0)) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}

const SUBSCRIBERS = 50;
const RECIPIENTS = Array.from(
  { length: 100 },
  (_, i) => `0x${(0xaa0000 + i).toString(16).padStart(40, '0')}`,
);
const TAGS = ['latest', 'pending', 'safe', 'finalized', 'earliest'];

const prune = values['prune-history'];
const dataDir = mkdtempSync(join(tmpdir(), 'devnet-soak-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const node = await startNode('bin/devnet.js', [
  ...['--gas-limit', '300000000', '--hardfork', 'prague', '--data-dir', dataDir],
  ...(prune ? ['--prune-history', prune] : []),
  ...values.options.split(' ').filter((option) => option !== ''),
]);
const { client, port } = node;
const accounts = await client.call('eth_accounts');
const [deployer] = accounts;
const { abi, bytecode } = artifact('Token');
const creation = encodeDeployData({ abi, bytecode, args: ['Soak', 'SOAK', 10n ** 24n] });
const { contractAddress: token } = await receiptOf(
  client,
  await client.call('eth_sendTransaction', [{ from: deployer, data: creation, gas: '0x2dc6c0' }]),
);
// The load has connections of its own: a send without a nonce waits for those before it.
const sending = new Client(port, 16);
const ledger = new Ledger({ client, port, accounts: [...accounts, ...RECIPIENTS] });
const listeners = await listen(port, SUBSCRIBERS);
const over = new AbortController();
const memory = [];
const counts = {};

/** Repeats a task until the end. @param gap milliseconds between two runs */
async function repeat(name, gap, task) {
  counts[name] = 0;
  for (let i = 0; !over.signal.aborted; i++) {
    await task(i);
    counts[name]++;
    await sleep(gap, undefined, { signal: over.signal }).catch(() => {});
  }
}

/** Sends a request that may be rejected: a nonce or block may be gone, or a fault may have nothing to apply to. */
const tried = (method, params, by = client) =>
  by.call(method, params).catch((error) => {
    if (error.code === undefined || error.code === -32603) throw error;
  });

const began = performance.now();
const load = atRate(minutes * 60, rate, (i) => {
  const from = accounts[i % accounts.length];
  const to = RECIPIENTS[i % RECIPIENTS.length];
  if (i % 3 === 0) return tried('eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }], sending);
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, from === deployer ? 1n : 0n] });
  return tried('eth_sendTransaction', [{ from, to: token, data, gas: '0x186a0' }], sending);
});
const tasks = [
  repeat('reads', 20, async (i) => {
    const tag = TAGS[i % TAGS.length];
    await tried('eth_getBlockByNumber', [tag, i % 2 === 0]);
    await tried('eth_getBalance', [RECIPIENTS[i % 100], tag]);
    await tried('eth_getLogs', [{ fromBlock: tag, toBlock: tag }]);
    await tried('eth_call', [
      { to: token, data: encodeFunctionData({ abi, functionName: 'totalSupply' }) },
      tag,
    ]);
  }),
  repeat('pending checks', 250, () => ledger.checkPending()),
  repeat('checks', 2_000, () => ledger.check()),
  repeat('memory', 2_000, async () =>
    memory.push({
      at: performance.now() - began,
      ...memoryParts(node.pid),
      'data directory': directorySize(dataDir),
    }),
  ),
  repeat('executed again', 5_000, async (i) => i > 0 && (await executeAgain(port, client))),
  repeat('rewrites', 7_000, async (i) => {
    if (i === 0) return;
    await ledger.rewrite(async () => {
      if (i % 2 === 0) return tried('devnet_reorg', [`0x${(1 + (i % 3)).toString(16)}`]);
      const id = await client.call('evm_snapshot');
      await sleep(1_000);
      return tried('evm_revert', [id]);
    });
  }),
  repeat('faults', 3_000, (i) =>
    tried(
      ...[
        ['devnet_skipFlashblocks', [1]],
        ['devnet_delaySeal', [300]],
        ['devnet_gapFlashblock', [1]],
        ['devnet_duplicateFlashblock', []],
      ][i % 4],
    ),
  ),
];
/** rejects with the first failure, which ends the run */
const failed = Promise.all(tasks);
let failure;
try {
  await Promise.race([load, failed]);
} catch (error) {
  failure = error;
}
over.abort();
await failed.catch((error) => {
  failure ??= error;
});
const { sent, failed: refused } = failure ? { sent: 0, failed: 0 } : await load;
const trends = Object.keys(memory[0])
  .filter((part) => part !== 'at')
  .map((part) => ({ part, ...trend(memory.map((sample) => [sample.at, sample[part]])) }));
const { isFlat } = trends[0];
const blocks = Number(await client.call('eth_blockNumber').catch(() => 0));
const faults = [...ledger.faults, ...listeners.faults];
listeners.close();
await node.stop();

console.log(`${minutes} minutes: ${sent} transactions sent, ${refused} failed, ${blocks} blocks`);
console.log(JSON.stringify({ ...counts, ...listeners.counts() }));
for (const { part, mean, perMinute } of trends)
  console.log(`${part} in the second half: ${mib(mean)}, ${perMinute.toFixed(2)} MiB a minute`);
const twelfths = Array.from({ length: 12 }, (_, i) =>
  memory.slice(Math.floor((i * memory.length) / 12), Math.floor(((i + 1) * memory.length) / 12)),
);
const means = twelfths.map((samples) =>
  Math.round(samples.reduce((sum, sample) => sum + sample[trends[0].part], 0) / samples.length),
);
console.log(`${trends[0].part} by twelfths of the time, MiB: ${means.join(' ')}`);
if (!isFlat) console.log(`! the ${trends[0].part} grows`);
for (const fault of faults.slice(0, 20)) console.log(`! ${fault}`);
if (failure) console.log(`! ${failure.stack}`);
process.exit(failure || faults.length > 0 || refused > 0 || !isFlat ? 1 : 0);
