import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keccak256 } from '../../../src/state/keccak.ts';
import type { Wire } from '../../wire.ts';
import { ALICE, startNode, type TestNode } from './node.ts';

const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const QUANTITY = expect.stringMatching(/^0x(0|[1-9a-f][0-9a-f]*)$/);
const BYTES = expect.stringMatching(/^0x([0-9a-f]{2})+$/);
const WORD = `0x${'5'.padStart(64, '0')}`;
const SIX = `0x${'6'.padStart(64, '0')}`;
const ONE: `0x${string}` = `0x${'1'.padStart(64, '0')}`;
/** Writes 5 to slot 1 of the contract that it makes, whose code is empty. */
const WRITES = '0x600560015500';
/** What no method takes where it takes anything. */
const WRONG = [['zz', 'zz', 'zz', 'zz', 'zz', 'zz']];

interface Known {
  readonly node: TestNode;
  readonly block: Wire;
  readonly contract: string;
  /** transactions of two accounts that could be in the next block */
  readonly signed: string;
  readonly later: string;
  /** a transaction behind a nonce gap */
  readonly waiting: object;
}

interface Row {
  readonly params?: (known: Known) => readonly unknown[];
  readonly result: unknown;
  /** besides {@link WRONG} */
  readonly wrong?: readonly (readonly unknown[])[];
  /** what it did, as others see it */
  readonly effect?: (known: Known) => Promise<void>;
}

const reads = (method: string, params: readonly unknown[], expected: unknown) => async (known: Known) =>
  expect(await known.node.rpc(method, ...params)).toEqual(expected);

/**
 * The methods that other nodes and the specification have, and anvil 1.7.1 hasn't (test/suites/anvil.suite.mjs), with what
 * ganache 7.9.2 (`miner_`, `evm_setAccount...`, `net_peerCount`), Hardhat 3.18, geth or the specification answer. Hardhat's
 * own are in test/suites/hardhat-calls.mjs too. Where ganache says `true`, anvil's `null` of the same act stands.
 */
const ROWS: Readonly<Record<string, Row>> = {
  eth_mining: { result: true },
  miner_stop: { result: true, effect: reads('eth_mining', [], false) },
  miner_start: { result: true, effect: reads('eth_mining', [], true) },
  net_peerCount: { result: '0x0' },
  rpc_modules: { result: expect.objectContaining({ eth: '1.0', net: '1.0', web3: '1.0', evm: '1.0' }) },
  evm_setAccountBalance: {
    params: () => [ALICE, '0x5'],
    result: null,
    wrong: [[ALICE], [ALICE, 'zz']],
    effect: reads('eth_getBalance', [ALICE, 'latest'], '0x5'),
  },
  evm_setAccountCode: {
    params: () => [ALICE, '0x6001'],
    result: null,
    wrong: [[ALICE], [ALICE, '0x600']],
    effect: reads('eth_getCode', [ALICE, 'latest'], '0x6001'),
  },
  evm_setAccountStorageAt: {
    params: () => [ALICE, '0x1', WORD],
    result: true,
    wrong: [
      [ALICE, '0x1'],
      [ALICE, 'zz', WORD],
    ],
    effect: reads('eth_getStorageAt', [ALICE, '0x1', 'latest'], WORD),
  },
  hardhat_setPrevRandao: {
    params: () => [WORD],
    result: null,
    wrong: [[]],
    effect: async ({ node }) => {
      await node.rpc('evm_mine');
      expect((await node.block()).mixHash).toBe(WORD);
    },
  },
  anvil_setNextBlockPrevRandao: {
    params: () => [SIX],
    result: null,
    wrong: [[]],
    effect: async ({ node }) => {
      await node.rpc('evm_mine');
      expect((await node.block()).mixHash).toBe(SIX);
    },
  },
  hardhat_setBlockTimestampInterval: {
    // viem's Hardhat mode sends milliseconds where its anvil mode sends seconds.
    params: () => [9],
    result: null,
    wrong: [[], [-1]],
    effect: async ({ node }) => {
      const before = Number((await node.block()).timestamp);
      await node.rpc('evm_mine');
      expect(Number((await node.block()).timestamp)).toBe(before + 9);
    },
  },
  hardhat_removeBlockTimestampInterval: {
    result: true,
    effect: async ({ node }) => expect(await node.rpc('anvil_removeBlockTimestampInterval')).toBe(false),
  },

  eth_baseFee: { result: QUANTITY },
  eth_capabilities: {
    result: {
      head: { number: QUANTITY, hash: HASH },
      ...Object.fromEntries(
        ['state', 'tx', 'logs', 'receipts', 'blocks', 'stateproofs'].map((name) => [
          name,
          { disabled: false, oldestBlock: '0x0' },
        ]),
      ),
    },
  },
  eth_callMany: {
    params: ({ contract }) => [
      [{ transactions: [{ to: contract }, { to: ALICE }] }],
      { blockNumber: 'latest' },
    ],
    result: [[{ value: '0x' }, { value: '0x' }]],
    wrong: [[], [[{}]]],
  },
  eth_getHeaderByHash: {
    params: ({ block }) => [block.hash],
    result: expect.objectContaining({ hash: HASH, stateRoot: HASH, number: QUANTITY }),
    wrong: [[]],
  },
  eth_getHeaderByNumber: {
    params: ({ block }) => [block.number],
    result: expect.objectContaining({ hash: HASH, stateRoot: HASH, number: QUANTITY }),
    wrong: [[]],
  },
  eth_pendingTransactions: { result: [] },
  txpool_contentFrom: { params: () => [ALICE], result: { pending: {}, queued: {} }, wrong: [[]] },

  debug_getBadBlocks: { result: [] },
  debug_getRawBlock: { params: ({ block }) => [block.number], result: BYTES, wrong: [[]] },
  debug_getRawHeader: { params: ({ block }) => [block.number], result: BYTES, wrong: [[]] },
  debug_getRawReceipts: { params: ({ block }) => [block.number], result: [BYTES], wrong: [[]] },
  debug_storageRangeAt: {
    params: ({ block, contract }) => [block.hash, 1, contract, '0x', 10],
    result: {
      storage: { [bytesToHex(keccak256(hexToBytes(ONE)))]: { key: ONE, value: WORD } },
      nextKey: null,
    },
    wrong: [[], ['0x1', 0]],
  },
  debug_traceBlock: {
    params: ({ block }) => [block.raw, { tracer: 'callTracer' }],
    result: [{ txHash: HASH, result: expect.objectContaining({ type: 'CREATE' }) }],
    wrong: [[], [`0x${Buffer.from(RLP.encode([])).toString('hex')}`]],
  },
  trace_call: {
    params: ({ contract }) => [{ to: contract }, ['trace'], 'latest'],
    result: expect.objectContaining({ output: '0x', stateDiff: null, trace: [expect.anything()] }),
    wrong: [[], [{}, 'trace']],
  },
  trace_replayTransaction: {
    params: ({ block }) => [block.transactions[0], ['trace', 'stateDiff']],
    result: expect.objectContaining({
      trace: [expect.anything()],
      stateDiff: expect.any(Object),
      vmTrace: null,
    }),
    wrong: [[], [HASH, ['nosuch']]],
  },
};

const CALLED = { to: ALICE, value: '0x1' };
const ACCOUNT = { balance: '0x0', nonce: '0x1', code: '0x' };
const TRACED = expect.objectContaining({ output: '0x', trace: [expect.anything()], vmTrace: null });

/** The same of those that anvil has in the version after 1.7.1, with what reth, geth, op-geth or mev-geth answer. */
const NEXT_ROWS: Readonly<Record<string, Row>> = {
  anvil_getLastBlockWallTime: { result: expect.any(Number) },
  debug_accountInfoAt: {
    params: ({ block, contract }) => [block.number, 0, contract],
    result: ACCOUNT,
    wrong: [[], ['0x1', '0x0'], ['0x1', 'zz', ALICE]],
  },
  debug_clearTxpool: {
    result: null,
    effect: async ({ node, waiting }) => {
      expect(await node.rpc('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
      await node.rpc('eth_sendTransaction', waiting);
    },
  },
  debug_executionWitness: {
    params: ({ block }) => [block.number],
    result: {
      state: expect.arrayContaining([BYTES]),
      codes: expect.arrayContaining([BYTES]),
      keys: expect.arrayContaining([BYTES]),
      headers: [BYTES],
    },
    wrong: [[]],
  },
  debug_getModifiedAccountsByHash: {
    params: ({ block }) => [block.hash],
    result: expect.arrayContaining([expect.stringMatching(/^0x[0-9a-f]{40}$/)]),
    wrong: [[], ['0x1']],
  },
  debug_getModifiedAccountsByNumber: {
    params: () => [0, 1],
    result: expect.arrayContaining([expect.stringMatching(/^0x[0-9a-f]{40}$/)]),
    wrong: [[], [HASH]],
  },
  debug_getRawTransactions: { params: ({ block }) => [block.number], result: [BYTES], wrong: [[]] },
  eth_callBundle: {
    params: ({ signed }) => [{ txs: [signed], blockNumber: '0x9', stateBlockNumber: 'latest' }],
    result: expect.objectContaining({ bundleHash: HASH, totalGasUsed: 21_000 }),
    wrong: [[], [{}], [{ txs: [], blockNumber: '0x9', stateBlockNumber: 'latest' }]],
  },
  eth_resend: {
    params: ({ waiting }) => [waiting, '0x174876e800'],
    result: HASH,
    wrong: [[], [{}], [{ from: ALICE }]],
  },
  eth_sendRawTransactionConditional: {
    params: ({ signed }) => [signed, { blockNumberMin: '0x0' }],
    result: HASH,
    wrong: [[], ['0x'], ['zz', {}]],
  },
  trace_callMany: {
    params: () => [[[CALLED, ['trace']]]],
    result: [TRACED],
    wrong: [[], [[CALLED]], [[[CALLED, 'trace']]]],
  },
  trace_get: {
    params: ({ block }) => [block.transactions[0], []],
    result: expect.objectContaining({ type: 'create', traceAddress: [] }),
    wrong: [[], [HASH]],
  },
  trace_rawTransaction: {
    params: ({ later }) => [later, ['trace']],
    result: TRACED,
    wrong: [[], ['0x'], ['0x', 'trace']],
  },
};

describe('what anvil does not have', () => {
  let known: Known;
  beforeAll(async () => {
    const node = await startNode();
    const hash = await node.rpc('eth_sendTransaction', { from: node.accounts[0], data: WRITES });
    const { contractAddress } = await node.rpc('eth_getTransactionReceipt', hash);
    const block = await node.block();
    const [, , one, other, third] = node.accounts;
    const sign = (from?: string) => node.rpc('eth_signTransaction', { from, to: ALICE, gas: '0x5208' });
    const waiting = { from: third, to: ALICE, gas: '0x5208', nonce: '0x5', gasPrice: '0x77359400' };
    await node.rpc('eth_sendTransaction', waiting);
    known = {
      node,
      signed: await sign(one),
      later: await sign(other),
      waiting,
      contract: contractAddress,
      block: { ...block, raw: await node.rpc('debug_getRawBlock', block.number) },
    };
  });
  afterAll(() => known.node.close());

  describe.each(Object.entries({ ...ROWS, ...NEXT_ROWS }))(
    '%s',
    (name, { params, result, wrong = [], effect }) => {
      it('answers, and does what it says', async () => {
        expect(await known.node.rpc(name, ...(params?.(known) ?? []))).toEqual(result);
        await effect?.(known);
      });

      it.each([...WRONG, ...wrong])('refuses %j', async (...wrongParams) => {
        expect(await known.node.codeOf(name, ...wrongParams)).toBe(-32602);
      });
    },
  );
});
