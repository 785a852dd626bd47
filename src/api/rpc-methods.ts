// npm run docs writes this file from the definitions in src/rpc/methods

/** `0x` and hex digits. */
export type Hex = `0x${string}`;

/** What stands for a value that is left out. */
type None = null | undefined;

/** What a method takes and answers. */
interface Method<Params extends readonly unknown[], Result> {
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
  anvil_addBalance: Method<[account: string, amount: RpcNumber], Done>;
  anvil_autoImpersonateAccount: Method<[on: boolean], Done>;
  anvil_dealERC20: Method<[account: string, token: string, amount: RpcNumber], Done>;
  anvil_dropAllTransactions: Method<[], Done>;
  anvil_dropTransaction: Method<[hash: string], unknown>;
  anvil_dumpState: Method<[boolean?: boolean | None], Hex>;
  anvil_getAutomine: Method<[], boolean>;
  anvil_getBlobByHash: Method<[hash: string], Hex | null>;
  anvil_getBlobsByTransactionHash: Method<[hash: string], readonly Hex[] | null>;
  anvil_getGenesisTime: Method<[], number>;
  anvil_getIntervalMining: Method<[], unknown>;
  anvil_getLastBlockWallTime: Method<[], number>;
  anvil_impersonateAccount: Method<[account: string], Done>;
  anvil_impersonateSignature: Method<[first: string, second?: AnyText], Done>;
  anvil_loadState: Method<[bytes: string], true>;
  anvil_metadata: Method<[], RpcFields<'clientVersion' | 'chainId' | 'instanceId' | 'latestBlockNumber' | 'latestBlockHash' | 'snapshots', 'forkedNetwork'>>;
  anvil_mine: Method<[blockCount?: AnyNumber, interval?: AnyNumber], Done>;
  anvil_nodeInfo: Method<[], RpcFields<'currentBlockNumber' | 'currentBlockTimestamp' | 'currentBlockHash' | 'hardFork' | 'transactionOrder' | 'environment' | 'forkConfig', 'network'>>;
  anvil_removeBlockTimestampInterval: Method<[], boolean>;
  anvil_removePoolTransactions: Method<[sender: string], Done>;
  anvil_reorg: Method<[depth: RpcNumber, pairs?: readonly unknown[] | None], Done>;
  anvil_reset: Method<[options?: RpcObjectWithForking | None], Done>;
  anvil_rollback: Method<[depth?: AnyNumber], Done>;
  anvil_setBalance: Method<[account: string, balance: RpcNumber], Done>;
  anvil_setBlockTimestampInterval: Method<[interval: RpcNumber], Done>;
  anvil_setChainId: Method<[chainId: RpcNumber], Done>;
  anvil_setCode: Method<[account: string, code: string], Done>;
  anvil_setCoinbase: Method<[coinbase: string], Done>;
  anvil_setERC20Allowance: Method<[owner: string, spender: string, token: string, amount: RpcNumber], Done>;
  anvil_setFeeAmmLiquidity: Method<[address: string, address: string, quantity: RpcNumber], never>;
  anvil_setFeeToken: Method<[address: string, address: string], never>;
  anvil_setLoggingEnabled: Method<[on: boolean], Done>;
  anvil_setMinGasPrice: Method<[wei: RpcNumber], Done>;
  anvil_setNextBlockBaseFeePerGas: Method<[baseFeePerGas: RpcNumber], Done>;
  anvil_setNextBlockPrevRandao: Method<[prevRandao: string], Done>;
  anvil_setNonce: Method<[account: string, nonce: RpcNumber], Done>;
  anvil_setRpcUrl: Method<[url: string], Done>;
  anvil_setStorageAt: Method<[account: string, position: RpcNumber, value: string], true>;
  anvil_setTime: Method<[seconds: RpcNumber], number>;
  anvil_setValidatorFeeToken: Method<[address: string, address: string], never>;
  anvil_stopImpersonatingAccount: Method<[account: string], null | boolean>;
  base_transactionStatus: Method<[hash: string], unknown>;
  debug_accountInfoAt: Method<[block: RpcBlockRef, index: RpcNumber, account: string], RpcFields<'balance' | 'nonce' | 'code'>>;
  debug_codeByHash: Method<[hash: string, anyBlock?: AnyBlock], Hex>;
  debug_dbGet: Method<[key: string], Hex | null>;
  debug_executionWitness: Method<[block: RpcBlockRef], RpcFields<'state' | 'codes' | 'keys' | 'headers'>>;
  debug_getBadBlocks: Method<[], readonly never[]>;
  debug_getModifiedAccountsByHash: Method<[start: string, end?: AnyText], readonly Hex[]>;
  debug_getModifiedAccountsByNumber: Method<[blockNumber: RpcBlockRef, blockNumber?: AnyBlock], readonly Hex[]>;
  debug_getRawBlock: Method<[block: RpcBlockRef], Hex>;
  debug_getRawBlockAccessList: Method<[block: RpcBlockRef], Hex | null>;
  debug_getRawHeader: Method<[block: RpcBlockRef], Hex>;
  debug_getRawReceipts: Method<[block: RpcBlockRef], readonly Hex[]>;
  debug_getRawTransaction: Method<[hash: string], Hex>;
  debug_getRawTransactions: Method<[block: RpcBlockRef], readonly Hex[]>;
  debug_storageRangeAt: Method<[block: RpcBlockRef, index: number, account: string, start: string, limit: number], RpcFields<'storage' | 'nextKey'>>;
  debug_traceBlock: Method<[rlp: string, traceConfig?: RpcTraceConfiguration | None], readonly RpcFields<'txHash' | 'result'>[]>;
  debug_traceBlockByHash: Method<[hash: string, traceConfig?: RpcTraceConfiguration | None], readonly RpcFields<'txHash' | 'result'>[]>;
  debug_traceBlockByNumber: Method<[block: RpcBlockRef, traceConfig?: RpcTraceConfiguration | None], readonly RpcFields<'txHash' | 'result'>[]>;
  debug_traceCall: Method<[request: RpcTransactionObject, block?: AnyBlock, traceCallConfig?: RpcTraceConfiguration | None], unknown>;
  debug_traceTransaction: Method<[hash: string, traceConfig?: RpcTraceConfiguration | None], unknown>;
  devnet_blockAccesses: Method<[block: RpcBlockRef, index: RpcNumber], unknown>;
  devnet_chainOptions: Method<[], unknown>;
  devnet_consoleLogs: Method<[executable: string | RpcObject, block?: AnyBlock], readonly string[]>;
  devnet_coverage: Method<[from?: AnyBlock, to?: AnyBlock], RpcFields<'transactions' | 'total' | 'files' | 'lcov' | 'istanbul' | 'gas'>>;
  devnet_delaySeal: Method<[ms: RpcNumber], true>;
  devnet_dropPreconfirmed: Method<[hash: string], true>;
  devnet_duplicateFlashblock: Method<[index?: AnyNumber], true>;
  devnet_execution: Method<[hash: string], unknown>;
  devnet_failPreconfirmed: Method<[hash: string], Hex>;
  devnet_flashblocks: Method<[], unknown>;
  devnet_gapFlashblock: Method<[messages?: AnyNumber], true>;
  devnet_holdFlashblocks: Method<[wanted: RpcNumber | RpcObject], true>;
  devnet_metrics: Method<[reset?: boolean | None], unknown>;
  devnet_promote: Method<[], unknown>;
  devnet_refuseSender: Method<[sender: string, on?: boolean | None], true>;
  devnet_reorg: Method<[depth: RpcNumber, options?: RpcObjectWithReinclude | None], true>;
  devnet_seal: Method<[], Hex>;
  devnet_searchTransactions: Method<[transactionSearch?: RpcSearch | None], RpcFields<'transactions' | 'receipts' | 'next'>>;
  devnet_skipFlashblocks: Method<[slots: RpcNumber], true>;
  devnet_source: Method<[hash: string, file: RpcNumber], unknown>;
  devnet_stackTrace: Method<[executable: string | RpcObject, block?: AnyBlock], RpcFields<'message' | 'frames'>>;
  devnet_startRecording: Method<[path: unknown], true>;
  devnet_stateAt: Method<[of: RpcBlockRef, index: RpcNumber], RpcFields<'block' | 'blockHash' | 'parentHash' | 'stateRoot' | 'timestamp' | 'gasUsed' | 'transactions' | 'added'>>;
  devnet_stateDiff: Method<[from: RpcBlockRef, to: RpcBlockRef], unknown>;
  devnet_status: Method<[], unknown>;
  devnet_step: Method<[hash: string, step: RpcNumber | RpcObject], unknown>;
  devnet_steps: Method<[hash: string, from: RpcNumber, count: RpcNumber], unknown>;
  devnet_stepVariables: Method<[hash: string, step: RpcNumber], unknown>;
  devnet_stopRecording: Method<[], boolean>;
  devnet_storageLayout: Method<[account: string, block?: AnyBlock], unknown>;
  devnet_tick: Method<[ms?: AnyNumber], number>;
  devnet_transactionStatus: Method<[hash32: string], RpcFields<'hash' | 'status' | 'reason' | 'waitsFor' | 'replacedBy' | 'blockHash' | 'blockNumber' | 'transactionIndex' | 'flashblockIndex' | 'events'>>;
  erigon_getHeaderByNumber: Method<[block: RpcBlockRef], RpcBlock | null>;
  eth_accounts: Method<[], readonly Hex[]>;
  eth_baseFee: Method<[], Hex>;
  eth_blobBaseFee: Method<[], Hex>;
  eth_blockNumber: Method<[], Hex>;
  eth_call: Method<[request: RpcTransactionObject, block?: AnyBlock, stateOverrides?: AnyObject, blockOverrides?: RpcBlockOverrideObject | None], Hex>;
  eth_callBundle: Method<[given: RpcBundleOfSignedTransactions], RpcFields<'bundleHash' | 'bundleGasPrice' | 'coinbaseDiff' | 'ethSentToCoinbase' | 'gasFees' | 'results' | 'stateBlockNumber' | 'totalGasUsed'>>;
  eth_callMany: Method<[list: readonly RpcBundleOfCalls[], context?: RpcStateContext | None, stateOverrides?: AnyObject], unknown>;
  eth_capabilities: Method<[], RpcFields<'head' | 'state' | 'tx' | 'logs' | 'receipts' | 'blocks' | 'stateproofs'>>;
  eth_chainId: Method<[], Hex>;
  eth_coinbase: Method<[], Hex>;
  eth_config: Method<[], RpcFields<'current' | 'next' | 'last'>>;
  eth_createAccessList: Method<[request: RpcTransactionObject, block?: AnyBlock, stateOverrides?: AnyObject], RpcFields<'accessList' | 'gasUsed', 'error'>>;
  eth_estimateGas: Method<[request: RpcTransactionObject, block?: AnyBlock, stateOverrides?: AnyObject, blockOverrides?: RpcBlockOverrideObject | None], Hex>;
  eth_feeHistory: Method<[count: RpcNumber, newest: RpcBlockRef, rewards?: readonly number[] | None], RpcFields<'oldestBlock' | 'baseFeePerGas' | 'gasUsedRatio' | 'baseFeePerBlobGas' | 'blobGasUsedRatio', 'reward'>>;
  eth_fillTransaction: Method<[request: RpcTransactionObject], RpcFields<'raw' | 'tx'>>;
  eth_gasPrice: Method<[], Hex>;
  eth_getAccount: Method<[account: string, block?: AnyBlock], RpcFields<'nonce' | 'balance' | 'storageRoot' | 'codeHash'>>;
  eth_getAccountInfo: Method<[account: string, block?: AnyBlock], RpcFields<'balance' | 'nonce' | 'code'>>;
  eth_getBalance: Method<[account: string, block?: AnyBlock], Hex>;
  eth_getBlockAccessList: Method<[block: RpcBlockRef], unknown>;
  eth_getBlockByHash: Method<[hash: string, full: boolean], RpcBlock | null>;
  eth_getBlockByNumber: Method<[block: RpcBlockRef, full: boolean], RpcBlock | null>;
  eth_getBlockReceipts: Method<[block: RpcBlockRef], readonly RpcReceipt[] | null>;
  eth_getBlockTransactionCountByHash: Method<[hash: string], Hex | null>;
  eth_getBlockTransactionCountByNumber: Method<[block: RpcBlockRef], Hex | null>;
  eth_getCode: Method<[account: string, block?: AnyBlock], Hex>;
  eth_getFilterChanges: Method<[id: string], readonly RpcLog[] | readonly Hex[]>;
  eth_getFilterLogs: Method<[id: string], readonly RpcLog[]>;
  eth_getHeaderByHash: Method<[hash: string], RpcBlock | null>;
  eth_getHeaderByNumber: Method<[block: RpcBlockRef], RpcBlock | null>;
  eth_getLogs: Method<[logFilter: RpcFilterObject], readonly RpcLog[]>;
  eth_getProof: Method<[account: string, keys: readonly RpcNumber[], block?: AnyBlock], RpcFields<'address' | 'accountProof' | 'balance' | 'codeHash' | 'nonce' | 'storageHash' | 'storageProof'>>;
  eth_getRawTransactionByBlockHashAndIndex: Method<[hash: string, index: RpcNumber], Hex | null>;
  eth_getRawTransactionByBlockNumberAndIndex: Method<[block: RpcBlockRef, index: RpcNumber], Hex | null>;
  eth_getRawTransactionByHash: Method<[hash: string], Hex | null>;
  eth_getStorageAt: Method<[account: string, key: RpcNumber, block?: AnyBlock], Hex>;
  eth_getStorageValues: Method<[accounts: RpcObject, block?: AnyBlock], unknown>;
  eth_getTransactionByBlockHashAndIndex: Method<[hash: string, position: RpcNumber], RpcTransaction | null>;
  eth_getTransactionByBlockNumberAndIndex: Method<[block: RpcBlockRef, position: RpcNumber], RpcTransaction | null>;
  eth_getTransactionByHash: Method<[hash: string], RpcTransaction | null>;
  eth_getTransactionBySenderAndNonce: Method<[sender: string, nonce: RpcNumber], RpcTransaction | null>;
  eth_getTransactionCount: Method<[account: string, block?: AnyBlock], Hex>;
  eth_getTransactionReceipt: Method<[hash: string], RpcReceipt | null>;
  eth_getUncleByBlockHashAndIndex: Method<[hash: string, index: RpcNumber], RpcBlock | null>;
  eth_getUncleByBlockNumberAndIndex: Method<[block: RpcBlockRef, index: RpcNumber], RpcBlock | null>;
  eth_getUncleCountByBlockHash: Method<[hash: string], Hex | null>;
  eth_getUncleCountByBlockNumber: Method<[block: RpcBlockRef], Hex | null>;
  eth_getWork: Method<[], never>;
  eth_hashrate: Method<[], Hex>;
  eth_maxPriorityFeePerGas: Method<[], Hex>;
  eth_mining: Method<[], boolean>;
  eth_newBlockFilter: Method<[], Hex>;
  eth_newFilter: Method<[logFilter?: RpcFilterObject | None], Hex>;
  eth_newPendingTransactionFilter: Method<[], Hex>;
  eth_pendingTransactions: Method<[], readonly RpcTransaction[]>;
  eth_protocolVersion: Method<[], Hex>;
  eth_resend: Method<[request: RpcTransactionObject, quantity?: AnyNumber, uint64?: AnyNumber], Hex>;
  eth_sendRawTransaction: Method<[raw: string], Hex>;
  eth_sendRawTransactionConditional: Method<[raw: string, conditions: RpcObjectOfConditions], Hex>;
  eth_sendRawTransactionSync: Method<[raw: string, syncTimeout?: AnyNumber], RpcReceipt>;
  eth_sendTransaction: Method<[request: RpcTransactionObject], Hex>;
  eth_sendTransactionSync: Method<[request?: unknown, syncTimeout?: AnyNumber], RpcReceipt>;
  eth_sendUnsignedTransaction: Method<[request: RpcTransactionObject], Hex>;
  eth_sign: Method<[signer: string, message: string], Hex>;
  eth_signRawTransaction: Method<[data: string], never>;
  eth_signTransaction: Method<[request: RpcTransactionObject], Hex>;
  eth_signTypedData_v4: Method<[signer: string, typedData: unknown], Hex>;
  eth_simulateV1: Method<[simulationPayload: RpcSimulationPayload, block?: AnyBlock], readonly RpcBlock[]>;
  eth_submitHashrate: Method<[quantity: RpcNumber, hash32: string], never>;
  eth_submitWork: Method<[data: string, hash32: string, hash32: string], never>;
  eth_subscribe: Method<[kind: string, argument?: unknown], Hex>;
  eth_syncing: Method<[], false>;
  eth_uninstallFilter: Method<[id: string], boolean>;
  eth_unsubscribe: Method<[id: string], boolean>;
  evm_increaseTime: Method<[seconds: RpcNumber], number | string>;
  evm_mine: Method<[mineOptions?: RpcNumber | AnyObject], string>;
  evm_mine_detailed: Method<[mineOptions?: RpcNumber | AnyObject], readonly RpcBlock[]>;
  evm_revert: Method<[id: RpcNumber], boolean>;
  evm_setAutomine: Method<[on: boolean], Done>;
  evm_setBlockGasLimit: Method<[gasLimit: RpcNumber], true>;
  evm_setIntervalMining: Method<[intervalTime: RpcNumber], Done>;
  evm_setNextBlockTimestamp: Method<[timestamp: RpcNumber], null | string>;
  evm_snapshot: Method<[], Hex>;
  hardhat_addCompilationResult: Method<[solcVersion: string, input: RpcObject, output: RpcObject], true>;
  hardhat_dropTransaction: Method<[hash: string], boolean>;
  miner_start: Method<[], true>;
  miner_stop: Method<[], true>;
  net_listening: Method<[], true>;
  net_peerCount: Method<[], Hex>;
  net_version: Method<[], string>;
  op_supportedCapabilities: Method<[], readonly string[]>;
  ots_getApiLevel: Method<[], number>;
  ots_getBlockDetails: Method<[block: RpcBlockRef], RpcFields<'block' | 'issuance' | 'totalFees'> | null>;
  ots_getBlockDetailsByHash: Method<[hash: string], RpcFields<'block' | 'issuance' | 'totalFees'> | null>;
  ots_getBlockTransactions: Method<[block: RpcBlockRef, page: RpcNumber, pageSize: RpcNumber], RpcFields<'fullblock' | 'receipts'> | null>;
  ots_getContractCreator: Method<[account: string], RpcFields<'hash' | 'creator'> | null>;
  ots_getInternalOperations: Method<[hash: string], readonly RpcFields<'type' | 'from' | 'to' | 'value'>[]>;
  ots_getTransactionBySenderAndNonce: Method<[sender: string, nonce: RpcNumber], Hex | null>;
  ots_getTransactionError: Method<[hash: string], Hex>;
  ots_hasCode: Method<[account: string, block?: AnyBlock], boolean>;
  ots_searchTransactionsAfter: Method<[account: string, number: RpcNumber, pageSize: RpcNumber], RpcFields<'txs' | 'receipts' | 'firstPage' | 'lastPage'>>;
  ots_searchTransactionsBefore: Method<[account: string, number: RpcNumber, pageSize: RpcNumber], RpcFields<'txs' | 'receipts' | 'firstPage' | 'lastPage'>>;
  ots_traceTransaction: Method<[hash: string], readonly RpcFields<'type' | 'depth' | 'from' | 'to' | 'value' | 'input' | 'output'>[]>;
  personal_importRawKey: Method<[key: string, passphrase: string], Hex>;
  personal_lockAccount: Method<[account: string], boolean>;
  personal_newAccount: Method<[passphrase: string], Hex>;
  personal_sendTransaction: Method<[request: RpcTransactionObject, passphrase?: AnyText], Hex>;
  personal_sign: Method<[message: string, signer: string, passphrase?: AnyText], Hex>;
  personal_signTransaction: Method<[request: RpcTransactionObject, passphrase?: AnyText], Hex>;
  personal_unlockAccount: Method<[account: string, passphrase?: AnyText, quantity?: AnyNumber], true>;
  rpc_discover: Method<[], unknown>;
  rpc_modules: Method<[], unknown>;
  testing_buildBlockV1: Method<[hash: string, given: RpcPayloadAttributes, raws?: readonly string[] | None, extraData?: AnyText], unknown>;
  trace_block: Method<[block: RpcBlockRef], readonly RpcObject[] | null>;
  trace_blockOpcodeGas: Method<[block?: AnyBlock], RpcFields<'blockHash' | 'blockNumber' | 'transactions'> | null>;
  trace_call: Method<[request: RpcTransactionObject, traceKinds: readonly unknown[], block?: AnyBlock], RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>>;
  trace_callMany: Method<[calls: readonly RpcObject[], block?: AnyBlock], readonly RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>[]>;
  trace_filter: Method<[traceFilter: RpcTraceFilter], readonly RpcObject[]>;
  trace_get: Method<[hash: string, address: readonly RpcNumber[]], RpcObject | null>;
  trace_rawTransaction: Method<[raw: string, traceKinds: readonly unknown[], block?: AnyBlock], RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>>;
  trace_replayBlockTransactions: Method<[block: RpcBlockRef, traceKinds: readonly unknown[]], readonly RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace' | 'transactionHash'>[] | null>;
  trace_replayTransaction: Method<[hash: string, traceKinds: readonly unknown[]], RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'> | null>;
  trace_transaction: Method<[hash: string], readonly RpcObject[] | null>;
  trace_transactionOpcodeGas: Method<[hash: string], RpcFields<'transactionHash' | 'opcodeGas'>>;
  txpool_content: Method<[], RpcFields<'pending' | 'queued'>>;
  txpool_contentFrom: Method<[sender: string], RpcFields<'pending' | 'queued'>>;
  txpool_inspect: Method<[], RpcFields<'pending' | 'queued'>>;
  txpool_status: Method<[], RpcFields<'pending' | 'queued'>>;
  web3_clientVersion: Method<[], string>;
  web3_sha3: Method<[bytes: string], Hex>;
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
  'rpc.discover': RpcMethods['rpc_discover'];
}

