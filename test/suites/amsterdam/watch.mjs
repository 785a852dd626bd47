// Runs a command on the chain at DEVNET_URL and writes down each transaction as it was included, also those that evm_revert takes back:
//   node watch.mjs FILE COMMAND...
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';

const [file, command, ...args] = process.argv.slice(2);
/** Gas for a call of each transaction that fails, by `keyOf` of confirm.mjs. */
const tries = JSON.parse(process.env.TRIES ?? '{}');
const socket = new WebSocket(process.env.DEVNET_WS_URL);
await once(socket, 'open');
const transactions = [];
const answers = new Map();
socket.addEventListener('message', ({ data }) => {
  const { id, result, error, params } = JSON.parse(data);
  if (params) transactions.push(params.result);
  else answers.get(id)({ result, error });
});
let ids = 0;
const ask = (method, ...params) =>
  new Promise((resolve) => {
    const id = ++ids;
    answers.set(id, resolve);
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  });
await ask('eth_subscribe', 'newFlashblockTransactions', true);
const [status] = await once(spawn(command, args, { stdio: 'inherit' }), 'close');
// Notifications of what a block has done are sent after it.
for (let before = -1; before !== transactions.length; ) {
  before = transactions.length;
  await new Promise((later) => setTimeout(later, 300));
  await ask('eth_blockNumber');
}
const codes = {};
for (const { to } of transactions) if (to) codes[to] ??= (await ask('eth_getCode', to, 'latest')).result;
for (const transaction of transactions) {
  const { from, to, nonce, input, value, blockNumber, hash } = transaction;
  const gas = tries[[from, nonce, to, input.slice(0, 10), value].join()];
  if (gas === undefined || !(await ask('eth_getTransactionByHash', hash)).result) continue;
  // Each block has one transaction: it ran on the state of the block before.
  const call = { from, ...(to && { to }), input, value, gas };
  const { error } = await ask('eth_call', call, `0x${(Number(blockNumber) - 1).toString(16)}`);
  transaction.triedAgain = error ? 'fails' : 'succeeds';
}
writeFileSync(file, JSON.stringify({ transactions, codes }));
socket.close();
process.exitCode = status ?? 1;
