// What anvil.suite.mjs calls after the calls of calls.mjs: dev methods, time, mempool, traces.
import { block, contract, ofIncrement } from './calls.mjs';
import {
  ABOVE,
  ALICE,
  BOB,
  CAROL,
  DEAD,
  FEES,
  increment,
  NOWHERE,
  SLOT,
  set,
  TRANSFER,
} from './parameters.mjs';

export const DEV_CALLS = {
  'dev methods under both names': async ({ ask, send }) => {
    for (const prefix of ['anvil', 'hardhat']) {
      for (const [name, ...params] of [
        ...[
          ['setBalance', DEAD, '0xde0b6b3a7640000'],
          ['setCode', CAROL, '0x6001'],
          ['setCode', CAROL, '0x'],
        ],
        ...[
          ['setNonce', DEAD, '0x5'],
          ['setStorageAt', contract, '0x0', SLOT],
          ['setCoinbase', DEAD],
        ],
        ...[
          ['setNextBlockBaseFeePerGas', '0x3b9aca00'],
          ['mine', '0x2', '0x5'],
          ['mine'],
          ['setLoggingEnabled', true],
        ],
        ...[
          ['autoImpersonateAccount', true],
          ['autoImpersonateAccount', false],
          ['addBalance', DEAD, '0x1'],
        ],
        ...[['dropTransaction', NOWHERE], ['dropAllTransactions'], ['impersonateAccount', DEAD]],
      ])
        await ask(`${prefix}_${name}`, ...params);
      const hashes = await send({ from: DEAD, to: BOB, value: '0x1' });
      await ask('eth_getTransactionByHash', (node) => hashes[node]);
      await ask('eth_getTransactionReceipt', (node) => hashes[node]);
      await ask(`${prefix}_stopImpersonatingAccount`, DEAD);
    }
    await ask('evm_setAccountNonce', DEAD, '0x9');
    await ask('anvil_setBlockGasLimit', '0x1c9c380');
    await ask('evm_setBlockGasLimit', '0x1c9c380');
    await ask('anvil_setChainId', 31_337);
    await ask('anvil_setRpcUrl', 'http://127.0.0.1:1');
    for (const method of ['dealERC20', 'setERC20Allowance'])
      await ask(`anvil_${method}`, DEAD, ...(method === 'dealERC20' ? [] : [BOB]), contract, '0x5');
  },

  'time and mining': async ({ ask }) => {
    await ask('evm_mine');
    await ask('evm_mine_detailed');
    await ask('anvil_mine_detailed');
    for (const method of ['evm_increaseTime', 'anvil_increaseTime']) await ask(method, 100);
    await ask('evm_increaseTime', '0x64');
    await ask('evm_setNextBlockTimestamp', '0x1');
    await ask('evm_mine', '0x1');
    await ask('evm_setNextBlockTimestamp', 4_000_000_000);
    await ask('evm_mine');
    await ask('evm_setTime', '0xee6b2900');
    await ask('anvil_setTime', 4_000_001_000);
    await ask('anvil_setNextBlockTimestamp', 4_100_000_000);
    await ask('evm_mine');
    await ask('anvil_setBlockTimestampInterval', 5);
    for (let i = 0; i < 2; i++) await ask('anvil_removeBlockTimestampInterval');
  },

  'snapshots, rollbacks and reorgs': async ({ ask }) => {
    const ids = await ask('evm_snapshot');
    await ask('evm_mine');
    await ask('anvil_metadata');
    for (let i = 0; i < 2; i++) await ask('evm_revert', (node) => ids[node]);
    await ask('anvil_snapshot');
    await ask('anvil_revert', ABOVE);
    for (const depth of [1, 9999]) {
      await ask('anvil_rollback', depth);
      await ask('anvil_reorg', depth, []);
    }
  },

  'the mempool': async ({ ask }) => {
    await ask('evm_setAutomine', false);
    const hashes = await ask('eth_sendTransaction', TRANSFER);
    const behind = { ...TRANSFER, nonce: '0x99', gas: '0x5208', ...FEES };
    await ask('eth_sendTransaction', behind);
    await ask('eth_sendTransaction', behind);
    await ask('eth_getTransactionByHash', (node) => hashes[node]);
    await ask('eth_getTransactionReceipt', (node) => hashes[node]);
    for (const part of ['status', 'content', 'inspect']) await ask(`txpool_${part}`);
    for (const full of [true, false]) await ask('eth_getBlockByNumber', 'pending', full);
    await ask('anvil_dropTransaction', (node) => hashes[node]);
    await ask('anvil_removePoolTransactions', ALICE);
    await ask('anvil_setIntervalMining', 0);
    await ask('evm_setIntervalMining', 0);
    await ask('evm_setAutomine', true);
  },

  traces: async ({ ask }) => {
    const hash = ofIncrement('transactionHash');
    for (const tracer of ['callTracer', 'prestateTracer', '4byteTracer', 'noopTracer', 'nosuch'])
      await ask('debug_traceTransaction', hash, { tracer });
    await ask('debug_traceTransaction', hash, { tracer: 'callTracer', tracerConfig: { withLog: true } });
    await ask('debug_traceTransaction', hash, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } });
    await ask('debug_traceCall', { from: ALICE, to: contract, data: increment }, 'latest', {});
    await ask('debug_traceCall', { from: BOB, to: contract, data: set }, 'latest', { tracer: 'callTracer' });
    await ask('debug_traceBlockByNumber', block, { tracer: 'callTracer' });
    await ask('debug_traceBlockByHash', ofIncrement('blockHash'), { tracer: 'callTracer' });
    await ask('debug_getRawTransaction', hash);
    await ask('trace_block', block);
    await ask('trace_transaction', hash);
    await ask('trace_filter', { fromBlock: '0x1', toBlock: block });
  },

  'state dumps and resets': async ({ ask }) => {
    const dumps = await ask('anvil_dumpState');
    await ask('anvil_loadState', (node) => dumps[node]);
    await ask('anvil_loadState', '0x1234');
    await ask('anvil_reset');
    await ask('hardhat_reset');
    await ask('eth_blockNumber');
  },
};
