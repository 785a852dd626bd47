// Transactions on the chain at DEVNET_URL that amsterdam is known to break, each beside one that it doesn't break.
import { ContractFactory, JsonRpcProvider, toBeHex } from 'ethers';
import { compile } from '../compile.mjs';

const provider = new JsonRpcProvider(process.env.DEVNET_URL, undefined, {
  pollingInterval: 20,
  cacheTimeout: -1,
});
const signer = await provider.getSigner(0);
const friend = await (await provider.getSigner(1)).getAddress();
const contracts = compile('Victims.sol');

const deploy = async (name) => {
  const { abi, bytecode } = contracts[name];
  const contract = await new ContractFactory(abi, bytecode, signer).deploy();
  return contract.waitForDeployment();
};
/** Sends a transaction and waits for it. It may fail. */
const sent = async (sending) => {
  const { hash } = await sending;
  while (!(await provider.getTransactionReceipt(hash))) await new Promise((later) => setTimeout(later, 20));
};
const stranger = (n) => toBeHex(2n ** 159n + BigInt(n), 20);

const [bank, wallet, register, caller] = [
  await deploy('Bank'),
  await deploy('Wallet'),
  await deploy('Register'),
  await deploy('Caller'),
];
// A first deposit of each of two accounts: with a fixed limit, and with an estimated one.
await sent(bank.connect(await provider.getSigner(2)).deposit({ value: 9n, gasLimit: 150_000n }));
await sent(bank.deposit({ value: 1000n }));
await sent(bank.deposit({ value: 1000n, gasLimit: 150_000n }));
// transfer() with 2,300 gas, and call() with all of it, to a contract; transfer() to an account without code.
await sent(bank.payOut(wallet.target, { gasLimit: 200_000n }));
await sent(bank.payOutByCall(wallet.target));
await sent(bank.payOut(friend));
// {gas: 30000}, and all gas.
await sent(caller.setWithFixedGas(register.target, 1n, { gasLimit: 500_000n }));
await sent(caller.setWithAllGas(register.target, 2n, { gasLimit: 500_000n }));
// ETH to a new account with a fixed limit of 21,000, and with an estimated one; to an account that exists with 21,000; without ETH.
await sent(signer.sendTransaction({ to: stranger(1), value: 1n, gasLimit: 21_000n }));
await sent(signer.sendTransaction({ to: stranger(2), value: 1n }));
await sent(signer.sendTransaction({ to: friend, value: 1n, gasLimit: 21_000n }));
await sent(signer.sendTransaction({ to: friend, gasLimit: 21_000n }));
provider.destroy();
