// A test suite as users write it, in a process of its own, started by suites.mjs:
//   node suite.mjs <viem|ethers|requests> <hardhat|anvil> <cases> [url]
// Without a URL the node runs in this process. Prints milliseconds, not counting the loading of modules.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BrowserProvider, Contract, ContractFactory, JsonRpcProvider } from 'ethers';
import {
  createPublicClient,
  createTestClient,
  custom,
  getContract,
  http,
  publicActions,
  walletActions,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { createDevnet } from '../../dist/index.js';
import { MNEMONIC } from './senders.mjs';

const POLLING = 20;
const REQUESTS = 36;
const SUPPLY = 10n ** 24n;
const TOO_MUCH = 10n ** 30n;
const { abi, bytecode } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../fixtures/contracts/Token.json'), 'utf8'),
);
const [client, mode, cases, url] = process.argv.slice(2);

const start = performance.now();
const node = url ? undefined : await createDevnet({ automine: true });
const { run, close } = await { viem: viemCase, ethers: ethersCase, requests: requestsCase }[client]();
for (let i = 0; i < Number(cases); i++) await run();
console.log(performance.now() - start);
close?.();
await node?.close();

async function viemCase() {
  const account = mnemonicToAccount(MNEMONIC);
  const other = mnemonicToAccount(MNEMONIC, { addressIndex: 1 }).address;
  const client = createTestClient({
    account,
    chain: foundry,
    mode,
    transport: node ? custom(node.provider, { retryCount: 0 }) : http(url),
    pollingInterval: POLLING,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions);
  const hash = await client.deployContract({ abi, bytecode, args: ['Token', 'TOK', SUPPLY] });
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash });
  const token = getContract({ abi, address, client });
  const included = async (sent) => {
    const { status } = await client.waitForTransactionReceipt({ hash: await sent });
    if (status !== 'success') throw new Error(status);
  };
  let fixture = await client.snapshot();
  const run = async () => {
    await client.revert({ id: fixture });
    fixture = await client.snapshot();
    await included(client.sendTransaction({ to: other, value: 1n }));
    for (const amount of [1n, 2n, 3n]) {
      await included(token.write.transfer([other, amount]));
      await token.read.balanceOf([other]);
      await token.read.balanceOf([account.address]);
      await token.read.totalSupply();
    }
    await included(token.write.approve([other, 5n]));
    if ((await token.read.balanceOf([other])) !== 6n) throw new Error('the balance is not 6');
    await mustFail(token.write.transfer([other, TOO_MUCH]));
    await client.increaseTime({ seconds: 60 });
    await client.mine({ blocks: 1 });
  };
  return { run };
}

/** Sends only as many requests as a case with viem does. */
async function requestsCase() {
  const client = createPublicClient({ transport: http(url) });
  return {
    run: async () => {
      for (let i = 0; i < REQUESTS; i++) await client.getChainId();
    },
  };
}

async function ethersCase() {
  const options = { batchMaxCount: 1, cacheTimeout: -1, polling: true };
  const provider = node
    ? new BrowserProvider(node.provider, undefined, options)
    : new JsonRpcProvider(url, undefined, options);
  provider.pollingInterval = POLLING;
  const signer = await provider.getSigner(0);
  const other = (await provider.getSigner(1)).address;
  const deployed = await new ContractFactory(abi, bytecode, signer).deploy('Token', 'TOK', SUPPLY);
  await deployed.waitForDeployment();
  const token = new Contract(await deployed.getAddress(), abi, signer);
  const included = async (sent) => (await sent).wait();
  let fixture = await provider.send('evm_snapshot', []);
  const run = async () => {
    await provider.send('evm_revert', [fixture]);
    fixture = await provider.send('evm_snapshot', []);
    await included(signer.sendTransaction({ to: other, value: 1n }));
    for (const amount of [1n, 2n, 3n]) {
      await included(token.transfer(other, amount));
      await token.balanceOf(other);
      await token.balanceOf(signer.address);
      await token.totalSupply();
    }
    await included(token.approve(other, 5n));
    if ((await token.balanceOf(other)) !== 6n) throw new Error('the balance is not 6');
    await mustFail(token.transfer(other, TOO_MUCH));
    await provider.send('evm_increaseTime', [60]);
    await provider.send('evm_mine', []);
  };
  return { run, close: () => provider.destroy() };
}

async function mustFail(sent) {
  const went = await sent.then(
    () => true,
    () => false,
  );
  if (went) throw new Error('it was to revert');
}
