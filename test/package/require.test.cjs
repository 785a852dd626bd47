const assert = require('node:assert/strict');
const { test } = require('node:test');

test('CommonJS gets the API by require, the same as import gives', async () => {
  const { createDevnet, DevnetError } = require('devnet');
  assert.equal((await import('devnet')).DevnetError, DevnetError);
  const chain = await createDevnet({ automine: true });
  assert.equal(await chain.provider.request({ method: 'eth_blockNumber' }), '0x0');
  await chain.close();
});

test('CommonJS gets the version from the package', () => {
  assert.match(require('devnet/package.json').version, /^\d+\.\d+\.\d+/);
});
