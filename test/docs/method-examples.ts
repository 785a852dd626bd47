import { encodeDeployData, encodeFunctionData, keccak256, parseAbi, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { DEFAULT_MNEMONIC } from '../../src/accounts.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { TOKEN_ARGS, Token } from '../clients/contracts.ts';

const account = (addressIndex: number) => mnemonicToAccount(DEFAULT_MNEMONIC, { addressIndex });
const [alice, bob, carol] = [account(0), account(1), account(2)];
const [ALICE, BOB, CAROL] = [alice.address, bob.address, carol.address];
const STRANGER = '0x000000000000000000000000000000000000dEaD';

/** Multicall3 is on each chain: the examples call its `getChainId()`. */
const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
const GET_CHAIN_ID = encodeFunctionData({ abi: parseAbi(['function getChainId() view returns (uint256)']) });
/** The first contract that Alice deploys. */
export const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

const FEES = {
  chainId: 31_337,
  gas: 100_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
} as const;
const TOKEN = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: TOKEN_ARGS });

/** Transactions of the chain that the examples run on. Signatures are deterministic, and so are their hashes. */
export const TRANSACTIONS = {
  /** in block 1: Alice deploys {@link CONTRACT}, a token */
  sealed: await alice.signTransaction({ ...FEES, gas: 2_000_000n, data: TOKEN, nonce: 0 }),
  /** pre-confirmed in the block after that */
  preconfirmed: await bob.signTransaction({ ...FEES, to: ALICE, value: 1n, nonce: 0 }),
  /** in the mempool */
  waiting: await carol.signTransaction({ ...FEES, to: ALICE, value: 1n, nonce: 0 }),
};
const SEALED = keccak256(TRANSACTIONS.sealed);
const PRECONFIRMED = keccak256(TRANSACTIONS.preconfirmed);
const WAITING = keccak256(TRANSACTIONS.waiting);
/** Not sent yet. */
const SIGNED = await alice.signTransaction({ ...FEES, to: BOB, value: 1n, nonce: 1 });

/** What differs from chain to chain. */
export interface Facts {
  readonly blockHash: string;
  /** the block in RLP */
  readonly block: string;
  /** ids of a filter of logs and of a subscription */
  readonly filter: string;
  readonly subscription: string;
  readonly snapshot: string;
  /** what anvil_dumpState answered */
  readonly state: string;
  /** seconds; later than the newest block */
  readonly soon: number;
  /** of a recording */
  readonly path: string;
  /** of the token's code */
  readonly codeHash: string;
  /** of an account that personal_newAccount made */
  readonly account: string;
}

/** As the pages show them. */
export const SHOWN: Facts = {
  blockHash: `0x${'12'.repeat(32)}`,
  block: '0xf90244f9023fa0...',
  filter: '0x1',
  subscription: '0x2',
  snapshot: '0x1',
  state: '0x1f8b08...',
  soon: 1_900_000_000,
  path: 'chain.jsonl',
  codeHash: `0x${'34'.repeat(32)}`,
  account: STRANGER,
};

const CALL = { to: MULTICALL, data: GET_CHAIN_ID };
const TRANSFER = { from: ALICE, to: BOB, value: '0x1' };
const TYPED_DATA = {
  domain: { name: 'App', chainId: 31_337 },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Vote: [{ name: 'choice', type: 'uint256' }],
  },
  primaryType: 'Vote',
  message: { choice: '1' },
};
const AMOUNT = '0xde0b6b3a7640000';
const NO_HASH = `0x${'00'.repeat(32)}`;

/** Method -> parameters of an example, for those that have parameters. */
const PARAMS: Readonly<Record<string, (facts: Facts) => readonly unknown[]>> = {
  eth_call: () => [CALL, 'latest'],
  eth_callBundle: () => [{ txs: [SIGNED], blockNumber: '0x2', stateBlockNumber: 'latest' }],
  eth_callMany: () => [[{ transactions: [CALL] }], { blockNumber: 'latest' }],
  eth_createAccessList: () => [CALL, 'latest'],
  eth_estimateGas: () => [TRANSFER],
  eth_feeHistory: () => ['0x5', 'latest', [25, 75]],
  eth_fillTransaction: () => [TRANSFER],
  eth_getAccount: () => [ALICE, 'latest'],
  eth_getAccountInfo: () => [ALICE, 'latest'],
  eth_getBalance: () => [ALICE, 'pending'],
  eth_getBlockAccessList: () => ['latest'],
  eth_getBlockByHash: ({ blockHash }) => [blockHash, false],
  eth_getBlockByNumber: () => ['pending', true],
  eth_getBlockReceipts: () => ['latest'],
  eth_getBlockTransactionCountByHash: ({ blockHash }) => [blockHash],
  eth_getBlockTransactionCountByNumber: () => ['pending'],
  eth_getCode: () => [MULTICALL, 'latest'],
  eth_getFilterChanges: ({ filter }) => [filter],
  eth_getFilterLogs: ({ filter }) => [filter],
  eth_getHeaderByHash: ({ blockHash }) => [blockHash],
  eth_getHeaderByNumber: () => ['latest'],
  eth_getLogs: () => [{ address: CONTRACT, fromBlock: 'earliest', toBlock: 'latest' }],
  eth_getProof: () => [ALICE, [], 'latest'],
  eth_getRawTransactionByBlockHashAndIndex: ({ blockHash }) => [blockHash, '0x0'],
  eth_getRawTransactionByBlockNumberAndIndex: () => ['0x1', '0x0'],
  eth_getRawTransactionByHash: () => [SEALED],
  eth_getStorageAt: () => [CONTRACT, '0x0', 'pending'],
  eth_getStorageValues: () => [{ [CONTRACT]: [NO_HASH] }, 'latest'],
  eth_getTransactionByBlockHashAndIndex: ({ blockHash }) => [blockHash, '0x0'],
  eth_getTransactionByBlockNumberAndIndex: () => ['0x1', '0x0'],
  eth_getTransactionByHash: () => [SEALED],
  eth_getTransactionBySenderAndNonce: () => [ALICE, '0x0'],
  eth_getTransactionCount: () => [ALICE, 'pending'],
  eth_getTransactionReceipt: () => [SEALED],
  eth_getUncleByBlockHashAndIndex: ({ blockHash }) => [blockHash, '0x0'],
  eth_getUncleByBlockNumberAndIndex: () => ['0x1', '0x0'],
  eth_getUncleCountByBlockHash: ({ blockHash }) => [blockHash],
  eth_getUncleCountByBlockNumber: () => ['0x1'],
  eth_newFilter: () => [{ address: CONTRACT }],
  eth_resend: () => [
    {
      ...{ from: CAROL, to: ALICE, value: '0x1', nonce: '0x0', gas: toHex(FEES.gas) },
      ...{ maxFeePerGas: toHex(FEES.maxFeePerGas), maxPriorityFeePerGas: toHex(FEES.maxPriorityFeePerGas) },
    },
    '0x12a05f200',
  ],
  eth_sendRawTransaction: () => [SIGNED],
  eth_sendRawTransactionConditional: () => [SIGNED, { blockNumberMax: '0x64' }],
  eth_sendRawTransactionSync: () => [SIGNED, '0x1388'],
  eth_sendTransaction: () => [TRANSFER],
  eth_sendTransactionSync: () => [TRANSFER, '0x1388'],
  eth_sendUnsignedTransaction: () => [TRANSFER],
  eth_sign: () => [ALICE, toHex('hello')],
  eth_signRawTransaction: () => ['0x02'],
  eth_signTransaction: () => [TRANSFER],
  eth_signTypedData_v4: () => [ALICE, TYPED_DATA],
  eth_simulateV1: () => [{ blockStateCalls: [{ calls: [TRANSFER] }], traceTransfers: true }, 'pending'],
  eth_submitHashrate: () => ['0x1', NO_HASH],
  eth_submitWork: () => ['0x0000000000000001', NO_HASH, NO_HASH],
  eth_subscribe: () => ['newHeads'],
  eth_uninstallFilter: ({ filter }) => [filter],
  eth_unsubscribe: ({ subscription }) => [subscription],
  web3_sha3: () => [toHex('hello')],
  txpool_contentFrom: () => [CAROL],
  debug_accountInfoAt: () => ['0x1', 0, ALICE],
  debug_codeByHash: ({ codeHash }) => [codeHash],
  debug_dbGet: () => [NO_HASH],
  debug_executionWitness: () => ['0x1'],
  debug_getModifiedAccountsByHash: ({ blockHash }) => [blockHash],
  debug_getModifiedAccountsByNumber: () => ['0x1'],
  debug_getRawBlock: () => ['latest'],
  debug_getRawBlockAccessList: () => ['latest'],
  debug_getRawHeader: () => ['latest'],
  debug_getRawReceipts: () => ['latest'],
  debug_getRawTransaction: () => [SEALED],
  debug_getRawTransactions: () => ['latest'],
  debug_storageRangeAt: ({ blockHash }) => [blockHash, 0, CONTRACT, '0x', 10],
  debug_traceBlock: ({ block }) => [block, { tracer: 'callTracer' }],
  debug_traceBlockByHash: ({ blockHash }) => [blockHash, { tracer: 'callTracer' }],
  debug_traceBlockByNumber: () => ['0x1', { tracer: 'callTracer' }],
  debug_traceCall: () => [CALL, 'latest', { tracer: 'callTracer' }],
  debug_traceTransaction: () => [SEALED, { tracer: 'callTracer' }],
  trace_block: () => ['0x1'],
  trace_call: () => [CALL, ['trace', 'stateDiff'], 'latest'],
  trace_callMany: () => [[[CALL, ['trace']]], 'latest'],
  trace_filter: () => [{ fromBlock: '0x1', toBlock: 'latest', fromAddress: [ALICE] }],
  trace_get: () => [SEALED, ['0x0']],
  trace_rawTransaction: () => [SIGNED, ['trace']],
  trace_replayBlockTransactions: () => ['0x1', ['trace']],
  trace_replayTransaction: () => [SEALED, ['trace', 'stateDiff']],
  trace_blockOpcodeGas: () => ['0x1'],
  trace_transaction: () => [SEALED],
  trace_transactionOpcodeGas: () => [SEALED],
  ots_getBlockDetails: () => ['0x1'],
  ots_getBlockDetailsByHash: ({ blockHash }) => [blockHash],
  ots_getBlockTransactions: () => ['0x1', '0x0', '0xa'],
  ots_getContractCreator: () => [CONTRACT],
  ots_getInternalOperations: () => [SEALED],
  ots_getTransactionBySenderAndNonce: () => [ALICE, '0x0'],
  ots_getTransactionError: () => [SEALED],
  ots_hasCode: () => [CONTRACT, 'latest'],
  ots_searchTransactionsAfter: () => [ALICE, '0x0', '0xa'],
  ots_searchTransactionsBefore: () => [ALICE, '0x0', '0xa'],
  ots_traceTransaction: () => [SEALED],
  erigon_getHeaderByNumber: () => ['latest'],
  personal_importRawKey: () => [`0x${'11'.repeat(32)}`, 'passphrase'],
  personal_lockAccount: ({ account }) => [account],
  personal_newAccount: () => ['passphrase'],
  personal_sendTransaction: () => [TRANSFER, ''],
  personal_sign: () => [toHex('hello'), ALICE],
  personal_signTransaction: () => [TRANSFER, ''],
  personal_unlockAccount: ({ account }) => [account, 'passphrase', '0x3c'],
  evm_increaseTime: () => ['0xe10'],
  evm_revert: ({ snapshot }) => [snapshot],
  evm_setAutomine: () => [true],
  evm_setBlockGasLimit: () => ['0x3938700'],
  evm_setIntervalMining: () => [5],
  evm_setNextBlockTimestamp: ({ soon }) => [soon],
  anvil_addBalance: () => [STRANGER, AMOUNT],
  anvil_autoImpersonateAccount: () => [true],
  anvil_dealERC20: () => [STRANGER, CONTRACT, AMOUNT],
  anvil_dropTransaction: () => [WAITING],
  anvil_getBlobByHash: () => [`0x01${'00'.repeat(31)}`],
  anvil_getBlobsByTransactionHash: () => [SEALED],
  anvil_impersonateAccount: () => [STRANGER],
  anvil_impersonateSignature: () => [`0x${'11'.repeat(65)}`, STRANGER],
  anvil_loadState: ({ state }) => [state],
  anvil_mine: () => ['0x3', '0xc'],
  anvil_removePoolTransactions: () => [CAROL],
  anvil_reorg: () => [1],
  anvil_rollback: () => [1],
  anvil_setBalance: () => [STRANGER, AMOUNT],
  anvil_setBlockTimestampInterval: () => [12],
  anvil_setChainId: () => [1337],
  anvil_setCode: () => [STRANGER, '0x6001'],
  anvil_setCoinbase: () => [STRANGER],
  anvil_setERC20Allowance: () => [ALICE, BOB, CONTRACT, AMOUNT],
  anvil_setFeeAmmLiquidity: () => [STRANGER, STRANGER, '0x1'],
  anvil_setFeeToken: () => [STRANGER, STRANGER],
  anvil_setLoggingEnabled: () => [false],
  anvil_setMinGasPrice: () => ['0x1'],
  anvil_setNextBlockBaseFeePerGas: () => ['0x3b9aca00'],
  anvil_setNextBlockPrevRandao: () => [`0x${'22'.repeat(32)}`],
  anvil_setNonce: () => [STRANGER, '0x5'],
  anvil_setRpcUrl: () => ['https://node.example'],
  anvil_setStorageAt: () => [CONTRACT, '0x0', `0x${'00'.repeat(31)}2a`],
  anvil_setTime: ({ soon }) => [soon],
  anvil_setValidatorFeeToken: () => [STRANGER, STRANGER],
  anvil_stopImpersonatingAccount: () => [STRANGER],
  hardhat_addCompilationResult: () => [
    '0.8.30',
    { language: 'Solidity', sources: {} },
    { sources: {}, contracts: {} },
  ],
  hardhat_dropTransaction: () => [WAITING],
  testing_buildBlockV1: ({ blockHash, soon }) => [
    blockHash,
    {
      timestamp: toHex(soon),
      prevRandao: NO_HASH,
      suggestedFeeRecipient: STRANGER,
      withdrawals: [],
      parentBeaconBlockRoot: NO_HASH,
    },
    [SIGNED],
  ],
  base_transactionStatus: () => [SEALED],
  devnet_consoleLogs: () => [SEALED],
  devnet_coverage: () => ['0x1', 'latest'],
  devnet_delaySeal: () => [1000],
  devnet_dropPreconfirmed: () => [PRECONFIRMED],
  devnet_duplicateFlashblock: () => [0],
  devnet_failPreconfirmed: () => [PRECONFIRMED],
  devnet_gapFlashblock: () => [1],
  devnet_holdFlashblocks: () => [{ count: 2 }],
  devnet_refuseSender: () => [STRANGER, true],
  devnet_reorg: () => [1, { reinclude: false }],
  devnet_searchTransactions: () => [{ limit: 2, failed: false }],
  devnet_execution: () => [PRECONFIRMED],
  devnet_step: () => [PRECONFIRMED, { from: 0, kind: 'line' }],
  devnet_stepVariables: () => [PRECONFIRMED, 0],
  devnet_steps: () => [PRECONFIRMED, 0, 25],
  devnet_source: () => [PRECONFIRMED, 0],
  devnet_skipFlashblocks: () => [3],
  devnet_startRecording: ({ path }) => [path],
  devnet_stateAt: () => ['pending', 1],
  devnet_storageLayout: () => [CONTRACT, 'latest'],
  devnet_stackTrace: () => [{ to: CONTRACT, data: '0x12345678' }, 'latest'],
  devnet_stateDiff: () => ['0x0', 'latest'],
  devnet_blockAccesses: () => ['latest', '0x0'],
  devnet_tick: () => [200],
  devnet_transactionStatus: () => [PRECONFIRMED],
};

/** Method -> its error on a chain as the examples', which isn't forked, and follows nobody. */
export const REFUSED: Readonly<Record<string, string>> = {
  anvil_setFeeAmmLiquidity: 'notImplemented',
  anvil_setFeeToken: 'notImplemented',
  anvil_setRpcUrl: 'server',
  anvil_setValidatorFeeToken: 'notImplemented',
  debug_getRawBlockAccessList: 'noAccessList',
  devnet_blockAccesses: 'noAccessList',
  devnet_promote: 'server',
  devnet_source: 'server',
  eth_getBlockAccessList: 'noAccessList',
  eth_getWork: 'notImplemented',
  eth_signRawTransaction: 'notImplemented',
  eth_submitHashrate: 'notImplemented',
  eth_submitWork: 'notImplemented',
};

/** Method -> the same in viem, where viem has an action for it. `client` is a test client with public and wallet actions. */
const VIEM: Readonly<Record<string, string>> = {
  eth_accounts: 'client.getAddresses()',
  eth_blobBaseFee: 'client.getBlobBaseFee()',
  eth_blockNumber: 'client.getBlockNumber()',
  eth_call: `client.call({ to: '${MULTICALL}', data: '${GET_CHAIN_ID}' })`,
  eth_chainId: 'client.getChainId()',
  eth_createAccessList: `client.createAccessList({ to: '${MULTICALL}', data: '${GET_CHAIN_ID}' })`,
  eth_estimateGas: `client.estimateGas({ account: '${ALICE}', to: '${BOB}', value: 1n })`,
  eth_feeHistory: 'client.getFeeHistory({ blockCount: 5, rewardPercentiles: [25, 75] })',
  eth_fillTransaction: `client.fillTransaction({ account: '${ALICE}', to: '${BOB}', value: 1n })`,
  eth_gasPrice: 'client.getGasPrice()',
  eth_getBalance: `client.getBalance({ address: '${ALICE}', blockTag: 'pending' })`,
  eth_getBlockByNumber: "client.getBlock({ blockTag: 'pending', includeTransactions: true })",
  eth_getBlockTransactionCountByNumber: "client.getBlockTransactionCount({ blockTag: 'pending' })",
  eth_getCode: `client.getCode({ address: '${MULTICALL}' })`,
  eth_getLogs: `client.getLogs({ address: '${CONTRACT}', fromBlock: 'earliest', toBlock: 'latest' })`,
  eth_getProof: `client.getProof({ address: '${ALICE}', storageKeys: [] })`,
  eth_getStorageAt: `client.getStorageAt({ address: '${CONTRACT}', slot: '0x0', blockTag: 'pending' })`,
  eth_getTransactionByHash: `client.getTransaction({ hash: '${SEALED}' })`,
  eth_getTransactionCount: `client.getTransactionCount({ address: '${ALICE}', blockTag: 'pending' })`,
  eth_getTransactionReceipt: `client.getTransactionReceipt({ hash: '${SEALED}' })`,
  eth_maxPriorityFeePerGas: 'client.estimateMaxPriorityFeePerGas()',
  eth_newBlockFilter: 'client.createBlockFilter()',
  eth_newFilter: `client.createEventFilter({ address: '${CONTRACT}' })`,
  eth_newPendingTransactionFilter: 'client.createPendingTransactionFilter()',
  eth_sendRawTransaction: `client.sendRawTransaction({ serializedTransaction: '${SIGNED}' })`,
  eth_sendRawTransactionSync: `client.sendRawTransactionSync({ serializedTransaction: '${SIGNED}' })`,
  eth_sendTransaction: `client.sendTransaction({ account: '${ALICE}', to: '${BOB}', value: 1n })`,
  eth_simulateV1: `client.simulateBlocks({ blocks: [{ calls: [{ account: '${ALICE}', to: '${BOB}', value: 1n }] }], traceTransfers: true, blockTag: 'pending' })`,
  personal_sign: `client.signMessage({ account: '${ALICE}', message: 'hello' })`,
  txpool_content: 'client.getTxpoolContent()',
  txpool_inspect: 'client.inspectTxpool()',
  txpool_status: 'client.getTxpoolStatus()',
  evm_increaseTime: 'client.increaseTime({ seconds: 3600 })',
  evm_setAutomine: 'client.setAutomine(true)',
  evm_setBlockGasLimit: 'client.setBlockGasLimit({ gasLimit: 60_000_000n })',
  evm_setIntervalMining: 'client.setIntervalMining({ interval: 5 })',
  evm_setNextBlockTimestamp: `client.setNextBlockTimestamp({ timestamp: ${SHOWN.soon}n })`,
  evm_snapshot: 'client.snapshot()',
  evm_revert: `client.revert({ id: '${SHOWN.snapshot}' })`,
  anvil_dropTransaction: `client.dropTransaction({ hash: '${WAITING}' })`,
  anvil_dumpState: 'client.dumpState()',
  anvil_getAutomine: 'client.getAutomine()',
  anvil_impersonateAccount: `client.impersonateAccount({ address: '${STRANGER}' })`,
  anvil_mine: 'client.mine({ blocks: 3, interval: 12 })',
  anvil_removeBlockTimestampInterval: 'client.removeBlockTimestampInterval()',
  anvil_setBalance: `client.setBalance({ address: '${STRANGER}', value: 10n ** 18n })`,
  anvil_setBlockTimestampInterval: 'client.setBlockTimestampInterval({ interval: 12 })',
  anvil_setCode: `client.setCode({ address: '${STRANGER}', bytecode: '0x6001' })`,
  anvil_setCoinbase: `client.setCoinbase({ address: '${STRANGER}' })`,
  anvil_setLoggingEnabled: 'client.setLoggingEnabled(false)',
  anvil_setMinGasPrice: 'client.setMinGasPrice({ gasPrice: 1n })',
  anvil_setNextBlockBaseFeePerGas: 'client.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 9n })',
  anvil_setNonce: `client.setNonce({ address: '${STRANGER}', nonce: 5 })`,
  anvil_setStorageAt: `client.setStorageAt({ address: '${CONTRACT}', index: 0, value: '0x${'00'.repeat(31)}2a' })`,
  anvil_stopImpersonatingAccount: `client.stopImpersonatingAccount({ address: '${STRANGER}' })`,
};

export interface MethodExample {
  readonly method: string;
  readonly params: (facts: Facts) => readonly unknown[];
  /** JavaScript; `undefined` where viem has no action, and `client.request` sends the same request */
  readonly viem?: string | undefined;
}

/** An example of each method. @throws Error naming a method without one, or an example without its method */
export function methodExamples(): MethodExample[] {
  const strangers = [...Object.keys(PARAMS), ...Object.keys(VIEM)].filter(
    (name) => !METHODS.some((method) => method.name === name),
  );
  if (strangers.length > 0) throw new Error(`no such methods: ${strangers}`);
  return METHODS.map(({ name, codecs }) => {
    const params = PARAMS[name];
    if (!params && codecs?.some((codec) => !takesNothing(codec)))
      throw new Error(`no example of ${name} in test/docs/method-examples.ts`);
    return { method: name, params: params ?? (() => []), viem: VIEM[name] };
  });
}

function takesNothing(codec: { decode(value: unknown, path: string): unknown }): boolean {
  try {
    codec.decode(undefined, '');
    return true;
  } catch {
    return false;
  }
}
