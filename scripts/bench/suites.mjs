import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Contract, ContractFactory, JsonRpcProvider } from 'ethers';
import { createTestClient, getContract, http, publicActions, walletActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { suitableNode } from '../suitable-node.mjs';
import { MNEMONIC } from './senders.mjs';
import { median, ms } from './stats.mjs';

const ROUNDS = 3;
const CASES = 60;
const SUITES = resolve(import.meta.dirname, '../../test/suites');
const CLIENTS = { viem: viemCase, ethers: ethersCase };
const POLLING = 20;
const SUPPLY = 10n ** 24n;
const TOO_MUCH = 10n ** 30n;
const { abi, bytecode } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../fixtures/contracts/Token.json'), 'utf8'),
);

/**
 * The same test suite on devnet, anvil and Hardhat's node, each started anew for each run, as a CI job does it. A case
 * goes back to the fixture, sends five transactions and waits for their receipts, makes ten calls, expects a revert and
 * steps in time.
 */
export async function suites({ progress }) {
  if (!existsSync(resolve(SUITES, 'node_modules')))
    throw new Error('npm run test:clients fetches what it runs on');
  const { startAnvil, startDevnet, startHardhat } = await import('../../test/suites/nodes.mjs');
  const nodes = {
    devnet: () => startDevnet('--automine'),
    anvil: () => startAnvil(),
    hardhat: () => startHardhat(suitableNode()),
  };
  const times = Object.fromEntries(
    Object.keys(CLIENTS).map((client) => [
      client,
      Object.fromEntries(Object.keys(nodes).map((name) => [name, []])),
    ]),
  );
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, start] of Object.entries(nodes))
      for (const [client, prepare] of Object.entries(CLIENTS)) {
        progress(`  ${client} on ${name}`);
        times[client][name].push(await runSuite(start, prepare, name));
      }
  return Object.entries(times).flatMap(([client, byNode]) => {
    const devnet = median(byNode.devnet);
    return Object.entries(byNode).map(([name, all]) => [
      `${CASES} cases by ${client} on ${name}`,
      ms(median(all)),
      `${(median(all) / devnet).toFixed(2)} of devnet's time, median of ${ROUNDS} new processes`,
    ]);
  });
}

async function runSuite(start, prepare, name) {
  const node = await start();
  try {
    const from = performance.now();
    const suite = await prepare(node.url, name === 'hardhat' ? 'hardhat' : 'anvil');
    for (let i = 0; i < CASES; i++) await suite.run();
    suite.close?.();
    return performance.now() - from;
  } finally {
    await node.close();
  }
}

async function viemCase(url, mode) {
  const account = mnemonicToAccount(MNEMONIC);
  const other = mnemonicToAccount(MNEMONIC, { addressIndex: 1 }).address;
  const client = createTestClient({
    account,
    chain: foundry,
    mode,
    transport: http(url),
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

async function ethersCase(url) {
  const provider = new JsonRpcProvider(url, undefined, { batchMaxCount: 1, cacheTimeout: -1, polling: true });
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
