// What hardhat-node.suite.mjs calls besides calls.mjs and dev-calls.mjs: failures of each kind in each way, dev methods.
import { HDNodeWallet, Interface } from 'ethers';
import { compile } from './compile.mjs';
import { ABOVE, ALICE, BOB, CAROL, DEAD, FEES, NOWHERE, SLOT, typed } from './parameters.mjs';

const { abi, bytecode } = compile('Failing.sol').Failing;
const wallet = HDNodeWallet.fromPhrase(
  'test test test test test test test test test test test junk',
  '',
  "m/44'/60'/0'/0/5",
);
const failing = new Interface(abi);
const GAS = '0x186a0';
const TO_BOB = { from: ALICE, to: BOB };
/** Init code of a contract with this code. */
const creates = (code) => `0x60${(code.length / 2).toString(16).padStart(2, '0')}8060095f395ff3${code}`;
const SPINS = creates('5b5f56');
/** Answers the caller's balance and its own. */
const TELLS_BALANCES = creates('33315f524760205260405ff3');
/** Stores 2 at 1, and answers what is at 1 from memory. */
const STORES = creates('60026001556001545f5260205ff3');
const CREATE2_DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';
/** Init code. */
const HALTS = {
  underflow: '0x50',
  jump: '0x5f56',
  opcode: '0x0c',
  gas: '0x5b5f56',
  'code size': '0x6160015ff3',
};

export const HARDHAT_CALLS = {
  'failures of a contract': async ({ ask, send }) => {
    const created = await send({ from: ALICE, data: bytecode });
    const [, { contractAddress }] = await ask('eth_getTransactionReceipt', (node) => created[node]);
    for (const { name } of failing.fragments.filter(({ type }) => type === 'function')) {
      const call = { from: BOB, to: contractAddress, data: failing.encodeFunctionData(name) };
      await ask('eth_call', call, 'latest');
      await ask('eth_estimateGas', call);
      // With gas it is mined, and fails there; without, the estimate fails.
      await ask('eth_sendTransaction', { ...call, gas: GAS });
      await ask('eth_sendTransaction', call);
    }
    await ask('eth_blockNumber');
    const latest = await ask('eth_getBlockByNumber', 'latest', false);
    const hash = (node) => latest[node].transactions[0];
    await ask('eth_getTransactionByHash', hash);
    await ask('eth_getTransactionReceipt', hash);
    await ask('hardhat_dropTransaction', hash);
  },

  halts: async ({ ask }) => {
    for (const [name, data] of Object.entries(HALTS)) {
      const halting = { from: ALICE, data, gas: name === 'code size' ? '0x900000' : '0x20000' };
      await ask('eth_call', halting, 'latest');
      await ask('eth_estimateGas', halting);
      await ask('eth_sendTransaction', halting);
    }
  },

  'gas that runs out': async ({ ask, same, send }) => {
    const created = await send({ from: ALICE, data: SPINS });
    const [, { contractAddress: to }] = await ask('eth_getTransactionReceipt', (node) => created[node]);
    const call = { from: ALICE, to };
    await ask('eth_call', call, 'latest');
    await ask('eth_estimateGas', call);
    for (const gas of [{ gas: GAS }, {}]) await ask('eth_sendTransaction', { ...call, ...gas });
    await same('eth_getTransactionCount', ALICE, 'latest');
  },

  'senders without funds': async ({ ask, same, send }) => {
    const poor = { from: DEAD, to: BOB, value: '0x1' };
    const price = { gasPrice: '0x77359400' };
    const created = await send({ from: ALICE, data: TELLS_BALANCES });
    const [, { contractAddress: to }] = await ask('eth_getTransactionReceipt', (node) => created[node]);
    for (const call of [poor, { ...poor, ...price }, { from: DEAD, to: BOB }, { ...poor, to }]) {
      await same('eth_estimateGas', call);
      await same('eth_call', call, 'latest');
    }
    for (const value of ['0xffffffffffffffffffffffff', '0x0'])
      await same('eth_estimateGas', { from: ALICE, to: BOB, value });
    await same('eth_estimateGas', { from: DEAD, data: SPINS, value: '0x1' });
  },

  'what is there from the start': async ({ same }) => {
    for (const address of [CREATE2_DEPLOYER, MULTICALL3]) await same('eth_getCode', address, 'latest');
  },

  'struct logs': async ({ ask, same, send }) => {
    const created = await send({ from: ALICE, data: STORES });
    const [, { contractAddress: to }] = await ask('eth_getTransactionReceipt', (node) => created[node]);
    const hashes = await send({ from: ALICE, to, gas: GAS });
    for (const config of [{}, { disableMemory: true }, { disableStorage: true }, { disableStack: true }])
      await ask('debug_traceTransaction', (node) => hashes[node], config);
    const plain = await send({ ...TO_BOB, value: '0x1' });
    await ask('debug_traceTransaction', (node) => plain[node]);
    await same('eth_getStorageAt', to, '0x1', 'latest');
  },

  'sends that are not admitted': async ({ ask }) => {
    for (const fields of [
      ...[{ gas: '0x1' }, { gas: '0x1312d00' }, { gas: '0x5300', data: `0x${'11'.repeat(100)}` }],
      ...[
        { gas: '0x5c00', data: `0x${'11'.repeat(100)}` },
        { gas: '0x5208', gasPrice: '0x1' },
      ],
      ...[{ nonce: '0x99' }, { nonce: '0x0' }, { gas: '0x5208', value: '0xffffffffffffffffffffff' }],
      ...[{ to: undefined }, { to: undefined, data: '0x' }, { from: DEAD }],
      { gas: '0x5208', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x77359401' },
      { gasPrice: '0x77359400', maxFeePerGas: '0x77359400' },
    ])
      await ask('eth_sendTransaction', { ...TO_BOB, ...fields });
    await ask('eth_call', { ...TO_BOB, gas: '0x1' }, 'latest');
    for (const method of ['eth_sign', 'eth_signTypedData_v4'])
      await ask(method, DEAD, method === 'eth_sign' ? '0x00' : typed);
    await ask('personal_sign', '0x00', DEAD);
  },

  'raw transactions': async ({ ask }) => {
    const nonces = await ask('eth_getTransactionCount', wallet.address, 'latest');
    const sendRaw = async (fields) => {
      const raws = await Promise.all(
        nonces.map((nonce) =>
          wallet.signTransaction({
            ...{ type: 2, chainId: 31_337, nonce: Number(nonce), to: BOB, gasLimit: 21_000 },
            ...{ maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n },
            ...fields,
          }),
        ),
      );
      return ask('eth_sendRawTransaction', (node) => raws[node]);
    };
    await sendRaw({});
    await sendRaw({});
    await sendRaw({ nonce: 999 });
    await sendRaw({ chainId: 5 });
    await sendRaw({ gasLimit: 1, nonce: Number(nonces[1]) + 1 });
    await sendRaw({ value: 10n ** 30n, nonce: Number(nonces[1]) + 1 });
    for (const raw of ['0x', '0x02', '0xdeadbeef']) await ask('eth_sendRawTransaction', raw);
  },

  'dev methods': async ({ ask }) => {
    await ask('hardhat_setNonce', DEAD, '0x5');
    await ask('eth_getTransactionCount', DEAD, 'latest');
    await ask('hardhat_setBalance', DEAD, '0xde0b6b3a7640000');
    await ask('eth_getBalance', DEAD, 'latest');
    await ask('hardhat_setCode', CAROL, '0x6001');
    await ask('eth_getCode', CAROL, 'latest');
    await ask('hardhat_setCode', CAROL, '0x');
    await ask('hardhat_setStorageAt', DEAD, '0x0', NOWHERE);
    await ask('eth_getStorageAt', DEAD, '0x0', 'latest');
    await ask('hardhat_setPrevRandao', NOWHERE);
    await ask('hardhat_setMinGasPrice', '0x0');
    await ask('hardhat_setCoinbase', DEAD);
    await ask('hardhat_setNextBlockBaseFeePerGas', '1000000000');
    await ask('evm_setBlockGasLimit', '0x1c9c380');
    await ask('hardhat_setLoggingEnabled', false);
    await ask('hardhat_impersonateAccount', DEAD);
    for (let i = 0; i < 2; i++) await ask('hardhat_stopImpersonatingAccount', DEAD);
    await ask('hardhat_dropTransaction', NOWHERE);
    for (const params of [[], ['0x3'], ['0x2', '0x0'], ['2']]) await ask('hardhat_mine', ...params);
    await ask('eth_getBlockByNumber', 'latest', false);
  },

  'time and mining': async ({ ask }) => {
    await ask('evm_mine');
    for (const seconds of [100, '0x64', '100']) await ask('evm_increaseTime', seconds);
    await ask('evm_setNextBlockTimestamp', '0x1');
    for (const time of [4_000_000_000, '0xee6b2801', '4000000002'])
      await ask('evm_setNextBlockTimestamp', time);
    await ask('evm_mine', 4_000_000_100);
    await ask('evm_mine', 4_000_000_100);
    const ids = await ask('evm_snapshot');
    for (let i = 0; i < 2; i++) await ask('evm_revert', (node) => ids[node]);
    for (const interval of [1000, [1000, 2000], 0]) await ask('evm_setIntervalMining', interval);
    for (const on of [false, true]) {
      await ask('evm_setAutomine', on);
      await ask('hardhat_getAutomine');
    }
  },

  'the mempool': async ({ ask }) => {
    await ask('evm_setAutomine', false);
    const nonces = await ask('eth_getTransactionCount', ALICE, 'latest');
    const send = (fields) =>
      ask('eth_sendTransaction', (node) => ({
        ...TO_BOB,
        ...{ gas: '0x5208', nonce: nonces[node], ...FEES, ...fields },
      }));
    const hashes = await send({});
    await send({});
    await send({ value: '0x1' });
    await send({ nonce: '0x999' });
    await send({ nonce: '0x0' });
    await ask('eth_pendingTransactions');
    await ask('hardhat_dropTransaction', (node) => hashes[node]);
    await ask('evm_mine');
    await ask('evm_setAutomine', true);
  },

  'blocks that are not there': async ({ ask }) => {
    for (const method of ['Balance', 'TransactionCount', 'Code']) await ask(`eth_get${method}`, ALICE, ABOVE);
    await ask('eth_getStorageAt', ALICE, '0x0', { blockHash: NOWHERE });
    await ask('eth_getProof', ALICE, [SLOT], ABOVE);
    await ask('debug_traceTransaction', NOWHERE);
  },
};
