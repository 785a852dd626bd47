import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

test('npx devnet makes its first block, and answers a browser', async () => {
  // In a process group, which the shell that npx starts is in too.
  const args = ['--no-install', 'devnet', '--port', '0'];
  const npx = spawn('npx', args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await addressOf(npx);
    const request = requestsOf(url);
    let block = null;
    while (block === null) {
      await setTimeout(50);
      block = await request('eth_getBlockByNumber', '0x1', false);
    }
    assert.equal(block.number, '0x1');
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    assert.match(await page.text(), /<script/);
    // The bundle has only a part of Express and of prom-client.
    const statuses = {
      '/metrics': 200,
      '/nothing': 404,
      '/%': 404,
      '/explorer/nothing.js': 404,
      '/?a[b]=c': 200,
    };
    for (const [path, status] of Object.entries(statuses)) {
      const response = await fetch(new URL(path, url));
      assert.deepEqual([path, response.status], [path, status]);
      assert.ok((await response.text()).length > 0);
    }
    assert.equal((await fetch(url, { method: 'PUT' })).status, 405);
    assert.equal((await fetch(url, { method: 'OPTIONS' })).status, 204);
  } finally {
    process.kill(-npx.pid, 'SIGTERM');
  }
  // When the last process of the group has closed it.
  await once(npx, 'close');
});

test('a node that is stopped keeps the compiled code of what requests called, up to four nodes', async () => {
  await (await start()).stop();
  const { size } = keptCode();
  await workAndStop();
  const kept = keptCode();
  assert.ok(kept.size > size + 50_000, `${kept.size} bytes after requests, ${size} before`);

  // A node counts by the time for which it has worked, so on a loaded machine also one that was only started and stopped.
  while (keptCode().processes < 4) await workAndStop();
  const { mtimeMs } = keptCode();
  await workAndStop();
  assert.equal(keptCode().mtimeMs, mtimeMs);
});

async function workAndStop() {
  const { request, stop } = await start();
  const [from, to] = await request('eth_accounts');
  for (let i = 0; i < 3; i++) {
    const hash = await request('eth_sendTransaction', { from, to, value: '0x1' });
    await request('eth_getTransactionReceipt', hash);
    await request('debug_traceTransaction', hash, { tracer: 'callTracer' });
    await request('eth_simulateV1', { blockStateCalls: [{ calls: [{ from, to }] }] }, 'latest');
    await request('eth_getBlockByNumber', 'pending', true);
    await request('evm_revert', await request('evm_snapshot'));
  }
  await stop();
}

const DIST = 'node_modules/devnet/dist';

/** Of the command, for this version of Node. `processes` have added to it at their end: the number behind the hash. */
function keptCode() {
  const [name] = readdirSync(DIST).filter((file) => file.includes(`.command.${process.version}-`));
  const { size, mtimeMs } = statSync(`${DIST}/${name}`);
  return { size, mtimeMs, processes: readFileSync(`${DIST}/${name}`).readDoubleLE(32) };
}

async function start() {
  const args = ['node_modules/devnet/bin/devnet.js', '--automine', '--port', '0'];
  const node = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const request = requestsOf(await addressOf(node));
  const stop = async () => {
    node.kill('SIGTERM');
    await once(node, 'close');
  };
  return { request, stop };
}

function requestsOf(url) {
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await (await fetch(url, { method: 'POST', body })).json()).result;
  };
}

async function addressOf({ stdout }) {
  let text = '';
  for await (const chunk of stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk;
    const [, address] = /^Listening on (\S+)\n/m.exec(text) ?? [];
    if (!address) continue;
    stdout.resume();
    return `http://${address}`;
  }
  throw new Error(text);
}
