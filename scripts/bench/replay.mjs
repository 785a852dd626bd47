import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWalletClient, hexToBytes, http, publicActions } from 'viem';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { receiptOf } from './load.mjs';
import { memoryOf, running, startNode } from './node.mjs';
import {
  authorization,
  createSenders,
  deployToken,
  etherTransfer,
  MNEMONIC,
  recipient,
  tokenDeployment,
  tokenTransfer,
  transferData,
} from './senders.mjs';
import { mib, ms } from './stats.mjs';

const MODES = {
  automine: { flags: ['--automine'], lanesOf: signedLanes },
  'automine, by viem': { flags: ['--automine'], lanesOf: viemLane },
  interval: { flags: [], lanesOf: signedLanes },
};
/** Number of transactions between two snapshots. */
const PHASE = 500;
const IMPERSONATED = `0x${'aa'.repeat(20)}`;

/**
 * Records a chain over HTTP, with transactions of all kinds, dev calls and snapshots: sent by ten senders, each of which waits for its
 * receipts and has signed before, or by one viem client as in a test suite. Then replays it in two processes, one after the other, and five
 * times in one process.
 */
export async function replay({ bin, replay: count }) {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-bench-replay-'));
  const rows = [];
  try {
    for (const [mode, { flags, lanesOf }] of Object.entries(MODES)) {
      const file = join(dir, `${rows.length}.jsonl`);
      const recorded = await record(bin, ['--record', file, ...flags], count, lanesOf);
      const [first, second] = [await runReplay(bin, [file]), await runReplay(bin, [file])];
      if (first.head !== second.head) throw new Error(`${first.head} is not ${second.head}`);
      const many = await runReplay(bin, ['--threads', '1', ...Array(5).fill(file)]);
      const ratio = (recorded.elapsed / first.elapsed).toFixed(1);
      rows.push(
        [
          `recorded, ${mode}`,
          ms(recorded.elapsed),
          `${first.transactions} transactions, ${first.blocks} blocks`,
        ],
        [`replayed, ${mode}`, ms(first.elapsed), `${ratio} times as fast, start of the process counted`],
        [`peak RSS, ${mode}`, mib(first.peak), `recorded with ${mib(recorded.peak)}`],
        [`peak RSS of 5 replays, ${mode}`, mib(many.peak), 'one process, one after the other'],
      );
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  return rows;
}

async function record(bin, flags, count, lanesOf) {
  const node = await startNode(bin, [...flags, '--gas-limit', '1000000000']);
  const senders = await createSenders(node);
  try {
    const { client } = node;
    const token = await deployToken(client, senders);
    const chainId = BigInt(await client.call('eth_chainId'));
    const payloads = Array.from({ length: count }, (_, i) => payloadOf(i, token, chainId));
    const lanes = lanesOf(payloads, senders, node);
    const start = performance.now();
    const share = PHASE / lanes.length;
    for (let from = 0; from < lanes[0].length; from += share) {
      await Promise.all(
        lanes.map(async (lane) => {
          for (const included of lane.slice(from, from + share)) await included();
        }),
      );
      await develop(client, from);
    }
    return { elapsed: performance.now() - start, peak: node.rss(true) };
  } finally {
    await node.stop();
  }
}

/** Ten senders in parallel. Signing isn't measured. */
function signedLanes(payloads, senders, { client }) {
  return senders.map((sender, lane) =>
    payloads
      .filter((_, i) => i % senders.length === lane)
      .map((payload) => {
        const raw = sender.sign(payload);
        return async () => receiptOf(client, await sender.send(raw), { limitMs: 120_000 });
      }),
  );
}

/** One viem client that signs. It leaves nonce, fees and gas to the node, except the gas of transactions that revert. */
function viemLane(payloads, _senders, { port }) {
  const client = createWalletClient({
    account: mnemonicToAccount(MNEMONIC),
    chain: foundry,
    transport: http(`http://127.0.0.1:${port}`),
    pollingInterval: 20,
  }).extend(publicActions);
  const lane = payloads.map(({ gas, reverts, authority, ...fields }) => async () => {
    const authorizationList = authority && [await authority.account.signAuthorization(authority)];
    const hash = await client.sendTransaction({
      ...fields,
      authorizations: undefined,
      ...(reverts && { gas }),
      ...(authorizationList && { authorizationList }),
    });
    await client.waitForTransactionReceipt({ hash });
  });
  return [lane];
}

/** Of each twenty: nine ETH transfers, seven token transfers, one that reverts, one set-code transaction, two deployments. */
function payloadOf(i, token, chainId) {
  const kind = Math.floor(i / 10) % 20;
  if (kind < 9) return etherTransfer(i);
  if (kind < 16) return tokenTransfer(token, i);
  if (kind === 16)
    return { to: token, data: transferData(recipient(i), 10n ** 40n), gas: 100_000n, reverts: true };
  if (kind > 17) return tokenDeployment;
  const key = `0x${(i + 1).toString(16).padStart(64, '0')}`;
  return {
    to: recipient(i),
    gas: 100_000n,
    authorizations: [authorization(hexToBytes(key), chainId, token)],
    authority: { account: privateKeyToAccount(key), address: token, chainId: Number(chainId), nonce: 0 },
  };
}

/** The dev calls of a test suite between two cases. */
async function develop(client, i) {
  await client.call('anvil_setBalance', [IMPERSONATED, `0x${(10n ** 20n + BigInt(i)).toString(16)}`]);
  await client.call('anvil_impersonateAccount', [IMPERSONATED]);
  const snapshot = await client.call('evm_snapshot', []);
  for (let j = 0; j < 5; j++)
    await client.call('eth_sendTransaction', [{ from: IMPERSONATED, to: recipient(j), value: '0x1' }]);
  await client.call('anvil_mine', ['0x2']);
  await client.call('evm_revert', [snapshot]);
  await client.call('evm_increaseTime', [60]);
  await client.call('evm_mine', []);
}

/** Runs a replay in a process of its own. */
async function runReplay(bin, files) {
  const launcher = resolve(import.meta.dirname, '../..', bin);
  const start = performance.now();
  const child = spawn(process.execPath, [launcher, 'replay', '--json', ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  let ended = false;
  const closed = new Promise((done) => {
    child.once('close', (code) => {
      ended = true;
      running.delete(child);
      done(code);
    });
  });
  let peak = 0;
  while (!ended) {
    try {
      peak = Math.max(peak, memoryOf(child.pid, true));
    } catch {
      // The process ended in the meantime.
    }
    await Promise.race([closed, sleep(25)]);
  }
  const elapsed = performance.now() - start;
  const [outcome] = Object.values(JSON.parse(stdout.split('\n', 1)[0]));
  if ((await closed) !== 0 || !outcome.pass) throw new Error(outcome.error ?? 'the replay failed');
  return { elapsed, peak, head: outcome.lastblockhash, ...outcome };
}
