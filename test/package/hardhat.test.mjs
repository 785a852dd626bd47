import assert from 'node:assert/strict';
import { test } from 'node:test';
import { network } from 'hardhat';

test('a connection to the network devnet has a chain of its own', async () => {
  for (const _ of ['first', 'second']) {
    const { provider, close } = await network.create('devnet');
    const [from, to] = await provider.request({ method: 'eth_accounts' });
    await provider.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] });
    assert.equal(await provider.request({ method: 'eth_blockNumber' }), '0x1');
    assert.match(await provider.request({ method: 'web3_clientVersion' }), /devnet/);
    await close();
  }
});
