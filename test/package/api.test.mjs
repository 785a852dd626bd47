import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDevnet, DevnetError, followDevnet } from 'devnet';

const [from, to] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
];

test('a transaction is mined, and a follower has it', async () => {
  const chain = await createDevnet({ automine: true, port: 0 });
  const transactionHash = await chain.provider.request({
    method: 'eth_sendTransaction',
    params: [{ from, to, value: '0x1' }],
  });
  const follower = await followDevnet(`${chain.url.replace('http', 'ws')}/flashblocks`);
  const receipt = { method: 'eth_getTransactionReceipt', params: [transactionHash] };
  assert.equal((await follower.provider.request(receipt)).status, '0x1');
  await assert.rejects(chain.provider.request({ method: 'no_such' }), (error) => {
    assert.ok(error instanceof DevnetError);
    assert.equal(error.code, -32601);
    return true;
  });
  await follower.close();
  await chain.close();
});

test('the precompiles and packages that are loaded late are there', async () => {
  const { provider, close } = await createDevnet({ automine: true });
  const call = (to, data) => provider.request({ method: 'eth_call', params: [{ to, data }] });
  // BLS12_G1ADD of two points at infinity (EIP-2537).
  assert.equal(
    await call('0x000000000000000000000000000000000000000b', `0x${'00'.repeat(256)}`),
    `0x${'00'.repeat(128)}`,
  );
  const signature = await provider.request({ method: 'eth_sign', params: [from, '0x00'] });
  assert.match(signature, /^0x[0-9a-f]{130}$/);
  await close();
});

test("the shadow engine finds EthereumJS's VM", async () => {
  const { provider, close } = await createDevnet({ automine: true, engine: 'shadow' });
  const hash = await provider.request({
    method: 'eth_sendTransaction',
    params: [{ from, to, value: '0x1' }],
  });
  const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] });
  assert.equal(receipt.status, '0x1');
  await close();
});
