// Records fixtures/anvil again: a dump of a small chain of anvil, and anvil's responses about it.
//   node scripts/record-anvil-state.mjs ANVIL    the path of anvil
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createTestClient, http, publicActions, toHex, walletActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { anvil } from 'viem/chains';

const folder = join(resolve(import.meta.dirname, '..'), 'fixtures/anvil');
const [program] = process.argv.slice(2);
const child = spawn(program, ['--port', '0', '--timestamp', '1700000000', '--hardfork', 'osaka']);
let printed = '';
let url;
for await (const text of child.stdout) {
  printed += text;
  url = /^Listening on (\S+)$/m.exec(printed)?.[1];
  if (url) break;
}

const MNEMONIC = 'test test test test test test test test test test test junk';
const account = (addressIndex) => mnemonicToAccount(MNEMONIC, { addressIndex });
const transport = http(`http://${url}`);
const client = createTestClient({ mode: 'anvil', chain: anvil, transport })
  .extend(publicActions)
  .extend(walletActions);
const ask = (method, ...params) => client.request({ method, params });
const BOB = '0x0000000000000000000000000000000000000b0b';
const ALICE = '0x00000000000000000000000000000000000a11ce';

async function send(request, from = account(0)) {
  const { chainId, ...prepared } = await client.prepareTransactionRequest({ account: from, ...request });
  const serializedTransaction = await from.signTransaction({
    ...prepared,
    ...(request.protected !== false && { chainId: 31337 }),
  });
  return client.sendRawTransaction({ serializedTransaction });
}

await send({ to: BOB, value: 5n, type: 'legacy' });
await send({ to: BOB, value: 6n, type: 'legacy', protected: false }, account(1));
await send({
  to: BOB,
  value: 7n,
  type: 'eip2930',
  accessList: [{ address: BOB, storageKeys: [toHex(1, { size: 32 })] }],
});
// The deployed code: SSTORE(0, 5), LOG1 without data and with the topic 1.
const deployed = await send({ data: '0x6960055f5560015f5fa1005f52600a6016f3' });
const { contractAddress } = await client.getTransactionReceipt({ hash: deployed });
await send({ to: contractAddress });
const authorization = await account(2).signAuthorization({ contractAddress, chainId: 31337, nonce: 0 });
await send({ to: account(2).address, authorizationList: [authorization] });
await client.setBalance({ address: ALICE, value: 10n ** 20n });
await client.impersonateAccount({ address: ALICE });
await client.sendTransaction({ account: ALICE, to: BOB, value: 9n });
await client.sendTransaction({ account: ALICE, to: BOB, value: 9n, type: 'legacy' });
await client.setAutomine(false);
for (const index of [3, 4]) await send({ to: BOB, value: 1n, gas: 21_000n }, account(index));
await client.mine({ blocks: 1 });
await client.setAutomine(true);
await client.mine({ blocks: 2 });
await client.setStorageAt({ address: BOB, index: 1, value: toHex(7, { size: 32 }) });

const newest = await client.getBlockNumber();
const blocks = [];
for (let number = 0n; number <= newest; number++) {
  const tag = toHex(number);
  blocks.push({
    block: await ask('eth_getBlockByNumber', tag, true),
    receipts: await ask('eth_getBlockReceipts', tag),
    balances: Object.fromEntries(
      await Promise.all(
        [ALICE, BOB, account(0).address].map(async (at) => [at, await ask('eth_getBalance', at, tag)]),
      ),
    ),
    stored: await ask('eth_getStorageAt', contractAddress, '0x0', tag),
  });
}
const logs = await ask('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
const dumps = { state: false, history: true };
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, 'answers.json'),
  `${JSON.stringify({ contractAddress, logs, blocks }, null, 1)}\n`,
);
for (const [name, states] of Object.entries(dumps)) {
  const dump = await ask('anvil_dumpState', states);
  writeFileSync(join(folder, `${name}.json.gz`), Buffer.from(dump.slice(2), 'hex'));
}
child.kill('SIGTERM');
await once(child, 'close');
