import { type Hex, type TransactionSerializable, toHex } from 'viem';
import { type HDAccount, mnemonicToAccount } from 'viem/accounts';
import type { Call } from '../wire.ts';

export const ALICE = '0x00000000000000000000000000000000000a11ce';
export const BOB = '0x0000000000000000000000000000000000000b0b';

const account = (addressIndex: number): HDAccount =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex });

/** Signs with a dev account's key and sends. @returns the hash */
export async function sendSigned(
  rpc: Call,
  transaction: TransactionSerializable,
  index = 0,
): Promise<string> {
  const from = account(index);
  const nonce = Number(await rpc('eth_getTransactionCount', from.address, 'pending'));
  const fees =
    transaction.type === 'legacy' || transaction.type === 'eip2930'
      ? { gasPrice: 3_000_000_000n }
      : { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n };
  const request = { nonce, gas: 200_000n, ...fees, ...transaction } as TransactionSerializable;
  return rpc('eth_sendRawTransaction', await from.signTransaction(request));
}

/**
 * Blocks with a transaction of each type, with and without a chain id, from an impersonated sender, that creates, that
 * logs and that fails, and dev writes between them. In automine mode. @returns the address of the contract
 */
export async function makeVaried(rpc: Call): Promise<string> {
  const chainId = Number(await rpc('eth_chainId'));
  const [from] = (await rpc('eth_accounts')) as string[];
  // SSTORE(0, NUMBER), LOG1 with the topic 1; reverts where there is call data.
  const runtime = '435f5560015f5fa136600d57005b5f5ffd';
  const size = (runtime.length / 2).toString(16).padStart(2, '0');
  const creation = await rpc('eth_sendTransaction', {
    from,
    data: `0x60${size}600a5f3960${size}5ff3${runtime}`,
    gas: '0x186a0',
  });
  const { contractAddress: to } = await rpc('eth_getTransactionReceipt', creation);
  await sendSigned(rpc, { type: 'legacy', to, chainId });
  await sendSigned(rpc, { type: 'legacy', to: BOB, value: 1n });
  const accessList = [{ address: to as Hex, storageKeys: [toHex(0, { size: 32 })] }];
  await sendSigned(rpc, { type: 'eip2930', to, chainId, accessList });
  await sendSigned(rpc, { type: 'eip1559', to, chainId, accessList, data: '0x01' });
  await sendSigned(rpc, {
    type: 'eip4844',
    to,
    chainId,
    blobVersionedHashes: [`0x01${'ab'.repeat(31)}`],
    maxFeePerBlobGas: 1_000n,
  });
  const authorization = await account(2).signAuthorization!({
    contractAddress: to,
    chainId,
    nonce: 0,
  });
  await sendSigned(rpc, {
    type: 'eip7702',
    to: account(2).address,
    chainId,
    authorizationList: [authorization],
  });
  await rpc('anvil_setBalance', ALICE, '0x56bc75e2d63100000');
  await rpc('anvil_impersonateAccount', ALICE);
  for (const fields of [{ gasPrice: '0xb2d05e00' }, { maxFeePerGas: '0xb2d05e00' }])
    await rpc('eth_sendTransaction', { from: ALICE, to: BOB, value: '0x5', gas: '0x5208', ...fields });
  await rpc('anvil_setStorageAt', to, '0x7', toHex(9, { size: 32 }));
  await rpc('evm_setAutomine', false);
  for (const index of [3, 4]) await sendSigned(rpc, { type: 'eip1559', to, chainId }, index);
  await rpc('anvil_mine', '0x3');
  await rpc('evm_setAutomine', true);
  await rpc('anvil_setBalance', BOB, '0x77');
  return to;
}

/** All that a client can read of a chain's blocks, and of the state at those from `states` on. */
export async function readAll(rpc: Call, contract: string, states: number | string = 'latest') {
  const newest = Number(await rpc('eth_blockNumber'));
  const first = Number((await rpc('eth_getBlockByNumber', 'earliest', false)).number);
  const blocks = [];
  for (let number = first; number <= newest; number++) {
    const tag = toHex(number);
    const known = states === 'latest' ? number === newest : number >= Number(states);
    blocks.push({
      block: await rpc('eth_getBlockByNumber', tag, true),
      receipts: await rpc('eth_getBlockReceipts', tag),
      raw: await rpc('debug_getRawBlock', tag),
      state: known && (await readState(rpc, contract, tag)),
    });
  }
  return {
    blocks,
    logs: await rpc('eth_getLogs', { fromBlock: toHex(first), toBlock: 'latest' }),
    state: await readState(rpc, contract, 'latest'),
    chainId: await rpc('eth_chainId'),
  };
}

async function readState(rpc: Call, contract: string, tag: string) {
  const [from] = (await rpc('eth_accounts')) as string[];
  return {
    proof: await rpc('eth_getProof', contract, ['0x0', '0x7'], tag),
    balances: await Promise.all([ALICE, BOB, from].map((at) => rpc('eth_getBalance', at, tag))),
    code: await rpc('eth_getCode', contract, tag),
  };
}
