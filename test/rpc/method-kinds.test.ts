import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { Dispatcher, type DispatcherDeps } from '../../src/rpc/dispatch.ts';
import { overFork } from '../../src/rpc/fork/forwarding.ts';
import { forwarding } from '../../src/rpc/forwarding.ts';
import { emptyChain, FakeChain, fakeContext } from './fake-chain.ts';

const names = (namespaces: Record<string, string>): string[] =>
  Object.entries(namespaces).flatMap(([namespace, list]) =>
    list
      .trim()
      .split(/\s+/)
      .map((name) => `${namespace}_${name}`),
  );

const SEND = names({
  eth: `
    resend sendRawTransaction sendRawTransactionConditional sendTransaction sendUnsignedTransaction
    sendRawTransactionSync sendTransactionSync`,
  personal: 'sendTransaction',
});

/** They change the chain, or what the next calls do to it. */
const CHANGE_THE_CHAIN = names({
  anvil: `
    addBalance autoImpersonateAccount dealERC20 dropAllTransactions dropTransaction
    impersonateAccount impersonateSignature loadState mine removeBlockTimestampInterval
    removePoolTransactions reorg reset rollback setBalance setBlockTimestampInterval setChainId
    setCode setCoinbase setERC20Allowance setMinGasPrice setNextBlockBaseFeePerGas
    setNextBlockPrevRandao setNonce setRpcUrl setStorageAt setTime stopImpersonatingAccount`,
  devnet: 'delaySeal dropPreconfirmed failPreconfirmed holdFlashblocks reorg skipFlashblocks',
  evm: `
    increaseTime mine mine_detailed revert setAutomine setBlockGasLimit setIntervalMining
    setNextBlockTimestamp snapshot`,
  hardhat: 'dropTransaction',
  miner: 'start stop',
});

/** They change something, but are no input of a recording. */
const CHANGE_OTHER_THINGS = names({
  anvil: 'setFeeAmmLiquidity setFeeToken setLoggingEnabled setValidatorFeeToken',
  devnet: 'duplicateFlashblock gapFlashblock refuseSender seal startRecording stopRecording tick',
});

/** They read what only the node that makes the blocks has, and see the current chain beside it. */
const READ_THE_CURRENT_NODE = names({
  anvil: `
    dumpState getAutomine getBlobByHash getBlobsByTransactionHash getGenesisTime getIntervalMining
    getLastBlockWallTime metadata nodeInfo`,
});

/** They need what only the node that makes the blocks has: its mempool, its keys and its options. */
const NEED_THE_NODE = names({
  base: 'transactionStatus',
  devnet: 'chainOptions transactionStatus',
  eth: `
    accounts fillTransaction pendingTransactions sign signRawTransaction signTransaction
    signTypedData_v4`,
  personal: 'importRawKey lockAccount newAccount sign signTransaction unlockAccount',
  txpool: 'content contentFrom inspect status',
});

/** They read blocks and states, which for blocks before a fork the chain that was forked has. */
const READ_BLOCKS = names({
  debug: `
    accountInfoAt executionWitness getModifiedAccountsByHash getModifiedAccountsByNumber
    getRawBlock getRawBlockAccessList getRawHeader getRawReceipts getRawTransaction getRawTransactions storageRangeAt
    traceBlock traceBlockByHash traceBlockByNumber traceCall traceTransaction`,
  devnet: 'blockAccesses stateDiff',
  erigon: 'getHeaderByNumber',
  eth: `
    call callBundle callMany createAccessList estimateGas getAccount getAccountInfo getBalance getBlockAccessList getBlockByHash
    getBlockByNumber getBlockReceipts getBlockTransactionCountByHash
    getBlockTransactionCountByNumber getCode getHeaderByHash getHeaderByNumber getProof
    getRawTransactionByBlockHashAndIndex getRawTransactionByBlockNumberAndIndex
    getRawTransactionByHash getStorageAt getStorageValues getTransactionByBlockHashAndIndex
    getTransactionByBlockNumberAndIndex getTransactionByHash getTransactionBySenderAndNonce
    getTransactionCount getTransactionReceipt getUncleByBlockHashAndIndex
    getUncleByBlockNumberAndIndex getUncleCountByBlockHash getUncleCountByBlockNumber simulateV1`,
  ots: `
    getBlockDetails getBlockDetailsByHash getBlockTransactions getContractCreator
    getInternalOperations getTransactionBySenderAndNonce getTransactionError hasCode
    traceTransaction`,
  trace: `
    block blockOpcodeGas call callMany filter get rawTransaction replayBlockTransactions
    replayTransaction transaction transactionOpcodeGas`,
});

/** Too many parameters for most methods, and wrong ones for all: no handler gets far. */
const INVALID = ['invalid', null];

/** Calls every method alone. */
async function callEach(deps: Partial<DispatcherDeps>) {
  const clock = new ManualClock();
  const dispatcher = new Dispatcher({}, { methods: METHODS, context: fakeContext(), clock, ...deps });
  for (const { name } of METHODS) {
    await dispatcher.request(name, INVALID).catch(() => {});
  }
}

test('a recording has calls of the methods that change the chain', async () => {
  const recorded: string[] = [];
  await callEach({
    record: (name) => {
      recorded.push(name);
    },
  });
  expect(recorded.sort()).toEqual(CHANGE_THE_CHAIN.sort());
});

describe('a follower passes on', async () => {
  const passedOn: string[] = [];
  const methods = forwarding(METHODS, async (name) => {
    passedOn.push(name);
    throw new Error('the other node is away');
  });
  await callEach({ methods });

  test('sends, changes, and reads of what it does not have', () => {
    expect(passedOn.sort()).toEqual(
      [
        ...SEND,
        ...CHANGE_THE_CHAIN,
        ...CHANGE_OTHER_THINGS,
        ...READ_THE_CURRENT_NODE,
        ...NEED_THE_NODE,
      ].sort(),
    );
  });

  test('a look-up of a transaction that finds none here, by its hash or by sender and nonce', async () => {
    const { blocks, pending } = emptyChain();
    const context = fakeContext({ chain: new FakeChain(blocks, pending) });
    const told: string[] = [];
    const methods = forwarding(METHODS, async (name) => {
      told.push(name);
      return name;
    });
    const names = ['eth_getTransactionByHash', 'eth_getRawTransactionByHash', 'debug_getRawTransaction'];
    const hash = `0x${'11'.repeat(32)}`;
    const bySender = 'eth_getTransactionBySenderAndNonce';
    const call = (name: string, ...params: unknown[]) =>
      methods.find((method) => method.name === name)!.call(context, params);
    for (const name of names) expect(await call(name, hash)).toBe(name);
    expect(await call(bySender, `0x${'11'.repeat(20)}`, '0x0')).toBe(bySender);
    names.push(bySender);
    expect(told).toEqual(names);
    for (const method of METHODS.filter(({ kind }) => kind === 'read'))
      expect('isMissing' in method, method.name).toBe(names.includes(method.name));
  });

  test('a nonce at pending, which counts what waits in the mempool, but no other one', async () => {
    const { blocks, pending } = emptyChain();
    const context = fakeContext({ chain: new FakeChain(blocks, pending) });
    const nonce = forwarding(METHODS, async (_, params) => params).find(
      ({ name }) => name === 'eth_getTransactionCount',
    )!;
    const account = `0x${'11'.repeat(20)}`;
    expect(await nonce.call(context, [account, 'pending'])).toEqual([account, 'pending']);
    for (const params of [[account], [account, 'latest'], [account, '0x0']])
      expect(await nonce.call(context, params)).toBe('0x0');
  });
});

test('the moment that the reads of a batch share ends with a call that may change the chain', async () => {
  const { blocks, pending } = emptyChain();
  let moments = 0;
  class Counted extends FakeChain {
    override snapshot(): this {
      moments++;
      return this;
    }
  }
  const context = fakeContext({ chain: new Counted(blocks, pending) });
  const dispatcher = new Dispatcher({}, { methods: METHODS, context, clock: new ManualClock() });
  const ends: string[] = [];
  for (const { name } of METHODS) {
    moments = 0;
    await dispatcher.handle(
      ['eth_chainId', name, 'eth_chainId'].map((method) => ({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: method === name ? INVALID : [],
      })),
    );
    if (moments === 2) ends.push(name);
    else expect(moments).toBe(1);
  }
  expect(ends.sort()).toEqual(
    [
      ...SEND,
      ...CHANGE_THE_CHAIN,
      ...CHANGE_OTHER_THINGS,
      ...READ_THE_CURRENT_NODE,
      'devnet_metrics',
      'devnet_promote',
      'devnet_status',
    ].sort(),
  );
});

test('a forked chain passes on reads of blocks before the fork', () => {
  const passedOn = overFork(METHODS).filter(({ call }, i) => call !== METHODS[i]!.call);
  expect(passedOn.map(({ name }) => name).sort()).toEqual(READ_BLOCKS.sort());
});
