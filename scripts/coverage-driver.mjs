// Deploys the test contracts of a Foundry project to the chain at DEVNET_URL, and calls each test after setUp(), each time on the state
// after the deployment. It is the command that scripts/coverage-forge.mjs runs in the project's folder.
import { readdirSync, readFileSync } from 'node:fs';

const rpc = async (method, ...params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const { result, error } = await (
    await fetch(process.env.DEVNET_URL, { method: 'POST', headers, body })
  ).json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
};
const [from] = await rpc('eth_accounts');
const send = async (to, data) => {
  const hash = await rpc('eth_sendTransaction', { from, ...(to && { to }), data, gas: '0xf00000' });
  const receipt = await rpc('eth_getTransactionReceipt', hash);
  if (receipt.status !== '0x1') throw new Error(`failed: ${data.slice(0, 10)}`);
  return receipt;
};
for (const folder of readdirSync('out').filter((name) => name.endsWith('.t.sol')))
  for (const file of readdirSync(`out/${folder}`)) {
    const { bytecode, methodIdentifiers } = JSON.parse(readFileSync(`out/${folder}/${file}`, 'utf8'));
    const { contractAddress } = await send(undefined, bytecode.object);
    for (const [signature, selector] of Object.entries(methodIdentifiers)) {
      if (!signature.startsWith('test')) continue;
      const id = await rpc('evm_snapshot');
      await send(contractAddress, `0x${methodIdentifiers['setUp()']}`);
      await send(contractAddress, `0x${selector}`);
      await rpc('evm_revert', id);
    }
  }
