// npm run docs writes this file from the definitions in src/rpc/methods

/** `0x` and hex digits. */
export type Hex = `0x${string}`;

/** What stands for a value that is left out. */
type Absent = null | undefined;

/** What a method takes and answers. */
interface RpcMethod<Params extends readonly unknown[], Result> {
  readonly params: Readonly<Params>;
  readonly result: Result;
}

/** An object with fields that are always there, and some that may be. */
type RpcFields<Names extends string, Some extends string = never> = {
  readonly [Name in Names]: unknown;
} & { readonly [Name in Some]?: unknown };

/** A block number in hex, `latest`, `pending`, `safe`, `finalized`, `earliest`, a block hash, or an object of EIP-1898. */
export type RpcBlockRef = string | number | { readonly [field: string]: unknown };

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
  readonly jsonRpcUrl?: string | Absent;
  readonly blockNumber?: string | number | Absent;
  readonly forking?: RpcObjectWithJsonRpcUrlAndBlockNumber | Absent;
  readonly [field: string]: unknown;
}

/** An object with jsonRpcUrl and blockNumber. */
export interface RpcObjectWithJsonRpcUrlAndBlockNumber {
  readonly jsonRpcUrl?: string | Absent;
  readonly blockNumber?: string | number | Absent;
  readonly [field: string]: unknown;
}

/** A trace configuration. */
export interface RpcTraceConfiguration {
  readonly tracer?: string | Absent;
  readonly tracerConfig?: { readonly [field: string]: unknown } | Absent;
  readonly timeout?: unknown;
  readonly enableMemory?: boolean | Absent;
  readonly disableMemory?: boolean | Absent;
  readonly disableStack?: boolean | Absent;
  readonly disableStorage?: boolean | Absent;
  readonly enableReturnData?: boolean | Absent;
  readonly limit?: number | Absent;
  readonly [field: string]: unknown;
}

/** A transaction object. */
export interface RpcTransactionObject {
  readonly type?: string | number | Absent;
  readonly from?: string | Absent;
  readonly to?: string | Absent;
  readonly gas?: string | number | Absent;
  readonly gasPrice?: string | number | Absent;
  readonly maxFeePerGas?: string | number | Absent;
  readonly maxPriorityFeePerGas?: string | number | Absent;
  readonly maxFeePerBlobGas?: string | number | Absent;
  readonly value?: string | number | Absent;
  readonly nonce?: string | number | Absent;
  readonly input?: string | Absent;
  readonly chainId?: string | number | Absent;
  readonly accessList?: readonly RpcAccessListItem[] | Absent;
  readonly blobVersionedHashes?: readonly string[] | Absent;
  readonly blobs?: readonly string[] | Absent;
  readonly commitments?: readonly string[] | Absent;
  readonly proofs?: readonly string[] | Absent;
  readonly authorizationList?: readonly RpcAuthorization[] | Absent;
  readonly sourceHash?: string | Absent;
  readonly mint?: string | number | Absent;
  readonly isSystemTx?: string | number | boolean | Absent;
  readonly [field: string]: unknown;
}

/** An access list item. */
export interface RpcAccessListItem {
  readonly address: string;
  readonly storageKeys?: readonly (string | number)[] | Absent;
  readonly [field: string]: unknown;
}

/** An authorization. */
export interface RpcAuthorization {
  readonly chainId: string | number;
  readonly address: string;
  readonly nonce: string | number;
  readonly yParity?: string | number | Absent;
  readonly v?: string | number | Absent;
  readonly r: string | number;
  readonly s: string | number;
  readonly [field: string]: unknown;
}

/** An object with reinclude. */
export interface RpcObjectWithReinclude {
  readonly reinclude?: boolean | Absent;
  readonly [field: string]: unknown;
}

/** A search. */
export interface RpcSearch {
  readonly before?: RpcPlaceBlockIndex | Absent;
  readonly after?: RpcPlaceBlockIndex | Absent;
  readonly limit?: string | number | Absent;
  readonly from?: string | Absent;
  readonly to?: string | Absent;
  readonly creates?: boolean | Absent;
  readonly selector?: unknown;
  readonly failed?: boolean | Absent;
  readonly [field: string]: unknown;
}

/** A place {"block", "index"}. */
export interface RpcPlaceBlockIndex {
  readonly block: string | number;
  readonly index?: string | number | Absent;
  readonly [field: string]: unknown;
}

/** A block override object. */
export interface RpcBlockOverrideObject {
  readonly number?: unknown;
  readonly time?: unknown;
  readonly gasLimit?: unknown;
  readonly feeRecipient?: unknown;
  readonly prevRandao?: unknown;
  readonly baseFeePerGas?: unknown;
  readonly blobBaseFee?: unknown;
  readonly withdrawals?: unknown;
  readonly difficulty?: unknown;
  readonly beaconRoot?: unknown;
  readonly [field: string]: unknown;
}

/** A bundle of signed transactions. */
export interface RpcBundleOfSignedTransactions {
  readonly txs: readonly string[];
  readonly blockNumber: string | number;
  readonly stateBlockNumber: RpcBlockRef;
  readonly coinbase?: string | Absent;
  readonly timestamp?: string | number | Absent;
  readonly gasLimit?: string | number | Absent;
  readonly baseFee?: string | number | Absent;
  readonly [field: string]: unknown;
}

/** A bundle of calls. */
export interface RpcBundleOfCalls {
  readonly transactions: readonly RpcTransactionObject[];
  readonly blockOverride?: RpcBlockOverrideObject | Absent;
  readonly [field: string]: unknown;
}

/** A state context. */
export interface RpcStateContext {
  readonly blockNumber?: RpcBlockRef | Absent;
  readonly [field: string]: unknown;
}

/** A filter object. */
export interface RpcFilterObject {
  readonly blockHash?: string | Absent;
  readonly fromBlock?: RpcBlockRef | Absent;
  readonly toBlock?: RpcBlockRef | Absent;
  readonly address?: string | readonly unknown[] | Absent;
  readonly topics?: readonly unknown[] | Absent;
  readonly [field: string]: unknown;
}

/** An object of conditions. */
export interface RpcObjectOfConditions {
  readonly knownAccounts?: { readonly [field: string]: unknown } | Absent;
  readonly blockNumberMin?: string | number | Absent;
  readonly blockNumberMax?: string | number | Absent;
  readonly timestampMin?: string | number | Absent;
  readonly timestampMax?: string | number | Absent;
  readonly paysCoinbase?: unknown;
  readonly [field: string]: unknown;
}

/** A simulation payload. */
export interface RpcSimulationPayload {
  readonly blockStateCalls: readonly RpcBlockStateCall[];
  readonly traceTransfers?: boolean | Absent;
  readonly validation?: boolean | Absent;
  readonly returnFullTransactions?: boolean | Absent;
  readonly [field: string]: unknown;
}

/** A block state call. */
export interface RpcBlockStateCall {
  readonly calls?: readonly RpcTransactionObject[] | Absent;
  readonly stateOverrides?: { readonly [field: string]: unknown } | Absent;
  readonly blockOverrides?: RpcBlockOverrideObject | Absent;
  readonly [field: string]: unknown;
}

/** Payload attributes. */
export interface RpcPayloadAttributes {
  readonly timestamp: string | number;
  readonly prevRandao: string;
  readonly suggestedFeeRecipient: string;
  readonly withdrawals?: readonly RpcWithdrawalEIP4895[] | Absent;
  readonly parentBeaconBlockRoot?: string | Absent;
  readonly targetGasLimit?: string | number | Absent;
  readonly [field: string]: unknown;
}

/** A withdrawal (EIP-4895). */
export interface RpcWithdrawalEIP4895 {
  readonly index: string | number;
  readonly validatorIndex: string | number;
  readonly address: string;
  readonly amount: string | number;
  readonly [field: string]: unknown;
}

/** A trace filter. */
export interface RpcTraceFilter {
  readonly fromBlock?: RpcBlockRef | Absent;
  readonly toBlock?: RpcBlockRef | Absent;
  readonly fromAddress?: readonly string[] | Absent;
  readonly toAddress?: readonly string[] | Absent;
  readonly after?: string | number | Absent;
  readonly count?: string | number | Absent;
  readonly [field: string]: unknown;
}

/** Each method's parameters and answer. What no type says of an answer, docs/methods.md does. */
export interface RpcMethods {
  anvil_addBalance: RpcMethod<[account: string, amount: string | number], null | true>;
  anvil_autoImpersonateAccount: RpcMethod<[on: boolean], null | true>;
  anvil_dealERC20: RpcMethod<[account: string, token: string, amount: string | number], null | true>;
  anvil_dropAllTransactions: RpcMethod<[], null | true>;
  anvil_dropTransaction: RpcMethod<[hash: string], unknown>;
  anvil_dumpState: RpcMethod<[boolean?: boolean | Absent], Hex>;
  anvil_getAutomine: RpcMethod<[], boolean>;
  anvil_getBlobByHash: RpcMethod<[hash: string], Hex | null>;
  anvil_getBlobsByTransactionHash: RpcMethod<[hash: string], readonly Hex[] | null>;
  anvil_getGenesisTime: RpcMethod<[], number>;
  anvil_getIntervalMining: RpcMethod<[], unknown>;
  anvil_getLastBlockWallTime: RpcMethod<[], number>;
  anvil_impersonateAccount: RpcMethod<[account: string], null | true>;
  anvil_impersonateSignature: RpcMethod<[first: string, second?: string | Absent], null | true>;
  anvil_loadState: RpcMethod<[bytes: string], true>;
  anvil_metadata: RpcMethod<[], RpcFields<'clientVersion' | 'chainId' | 'instanceId' | 'latestBlockNumber' | 'latestBlockHash' | 'snapshots', 'forkedNetwork'>>;
  anvil_mine: RpcMethod<[blockCount?: string | number | Absent, interval?: string | number | Absent], null | true>;
  anvil_nodeInfo: RpcMethod<[], RpcFields<'currentBlockNumber' | 'currentBlockTimestamp' | 'currentBlockHash' | 'hardFork' | 'transactionOrder' | 'environment' | 'forkConfig', 'network'>>;
  anvil_removeBlockTimestampInterval: RpcMethod<[], boolean>;
  anvil_removePoolTransactions: RpcMethod<[sender: string], null | true>;
  anvil_reorg: RpcMethod<[depth: string | number, pairs?: readonly unknown[] | Absent], null | true>;
  anvil_reset: RpcMethod<[options?: RpcObjectWithForking | Absent], null | true>;
  anvil_rollback: RpcMethod<[depth?: string | number | Absent], null | true>;
  anvil_setBalance: RpcMethod<[account: string, balance: string | number], null | true>;
  anvil_setBlockTimestampInterval: RpcMethod<[interval: string | number], null | true>;
  anvil_setChainId: RpcMethod<[chainId: string | number], null | true>;
  anvil_setCode: RpcMethod<[account: string, code: string], null | true>;
  anvil_setCoinbase: RpcMethod<[coinbase: string], null | true>;
  anvil_setERC20Allowance: RpcMethod<[owner: string, spender: string, token: string, amount: string | number], null | true>;
  anvil_setFeeAmmLiquidity: RpcMethod<[address: string, address: string, quantity: string | number], never>;
  anvil_setFeeToken: RpcMethod<[address: string, address: string], never>;
  anvil_setLoggingEnabled: RpcMethod<[on: boolean], null | true>;
  anvil_setMinGasPrice: RpcMethod<[wei: string | number], null | true>;
  anvil_setNextBlockBaseFeePerGas: RpcMethod<[baseFeePerGas: string | number], null | true>;
  anvil_setNextBlockPrevRandao: RpcMethod<[prevRandao: string], null | true>;
  anvil_setNonce: RpcMethod<[account: string, nonce: string | number], null | true>;
  anvil_setRpcUrl: RpcMethod<[url: string], null | true>;
  anvil_setStorageAt: RpcMethod<[account: string, position: string | number, value: string], true>;
  anvil_setTime: RpcMethod<[seconds: string | number], number>;
  anvil_setValidatorFeeToken: RpcMethod<[address: string, address: string], never>;
  anvil_stopImpersonatingAccount: RpcMethod<[account: string], null | boolean>;
  base_transactionStatus: RpcMethod<[hash: string], unknown>;
  debug_accountInfoAt: RpcMethod<[block: RpcBlockRef, index: string | number, account: string], RpcFields<'balance' | 'nonce' | 'code'>>;
  debug_codeByHash: RpcMethod<[hash: string, anyBlock?: RpcBlockRef | Absent], Hex>;
  debug_dbGet: RpcMethod<[key: string], Hex | null>;
  debug_executionWitness: RpcMethod<[block: RpcBlockRef], RpcFields<'state' | 'codes' | 'keys' | 'headers'>>;
  debug_getBadBlocks: RpcMethod<[], readonly never[]>;
  debug_getModifiedAccountsByHash: RpcMethod<[start: string, end?: string | Absent], readonly Hex[]>;
  debug_getModifiedAccountsByNumber: RpcMethod<[blockNumber: RpcBlockRef, blockNumber?: RpcBlockRef | Absent], readonly Hex[]>;
  debug_getRawBlock: RpcMethod<[block: RpcBlockRef], Hex>;
  debug_getRawHeader: RpcMethod<[block: RpcBlockRef], Hex>;
  debug_getRawReceipts: RpcMethod<[block: RpcBlockRef], readonly Hex[]>;
  debug_getRawTransaction: RpcMethod<[hash: string], Hex>;
  debug_getRawTransactions: RpcMethod<[block: RpcBlockRef], readonly Hex[]>;
  debug_storageRangeAt: RpcMethod<[block: RpcBlockRef, index: number, account: string, start: string, limit: number], RpcFields<'storage' | 'nextKey'>>;
  debug_traceBlock: RpcMethod<[rlp: string, traceConfig?: RpcTraceConfiguration | Absent], readonly RpcFields<'txHash' | 'result'>[]>;
  debug_traceBlockByHash: RpcMethod<[hash: string, traceConfig?: RpcTraceConfiguration | Absent], readonly RpcFields<'txHash' | 'result'>[]>;
  debug_traceBlockByNumber: RpcMethod<[block: RpcBlockRef, traceConfig?: RpcTraceConfiguration | Absent], readonly RpcFields<'txHash' | 'result'>[]>;
  debug_traceCall: RpcMethod<[transactionRequest: RpcTransactionObject, block?: RpcBlockRef | Absent, traceCallConfig?: RpcTraceConfiguration | Absent], unknown>;
  debug_traceTransaction: RpcMethod<[hash: string, traceConfig?: RpcTraceConfiguration | Absent], unknown>;
  devnet_chainOptions: RpcMethod<[], unknown>;
  devnet_delaySeal: RpcMethod<[ms: string | number], true>;
  devnet_dropPreconfirmed: RpcMethod<[hash: string], true>;
  devnet_duplicateFlashblock: RpcMethod<[index?: string | number | Absent], true>;
  devnet_failPreconfirmed: RpcMethod<[hash: string], Hex>;
  devnet_flashblocks: RpcMethod<[], unknown>;
  devnet_gapFlashblock: RpcMethod<[messages?: string | number | Absent], true>;
  devnet_holdFlashblocks: RpcMethod<[wanted: string | number | { readonly [field: string]: unknown }], true>;
  devnet_metrics: RpcMethod<[reset?: boolean | Absent], unknown>;
  devnet_promote: RpcMethod<[], unknown>;
  devnet_refuseSender: RpcMethod<[sender: string, on?: boolean | Absent], true>;
  devnet_reorg: RpcMethod<[depth: string | number, options?: RpcObjectWithReinclude | Absent], true>;
  devnet_seal: RpcMethod<[], Hex>;
  devnet_searchTransactions: RpcMethod<[transactionSearch?: RpcSearch | Absent], RpcFields<'transactions' | 'receipts' | 'next'>>;
  devnet_skipFlashblocks: RpcMethod<[slots: string | number], true>;
  devnet_startRecording: RpcMethod<[path: unknown], true>;
  devnet_stateDiff: RpcMethod<[from: RpcBlockRef, to: RpcBlockRef], unknown>;
  devnet_status: RpcMethod<[], unknown>;
  devnet_stopRecording: RpcMethod<[], boolean>;
  devnet_tick: RpcMethod<[ms?: string | number | Absent], number>;
  erigon_getHeaderByNumber: RpcMethod<[block: RpcBlockRef], RpcBlock | null>;
  eth_accounts: RpcMethod<[], readonly Hex[]>;
  eth_baseFee: RpcMethod<[], Hex>;
  eth_blobBaseFee: RpcMethod<[], Hex>;
  eth_blockNumber: RpcMethod<[], Hex>;
  eth_call: RpcMethod<[transactionRequest: RpcTransactionObject, block?: RpcBlockRef | Absent, stateOverrides?: { readonly [field: string]: unknown } | Absent, blockOverrides?: RpcBlockOverrideObject | Absent], Hex>;
  eth_callBundle: RpcMethod<[given: RpcBundleOfSignedTransactions], RpcFields<'bundleHash' | 'bundleGasPrice' | 'coinbaseDiff' | 'ethSentToCoinbase' | 'gasFees' | 'results' | 'stateBlockNumber' | 'totalGasUsed'>>;
  eth_callMany: RpcMethod<[list: readonly RpcBundleOfCalls[], context?: RpcStateContext | Absent, stateOverrides?: { readonly [field: string]: unknown } | Absent], unknown>;
  eth_capabilities: RpcMethod<[], RpcFields<'head' | 'state' | 'tx' | 'logs' | 'receipts' | 'blocks' | 'stateproofs'>>;
  eth_chainId: RpcMethod<[], Hex>;
  eth_coinbase: RpcMethod<[], Hex>;
  eth_config: RpcMethod<[], RpcFields<'current' | 'next' | 'last'>>;
  eth_createAccessList: RpcMethod<[transactionRequest: RpcTransactionObject, block?: RpcBlockRef | Absent, stateOverrides?: { readonly [field: string]: unknown } | Absent], RpcFields<'accessList' | 'gasUsed', 'error'>>;
  eth_estimateGas: RpcMethod<[transactionRequest: RpcTransactionObject, block?: RpcBlockRef | Absent, stateOverrides?: { readonly [field: string]: unknown } | Absent, blockOverrides?: RpcBlockOverrideObject | Absent], Hex>;
  eth_feeHistory: RpcMethod<[count: string | number, newest: RpcBlockRef, rewards?: readonly number[] | Absent], RpcFields<'oldestBlock' | 'baseFeePerGas' | 'gasUsedRatio' | 'baseFeePerBlobGas' | 'blobGasUsedRatio', 'reward'>>;
  eth_fillTransaction: RpcMethod<[transactionRequest: RpcTransactionObject], RpcFields<'raw' | 'tx'>>;
  eth_gasPrice: RpcMethod<[], Hex>;
  eth_getAccount: RpcMethod<[account: string, block?: RpcBlockRef | Absent], RpcFields<'nonce' | 'balance' | 'storageRoot' | 'codeHash'>>;
  eth_getAccountInfo: RpcMethod<[account: string, block?: RpcBlockRef | Absent], RpcFields<'balance' | 'nonce' | 'code'>>;
  eth_getBalance: RpcMethod<[account: string, block?: RpcBlockRef | Absent], Hex>;
  eth_getBlockByHash: RpcMethod<[hash: string, full: boolean], RpcBlock | null>;
  eth_getBlockByNumber: RpcMethod<[block: RpcBlockRef, full: boolean], RpcBlock | null>;
  eth_getBlockReceipts: RpcMethod<[block: RpcBlockRef], readonly RpcReceipt[] | null>;
  eth_getBlockTransactionCountByHash: RpcMethod<[hash: string], Hex | null>;
  eth_getBlockTransactionCountByNumber: RpcMethod<[block: RpcBlockRef], Hex | null>;
  eth_getCode: RpcMethod<[account: string, block?: RpcBlockRef | Absent], Hex>;
  eth_getFilterChanges: RpcMethod<[id: string], readonly RpcLog[] | readonly Hex[]>;
  eth_getFilterLogs: RpcMethod<[id: string], readonly RpcLog[]>;
  eth_getHeaderByHash: RpcMethod<[hash: string], RpcBlock | null>;
  eth_getHeaderByNumber: RpcMethod<[block: RpcBlockRef], RpcBlock | null>;
  eth_getLogs: RpcMethod<[logFilter: RpcFilterObject], readonly RpcLog[]>;
  eth_getProof: RpcMethod<[account: string, keys: readonly (string | number)[], block?: RpcBlockRef | Absent], RpcFields<'address' | 'accountProof' | 'balance' | 'codeHash' | 'nonce' | 'storageHash' | 'storageProof'>>;
  eth_getRawTransactionByBlockHashAndIndex: RpcMethod<[hash: string, index: string | number], Hex | null>;
  eth_getRawTransactionByBlockNumberAndIndex: RpcMethod<[block: RpcBlockRef, index: string | number], Hex | null>;
  eth_getRawTransactionByHash: RpcMethod<[hash: string], Hex | null>;
  eth_getStorageAt: RpcMethod<[account: string, key: string | number, block?: RpcBlockRef | Absent], Hex>;
  eth_getStorageValues: RpcMethod<[accounts: { readonly [field: string]: unknown }, block?: RpcBlockRef | Absent], unknown>;
  eth_getTransactionByBlockHashAndIndex: RpcMethod<[hash: string, position: string | number], RpcTransaction | null>;
  eth_getTransactionByBlockNumberAndIndex: RpcMethod<[block: RpcBlockRef, position: string | number], RpcTransaction | null>;
  eth_getTransactionByHash: RpcMethod<[hash: string], RpcTransaction | null>;
  eth_getTransactionBySenderAndNonce: RpcMethod<[sender: string, nonce: string | number], RpcTransaction | null>;
  eth_getTransactionCount: RpcMethod<[account: string, block?: RpcBlockRef | Absent], Hex>;
  eth_getTransactionReceipt: RpcMethod<[hash: string], RpcReceipt | null>;
  eth_getUncleByBlockHashAndIndex: RpcMethod<[hash: string, index: string | number], RpcBlock | null>;
  eth_getUncleByBlockNumberAndIndex: RpcMethod<[block: RpcBlockRef, index: string | number], RpcBlock | null>;
  eth_getUncleCountByBlockHash: RpcMethod<[hash: string], Hex | null>;
  eth_getUncleCountByBlockNumber: RpcMethod<[block: RpcBlockRef], Hex | null>;
  eth_getWork: RpcMethod<[], never>;
  eth_hashrate: RpcMethod<[], Hex>;
  eth_maxPriorityFeePerGas: RpcMethod<[], Hex>;
  eth_mining: RpcMethod<[], boolean>;
  eth_newBlockFilter: RpcMethod<[], Hex>;
  eth_newFilter: RpcMethod<[logFilter?: RpcFilterObject | Absent], Hex>;
  eth_newPendingTransactionFilter: RpcMethod<[], Hex>;
  eth_pendingTransactions: RpcMethod<[], readonly RpcTransaction[]>;
  eth_protocolVersion: RpcMethod<[], Hex>;
  eth_resend: RpcMethod<[transactionRequest: RpcTransactionObject, quantity?: string | number | Absent, uint64?: string | number | Absent], Hex>;
  eth_sendRawTransaction: RpcMethod<[raw: string], Hex>;
  eth_sendRawTransactionConditional: RpcMethod<[raw: string, conditions: RpcObjectOfConditions], Hex>;
  eth_sendRawTransactionSync: RpcMethod<[raw: string, syncTimeout?: string | number | Absent], RpcReceipt>;
  eth_sendTransaction: RpcMethod<[transactionRequest: RpcTransactionObject], Hex>;
  eth_sendTransactionSync: RpcMethod<[request?: unknown, syncTimeout?: string | number | Absent], RpcReceipt>;
  eth_sendUnsignedTransaction: RpcMethod<[transactionRequest: RpcTransactionObject], Hex>;
  eth_sign: RpcMethod<[signer: string, message: string], Hex>;
  eth_signRawTransaction: RpcMethod<[data: string], never>;
  eth_signTransaction: RpcMethod<[transactionRequest: RpcTransactionObject], Hex>;
  eth_signTypedData_v4: RpcMethod<[signer: string, typedData: unknown], Hex>;
  eth_simulateV1: RpcMethod<[simulationPayload: RpcSimulationPayload, block?: RpcBlockRef | Absent], readonly RpcBlock[]>;
  eth_submitHashrate: RpcMethod<[quantity: string | number, hash32: string], never>;
  eth_submitWork: RpcMethod<[data: string, hash32: string, hash32: string], never>;
  eth_subscribe: RpcMethod<[kind: string, argument?: unknown], Hex>;
  eth_syncing: RpcMethod<[], false>;
  eth_uninstallFilter: RpcMethod<[id: string], boolean>;
  eth_unsubscribe: RpcMethod<[id: string], boolean>;
  evm_increaseTime: RpcMethod<[seconds: string | number], number | string>;
  evm_mine: RpcMethod<[mineOptions?: string | number | { readonly [field: string]: unknown } | Absent], string>;
  evm_mine_detailed: RpcMethod<[mineOptions?: string | number | { readonly [field: string]: unknown } | Absent], readonly RpcBlock[]>;
  evm_revert: RpcMethod<[id: string | number], boolean>;
  evm_setAutomine: RpcMethod<[on: boolean], null | true>;
  evm_setBlockGasLimit: RpcMethod<[gasLimit: string | number], true>;
  evm_setIntervalMining: RpcMethod<[intervalTime: string | number], null | true>;
  evm_setNextBlockTimestamp: RpcMethod<[timestamp: string | number], null | string>;
  evm_snapshot: RpcMethod<[], Hex>;
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
  ots_getBlockTransactions: RpcMethod<[block: RpcBlockRef, page: string | number, pageSize: string | number], RpcFields<'fullblock' | 'receipts'> | null>;
  ots_getContractCreator: RpcMethod<[account: string], RpcFields<'hash' | 'creator'> | null>;
  ots_getInternalOperations: RpcMethod<[hash: string], readonly RpcFields<'type' | 'from' | 'to' | 'value'>[]>;
  ots_getTransactionBySenderAndNonce: RpcMethod<[sender: string, nonce: string | number], Hex | null>;
  ots_getTransactionError: RpcMethod<[hash: string], Hex>;
  ots_hasCode: RpcMethod<[account: string, block?: RpcBlockRef | Absent], boolean>;
  ots_searchTransactionsAfter: RpcMethod<[account: string, number: string | number, pageSize: string | number], RpcFields<'txs' | 'receipts' | 'firstPage' | 'lastPage'>>;
  ots_searchTransactionsBefore: RpcMethod<[account: string, number: string | number, pageSize: string | number], RpcFields<'txs' | 'receipts' | 'firstPage' | 'lastPage'>>;
  ots_traceTransaction: RpcMethod<[hash: string], readonly RpcFields<'type' | 'depth' | 'from' | 'to' | 'value' | 'input' | 'output'>[]>;
  personal_importRawKey: RpcMethod<[key: string, passphrase: string], Hex>;
  personal_lockAccount: RpcMethod<[account: string], boolean>;
  personal_newAccount: RpcMethod<[passphrase: string], Hex>;
  personal_sendTransaction: RpcMethod<[transactionRequest: RpcTransactionObject, passphrase?: string | Absent], Hex>;
  personal_sign: RpcMethod<[message: string, signer: string, passphrase?: string | Absent], Hex>;
  personal_signTransaction: RpcMethod<[transactionRequest: RpcTransactionObject, passphrase?: string | Absent], Hex>;
  personal_unlockAccount: RpcMethod<[account: string, passphrase?: string | Absent, quantity?: string | number | Absent], true>;
  rpc_modules: RpcMethod<[], unknown>;
  testing_buildBlockV1: RpcMethod<[hash: string, given: RpcPayloadAttributes, raws?: readonly string[] | Absent, extraData?: string | Absent], unknown>;
  trace_block: RpcMethod<[block: RpcBlockRef], readonly { readonly [field: string]: unknown }[] | null>;
  trace_blockOpcodeGas: RpcMethod<[block?: RpcBlockRef | Absent], RpcFields<'blockHash' | 'blockNumber' | 'transactions'> | null>;
  trace_call: RpcMethod<[transactionRequest: RpcTransactionObject, traceKinds: readonly unknown[], block?: RpcBlockRef | Absent], RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>>;
  trace_callMany: RpcMethod<[calls: readonly { readonly [field: string]: unknown }[], block?: RpcBlockRef | Absent], readonly RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>[]>;
  trace_filter: RpcMethod<[traceFilter: RpcTraceFilter], readonly { readonly [field: string]: unknown }[]>;
  trace_get: RpcMethod<[hash: string, address: readonly (string | number)[]], { readonly [field: string]: unknown } | null>;
  trace_rawTransaction: RpcMethod<[raw: string, traceKinds: readonly unknown[], block?: RpcBlockRef | Absent], RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>>;
  trace_replayBlockTransactions: RpcMethod<[block: RpcBlockRef, traceKinds: readonly unknown[]], readonly RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace' | 'transactionHash'>[] | null>;
  trace_replayTransaction: RpcMethod<[hash: string, traceKinds: readonly unknown[]], RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'> | null>;
  trace_transaction: RpcMethod<[hash: string], readonly { readonly [field: string]: unknown }[] | null>;
  trace_transactionOpcodeGas: RpcMethod<[hash: string], RpcFields<'transactionHash' | 'opcodeGas'>>;
  txpool_content: RpcMethod<[], RpcFields<'pending' | 'queued'>>;
  txpool_contentFrom: RpcMethod<[sender: string], RpcFields<'pending' | 'queued'>>;
  txpool_inspect: RpcMethod<[], RpcFields<'pending' | 'queued'>>;
  txpool_status: RpcMethod<[], RpcFields<'pending' | 'queued'>>;
  web3_clientVersion: RpcMethod<[], string>;
  web3_sha3: RpcMethod<[bytes: string], Hex>;
  readonly hardhat_addBalance: RpcMethods['anvil_addBalance'];
  readonly tenderly_addBalance: RpcMethods['anvil_addBalance'];
  readonly hardhat_autoImpersonateAccount: RpcMethods['anvil_autoImpersonateAccount'];
  readonly anvil_dealErc20: RpcMethods['anvil_dealERC20'];
  readonly anvil_setERC20Balance: RpcMethods['anvil_dealERC20'];
  readonly hardhat_dealERC20: RpcMethods['anvil_dealERC20'];
  readonly tenderly_setErc20Balance: RpcMethods['anvil_dealERC20'];
  readonly debug_clearTxpool: RpcMethods['anvil_dropAllTransactions'];
  readonly hardhat_dropAllTransactions: RpcMethods['anvil_dropAllTransactions'];
  readonly hardhat_dumpState: RpcMethods['anvil_dumpState'];
  readonly hardhat_getAutomine: RpcMethods['anvil_getAutomine'];
  readonly hardhat_getIntervalMining: RpcMethods['anvil_getIntervalMining'];
  readonly hardhat_impersonateAccount: RpcMethods['anvil_impersonateAccount'];
  readonly hardhat_loadState: RpcMethods['anvil_loadState'];
  readonly hardhat_metadata: RpcMethods['anvil_metadata'];
  readonly hardhat_mine: RpcMethods['anvil_mine'];
  readonly hardhat_nodeInfo: RpcMethods['anvil_nodeInfo'];
  readonly evm_removeBlockTimestampInterval: RpcMethods['anvil_removeBlockTimestampInterval'];
  readonly hardhat_removeBlockTimestampInterval: RpcMethods['anvil_removeBlockTimestampInterval'];
  readonly hardhat_removePoolTransactions: RpcMethods['anvil_removePoolTransactions'];
  readonly hardhat_reset: RpcMethods['anvil_reset'];
  readonly evm_setAccountBalance: RpcMethods['anvil_setBalance'];
  readonly hardhat_setBalance: RpcMethods['anvil_setBalance'];
  readonly tenderly_setBalance: RpcMethods['anvil_setBalance'];
  readonly evm_setBlockTimestampInterval: RpcMethods['anvil_setBlockTimestampInterval'];
  readonly hardhat_setBlockTimestampInterval: RpcMethods['anvil_setBlockTimestampInterval'];
  readonly hardhat_setChainId: RpcMethods['anvil_setChainId'];
  readonly evm_setAccountCode: RpcMethods['anvil_setCode'];
  readonly hardhat_setCode: RpcMethods['anvil_setCode'];
  readonly tenderly_setCode: RpcMethods['anvil_setCode'];
  readonly hardhat_setCoinbase: RpcMethods['anvil_setCoinbase'];
  readonly anvil_setErc20Allowance: RpcMethods['anvil_setERC20Allowance'];
  readonly hardhat_setERC20Allowance: RpcMethods['anvil_setERC20Allowance'];
  readonly hardhat_setLoggingEnabled: RpcMethods['anvil_setLoggingEnabled'];
  readonly hardhat_setMinGasPrice: RpcMethods['anvil_setMinGasPrice'];
  readonly hardhat_setNextBlockBaseFeePerGas: RpcMethods['anvil_setNextBlockBaseFeePerGas'];
  readonly anvil_setPrevRandao: RpcMethods['anvil_setNextBlockPrevRandao'];
  readonly hardhat_setPrevRandao: RpcMethods['anvil_setNextBlockPrevRandao'];
  readonly evm_setAccountNonce: RpcMethods['anvil_setNonce'];
  readonly hardhat_setNonce: RpcMethods['anvil_setNonce'];
  readonly tenderly_setNonce: RpcMethods['anvil_setNonce'];
  readonly hardhat_setRpcUrl: RpcMethods['anvil_setRpcUrl'];
  readonly evm_setAccountStorageAt: RpcMethods['anvil_setStorageAt'];
  readonly hardhat_setStorageAt: RpcMethods['anvil_setStorageAt'];
  readonly tenderly_setStorageAt: RpcMethods['anvil_setStorageAt'];
  readonly evm_setTime: RpcMethods['anvil_setTime'];
  readonly hardhat_stopImpersonatingAccount: RpcMethods['anvil_stopImpersonatingAccount'];
  readonly eth_requestAccounts: RpcMethods['eth_accounts'];
  readonly personal_listAccounts: RpcMethods['eth_accounts'];
  readonly eth_signTypedData: RpcMethods['eth_signTypedData_v4'];
  readonly eth_signTypedData_v3: RpcMethods['eth_signTypedData_v4'];
  readonly anvil_increaseTime: RpcMethods['evm_increaseTime'];
  readonly anvil_mineDetailed: RpcMethods['evm_mine_detailed'];
  readonly anvil_mine_detailed: RpcMethods['evm_mine_detailed'];
  readonly anvil_revert: RpcMethods['evm_revert'];
  readonly anvil_setAutomine: RpcMethods['evm_setAutomine'];
  readonly hardhat_setAutomine: RpcMethods['evm_setAutomine'];
  readonly anvil_setBlockGasLimit: RpcMethods['evm_setBlockGasLimit'];
  readonly anvil_setIntervalMining: RpcMethods['evm_setIntervalMining'];
  readonly hardhat_setIntervalMining: RpcMethods['evm_setIntervalMining'];
  readonly anvil_setNextBlockTimestamp: RpcMethods['evm_setNextBlockTimestamp'];
  readonly anvil_snapshot: RpcMethods['evm_snapshot'];
  readonly eth_networkId: RpcMethods['net_version'];
}

