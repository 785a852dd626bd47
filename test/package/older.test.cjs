// In a project with a Hardhat and a bullmq that devnet does not work with.
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { test } = require('node:test');

test('the API works beside them', async () => {
  const chain = await require('devnet').createDevnet({ automine: true });
  assert.equal(await chain.provider.request({ method: 'eth_chainId' }), '0x7a69');
  await chain.close();
});

test('the plugin of Hardhat says which Hardhat it needs, and what to do with Hardhat 2', async () => {
  const sentence =
    /^devnet\/hardhat needs hardhat 3\.0 or later, and this project has hardhat 2\..*--compat hardhat2/;
  assert.throws(() => require('devnet/hardhat'), { message: sentence });
  await assert.rejects(import('devnet/hardhat'), { message: sentence });
});

test('a worker says which bullmq it needs', () => {
  const args = ['node_modules/devnet/bin/devnet.js', 'worker', '--redis', 'redis://127.0.0.1:1'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^error: a queue of replays needs bullmq 6\.0 or later, .* has bullmq 5\.81\.2: npm install bullmq@6\n$/,
  );
});
