// The calls that anvil.suite.mjs makes on both nodes, in the order in which it makes them.
import {
  ABOVE,
  ALICE,
  BOB,
  CAROL,
  creation,
  DEAD,
  FEES,
  increment,
  NOWHERE,
  number,
  SLOT,
  set,
  TRANSFER,
  typed,
} from './parameters.mjs';

/** What later calls need of earlier ones. */
export let contract;
let incremented;
export let block;
export const ofIncrement = (field) => (node) => incremented[node][field];

export const CALLS = {
  'methods without parameters': async ({ ask }) => {
    for (const method of [
      ...[
        'accounts',
        'requestAccounts',
        'chainId',
        'gasPrice',
        'maxPriorityFeePerGas',
        'blobBaseFee',
        'blockNumber',
      ],
      ...[
        'coinbase',
        'syncing',
        'config',
        'protocolVersion',
        'newBlockFilter',
        'newPendingTransactionFilter',
      ],
    ])
      await ask(`eth_${method}`);
    for (const method of [
      'net_listening',
      'net_version',
      'web3_clientVersion',
      'anvil_nodeInfo',
      'anvil_metadata',
    ])
      await ask(method);
    for (const method of [
      'hardhat_metadata',
      'anvil_getAutomine',
      'hardhat_getAutomine',
      'anvil_getIntervalMining',
    ])
      await ask(method);
    for (const part of ['status', 'content', 'inspect']) await ask(`txpool_${part}`);
    await ask('web3_sha3', '0x01');
    await ask('no_such');
  },

  'transactions of each type': async ({ ask, send }) => {
    for (const fields of [
      {},
      { type: '0x0', gasPrice: '0x77359400' },
      { type: '0x1', gasPrice: '0x77359400', accessList: [{ address: DEAD, storageKeys: [NOWHERE] }] },
      { type: '0x2', ...FEES },
    ]) {
      const hashes = await send({ ...TRANSFER, ...fields });
      for (const method of ['TransactionByHash', 'TransactionReceipt', 'RawTransactionByHash'])
        await ask(`eth_get${method}`, (node) => hashes[node]);
    }
    for (const method of ['TransactionByHash', 'TransactionReceipt']) await ask(`eth_get${method}`, NOWHERE);
  },

  'a contract': async ({ ask, send }) => {
    const created = await send({ from: ALICE, data: creation });
    const receipts = await ask('eth_getTransactionReceipt', (node) => created[node]);
    contract = receipts[1].contractAddress;
    const hashes = await send({ from: ALICE, to: contract, data: increment });
    incremented = await ask('eth_getTransactionReceipt', (node) => hashes[node]);
    block = incremented[1].blockNumber;
  },

  'blocks and what is in them': async ({ ask }) => {
    const hash = ofIncrement('blockHash');
    for (const tag of [block, '0x0', 'latest', 'pending', 'safe', 'finalized', 'earliest', ABOVE])
      for (const full of [true, false]) await ask('eth_getBlockByNumber', tag, full);
    for (const of of [hash, NOWHERE]) {
      await ask('eth_getBlockByHash', of, true);
      await ask('eth_getBlockTransactionCountByHash', of);
      await ask('eth_getUncleCountByBlockHash', of);
      await ask('eth_getTransactionByBlockHashAndIndex', of, '0x0');
      await ask('eth_getUncleByBlockHashAndIndex', of, '0x0');
    }
    for (const tag of [block, '0x0', ABOVE]) {
      await ask('eth_getBlockReceipts', tag);
      await ask('eth_getBlockTransactionCountByNumber', tag);
      await ask('eth_getUncleCountByBlockNumber', tag);
      await ask('eth_getTransactionByBlockNumberAndIndex', tag, '0x0');
      await ask('eth_getUncleByBlockNumberAndIndex', tag, '0x0');
    }
    for (const nonce of ['0x0', '0x99']) await ask('eth_getTransactionBySenderAndNonce', ALICE, nonce);
  },

  'reads of the state': async ({ ask }) => {
    for (const tag of ['latest', 'pending', '0x0', ABOVE, { blockHash: NOWHERE }]) {
      for (const method of ['Balance', 'TransactionCount', 'Code'])
        await ask(`eth_get${method}`, contract, tag);
      await ask('eth_getStorageAt', contract, '0x0', tag);
      await ask('eth_call', { to: contract, data: number }, tag);
    }
    await ask('eth_getProof', contract, [SLOT], 'latest');
    await ask('eth_getProof', DEAD, [], 'latest');
    await ask('eth_getBalance', '0x12', 'latest');
    await ask('eth_getBalance');
    await ask('eth_getBalance', ALICE, 'latest', 'more');
  },

  'calls, estimates and simulations': async ({ ask }) => {
    const good = { from: ALICE, to: contract, data: increment };
    const bad = { from: BOB, to: contract, data: set };
    for (const request of [
      ...[good, bad, { from: DEAD, to: contract, value: '0x1', data: increment }, { data: '0xfe' }],
      ...[{ data: '0x60016000526001601ff3' }, { to: contract, data: '0xffffffff' }],
    ]) {
      await ask('eth_call', request, 'latest');
      await ask('eth_estimateGas', request);
    }
    await ask('eth_call', good, 'latest', { [contract]: { stateDiff: { [SLOT]: NOWHERE } } });
    await ask('eth_call', good, 'latest', {}, { number: '0x5' });
    await ask('eth_createAccessList', good);
    await ask('eth_createAccessList', bad);
    await ask('eth_callMany', [{ transactions: [good] }], { blockNumber: 'latest' });
    await ask('eth_simulateV1', { blockStateCalls: [{ calls: [good] }] }, 'latest');
    for (const fees of [
      ...[{}, { gasPrice: '0x1' }, { maxFeePerGas: '0x1' }, { gasPrice: '0x77359400' }],
      ...[{ maxPriorityFeePerGas: '0x3b9aca00' }, { maxPriorityFeePerGas: '0x0' }],
    ])
      for (const call of [good, { from: ALICE, to: BOB, value: '0x1' }]) {
        await ask('eth_call', { ...call, ...fees }, 'latest');
        await ask('eth_estimateGas', { ...call, ...fees });
        await ask('eth_createAccessList', { ...call, ...fees }, 'latest');
        await ask('eth_fillTransaction', { ...call, ...fees });
      }
    await ask('eth_call', { ...good, maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0xee6b2800' });
    await ask('eth_fillTransaction', { ...good, value: '0xffffffffffffffffffffffff' });
    for (const percentiles of [[10, 50], []]) await ask('eth_feeHistory', '0x4', 'latest', percentiles);
  },

  'logs and filters': async ({ ask, send }) => {
    await ask('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
    await ask('eth_getLogs', (node) => ({ blockHash: incremented[node].blockHash }));
    await ask('eth_getLogs', { fromBlock: 'earliest', address: contract, topics: [null, []] });
    await ask('eth_getLogs', {});
    await ask('eth_getLogs', { blockHash: NOWHERE });
    await ask('eth_getLogs', { fromBlock: '0x0', toBlock: ABOVE });
    await ask('eth_getLogs', { fromBlock: '0x5', toBlock: '0x1' });
    const filters = [
      await ask('eth_newFilter', { fromBlock: '0x0' }),
      await ask('eth_newBlockFilter'),
      await ask('eth_newPendingTransactionFilter'),
    ];
    await send({ from: ALICE, to: contract, data: increment });
    for (const ids of filters) await ask('eth_getFilterChanges', (node) => ids[node]);
    await ask('eth_getFilterLogs', (node) => filters[0][node]);
    for (const ids of filters) await ask('eth_uninstallFilter', (node) => ids[node]);
    for (const method of ['getFilterChanges', 'getFilterLogs', 'uninstallFilter'])
      await ask(`eth_${method}`, '0x9999');
  },

  subscriptions: async ({ ask, notified, send }) => {
    const kinds = { newHeads: [], logs: [{ address: contract }], newPendingTransactions: [] };
    const subscriptions = [];
    for (const [kind, params] of Object.entries(kinds))
      subscriptions.push([kind, await ask('eth_subscribe', kind, ...params)]);
    await ask('eth_subscribe', 'nothing');
    await send({ from: ALICE, to: contract, data: increment });
    for (const [kind, ids] of subscriptions) {
      await notified(kind, ids);
      for (let i = 0; i < 2; i++) await ask('eth_unsubscribe', (node) => ids[node]);
    }
  },

  signatures: async ({ ask }) => {
    for (const address of [ALICE, DEAD]) {
      await ask('eth_sign', address, '0x6869');
      await ask('personal_sign', '0x6869', address);
      await ask('eth_signTypedData_v4', address, typed);
      await ask('eth_signTransaction', { ...TRANSFER, from: address });
    }
  },

  'sends that are refused': async ({ ask }) => {
    for (const fields of [
      ...[{ from: DEAD }, { nonce: '0x0' }, { value: '0xffffffffffffffffffffffff' }, { gas: '0x1' }],
      ...[{ gas: '0xffffffffff' }, { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' }, { chainId: '0x5' }],
    ])
      await ask('eth_sendTransaction', { ...TRANSFER, ...fields });
    for (const raw of ['0x02', '0x', 'zz']) await ask('eth_sendRawTransaction', raw);
    await ask('eth_sendTransaction');
  },

  'sends that fail in their block, and sync sends': async ({ ask, send }) => {
    for (const fields of [{}, { gas: '0x20000' }]) {
      const hashes = await send({ from: BOB, to: contract, data: set, ...fields });
      await ask('eth_getTransactionReceipt', (node) => hashes[node]);
    }
    await ask('eth_sendTransactionSync', TRANSFER);
    const raw = await ask('eth_signTransaction', {
      from: CAROL,
      to: BOB,
      nonce: '0x0',
      gas: '0x5208',
      ...FEES,
    });
    await ask('eth_sendRawTransactionSync', (node) => raw[node]);
    await ask('eth_sendRawTransaction', (node) => raw[node]);
  },
};
