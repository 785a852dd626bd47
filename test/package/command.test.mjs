import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

test('npx devnet makes its first block, and answers a browser', async () => {
  // In a process group, which the shell that npx starts is in too.
  const args = ['--no-install', 'devnet', '--port', '0'];
  const npx = spawn('npx', args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await addressOf(npx);
    const request = async (method, ...params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return (await (await fetch(url, { method: 'POST', body })).json()).result;
    };
    let block = null;
    while (block === null) {
      await setTimeout(50);
      block = await request('eth_getBlockByNumber', '0x1', false);
    }
    assert.equal(block.number, '0x1');
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    assert.match(await page.text(), /<script/);
  } finally {
    process.kill(-npx.pid, 'SIGTERM');
  }
  // When the last process of the group has closed it.
  await once(npx, 'close');
});

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
