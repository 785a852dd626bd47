// Dev methods on anvil and devnet, each with a read of what it did: the values must be the same, not only their shapes.
import { Interface } from 'ethers';
import { compile } from './compile.mjs';
import { ALICE, BOB, CAROL, DEAD, FEES, NOWHERE, TRANSFER, typed } from './parameters.mjs';

const { abi, bytecode } = compile('Token.sol').Token;
const token = new Interface(abi);
const LATEST = ['latest', false];

export const EFFECT_CALLS = {
  'what is written to accounts is read back': async ({ ask, same }) => {
    for (const name of ['anvil', 'hardhat']) {
      await ask(`${name}_setBalance`, DEAD, '0x64');
      await ask(`${name}_addBalance`, DEAD, '0x1');
      await ask(`${name}_setNonce`, DEAD, '0x7');
      await ask(`${name}_setCode`, DEAD, '0x6001');
      await ask(`${name}_setStorageAt`, DEAD, '0x2', NOWHERE);
      await same('eth_getBalance', DEAD, 'latest');
      await same('eth_getTransactionCount', DEAD, 'latest');
      await same('eth_getCode', DEAD, 'latest');
      await same('eth_getStorageAt', DEAD, '0x2', 'latest');
      await same('eth_getStorageValues', { [DEAD]: [NOWHERE, `0x${'2'.padStart(64, '0')}`] }, 'latest');
      await ask(`${name}_setCode`, DEAD, '0x');
      await ask(`${name}_setBalance`, DEAD, '0xde0b6b3a7640000');
    }
    await ask('evm_setAccountNonce', DEAD, '0x9');
    await same('eth_getTransactionCount', DEAD, 'latest');
  },

  'decimal text is an amount': async ({ ask, same }) => {
    await ask('anvil_setBalance', DEAD, '1000000000000000000');
    await ask('anvil_setNonce', DEAD, '12');
    await same('eth_getBalance', DEAD, 'latest');
    await same('eth_getTransactionCount', DEAD, 'latest');
    await same('anvil_mine', '2', '3');
    await ask('evm_increaseTime', '100');
    await ask('evm_setNextBlockTimestamp', '4300000000');
    await same('evm_mine');
    await same('evm_setBlockGasLimit', '30000000');
    await ask('anvil_setNextBlockBaseFeePerGas', '7');
    await same('evm_mine');
    for (const method of ['eth_feeHistory', 'eth_getTransactionByBlockNumberAndIndex'])
      await ask(method, '4', 'latest');
  },

  'the next block is as it was told to be': async ({ ask, fields }) => {
    await ask('anvil_setCoinbase', DEAD);
    await ask('anvil_setNextBlockBaseFeePerGas', '0x77359400');
    await ask('anvil_setBlockGasLimit', '0x1312d00');
    await ask('anvil_setNextBlockTimestamp', 4_400_000_000);
    await ask('evm_mine');
    await fields(['miner', 'baseFeePerGas', 'gasLimit', 'timestamp'], 'eth_getBlockByNumber', ...LATEST);
    await ask('anvil_setBlockTimestampInterval', 7);
    await ask('anvil_mine', '0x2');
    await fields(['timestamp'], 'eth_getBlockByNumber', ...LATEST);
    await ask('anvil_removeBlockTimestampInterval');
    await ask('anvil_setBlockGasLimit', '0x1c9c380');
    await ask('hardhat_mine', '0x3', '0xa');
    await fields(['number'], 'eth_getBlockByNumber', ...LATEST);
  },

  'mining modes are what they were set to': async ({ ask, same }) => {
    for (const on of [false, true]) {
      await ask('anvil_setAutomine', on);
      for (const name of ['anvil', 'hardhat']) await same(`${name}_getAutomine`);
    }
    await ask('anvil_setIntervalMining', 3600);
    await same('anvil_getIntervalMining');
    await ask('anvil_setIntervalMining', 0);
    await ask('anvil_setAutomine', true);
    await same('anvil_getAutomine');
  },

  'token balances and allowances': async ({ ask, same, send }) => {
    const created = await send({ from: ALICE, data: bytecode });
    const [, { contractAddress: to }] = await ask('eth_getTransactionReceipt', (node) => created[node]);
    const balance = token.encodeFunctionData('balanceOf', [DEAD]);
    const allowance = token.encodeFunctionData('allowance', [DEAD, BOB]);
    for (const [i, method] of ['anvil_dealERC20', 'hardhat_dealERC20', 'anvil_setERC20Balance'].entries()) {
      await ask(method, DEAD, to, `0x${i + 1}`);
      await same('eth_call', { to, data: balance }, 'latest');
    }
    await ask('anvil_setERC20Allowance', DEAD, BOB, to, '0x9');
    await same('eth_call', { to, data: allowance }, 'latest');
  },

  'sends without a key': async ({ ask, same, send }) => {
    const from = '0x000000000000000000000000000000000000beef';
    await ask('anvil_setBalance', from, '0xde0b6b3a7640000');
    const unsigned = { from, to: BOB, value: '0x1', nonce: '0x0', gas: '0x5208', ...FEES };
    const hashes = await send(unsigned, 'eth_sendUnsignedTransaction');
    await ask('eth_getTransactionByHash', (node) => hashes[node]);
    await same('eth_getTransactionCount', from, 'latest');
    await ask('anvil_autoImpersonateAccount', true);
    await send({ from, to: BOB, value: '0x1' });
    await ask('anvil_autoImpersonateAccount', false);
    await ask('eth_sendTransaction', { from, to: BOB, value: '0x1' });
    await same('eth_getTransactionCount', from, 'latest');
  },

  'a snapshot, a rollback and a reorg bring back what was': async ({ ask, same, fields }) => {
    const head = () => fields(['number'], 'eth_getBlockByNumber', ...LATEST);
    const ids = await ask('anvil_snapshot');
    await ask('anvil_setBalance', CAROL, '0x5');
    await ask('anvil_mine', '0x3');
    await same('anvil_revert', (node) => ids[node]);
    await same('eth_getBalance', CAROL, 'latest');
    await head();
    await ask('anvil_mine', '0x3');
    await ask('anvil_rollback', 2);
    await head();
    await ask('anvil_reorg', 1, []);
    await head();
  },

  'the mempool is emptied': async ({ ask, same }) => {
    await ask('anvil_setAutomine', false);
    const later = { ...TRANSFER, gas: '0x5208', ...FEES };
    for (const empty of ['anvil_dropAllTransactions', 'hardhat_dropAllTransactions']) {
      await ask('eth_sendTransaction', later);
      await same('txpool_status');
      await ask(empty);
      await same('txpool_status');
    }
    await ask('eth_sendTransaction', later);
    await ask('anvil_removePoolTransactions', ALICE);
    await same('txpool_status');
    const hashes = await ask('eth_sendTransaction', later);
    await ask('hardhat_dropTransaction', (node) => hashes[node]);
    await same('txpool_status');
    const raws = await ask('eth_signTransaction', { ...later, nonce: '0x999' });
    await ask('eth_sendRawTransaction', (node) => raws[node]);
    await same('txpool_status');
    await ask('anvil_dropAllTransactions');
    await ask('anvil_setAutomine', true);
  },

  'a state is dumped and loaded': async ({ ask, same }) => {
    for (const name of ['anvil', 'hardhat']) {
      await ask('anvil_setBalance', CAROL, '0x7');
      const dumps = await ask(`${name}_dumpState`);
      await ask('anvil_setBalance', CAROL, '0x8');
      await ask(`${name}_loadState`, (node) => dumps[node]);
      await same('eth_getBalance', CAROL, 'latest');
    }
    for (const version of ['', '_v3', '_v4']) await ask(`eth_signTypedData${version}`, ALICE, typed);
    await ask('anvil_setMinGasPrice', '0x0');
    await ask('hardhat_setMinGasPrice', '0x0');
  },
};
