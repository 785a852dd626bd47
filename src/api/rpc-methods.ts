// npm run docs writes this file from the definitions in src/rpc/methods

/** `0x` and hex digits. */
export type Hex = `0x${string}`;

/** What stands for a value that is left out. */
type None = null | undefined;

/** What a method takes and answers. */
interface RpcMethod<Params extends readonly unknown[], Result> {
  readonly params: Readonly<Params>;
  readonly result: Result;
}

/** An object of which no type says more. */
export type RpcObject = { readonly [field: string]: unknown };

/** A number, or its hex. */
export type RpcNumber = string | number;

/** What a setter answers: null, or true in Hardhat. */
type Done = null | true;

/** An object with fields that are always there, and some that may be. */
type RpcFields<Names extends string, Some extends string = never> = {
  readonly [Name in Names]: unknown;
} & { readonly [Name in Some]?: unknown };

/** A block by its number in hex, tag or hash, an object of EIP-1898, or `{ blockNumber, flashblockIndex }`. */
export type RpcBlockRef = string | number | RpcObject;

/** Values that may be left out. */
type AnyBlock = RpcBlockRef | None;
type AnyNumber = RpcNumber | None;
type AnyObject = RpcObject | None;
type AnyText = string | None;

/** A log, as `eth_getLogs` answers it. */
export interface RpcLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly logIndex: Hex;
  readonly [field: string]: unknown;
}

/** A receipt, as `eth_getTransactionReceipt` answers it. */
export interface RpcReceipt {
  readonly transactionHash: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly contractAddress: Hex | null;
  /** `0x1` or, where it failed, `0x0`; absent before Byzantium */
  readonly status?: Hex;
  readonly gasUsed: Hex;
  readonly logs: readonly RpcLog[];
  readonly [field: string]: unknown;
}

/** A transaction, as `eth_getTransactionByHash` answers it. */
export interface RpcTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly nonce: Hex;
  readonly value: Hex;
  readonly gas: Hex;
  readonly input: Hex;
  readonly type: Hex;
  /** null while it waits */
  readonly blockNumber: Hex | null;
  readonly [field: string]: unknown;
}

/** A block or its header, as `eth_getBlockByNumber` answers it. */
export interface RpcBlock {
  /** null where the block is not sealed yet in modes that tell none before */
  readonly hash: Hex | null;
  readonly number: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
  readonly stateRoot: Hex;
  readonly gasLimit: Hex;
  readonly gasUsed: Hex;
  readonly baseFeePerGas?: Hex;
  readonly [field: string]: unknown;
}

/** An object with forking. */
export interface RpcObjectWithForking {
  jsonRpcUrl?: AnyText;
  blockNumber?: AnyNumber;
  forking?: RpcObjectWithJsonRpcUrlAndBlockNumber | None;
  [field: string]: unknown;
}

/** An object with jsonRpcUrl and blockNumber. */
export interface RpcObjectWithJsonRpcUrlAndBlockNumber {
  jsonRpcUrl?: AnyText;
  blockNumber?: AnyNumber;
  [field: string]: unknown;
}

/** A trace configuration. */
export interface RpcTraceConfiguration {
  tracer?: AnyText;
  tracerConfig?: AnyObject;
  timeout?: unknown;
  enableMemory?: boolean | None;
  disableMemory?: boolean | None;
  disableStack?: boolean | None;
  disableStorage?: boolean | None;
  enableReturnData?: boolean | None;
  limit?: number | None;
  [field: string]: unknown;
}

/** A transaction object. */
export interface RpcTransactionObject {
  type?: AnyNumber;
  from?: AnyText;
  to?: AnyText;
  gas?: AnyNumber;
  gasPrice?: AnyNumber;
  maxFeePerGas?: AnyNumber;
  maxPriorityFeePerGas?: AnyNumber;
  maxFeePerBlobGas?: AnyNumber;
  value?: AnyNumber;
  nonce?: AnyNumber;
  input?: AnyText;
  chainId?: AnyNumber;
  accessList?: readonly RpcAccessListItem[] | None;
  blobVersionedHashes?: readonly string[] | None;
  blobs?: readonly string[] | None;
  commitments?: readonly string[] | None;
  proofs?: readonly string[] | None;
  authorizationList?: readonly RpcAuthorization[] | None;
  sourceHash?: AnyText;
  mint?: AnyNumber;
  isSystemTx?: RpcNumber | boolean | None;
  [field: string]: unknown;
}

/** An access list item. */
export interface RpcAccessListItem {
  address: string;
  storageKeys?: readonly RpcNumber[] | None;
  [field: string]: unknown;
}

/** An authorization. */
export interface RpcAuthorization {
  chainId: RpcNumber;
  address: string;
  nonce: RpcNumber;
  yParity?: AnyNumber;
  v?: AnyNumber;
  r: RpcNumber;
  s: RpcNumber;
  [field: string]: unknown;
}

/** An object with reinclude. */
export interface RpcObjectWithReinclude {
  reinclude?: boolean | None;
  [field: string]: unknown;
}

/** A search. */
export interface RpcSearch {
  before?: RpcPlaceBlockIndex | None;
  after?: RpcPlaceBlockIndex | None;
  limit?: AnyNumber;
  from?: AnyText;
  to?: AnyText;
  creates?: boolean | None;
  selector?: unknown;
  failed?: boolean | None;
  [field: string]: unknown;
}

/** A place {"block", "index"}. */
export interface RpcPlaceBlockIndex {
  block: RpcNumber;
  index?: AnyNumber;
  [field: string]: unknown;
}

/** A block override object. */
export interface RpcBlockOverrideObject {
  number?: unknown;
  time?: unknown;
  gasLimit?: unknown;
  feeRecipient?: unknown;
  prevRandao?: unknown;
  baseFeePerGas?: unknown;
  blobBaseFee?: unknown;
  withdrawals?: unknown;
  difficulty?: unknown;
  beaconRoot?: unknown;
  [field: string]: unknown;
}

/** A bundle of signed transactions. */
export interface RpcBundleOfSignedTransactions {
  txs: readonly string[];
  blockNumber: RpcNumber;
  stateBlockNumber: RpcBlockRef;
  coinbase?: AnyText;
  timestamp?: AnyNumber;
  gasLimit?: AnyNumber;
  baseFee?: AnyNumber;
  [field: string]: unknown;
}

/** A bundle of calls. */
export interface RpcBundleOfCalls {
  transactions: readonly RpcTransactionObject[];
  blockOverride?: RpcBlockOverrideObject | None;
  [field: string]: unknown;
}

/** A state context. */
export interface RpcStateContext {
  blockNumber?: AnyBlock;
  [field: string]: unknown;
}

/** A filter object. */
export interface RpcFilterObject {
  blockHash?: AnyText;
  fromBlock?: AnyBlock;
  toBlock?: AnyBlock;
  address?: string | readonly unknown[] | None;
  topics?: readonly unknown[] | None;
  [field: string]: unknown;
}

/** An object of conditions. */
export interface RpcObjectOfConditions {
  knownAccounts?: AnyObject;
  blockNumberMin?: AnyNumber;
  blockNumberMax?: AnyNumber;
  timestampMin?: AnyNumber;
  timestampMax?: AnyNumber;
  paysCoinbase?: unknown;
  [field: string]: unknown;
}

/** A simulation payload. */
export interface RpcSimulationPayload {
  blockStateCalls: readonly RpcBlockStateCall[];
  traceTransfers?: boolean | None;
  validation?: boolean | None;
  returnFullTransactions?: boolean | None;
  [field: string]: unknown;
}

/** A block state call. */
export interface RpcBlockStateCall {
  calls?: readonly RpcTransactionObject[] | None;
  stateOverrides?: AnyObject;
  blockOverrides?: RpcBlockOverrideObject | None;
  [field: string]: unknown;
}

/** Payload attributes. */
export interface RpcPayloadAttributes {
  timestamp: RpcNumber;
  prevRandao: string;
  suggestedFeeRecipient: string;
  withdrawals?: readonly RpcWithdrawalEIP4895[] | None;
  parentBeaconBlockRoot?: AnyText;
  targetGasLimit?: AnyNumber;
  [field: string]: unknown;
}

/** A withdrawal (EIP-4895). */
export interface RpcWithdrawalEIP4895 {
  index: RpcNumber;
  validatorIndex: RpcNumber;
  address: string;
  amount: RpcNumber;
  [field: string]: unknown;
}

/** A trace filter. */
export interface RpcTraceFilter {
  fromBlock?: AnyBlock;
  toBlock?: AnyBlock;
  fromAddress?: readonly string[] | None;
  toAddress?: readonly string[] | None;
  after?: AnyNumber;
  count?: AnyNumber;
  [field: string]: unknown;
}

/** Each method's parameters and answer. What no type says of an answer, docs/methods.md does. */
export interface RpcMethods {
  anvil_addBalance: RpcMethod<[account: string, amount: RpcNumber], Done>;
  anvil_autoImpersonateAccount: RpcMethod<[on: boolean], Done>;
  anvil_dealERC20: RpcMethod<[account: string, token: string, amount: RpcNumber], Done>;
  anvil_dropAllTransactions: RpcMethod<[], Done>;
  anvil_dropTransaction: RpcMethod<[hash: string], unknown>;
  anvil_dumpState: RpcMethod<[boolean?: boolean | None], Hex>;
  anvil_getAutomine: RpcMethod<[], boolean>;
  anvil_getBlobByHash: RpcMethod<[hash: string], Hex | null>;
  anvil_getBlobsByTransactionHash: RpcMethod<[hash: string], readonly Hex[] | null>;
  anvil_getGenesisTime: RpcMethod<[], number>;
  anvil_getIntervalMining: RpcMethod<[], unknown>;
  anvil_getLastBlockWallTime: RpcMethod<[], number>;
  anvil_impersonateAccount: RpcMethod<[account: string], Done>;
  anvil_impersonateSignature: RpcMethod<[first: string, second?: AnyText], Done>;
  anvil_loadState: RpcMethod<[bytes: string], true>;
  anvil_metadata: RpcMethod<[], RpcFields<'clientVersion' | 'chainId' | 'instanceId' | 'latestBlockNumber' | 'latestBlockHash' | 'snapshots', 'forkedNetwork'>>;
  anvil_mine: RpcMethod<[blockCount?: AnyNumber, interval?: AnyNumber], Done>;
  anvil_nodeInfo: RpcMethod<[], RpcFields<'currentBlockNumber' | 'currentBlockTimestamp' | 'currentBlockHash' | 'hardFork' | 'transactionOrder' | 'environment' | 'forkConfig', 'network'>>;
  anvil_removeBlockTimestampInterval: RpcMethod<[], boolean>;
  anvil_removePoolTransactions: RpcMethod<[sender: string], Done>;
  anvil_reorg: RpcMethod<[depth: RpcNumber, pairs?: readonly unknown[] | None], Done>;
  anvil_reset: RpcMethod<[options?: RpcObjectWithForking | None], Done>;
  anvil_rollback: RpcMethod<[depth?: AnyNumber], Done>;
  anvil_setBalance: RpcMethod<[account: string, balance: RpcNumber], Done>;
  anvil_setBlockTimestampInterval: RpcMethod<[interval: RpcNumber], Done>;
  anvil_setChainId: RpcMethod<[chainId: RpcNumber], Done>;
  anvil_setCode: RpcMethod<[account: string, code: string], Done>;
  anvil_setCoinbase: RpcMethod<[coinbase: string], Done>;
  anvil_setERC20Allowance: RpcMethod<[owner: string, spender: string, token: string, amount: RpcNumber], Done>;
  anvil_setFeeAmmLiquidity: RpcMethod<[address: string, address: string, quantity: RpcNumber], never>;
  anvil_setFeeToken: RpcMethod<[address: string, address: string], never>;
  anvil_setLoggingEnabled: RpcMethod<[on: boolean], Done>;
  anvil_setMinGasPrice: RpcMethod<[wei: RpcNumber], Done>;
  anvil_setNextBlockBaseFeePerGas: RpcMethod<[baseFeePerGas: RpcNumber], Done>;
  anvil_setNextBlockPrevRandao: RpcMethod<[prevRandao: string], Done>;
  anvil_setNonce: RpcMethod<[account: string, nonce: RpcNumber], Done>;
  anvil_setRpcUrl: RpcMethod<[url: string], Done>;
  anvil_setStorageAt: RpcMethod<[account: string, position: RpcNumber, value: string], true>;
  anvil_setTime: RpcMethod<[seconds: RpcNumber], number>;
  anvil_setValidatorFeeToken: RpcMethod<[address: string, address: string], never>;
  anvil_stopImpersonatingAccount: RpcMethod<[account: string], null | boolean>;
  base_transactionStatus: RpcMethod<[hash: string], unknown>;
  debug_accountInfoAt: RpcMethod<[block: RpcBlockRef, index: RpcNumber, account: string], RpcFields<'balance' | 'nonce' | 'code'>>;
  debug_codeByHash: RpcMethod<[hash: string, anyBlock?: AnyBlock], Hex>;
  debug_dbGet: RpcMethod<[key: string], Hex | null>;
  debug_executionWitness: RpcMethod<[block: RpcBlockRef], RpcFields<'state' | 'codes' | 'keys' | 'headers'>>;
  debug_getBadBlocks: RpcMethod<[], readonly never[]>;
  debug_getModifiedAccountsByHash: RpcMethod<[start: string, end?: AnyText], readonly Hex[]>;
  debug_getModifiedAccountsByNumber: RpcMethod<[blockNumber: RpcBlockRef, blockNumber?: AnyBlock], readonly Hex[]>;
  debug_getRawBlock: RpcMethod<[block: RpcBlockRef], Hex>;
  debug_getRawBlockAccessList: RpcMethod<[block: RpcBlockRef], Hex | null>;
  debug_getRawHeader: RpcMethod<[block: RpcBlockRef], Hex>;
  debug_getRawReceipts: RpcMethod<[block: RpcBlockRef], readonly Hex[]>;
  debug_getRawTransaction: RpcMethod<[hash: string], Hex>;
  debug_getRawTransactions: RpcMethod<[block: RpcBlockRef], readonly Hex[]>;
  debug_storageRangeAt: RpcMethod<[block: RpcBlockRef, index: number, account: string, start: string, limit: number], RpcFields<'storage' | 'nextKey'>>;
  debug_traceBlock: RpcMethod<[rlp: string, traceConfig?: RpcTraceConfiguration | None], readonly RpcFields<'txHash' | 'result'>[]>;
  debug_traceBlockByHash: RpcMethod<[hash: string, traceConfig?: RpcTraceConfiguration | None], readonly RpcFields<'txHash' | 'result'>[]>;
  debug_traceBlockByNumber: RpcMethod<[block: RpcBlockRef, traceConfig?: RpcTraceConfiguration | None], readonly RpcFields<'txHash' | 'result'>[]>;
  debug_traceCall: RpcMethod<[request: RpcTransactionObject, block?: AnyBlock, traceCallConfig?: RpcTraceConfiguration | None], unknown>;
  debug_traceTransaction: RpcMethod<[hash: string, traceConfig?: RpcTraceConfiguration | None], unknown>;
  devnet_blockAccesses: RpcMethod<[block: RpcBlockRef, index: RpcNumber], unknown>;
  devnet_chainOptions: RpcMethod<[], unknown>;
  devnet_consoleLogs: RpcMethod<[executable: string | RpcObject, block?: AnyBlock], readonly string[]>;
  devnet_coverage: RpcMethod<[from?: AnyBlock, to?: AnyBlock], RpcFields<'transactions' | 'total' | 'files' | 'lcov' | 'istanbul' | 'gas'>>;
  devnet_delaySeal: RpcMethod<[ms: RpcNumber], true>;
  devnet_dropPreconfirmed: RpcMethod<[hash: string], true>;
  devnet_duplicateFlashblock: RpcMethod<[index?: AnyNumber], true>;
  devnet_execution: RpcMethod<[hash: string], unknown>;
  devnet_failPreconfirmed: RpcMethod<[hash: string], Hex>;
  devnet_flashblocks: RpcMethod<[], unknown>;
  devnet_gapFlashblock: RpcMethod<[messages?: AnyNumber], true>;
  devnet_holdFlashblocks: RpcMethod<[wanted: RpcNumber | RpcObject], true>;
  devnet_metrics: RpcMethod<[reset?: boolean | None], unknown>;
  devnet_promote: RpcMethod<[], unknown>;
  devnet_refuseSender: RpcMethod<[sender: string, on?: boolean | None], true>;
  devnet_reorg: RpcMethod<[depth: RpcNumber, options?: RpcObjectWithReinclude | None], true>;
  devnet_seal: RpcMethod<[], Hex>;
  devnet_searchTransactions: RpcMethod<[transactionSearch?: RpcSearch | None], RpcFields<'transactions' | 'receipts' | 'next'>>;
  devnet_skipFlashblocks: RpcMethod<[slots: RpcNumber], true>;
  devnet_source: RpcMethod<[hash: string, file: RpcNumber], unknown>;
  devnet_stackTrace: RpcMethod<[executable: string | RpcObject, block?: AnyBlock], RpcFields<'message' | 'frames'>>;
  devnet_startRecording: RpcMethod<[path: unknown], true>;
  devnet_stateAt: RpcMethod<[of: RpcBlockRef, index: RpcNumber], RpcFields<'block' | 'blockHash' | 'parentHash' | 'stateRoot' | 'timestamp' | 'gasUsed' | 'transactions' | 'added'>>;
  devnet_stateDiff: RpcMethod<[from: RpcBlockRef, to: RpcBlockRef], unknown>;
  devnet_status: RpcMethod<[], unknown>;
  devnet_step: RpcMethod<[hash: string, step: RpcNumber | RpcObject], unknown>;
  devnet_steps: RpcMethod<[hash: string, from: RpcNumber, count: RpcNumber], unknown>;
  devnet_stopRecording: RpcMethod<[], boolean>;
  devnet_tick: RpcMethod<[ms?: AnyNumber], number>;
  devnet_transactionStatus: RpcMethod<[hash32: string], RpcFields<'hash' | 'status' | 'reason' | 'waitsFor' | 'replacedBy' | 'blockHash' | 'blockNumber' | 'transactionIndex' | 'flashblockIndex' | 'events'>>;
  erigon_getHeaderByNumber: RpcMethod<[block: RpcBlockRef], RpcBlock | null>;
  eth_accounts: RpcMethod<[], readonly Hex[]>;
  eth_baseFee: RpcMethod<[], Hex>;
  eth_blobBaseFee: RpcMethod<[], Hex>;
  eth_blockNumber: RpcMethod<[], Hex>;
  eth_call: RpcMethod<[request: RpcTransactionObject, block?: AnyBlock, stateOverrides?: AnyObject, blockOverrides?: RpcBlockOverrideObject | None], Hex>;
  eth_callBundle: RpcMethod<[given: RpcBundleOfSignedTransactions], RpcFields<'bundleHash' | 'bundleGasPrice' | 'coinbaseDiff' | 'ethSentToCoinbase' | 'gasFees' | 'results' | 'stateBlockNumber' | 'totalGasUsed'>>;
  eth_callMany: RpcMethod<[list: readonly RpcBundleOfCalls[], context?: RpcStateContext | None, stateOverrides?: AnyObject], unknown>;
  eth_capabilities: RpcMethod<[], RpcFields<'head' | 'state' | 'tx' | 'logs' | 'receipts' | 'blocks' | 'stateproofs'>>;
  eth_chainId: RpcMethod<[], Hex>;
  eth_coinbase: RpcMethod<[], Hex>;
  eth_config: RpcMethod<[], RpcFields<'current' | 'next' | 'last'>>;
  eth_createAccessList: RpcMethod<[request: RpcTransactionObject, block?: AnyBlock, stateOverrides?: AnyObject], RpcFields<'accessList' | 'gasUsed', 'error'>>;
  eth_estimateGas: RpcMethod<[request: RpcTransactionObject, block?: AnyBlock, stateOverrides?: AnyObject, blockOverrides?: RpcBlockOverrideObject | None], Hex>;
  eth_feeHistory: RpcMethod<[count: RpcNumber, newest: RpcBlockRef, rewards?: readonly number[] | None], RpcFields<'oldestBlock' | 'baseFeePerGas' | 'gasUsedRatio' | 'baseFeePerBlobGas' | 'blobGasUsedRatio', 'reward'>>;
  eth_fillTransaction: RpcMethod<[request: RpcTransactionObject], RpcFields<'raw' | 'tx'>>;
  eth_gasPrice: RpcMethod<[], Hex>;
  eth_getAccount: RpcMethod<[account: string, block?: AnyBlock], RpcFields<'nonce' | 'balance' | 'storageRoot' | 'codeHash'>>;
  eth_getAccountInfo: RpcMethod<[account: string, block?: AnyBlock], RpcFields<'balance' | 'nonce' | 'code'>>;
  eth_getBalance: RpcMethod<[account: string, block?: AnyBlock], Hex>;
  eth_getBlockAccessList: RpcMethod<[block: RpcBlockRef], unknown>;
  eth_getBlockByHash: RpcMethod<[hash: string, full: boolean], RpcBlock | null>;
  eth_getBlockByNumber: RpcMethod<[block: RpcBlockRef, full: boolean], RpcBlock | null>;
  eth_getBlockReceipts: RpcMethod<[block: RpcBlockRef], readonly RpcReceipt[] | null>;
  eth_getBlockTransactionCountByHash: RpcMethod<[hash: string], Hex | null>;
  eth_getBlockTransactionCountByNumber: RpcMethod<[block: RpcBlockRef], Hex | null>;
  eth_getCode: RpcMethod<[account: string, block?: AnyBlock], Hex>;
  eth_getFilterChanges: RpcMethod<[id: string], readonly RpcLog[] | readonly Hex[]>;
  eth_getFilterLogs: RpcMethod<[id: string], readonly RpcLog[]>;
  eth_getHeaderByHash: RpcMethod<[hash: string], RpcBlock | null>;
  eth_getHeaderByNumber: RpcMethod<[block: RpcBlockRef], RpcBlock | null>;
  eth_getLogs: RpcMethod<[logFilter: RpcFilterObject], readonly RpcLog[]>;
  eth_getProof: RpcMethod<[account: string, keys: readonly RpcNumber[], block?: AnyBlock], RpcFields<'address' | 'accountProof' | 'balance' | 'codeHash' | 'nonce' | 'storageHash' | 'storageProof'>>;
  eth_getRawTransactionByBlockHashAndIndex: RpcMethod<[hash: string, index: RpcNumber], Hex | null>;
  eth_getRawTransactionByBlockNumberAndIndex: RpcMethod<[block: RpcBlockRef, index: RpcNumber], Hex | null>;
  eth_getRawTransactionByHash: RpcMethod<[hash: string], Hex | null>;
  eth_getStorageAt: RpcMethod<[account: string, key: RpcNumber, block?: AnyBlock], Hex>;
  eth_getStorageValues: RpcMethod<[accounts: RpcObject, block?: AnyBlock], unknown>;
  eth_getTransactionByBlockHashAndIndex: RpcMethod<[hash: string, position: RpcNumber], RpcTransaction | null>;
  eth_getTransactionByBlockNumberAndIndex: RpcMethod<[block: RpcBlockRef, position: RpcNumber], RpcTransaction | null>;
  eth_getTransactionByHash: RpcMethod<[hash: string], RpcTransaction | null>;
  eth_getTransactionBySenderAndNonce: RpcMethod<[sender: string, nonce: RpcNumber], RpcTransaction | null>;
  eth_getTransactionCount: RpcMethod<[account: string, block?: AnyBlock], Hex>;
  eth_getTransactionReceipt: RpcMethod<[hash: string], RpcReceipt | null>;
  eth_getUncleByBlockHashAndIndex: RpcMethod<[hash: string, index: RpcNumber], RpcBlock | null>;
  eth_getUncleByBlockNumberAndIndex: RpcMethod<[block: RpcBlockRef, index: RpcNumber], RpcBlock | null>;
  eth_getUncleCountByBlockHash: RpcMethod<[hash: string], Hex | null>;
  eth_getUncleCountByBlockNumber: RpcMethod<[block: RpcBlockRef], Hex | null>;
  eth_getWork: RpcMethod<[], never>;
  eth_hashrate: RpcMethod<[], Hex>;
  eth_maxPriorityFeePerGas: RpcMethod<[], Hex>;
  eth_mining: RpcMethod<[], boolean>;
  eth_newBlockFilter: RpcMethod<[], Hex>;
  eth_newFilter: RpcMethod<[logFilter?: RpcFilterObject | None], Hex>;
  eth_newPendingTransactionFilter: RpcMethod<[], Hex>;
  eth_pendingTransactions: RpcMethod<[], readonly RpcTransaction[]>;
  eth_protocolVersion: RpcMethod<[], Hex>;
  eth_resend: RpcMethod<[request: RpcTransactionObject, quantity?: AnyNumber, uint64?: AnyNumber], Hex>;
  eth_sendRawTransaction: RpcMethod<[raw: string], Hex>;
  eth_sendRawTransactionConditional: RpcMethod<[raw: string, conditions: RpcObjectOfConditions], Hex>;
  eth_sendRawTransactionSync: RpcMethod<[raw: string, syncTimeout?: AnyNumber], RpcReceipt>;
  eth_sendTransaction: RpcMethod<[request: RpcTransactionObject], Hex>;
  eth_sendTransactionSync: RpcMethod<[request?: unknown, syncTimeout?: AnyNumber], RpcReceipt>;
  eth_sendUnsignedTransaction: RpcMethod<[request: RpcTransactionObject], Hex>;
  eth_sign: RpcMethod<[signer: string, message: string], Hex>;
  eth_signRawTransaction: RpcMethod<[data: string], never>;
  eth_signTransaction: RpcMethod<[request: RpcTransactionObject], Hex>;
  eth_signTypedData_v4: RpcMethod<[signer: string, typedData: unknown], Hex>;
  eth_simulateV1: RpcMethod<[simulationPayload: RpcSimulationPayload, block?: AnyBlock], readonly RpcBlock[]>;
  eth_submitHashrate: RpcMethod<[quantity: RpcNumber, hash32: string], never>;
  eth_submitWork: RpcMethod<[data: string, hash32: string, hash32: string], never>;
  eth_subscribe: RpcMethod<[kind: string, argument?: unknown], Hex>;
  eth_syncing: RpcMethod<[], false>;
  eth_uninstallFilter: RpcMethod<[id: string], boolean>;
  eth_unsubscribe: RpcMethod<[id: string], boolean>;
  evm_increaseTime: RpcMethod<[seconds: RpcNumber], number | string>;
  evm_mine: RpcMethod<[mineOptions?: RpcNumber | AnyObject], string>;
  evm_mine_detailed: RpcMethod<[mineOptions?: RpcNumber | AnyObject], readonly RpcBlock[]>;
  evm_revert: RpcMethod<[id: RpcNumber], boolean>;
  evm_setAutomine: RpcMethod<[on: boolean], Done>;
  evm_setBlockGasLimit: RpcMethod<[gasLimit: RpcNumber], true>;
  evm_setIntervalMining: RpcMethod<[intervalTime: RpcNumber], Done>;
  evm_setNextBlockTimestamp: RpcMethod<[timestamp: RpcNumber], null | string>;
  evm_snapshot: RpcMethod<[], Hex>;
  hardhat_addCompilationResult: RpcMethod<[solcVersion: string, input: RpcObject, output: RpcObject], true>;
  hardhat_dropTransaction: RpcMethod<[hash: string], boolean>;
  miner_start: RpcMethod<[], true>;
  miner_stop: RpcMethod<[], true>;
  net_listening: RpcMethod<[], true>;
  net_peerCount: RpcMethod<[], Hex>;
  net_version: RpcMethod<[], string>;
  op_supportedCapabilities: RpcMethod<[], readonly string[]>;
  ots_getApiLevel: RpcMethod<[], number>;
  ots_getBlockDetails: RpcMethod<[block: RpcBlockRef], RpcFields<'block' | 'issuance' | 'totalFees'> | null>;
  ots_getBlockDetailsByHash: RpcMethod<[hash: string], RpcFields<'block' | 'issuance' | 'totalFees'> | null>;
  ots_getBlockTransactions: RpcMethod<[block: RpcBlockRef, page: RpcNumber, pageSize: RpcNumber], RpcFields<'fullblock' | 'receipts'> | null>;
  ots_getContractCreator: RpcMethod<[account: string], RpcFields<'hash' | 'creator'> | null>;
  ots_getInternalOperations: RpcMethod<[hash: string], readonly RpcFields<'type' | 'from' | 'to' | 'value'>[]>;
  ots_getTransactionBySenderAndNonce: RpcMethod<[sender: string, nonce: RpcNumber], Hex | null>;
  ots_getTransactionError: RpcMethod<[hash: string], Hex>;
  ots_hasCode: RpcMethod<[account: string, block?: AnyBlock], boolean>;
  ots_searchTransactionsAfter: RpcMethod<[account: string, number: RpcNumber, pageSize: RpcNumber], RpcFields<'txs' | 'receipts' | 'firstPage' | 'lastPage'>>;
  ots_searchTransactionsBefore: RpcMethod<[account: string, number: RpcNumber, pageSize: RpcNumber], RpcFields<'txs' | 'receipts' | 'firstPage' | 'lastPage'>>;
  ots_traceTransaction: RpcMethod<[hash: string], readonly RpcFields<'type' | 'depth' | 'from' | 'to' | 'value' | 'input' | 'output'>[]>;
  personal_importRawKey: RpcMethod<[key: string, passphrase: string], Hex>;
  personal_lockAccount: RpcMethod<[account: string], boolean>;
  personal_newAccount: RpcMethod<[passphrase: string], Hex>;
  personal_sendTransaction: RpcMethod<[request: RpcTransactionObject, passphrase?: AnyText], Hex>;
  personal_sign: RpcMethod<[message: string, signer: string, passphrase?: AnyText], Hex>;
  personal_signTransaction: RpcMethod<[request: RpcTransactionObject, passphrase?: AnyText], Hex>;
  personal_unlockAccount: RpcMethod<[account: string, passphrase?: AnyText, quantity?: AnyNumber], true>;
  rpc_modules: RpcMethod<[], unknown>;
  testing_buildBlockV1: RpcMethod<[hash: string, given: RpcPayloadAttributes, raws?: readonly string[] | None, extraData?: AnyText], unknown>;
  trace_block: RpcMethod<[block: RpcBlockRef], readonly RpcObject[] | null>;
  trace_blockOpcodeGas: RpcMethod<[block?: AnyBlock], RpcFields<'blockHash' | 'blockNumber' | 'transactions'> | null>;
  trace_call: RpcMethod<[request: RpcTransactionObject, traceKinds: readonly unknown[], block?: AnyBlock], RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>>;
  trace_callMany: RpcMethod<[calls: readonly RpcObject[], block?: AnyBlock], readonly RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>[]>;
  trace_filter: RpcMethod<[traceFilter: RpcTraceFilter], readonly RpcObject[]>;
  trace_get: RpcMethod<[hash: string, address: readonly RpcNumber[]], RpcObject | null>;
  trace_rawTransaction: RpcMethod<[raw: string, traceKinds: readonly unknown[], block?: AnyBlock], RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>>;
  trace_replayBlockTransactions: RpcMethod<[block: RpcBlockRef, traceKinds: readonly unknown[]], readonly RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace' | 'transactionHash'>[] | null>;
  trace_replayTransaction: RpcMethod<[hash: string, traceKinds: readonly unknown[]], RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'> | null>;
  trace_transaction: RpcMethod<[hash: string], readonly RpcObject[] | null>;
  trace_transactionOpcodeGas: RpcMethod<[hash: string], RpcFields<'transactionHash' | 'opcodeGas'>>;
  txpool_content: RpcMethod<[], RpcFields<'pending' | 'queued'>>;
  txpool_contentFrom: RpcMethod<[sender: string], RpcFields<'pending' | 'queued'>>;
  txpool_inspect: RpcMethod<[], RpcFields<'pending' | 'queued'>>;
  txpool_status: RpcMethod<[], RpcFields<'pending' | 'queued'>>;
  web3_clientVersion: RpcMethod<[], string>;
  web3_sha3: RpcMethod<[bytes: string], Hex>;
  hardhat_addBalance: RpcMethods['anvil_addBalance'];
  tenderly_addBalance: RpcMethods['anvil_addBalance'];
  hardhat_autoImpersonateAccount: RpcMethods['anvil_autoImpersonateAccount'];
  anvil_dealErc20: RpcMethods['anvil_dealERC20'];
  anvil_setERC20Balance: RpcMethods['anvil_dealERC20'];
  hardhat_dealERC20: RpcMethods['anvil_dealERC20'];
  tenderly_setErc20Balance: RpcMethods['anvil_dealERC20'];
  debug_clearTxpool: RpcMethods['anvil_dropAllTransactions'];
  hardhat_dropAllTransactions: RpcMethods['anvil_dropAllTransactions'];
  hardhat_dumpState: RpcMethods['anvil_dumpState'];
  hardhat_getAutomine: RpcMethods['anvil_getAutomine'];
  hardhat_getIntervalMining: RpcMethods['anvil_getIntervalMining'];
  hardhat_impersonateAccount: RpcMethods['anvil_impersonateAccount'];
  hardhat_loadState: RpcMethods['anvil_loadState'];
  hardhat_metadata: RpcMethods['anvil_metadata'];
  hardhat_mine: RpcMethods['anvil_mine'];
  hardhat_nodeInfo: RpcMethods['anvil_nodeInfo'];
  evm_removeBlockTimestampInterval: RpcMethods['anvil_removeBlockTimestampInterval'];
  hardhat_removeBlockTimestampInterval: RpcMethods['anvil_removeBlockTimestampInterval'];
  hardhat_removePoolTransactions: RpcMethods['anvil_removePoolTransactions'];
  hardhat_reset: RpcMethods['anvil_reset'];
  evm_setAccountBalance: RpcMethods['anvil_setBalance'];
  hardhat_setBalance: RpcMethods['anvil_setBalance'];
  tenderly_setBalance: RpcMethods['anvil_setBalance'];
  evm_setBlockTimestampInterval: RpcMethods['anvil_setBlockTimestampInterval'];
  hardhat_setBlockTimestampInterval: RpcMethods['anvil_setBlockTimestampInterval'];
  hardhat_setChainId: RpcMethods['anvil_setChainId'];
  evm_setAccountCode: RpcMethods['anvil_setCode'];
  hardhat_setCode: RpcMethods['anvil_setCode'];
  tenderly_setCode: RpcMethods['anvil_setCode'];
  hardhat_setCoinbase: RpcMethods['anvil_setCoinbase'];
  anvil_setErc20Allowance: RpcMethods['anvil_setERC20Allowance'];
  hardhat_setERC20Allowance: RpcMethods['anvil_setERC20Allowance'];
  hardhat_setLoggingEnabled: RpcMethods['anvil_setLoggingEnabled'];
  hardhat_setMinGasPrice: RpcMethods['anvil_setMinGasPrice'];
  hardhat_setNextBlockBaseFeePerGas: RpcMethods['anvil_setNextBlockBaseFeePerGas'];
  anvil_setPrevRandao: RpcMethods['anvil_setNextBlockPrevRandao'];
  hardhat_setPrevRandao: RpcMethods['anvil_setNextBlockPrevRandao'];
  evm_setAccountNonce: RpcMethods['anvil_setNonce'];
  hardhat_setNonce: RpcMethods['anvil_setNonce'];
  tenderly_setNonce: RpcMethods['anvil_setNonce'];
  hardhat_setRpcUrl: RpcMethods['anvil_setRpcUrl'];
  evm_setAccountStorageAt: RpcMethods['anvil_setStorageAt'];
  hardhat_setStorageAt: RpcMethods['anvil_setStorageAt'];
  tenderly_setStorageAt: RpcMethods['anvil_setStorageAt'];
  evm_setTime: RpcMethods['anvil_setTime'];
  hardhat_stopImpersonatingAccount: RpcMethods['anvil_stopImpersonatingAccount'];
  eth_requestAccounts: RpcMethods['eth_accounts'];
  personal_listAccounts: RpcMethods['eth_accounts'];
  eth_signTypedData: RpcMethods['eth_signTypedData_v4'];
  eth_signTypedData_v3: RpcMethods['eth_signTypedData_v4'];
  anvil_increaseTime: RpcMethods['evm_increaseTime'];
  anvil_mineDetailed: RpcMethods['evm_mine_detailed'];
  anvil_mine_detailed: RpcMethods['evm_mine_detailed'];
  anvil_revert: RpcMethods['evm_revert'];
  anvil_setAutomine: RpcMethods['evm_setAutomine'];
  hardhat_setAutomine: RpcMethods['evm_setAutomine'];
  anvil_setBlockGasLimit: RpcMethods['evm_setBlockGasLimit'];
  anvil_setIntervalMining: RpcMethods['evm_setIntervalMining'];
  hardhat_setIntervalMining: RpcMethods['evm_setIntervalMining'];
  anvil_setNextBlockTimestamp: RpcMethods['evm_setNextBlockTimestamp'];
  anvil_snapshot: RpcMethods['evm_snapshot'];
  eth_networkId: RpcMethods['net_version'];
}

