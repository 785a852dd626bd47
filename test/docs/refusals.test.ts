import { describe, expect, it } from 'vitest';
import { createDevnet, type DevnetError, type DevnetOptions } from '../../src/index.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { methodEntry } from './pages.ts';
import { ParsedSource } from './parsed-source.ts';

const FROM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const STRANGER = '0x00000000000000000000000000000000000000aa';
const HASH = `0x${'11'.repeat(32)}`;
const RICH = { from: FROM, to: TO, value: `0x${'ff'.repeat(16)}` };
const REVERTS = { from: FROM, data: '0x60006000fd' };
const HALTS = { from: FROM, data: '0xfe' };
const TYPED_DATA = { types: { EIP712Domain: [], A: [] }, primaryType: 'A', domain: {}, message: {} };
const MANY_SLOTS = Object.fromEntries(
  Array.from({ length: 1_001 }, (_, i) => [`0x${i.toString(16)}`, '0x0']),
);
/** seconds */
const PAST = '0x1';
const FUTURE = '0xfffffffffffff';

const simulated = (call: object, block: object = {}) => [
  {
    blockStateCalls: [{ calls: [{ from: FROM, to: TO, maxFeePerGas: '0x77359400', ...call }], ...block }],
    validation: true,
  },
];
const blocks = (...overrides: object[]) => [
  { blockStateCalls: overrides.map((blockOverrides) => ({ blockOverrides })) },
];

/** method -> name of an error that its comment @throws -> parameters that bring it, on a node of the options */
const EXAMPLES: Readonly<
  Record<string, Readonly<Record<string, readonly [readonly unknown[], DevnetOptions?]>>>
> = {
  anvil_setBlockTimestampInterval: { timestampTooHigh: [[FUTURE]] },
  anvil_setNextBlockBaseFeePerGas: { noBaseFee: [['0x1'], { hardfork: 'berlin' }] },
  anvil_setNextBlockPrevRandao: { noPrevRandao: [[HASH], { hardfork: 'london' }] },
  anvil_setRpcUrl: { server: [['http://127.0.0.1:1']] },
  anvil_setTime: { timestampTooHigh: [[FUTURE]] },
  debug_traceCall: { transactionRejected: [[RICH, 'latest']] },
  devnet_dropPreconfirmed: { server: [[HASH]] },
  devnet_failPreconfirmed: { server: [[HASH]] },
  devnet_stateAt: { flashblockNotFound: [['latest', 7]] },
  eth_call: { reverted: [[REVERTS]], vmError: [[HALTS]], transactionRejected: [[RICH]] },
  eth_callBundle: {
    transactionRejected: [
      [{ txs: ['signed', 'signed'], blockNumber: '0x9', stateBlockNumber: 'latest', baseFee: '0x0' }],
    ],
  },
  eth_callMany: { transactionRejected: [[[{ transactions: [RICH] }]]] },
  eth_createAccessList: { transactionRejected: [[RICH]] },
  eth_estimateGas: { reverted: [[REVERTS]], vmError: [[HALTS]] },
  eth_getFilterChanges: { server: [['0x77']] },
  eth_getFilterLogs: { server: [['0x77']] },
  eth_getLogs: {
    headerNotFound: [[{ blockHash: HASH }]],
    prunedHistory: [[{ fromBlock: '0x1', toBlock: '0x2' }], { pruneHistory: 2 }],
  },
  debug_getRawBlockAccessList: { noAccessList: [['0x1']] },
  devnet_blockAccesses: { noAccessList: [['0x1', '0x0']] },
  eth_getBlockAccessList: { noAccessList: [['0x1']] },
  eth_sendRawTransactionConditional: {
    conditionUnmet: [['signed', { blockNumberMax: '0x1' }]],
    conditionsTooCostly: [['signed', { knownAccounts: { [TO]: MANY_SLOTS } }]],
  },
  eth_sendRawTransactionSync: { syncTimeout: [['signed', '0x1'], { noMining: true }] },
  eth_sendTransaction: { unknownAccount: [[{ from: STRANGER, to: TO }]] },
  eth_sendTransactionSync: {
    unknownAccount: [[{ from: STRANGER, to: TO }]],
    syncTimeout: [[{ from: FROM, to: TO }, '0x1'], { noMining: true }],
  },
  eth_sign: { unknownAccount: [[STRANGER, '0x']] },
  eth_signTransaction: { unknownAccount: [[{ from: STRANGER, to: TO }]] },
  eth_signTypedData_v4: { unknownAccount: [[STRANGER, TYPED_DATA]] },
  eth_simulateV1: {
    nonceTooLow: [simulated({ nonce: '0x0' }), { noMining: true }],
    nonceTooHigh: [simulated({ nonce: '0x9' })],
    feeCapTooLow: [simulated({ maxFeePerGas: '0x1' })],
    intrinsicGas: [simulated({ gas: '0x1' })],
    insufficientFunds: [simulated(RICH)],
    blockGasLimit: [simulated({ gas: '0xffffffff' })],
    blockNumberOrder: [blocks({ number: '0x20' }, { number: '0x10' })],
    blockTimeOrder: [blocks({ time: FUTURE }, { time: PAST })],
    precompileMoveToSelf: [
      simulated(
        {},
        {
          stateOverrides: {
            [`0x${'00'.repeat(19)}01`]: { movePrecompileToAddress: `0x${'00'.repeat(19)}01` },
          },
        },
      ),
    ],
    initCodeSize: [simulated({ to: null, data: `0x${'00'.repeat(50_000)}`, gas: '0xf00000' })],
    clientLimit: [blocks({ number: '0x10000' })],
  },
  evm_increaseTime: { timestampTooHigh: [[FUTURE]] },
  evm_mine: { timestampTooLow: [[PAST]], timestampTooHigh: [[FUTURE]] },
  evm_mine_detailed: { timestampTooLow: [[PAST]], timestampTooHigh: [[FUTURE]] },
  evm_setNextBlockTimestamp: { timestampTooLow: [[PAST]], timestampTooHigh: [[FUTURE]] },
  personal_sendTransaction: { unknownAccount: [[{ from: STRANGER, to: TO }]] },
  personal_sign: { unknownAccount: [['0x', STRANGER]] },
  personal_signTransaction: { unknownAccount: [[{ from: STRANGER, to: TO }]] },
  personal_unlockAccount: { unknownAccount: [[STRANGER]] },
  trace_call: { transactionRejected: [[RICH, ['trace']]] },
  trace_callMany: { transactionRejected: [[[[RICH, ['trace']]]]] },
  trace_rawTransaction: { transactionRejected: [['signed', ['trace'], '0x0']] },
};

const CASES = Object.entries(EXAMPLES).flatMap(([method, examples]) =>
  Object.entries(examples).map(([name, [params, options]]) => ({ method, name, params, options })),
);

describe('docs/methods tells the errors that methods have:', () => {
  it('there is an example of each that a definition @throws', () => {
    const told = METHODS.flatMap(({ name }) => {
      const { comment } = new ParsedSource(`src/rpc/methods/${name}.ts`).exported(name);
      const [, list = ''] = /^@throws ([^@]*)/m.exec(comment) ?? [];
      return list
        .split(/,\s*/)
        .filter(Boolean)
        .map((error) => `${name}: ${error.trim()}`);
    });
    expect(CASES.map(({ method, name }) => `${method}: ${name}`).sort()).toEqual(told.sort());
  });

  it.each(CASES)('$method $name', async ({ method, name, params, options }) => {
    expect(methodEntry(method)).toContain(`\`${name}\``);
    const node = await createDevnet({ automine: !options?.noMining, ...options });
    const request = (asked: string, given: readonly unknown[]) =>
      node.provider.request({ method: asked, params: given });
    try {
      await request('anvil_mine', ['0x8']);
      await request('anvil_setNonce', [FROM, '0x5']);
      const signed = await request('eth_signTransaction', [{ from: FROM, to: TO }]);
      const asked = JSON.parse(JSON.stringify(params).replaceAll('"signed"', JSON.stringify(signed)));
      const error = await request(method, asked).then(
        () => undefined,
        (thrown: DevnetError) => thrown.kind,
      );
      expect(error).toBe(name);
    } finally {
      await node.close();
    }
  });
});
