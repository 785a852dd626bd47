// The suite that scripts/bench/coverage.mjs measures: 300 tests against the node at DEVNET_URL, each with a few transactions, receipts
// and calls.
import { readFileSync } from 'node:fs';
import { encodeDeployData, encodeFunctionData } from 'viem';

const TESTS = 300;
const { output } = JSON.parse(readFileSync('artifacts/build-info/1.json', 'utf8'));
const contracts = { ...output.contracts['contracts/Shop.sol'], ...output.contracts['contracts/Vault.sol'] };
let id = 0;
const rpc = async (method, ...params) => {
  const response = await fetch(process.env.DEVNET_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
};
const [from] = await rpc('eth_accounts');
const send = async (transaction) =>
  rpc(
    'eth_getTransactionReceipt',
    await rpc('eth_sendTransaction', { from, gas: '0x300000', ...transaction }),
  );
const deploy = async (name, args) => {
  const { abi, evm } = contracts[name];
  const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args });
  return (await send({ data })).contractAddress;
};
const vault = await deploy('Vault', []);
const shop = await deploy('Shop', [vault, 1n]);
const buy = (item) => encodeFunctionData({ abi: contracts.Shop.abi, functionName: 'buy', args: [item] });
for (let test = 0; test < TESTS; test++) {
  const snapshot = await rpc('evm_snapshot');
  const bought = await send({ to: shop, data: buy(0n), value: '0x4' });
  if (bought.status !== '0x1') throw new Error('buy failed');
  await send({ to: shop, data: buy(0n), value: '0x5' });
  await rpc('eth_call', { from, to: shop, data: buy(0n), value: '0x4' }, 'latest');
  await rpc('eth_getBalance', vault, 'latest');
  await rpc('evm_revert', snapshot);
}
