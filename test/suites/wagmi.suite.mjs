// The configuration of docs/recipes.md for wagmi, as it stands on the page, on a devnet that isn't at the default port.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { dropInExample } from '../../scripts/drop-in-examples.mjs';
import { startDevnet } from './nodes.mjs';

const TO = '0x000000000000000000000000000000000000dEaD';

describe('wagmi with the mock wallet of the recipe', () => {
  let node;
  let folder;
  let config;
  let wagmi;

  before(async () => {
    node = await startDevnet();
    folder = mkdtempSync(join(tmpdir(), 'devnet-wagmi-'));
    symlinkSync(resolve(import.meta.dirname, 'wagmi/node_modules'), join(folder, 'node_modules'));
    // It has no types, so it is JavaScript too.
    writeFileSync(join(folder, 'wagmi.config.mjs'), dropInExample('wagmi.config.ts'));
    writeFileSync(join(folder, 'actions.mjs'), "export * from '@wagmi/core';");
    // A browser's address, from which the configuration takes the node's.
    globalThis.location = { href: `http://app.example/?rpc=${node.url}` };
    ({ config } = await import(pathToFileURL(join(folder, 'wagmi.config.mjs')).href));
    wagmi = await import(pathToFileURL(join(folder, 'actions.mjs')).href);
  });
  after(async () => {
    delete globalThis.location;
    rmSync(folder, { recursive: true, force: true });
    await node.close();
  });

  it('reads and sends go to the node that the page names', async () => {
    const { accounts } = await wagmi.connect(config, { connector: config.connectors[0] });
    assert.deepEqual(accounts, ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266']);
    const hash = await wagmi.sendTransaction(config, { to: TO, value: 5n });
    const { status } = await wagmi.waitForTransactionReceipt(config, { hash });
    assert.equal(status, 'success');
    const { value } = await wagmi.getBalance(config, { address: TO, blockTag: 'pending' });
    assert.equal(value, 5n);
    assert.equal((await node.rpc('eth_getTransactionByHash', hash)).to, TO.toLowerCase());
  });
});
