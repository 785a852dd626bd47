// npm run docs writes this file from the definitions in src/rpc/methods

/** `0x` and hex digits. */
export type Hex = `0x${string}`;

/** What stands for a value that is left out. */
type None = null | undefined;

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

/** What each method takes and answers. What no type says of an answer, docs/methods.md does. */
export interface RpcMethods {
  anvil_addBalance(account: string, amount: RpcNumber): Done;
  anvil_autoImpersonateAccount(on: boolean): Done;
  anvil_dealERC20(account: string, token: string, amount: RpcNumber): Done;
  anvil_dropAllTransactions(): Done;
  anvil_dropTransaction(hash: string): unknown;
  anvil_dumpState(boolean?: boolean | None): Hex;
  anvil_getAutomine(): boolean;
  anvil_getBlobByHash(hash: string): Hex | null;
  anvil_getBlobsByTransactionHash(hash: string): readonly Hex[] | null;
  anvil_getGenesisTime(): number;
  anvil_getIntervalMining(): unknown;
  anvil_getLastBlockWallTime(): number;
  anvil_impersonateAccount(account: string): Done;
  anvil_impersonateSignature(first: string, second?: AnyText): Done;
  anvil_loadState(bytes: string): true;
  anvil_metadata(): RpcFields<'clientVersion' | 'chainId' | 'instanceId' | 'latestBlockNumber' | 'latestBlockHash' | 'snapshots', 'forkedNetwork'>;
  anvil_mine(blockCount?: AnyNumber, interval?: AnyNumber): Done;
  anvil_nodeInfo(): RpcFields<'currentBlockNumber' | 'currentBlockTimestamp' | 'currentBlockHash' | 'hardFork' | 'transactionOrder' | 'environment' | 'forkConfig', 'network'>;
  anvil_removeBlockTimestampInterval(): boolean;
  anvil_removePoolTransactions(sender: string): Done;
  anvil_reorg(depth: RpcNumber, pairs?: readonly unknown[] | None): Done;
  anvil_reset(options?: RpcObjectWithForking | None): Done;
  anvil_rollback(depth?: AnyNumber): Done;
  anvil_setBalance(account: string, balance: RpcNumber): Done;
  anvil_setBlockTimestampInterval(interval: RpcNumber): Done;
  anvil_setChainId(chainId: RpcNumber): Done;
  anvil_setCode(account: string, code: string): Done;
  anvil_setCoinbase(coinbase: string): Done;
  anvil_setERC20Allowance(owner: string, spender: string, token: string, amount: RpcNumber): Done;
  anvil_setFeeAmmLiquidity(address: string, address2: string, quantity: RpcNumber): never;
  anvil_setFeeToken(address: string, address2: string): never;
  anvil_setLoggingEnabled(on: boolean): Done;
  anvil_setMinGasPrice(wei: RpcNumber): Done;
  anvil_setNextBlockBaseFeePerGas(baseFeePerGas: RpcNumber): Done;
  anvil_setNextBlockPrevRandao(prevRandao: string): Done;
  anvil_setNonce(account: string, nonce: RpcNumber): Done;
  anvil_setRpcUrl(url: string): Done;
  anvil_setStorageAt(account: string, position: RpcNumber, value: string): true;
  anvil_setTime(seconds: RpcNumber): number;
  anvil_setValidatorFeeToken(address: string, address2: string): never;
  anvil_stopImpersonatingAccount(account: string): null | boolean;
  base_transactionStatus(hash: string): unknown;
  debug_accountInfoAt(block: RpcBlockRef, index: RpcNumber, account: string): RpcFields<'balance' | 'nonce' | 'code'>;
  debug_codeByHash(hash: string, anyBlock?: AnyBlock): Hex;
  debug_dbGet(key: string): Hex | null;
  debug_executionWitness(block: RpcBlockRef): RpcFields<'state' | 'codes' | 'keys' | 'headers'>;
  debug_getBadBlocks(): readonly never[];
  debug_getModifiedAccountsByHash(start: string, end?: AnyText): readonly Hex[];
  debug_getModifiedAccountsByNumber(blockNumber: RpcBlockRef, blockNumber2?: AnyBlock): readonly Hex[];
  debug_getRawBlock(block: RpcBlockRef): Hex;
  debug_getRawBlockAccessList(block: RpcBlockRef): Hex | null;
  debug_getRawHeader(block: RpcBlockRef): Hex;
  debug_getRawReceipts(block: RpcBlockRef): readonly Hex[];
  debug_getRawTransaction(hash: string): Hex;
  debug_getRawTransactions(block: RpcBlockRef): readonly Hex[];
  debug_storageRangeAt(block: RpcBlockRef, index: number, account: string, start: string, limit: number): RpcFields<'storage' | 'nextKey'>;
  debug_traceBlock(rlp: string, traceConfig?: RpcTraceConfiguration | None): readonly RpcFields<'txHash' | 'result'>[];
  debug_traceBlockByHash(hash: string, traceConfig?: RpcTraceConfiguration | None): readonly RpcFields<'txHash' | 'result'>[];
  debug_traceBlockByNumber(block: RpcBlockRef, traceConfig?: RpcTraceConfiguration | None): readonly RpcFields<'txHash' | 'result'>[];
  debug_traceCall(request: RpcTransactionObject, block?: AnyBlock, traceCallConfig?: RpcTraceConfiguration | None): unknown;
  debug_traceTransaction(hash: string, traceConfig?: RpcTraceConfiguration | None): unknown;
  devnet_blockAccesses(block: RpcBlockRef, index: RpcNumber): unknown;
  devnet_chainOptions(): unknown;
  devnet_consoleLogs(executable: string | RpcObject, block?: AnyBlock): readonly string[];
  devnet_coverage(from?: AnyBlock, to?: AnyBlock): RpcFields<'transactions' | 'total' | 'files' | 'lcov' | 'istanbul' | 'gas'>;
  devnet_delaySeal(ms: RpcNumber): true;
  devnet_dropPreconfirmed(hash: string): true;
  devnet_duplicateFlashblock(index?: AnyNumber): true;
  devnet_execution(hash: string): unknown;
  devnet_failPreconfirmed(hash: string): Hex;
  devnet_flashblocks(): unknown;
  devnet_gapFlashblock(messages?: AnyNumber): true;
  devnet_holdFlashblocks(wanted: RpcNumber | RpcObject): true;
  devnet_metrics(reset?: boolean | None): unknown;
  devnet_promote(): unknown;
  devnet_refuseSender(sender: string, on?: boolean | None): true;
  devnet_reorg(depth: RpcNumber, options?: RpcObjectWithReinclude | None): true;
  devnet_seal(): Hex;
  devnet_searchTransactions(transactionSearch?: RpcSearch | None): RpcFields<'transactions' | 'receipts' | 'next'>;
  devnet_skipFlashblocks(slots: RpcNumber): true;
  devnet_source(hash: string, file: RpcNumber): unknown;
  devnet_stackTrace(executable: string | RpcObject, block?: AnyBlock): RpcFields<'message' | 'frames'>;
  devnet_startRecording(path: unknown): true;
  devnet_stateAt(of: RpcBlockRef, index: RpcNumber): RpcFields<'block' | 'blockHash' | 'parentHash' | 'stateRoot' | 'timestamp' | 'gasUsed' | 'transactions' | 'added'>;
  devnet_stateDiff(from: RpcBlockRef, to: RpcBlockRef): unknown;
  devnet_status(): unknown;
  devnet_step(hash: string, step: RpcNumber | RpcObject): unknown;
  devnet_steps(hash: string, from: RpcNumber, count: RpcNumber): unknown;
  devnet_stepVariables(hash: string, step: RpcNumber): unknown;
  devnet_stopRecording(): boolean;
  devnet_storageLayout(account: string, block?: AnyBlock): unknown;
  devnet_tick(ms?: AnyNumber): number;
  devnet_transactionStatus(hash32: string): RpcFields<'hash' | 'status' | 'reason' | 'waitsFor' | 'replacedBy' | 'blockHash' | 'blockNumber' | 'transactionIndex' | 'flashblockIndex' | 'events'>;
  erigon_getHeaderByNumber(block: RpcBlockRef): RpcBlock | null;
  eth_accounts(): readonly Hex[];
  eth_baseFee(): Hex;
  eth_blobBaseFee(): Hex;
  eth_blockNumber(): Hex;
  eth_call(request: RpcTransactionObject, block?: AnyBlock, stateOverrides?: AnyObject, blockOverrides?: RpcBlockOverrideObject | None): Hex;
  eth_callBundle(given: RpcBundleOfSignedTransactions): RpcFields<'bundleHash' | 'bundleGasPrice' | 'coinbaseDiff' | 'ethSentToCoinbase' | 'gasFees' | 'results' | 'stateBlockNumber' | 'totalGasUsed'>;
  eth_callMany(list: readonly RpcBundleOfCalls[], context?: RpcStateContext | None, stateOverrides?: AnyObject): unknown;
  eth_capabilities(): RpcFields<'head' | 'state' | 'tx' | 'logs' | 'receipts' | 'blocks' | 'stateproofs'>;
  eth_chainId(): Hex;
  eth_coinbase(): Hex;
  eth_config(): RpcFields<'current' | 'next' | 'last'>;
  eth_createAccessList(request: RpcTransactionObject, block?: AnyBlock, stateOverrides?: AnyObject): RpcFields<'accessList' | 'gasUsed', 'error'>;
  eth_estimateGas(request: RpcTransactionObject, block?: AnyBlock, stateOverrides?: AnyObject, blockOverrides?: RpcBlockOverrideObject | None): Hex;
  eth_feeHistory(count: RpcNumber, newest: RpcBlockRef, rewards?: readonly number[] | None): RpcFields<'oldestBlock' | 'baseFeePerGas' | 'gasUsedRatio' | 'baseFeePerBlobGas' | 'blobGasUsedRatio', 'reward'>;
  eth_fillTransaction(request: RpcTransactionObject): RpcFields<'raw' | 'tx'>;
  eth_gasPrice(): Hex;
  eth_getAccount(account: string, block?: AnyBlock): RpcFields<'nonce' | 'balance' | 'storageRoot' | 'codeHash'>;
  eth_getAccountInfo(account: string, block?: AnyBlock): RpcFields<'balance' | 'nonce' | 'code'>;
  eth_getBalance(account: string, block?: AnyBlock): Hex;
  eth_getBlockAccessList(block: RpcBlockRef): unknown;
  eth_getBlockByHash(hash: string, full: boolean): RpcBlock | null;
  eth_getBlockByNumber(block: RpcBlockRef, full: boolean): RpcBlock | null;
  eth_getBlockReceipts(block: RpcBlockRef): readonly RpcReceipt[] | null;
  eth_getBlockTransactionCountByHash(hash: string): Hex | null;
  eth_getBlockTransactionCountByNumber(block: RpcBlockRef): Hex | null;
  eth_getCode(account: string, block?: AnyBlock): Hex;
  eth_getFilterChanges(id: string): readonly RpcLog[] | readonly Hex[];
  eth_getFilterLogs(id: string): readonly RpcLog[];
  eth_getHeaderByHash(hash: string): RpcBlock | null;
  eth_getHeaderByNumber(block: RpcBlockRef): RpcBlock | null;
  eth_getLogs(logFilter: RpcFilterObject): readonly RpcLog[];
  eth_getProof(account: string, keys: readonly RpcNumber[], block?: AnyBlock): RpcFields<'address' | 'accountProof' | 'balance' | 'codeHash' | 'nonce' | 'storageHash' | 'storageProof'>;
  eth_getRawTransactionByBlockHashAndIndex(hash: string, index: RpcNumber): Hex | null;
  eth_getRawTransactionByBlockNumberAndIndex(block: RpcBlockRef, index: RpcNumber): Hex | null;
  eth_getRawTransactionByHash(hash: string): Hex | null;
  eth_getStorageAt(account: string, key: RpcNumber, block?: AnyBlock): Hex;
  eth_getStorageValues(accounts: RpcObject, block?: AnyBlock): unknown;
  eth_getTransactionByBlockHashAndIndex(hash: string, position: RpcNumber): RpcTransaction | null;
  eth_getTransactionByBlockNumberAndIndex(block: RpcBlockRef, position: RpcNumber): RpcTransaction | null;
  eth_getTransactionByHash(hash: string): RpcTransaction | null;
  eth_getTransactionBySenderAndNonce(sender: string, nonce: RpcNumber): RpcTransaction | null;
  eth_getTransactionCount(account: string, block?: AnyBlock): Hex;
  eth_getTransactionReceipt(hash: string): RpcReceipt | null;
  eth_getUncleByBlockHashAndIndex(hash: string, index: RpcNumber): RpcBlock | null;
  eth_getUncleByBlockNumberAndIndex(block: RpcBlockRef, index: RpcNumber): RpcBlock | null;
  eth_getUncleCountByBlockHash(hash: string): Hex | null;
  eth_getUncleCountByBlockNumber(block: RpcBlockRef): Hex | null;
  eth_getWork(): never;
  eth_hashrate(): Hex;
  eth_maxPriorityFeePerGas(): Hex;
  eth_mining(): boolean;
  eth_newBlockFilter(): Hex;
  eth_newFilter(logFilter?: RpcFilterObject | None): Hex;
  eth_newPendingTransactionFilter(): Hex;
  eth_pendingTransactions(): readonly RpcTransaction[];
  eth_protocolVersion(): Hex;
  eth_resend(request: RpcTransactionObject, quantity?: AnyNumber, uint64?: AnyNumber): Hex;
  eth_sendRawTransaction(raw: string): Hex;
  eth_sendRawTransactionConditional(raw: string, conditions: RpcObjectOfConditions): Hex;
  eth_sendRawTransactionSync(raw: string, syncTimeout?: AnyNumber): RpcReceipt;
  eth_sendTransaction(request: RpcTransactionObject): Hex;
  eth_sendTransactionSync(request?: unknown, syncTimeout?: AnyNumber): RpcReceipt;
  eth_sendUnsignedTransaction(request: RpcTransactionObject): Hex;
  eth_sign(signer: string, message: string): Hex;
  eth_signRawTransaction(data: string): never;
  eth_signTransaction(request: RpcTransactionObject): Hex;
  eth_signTypedData_v4(signer: string, typedData: unknown): Hex;
  eth_simulateV1(simulationPayload: RpcSimulationPayload, block?: AnyBlock): readonly RpcBlock[];
  eth_submitHashrate(quantity: RpcNumber, hash32: string): never;
  eth_submitWork(data: string, hash32: string, hash323: string): never;
  eth_subscribe(kind: string, argument?: unknown): Hex;
  eth_syncing(): false;
  eth_uninstallFilter(id: string): boolean;
  eth_unsubscribe(id: string): boolean;
  evm_increaseTime(seconds: RpcNumber): number | string;
  evm_mine(mineOptions?: RpcNumber | AnyObject): string;
  evm_mine_detailed(mineOptions?: RpcNumber | AnyObject): readonly RpcBlock[];
  evm_revert(id: RpcNumber): boolean;
  evm_setAutomine(on: boolean): Done;
  evm_setBlockGasLimit(gasLimit: RpcNumber): true;
  evm_setIntervalMining(intervalTime: RpcNumber): Done;
  evm_setNextBlockTimestamp(timestamp: RpcNumber): null | string;
  evm_snapshot(): Hex;
  hardhat_addCompilationResult(solcVersion: string, input: RpcObject, output: RpcObject): true;
  hardhat_dropTransaction(hash: string): boolean;
  miner_start(): true;
  miner_stop(): true;
  net_listening(): true;
  net_peerCount(): Hex;
  net_version(): string;
  op_supportedCapabilities(): readonly string[];
  ots_getApiLevel(): number;
  ots_getBlockDetails(block: RpcBlockRef): RpcFields<'block' | 'issuance' | 'totalFees'> | null;
  ots_getBlockDetailsByHash(hash: string): RpcFields<'block' | 'issuance' | 'totalFees'> | null;
  ots_getBlockTransactions(block: RpcBlockRef, page: RpcNumber, pageSize: RpcNumber): RpcFields<'fullblock' | 'receipts'> | null;
  ots_getContractCreator(account: string): RpcFields<'hash' | 'creator'> | null;
  ots_getInternalOperations(hash: string): readonly RpcFields<'type' | 'from' | 'to' | 'value'>[];
  ots_getTransactionBySenderAndNonce(sender: string, nonce: RpcNumber): Hex | null;
  ots_getTransactionError(hash: string): Hex;
  ots_hasCode(account: string, block?: AnyBlock): boolean;
  ots_searchTransactionsAfter(account: string, number: RpcNumber, pageSize: RpcNumber): RpcFields<'txs' | 'receipts' | 'firstPage' | 'lastPage'>;
  ots_searchTransactionsBefore(account: string, number: RpcNumber, pageSize: RpcNumber): RpcFields<'txs' | 'receipts' | 'firstPage' | 'lastPage'>;
  ots_traceTransaction(hash: string): readonly RpcFields<'type' | 'depth' | 'from' | 'to' | 'value' | 'input' | 'output'>[];
  personal_importRawKey(key: string, passphrase: string): Hex;
  personal_lockAccount(account: string): boolean;
  personal_newAccount(passphrase: string): Hex;
  personal_sendTransaction(request: RpcTransactionObject, passphrase?: AnyText): Hex;
  personal_sign(message: string, signer: string, passphrase?: AnyText): Hex;
  personal_signTransaction(request: RpcTransactionObject, passphrase?: AnyText): Hex;
  personal_unlockAccount(account: string, passphrase?: AnyText, quantity?: AnyNumber): true;
  rpc_discover(): unknown;
  rpc_modules(): unknown;
  testing_buildBlockV1(hash: string, given: RpcPayloadAttributes, raws?: readonly string[] | None, extraData?: AnyText): unknown;
  trace_block(block: RpcBlockRef): readonly RpcObject[] | null;
  trace_blockOpcodeGas(block?: AnyBlock): RpcFields<'blockHash' | 'blockNumber' | 'transactions'> | null;
  trace_call(request: RpcTransactionObject, traceKinds: readonly unknown[], block?: AnyBlock): RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>;
  trace_callMany(calls: readonly RpcObject[], block?: AnyBlock): readonly RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>[];
  trace_filter(traceFilter: RpcTraceFilter): readonly RpcObject[];
  trace_get(hash: string, address: readonly RpcNumber[]): RpcObject | null;
  trace_rawTransaction(raw: string, traceKinds: readonly unknown[], block?: AnyBlock): RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'>;
  trace_replayBlockTransactions(block: RpcBlockRef, traceKinds: readonly unknown[]): readonly RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace' | 'transactionHash'>[] | null;
  trace_replayTransaction(hash: string, traceKinds: readonly unknown[]): RpcFields<'output' | 'trace' | 'stateDiff' | 'vmTrace'> | null;
  trace_transaction(hash: string): readonly RpcObject[] | null;
  trace_transactionOpcodeGas(hash: string): RpcFields<'transactionHash' | 'opcodeGas'>;
  txpool_content(): RpcFields<'pending' | 'queued'>;
  txpool_contentFrom(sender: string): RpcFields<'pending' | 'queued'>;
  txpool_inspect(): RpcFields<'pending' | 'queued'>;
  txpool_status(): RpcFields<'pending' | 'queued'>;
  web3_clientVersion(): string;
  web3_sha3(bytes: string): Hex;
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

