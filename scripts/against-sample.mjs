// Sends transactions whose outcome differs at amsterdam to the chain at DEVNET_URL, for the screenshot in docs/amsterdam.md.
import { readFileSync } from 'node:fs';
import { encodeDeployData, encodeFunctionData } from 'viem';

const read = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
let id = 0;

async function ask(method, ...params) {
  const response = await fetch(process.env.DEVNET_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

const [from, friend] = await ask('eth_accounts');
async function send(transaction) {
  const hash = await ask('eth_sendTransaction', { from, ...transaction });
  return ask('eth_getTransactionReceipt', hash);
}

const token = read('fixtures/contracts/Token.json');
const deployed = await send({
  data: encodeDeployData({ ...token, args: ['Test Token', 'TST', 10n ** 24n] }),
});
const transfer = (to) => ({
  to: deployed.contractAddress,
  data: encodeFunctionData({ abi: token.abi, functionName: 'transfer', args: [to, 10n ** 18n] }),
});
const stranger = (n) => `0x${n.toString(16).padStart(40, '5')}`;
// Gas limits as in users' scripts: fixed, or estimated by the node.
for (let n = 1; n <= 4; n++) await send({ ...transfer(stranger(n)), gas: '0x186a0' });
for (let n = 0; n < 5; n++) await send(transfer(friend));
await send({ to: stranger(9), value: '0xde0b6b3a7640000', gas: '0x5208' });
for (let n = 0; n < 3; n++) await send({ to: friend, value: '0xde0b6b3a7640000', gas: '0x5208' });
const output = read('fixtures/stack-traces/807a97336cdc75ad9fa6466e8aef2545.json');
const { abi, evm } = output.contracts['contracts/Vault.sol'].Vault;
const vault = await send({ data: `0x${evm.bytecode.object}`, gas: '0x500000' });
const data = encodeFunctionData({ abi, functionName: 'take', args: [1n] });
await send({ to: vault.contractAddress, data, value: '0x2', gas: '0x1d4c0' });

// `payer` forwards its value by a CALL with no gas but the stipend of 2,300, as transfer() does, and reverts if the CALL fails. `wallet`
// reads a storage slot and the size of its caller's code with that gas.
const [payer, wallet] = [
  '0x00000000000000000000000000000000000000c1',
  '0x00000000000000000000000000000000000000c2',
];
await ask('anvil_setCode', wallet, '0x60005450333b5000');
await ask('anvil_setCode', payer, `0x60006000600060003473${wallet.slice(2)}6000f1602857600080fd5b00`);
await send({ to: payer, value: '0x1', gas: '0x30d40' });
