// On a Node that devnet does not run on: one sentence, before anything is loaded.
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { test } = require('node:test');

const SENTENCE = `devnet needs Node.js ^20.19.0 || >=22.12.0, and this is Node.js ${process.versions.node}`;

test('the command says which Node it needs', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/devnet/bin/devnet.js'], {
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout, stderr], [1, '', `error: ${SENTENCE}\n`]);
});

test('the API and the plugin of Hardhat say so by require', () => {
  assert.throws(() => require('devnet'), { message: SENTENCE });
  assert.throws(() => require('devnet/hardhat'), { message: SENTENCE });
});

test('all entries say so by import', async () => {
  for (const entry of ['devnet', 'devnet/hardhat', 'devnet/vitest/setup'])
    await assert.rejects(import(entry), { message: SENTENCE });
});
