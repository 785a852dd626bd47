// npm run docs writes this file from the table in src/options/table

/** What `createDevnet` takes. All of it is optional; docs/options.md has the flags. */
export interface DevnetOptions {
  // Server
  /** TCP port, 0 for a free one. Default 8545. */
  port?: number;
  /** Address to listen on. Default 127.0.0.1. */
  host?: string;
  /** Path of a Unix socket (on Windows a named pipe) that serves JSON-RPC too, for its owner only. Default: none. */
  ipc?: string;
  /** Host names that requests may use besides localhost and IP addresses; `*` for any. */
  allowHost?: readonly string[];
  /** Web pages that may read answers and open WebSockets: an origin, or `*`. Default `*`. */
  allowOrigin?: string;
  /** No CORS headers: pages of other origins can't read answers or open WebSockets. */
  noCors?: boolean;
  /** No web page at `/`. */
  noExplorer?: boolean;
  /**
   * Folder with compiled contracts, whose ABIs name contracts, functions and custom errors in error messages, log, traces and page.
   * Default: `artifacts` and `out`, where they exist.
   */
  artifacts?: string;
  /** Longest that a request may run, or a streamed answer may pause, in milliseconds; 0 for no limit. Default 60,000. */
  rpcTimeout?: number;
  /** Gas for `eth_call` and other calls that send nothing, such as `eth_estimateGas`. Default 50 million, 200 million at `amsterdam`. */
  callGasLimit?: number | bigint;
  /** Largest request body, in bytes. Default 10 MiB. */
  maxBodySize?: number;
  /** Most calls in a batch. Default 5,000. */
  maxBatchSize?: number;
  /** Largest answer, in bytes; struct logs are streamed without it. Default 64 MiB. */
  maxResponseSize?: number;
  /** Most subscriptions of one WebSocket connection. Default 1,000. */
  maxSubscriptions?: number;
  /** Most filters (of `eth_newFilter`, `eth_newBlockFilter` and `eth_newPendingTransactionFilter`) at a time. Default 10,000. */
  maxFilters?: number;
  /** Bytes that may wait for a slow WebSocket reader before it loses notifications. Default 16 MiB. */
  notificationBuffer?: number;
  /** Bytes that may wait for a slow WebSocket reader before it is disconnected. Default 64 MiB. */
  sendBuffer?: number;
  /** Messages of the flashblock stream that may wait for a slow reader before it loses the oldest. Default 100. */
  flashblockBuffer?: number;
  /** Print nothing. */
  silent?: boolean;
  /** How the log is printed: lines of text, or a JSON object in each line. Default `text`. */
  logFormat?: 'text' | 'json';
  /** The least important lines of the log: `info`, `warn` or `error`. Default `info`. */
  logLevel?: 'info' | 'warn' | 'error';
  /** Whether the log has colours. Default `auto`: on a terminal, unless the environment has NO_COLOR. */
  color?: 'auto' | 'always' | 'never';
  /** Don't print what contracts say with `console.log`. */
  disableConsoleLog?: boolean;
  /** Print the calls of transactions, `eth_call` and estimates. */
  printTraces?: boolean;

  // Accounts
  /** Number of dev accounts. Default 10. */
  accounts?: number;
  /** Balance of each dev account, in ETH; fractions allowed, as a string where a number is too coarse. Default 10,000. */
  balance?: number | bigint | string;
  /** BIP-39. Default `test test test test test test test test test test test junk`, as in anvil and Hardhat. */
  mnemonic?: string;
  /** BIP-32 path of the accounts' parent. Default `m/44'/60'/0'/0/`. */
  derivationPath?: string;
  /** More accounts to fund in the genesis block: an address, or `address:ETH`; 10,000 ETH where nothing is said. */
  fundAccounts?: readonly string[];
  /** Send for any sender without its key (`eth_sendTransaction`), as `anvil_autoImpersonateAccount` does. */
  autoImpersonate?: boolean;

  // Chain
  /** Chain id. Default 31337, or that of the forked chain. */
  chainId?: number | bigint;
  /**
   * Rules of the built-in genesis. Default `osaka`. `amsterdam` has the schedule of tests-glamsterdam-devnet v8.1; EIP-8037 is still moving:
   * docs/amsterdam.md.
   */
  hardfork?: 'chainstart' | 'homestead' | 'dao' | 'tangerineWhistle' | 'spuriousDragon' | 'byzantium' | 'constantinople' | 'petersburg' | 'istanbul' | 'muirGlacier' | 'berlin' | 'london' | 'arrowGlacier' | 'grayGlacier' | 'paris' | 'shanghai' | 'cancun' | 'prague' | 'osaka' | 'bpo1' | 'bpo2' | 'bpo3' | 'bpo4' | 'bpo5' | 'amsterdam' | 'holocene' | 'jovian' | 'karst' | 'latest';
  /**
   * What executes transactions and calls. `fast`: devnet's own WebAssembly, and EthereumJS where that lacks something;
   * `ethereumjs`: always EthereumJS; `shadow`: both, and the node ends at the first difference. Default `fast`.
   */
  engine?: 'fast' | 'ethereumjs' | 'shadow';
  /**
   * A chain of the OP Stack: deposit transactions (type 0x7e), predeployed and preinstalled contracts, L1 attributes, headers. Default:
   * off, on with `preset`.
   */
  optimism?: boolean;
  /** With `optimism`: deposit transactions and fee vaults only, as in anvil. */
  depositsOnly?: boolean;
  /** With `optimism`: the predeployed contracts without proxies, and no preinstalled ones, as older versions had them. */
  barePredeploys?: boolean;
  /** Put the create2 deployer (0x4e59...) into the genesis block. Default: on, off for `compat: 'hardhat'` and `'hardhat2'`. */
  create2?: boolean;
  /** Leave the create2 deployer out of the genesis block. */
  noCreate2?: boolean;
  /** Put Multicall3 (0xcA11...) into the genesis block. Default: on, off for `compat: 'hardhat'` and `'hardhat2'`. */
  multicall3?: boolean;
  /** Largest contract code, in bytes (EIP-170); init code may be twice that. Default 24,576. */
  codeSizeLimit?: number;
  /** Most bytes that a gzipped state unpacks to, of `anvil_loadState` and of a state file. Default 128 MiB. */
  maxStateSize?: number;
  /** No limit on code and init code. */
  disableCodeSizeLimit?: boolean;
  /** A geth genesis file's path or its content, instead of the built-in genesis. */
  init?: string | object;
  /** A chain to start from: blocks in RLP, one after the other. The node then serves it and does not mine. */
  import?: string;
  /** Block gas limit. Default 30 million, 200 million at `amsterdam`, or the forked block's. */
  gasLimit?: number | bigint;
  /** Base fee of the first block, in wei per gas. Default 1 gwei. */
  baseFee?: number | bigint;
  /** Least fee cap that the mempool accepts, in wei per gas. Default 0. */
  minGasPrice?: number | bigint;
  /** What `eth_gasPrice` suggests where blocks have no base fee (before London), in wei. Default 1.875 gwei. */
  gasPrice?: number | bigint;
  /** Number of the genesis block. Default 0. */
  number?: number | bigint;
  /** Suggest no tip, where 1 gwei is suggested otherwise. */
  disableMinPriorityFee?: boolean;
  /** Genesis time, in seconds since the Unix epoch. Default: now. */
  timestamp?: number | bigint;
  /** Source of all randomness (`prevRandao`). Same seed, time and inputs give the same hashes. Default `devnet`. */
  seed?: string | number;
  /** `0x` hex, 32 bytes at most, for each block. Default `0x`; with `optimism` it holds the parameters of the base fee. */
  extraData?: string;
  /** Receiver of tips. Default the zero address, with `optimism` the SequencerFeeVault. */
  coinbase?: string;
  /** Enforce EIP-7825's cap of 2^24 gas a transaction. Default: off on the built-in genesis, on with `init`, preset `base` and as Hardhat. */
  enableTxGasLimit?: boolean;
  /** Don't enforce EIP-7825's cap of gas on a transaction. */
  disableTxGasLimit?: boolean;
  /** Compute real state roots in `eth_simulateV1`; without, they are zero. Default: off. */
  simulateStateRoot?: boolean;
  /** `safe` lags by this many blocks, `finalized` by twice as many. Default 32. */
  slotsInAnEpoch?: number;

  // Fork
  /**
   * JSON-RPC of a node whose chain this one goes on from: `http(s)://` or `ws(s)://`, with `@block` at its end where it
   * isn't to be the newest. What isn't written here is read from there. Several: the first one's chain, and where one of them
   * fails, the next is asked.
   */
  forkUrl?: string | readonly string[];
  /** Block to go on from; negative for so many before the newest. Default: the newest. */
  forkBlockNumber?: number | bigint;
  /**
   * Transaction of the other chain to go on right before: with the state after the transactions before it in its block. The chain
   * begins with the block before that one.
   */
  forkTransactionHash?: string;
  /** HTTP headers for the node at `forkUrl`, as `Name: value`. */
  forkHeaders?: readonly string[];
  /** Chain id of the forked chain, so that the node at `forkUrl` isn't asked for it. */
  forkChainId?: number | bigint;
  /** Milliseconds that one request to the node at `forkUrl` may take. Default 45,000. */
  forkTimeout?: number;
  /** Further attempts after a request to the node at `forkUrl` wasn't answered. Default 5. */
  forkRetries?: number;
  /** Milliseconds before the first further attempt, twice as long before each next one. Default 1,000. */
  forkRetryBackoff?: number;
  /** Most that the node at `forkUrl` is asked for: requests a second, or compute units a second as `'330cu'`. Default: no limit. */
  forkRateLimit?: number | string;
  /**
   * Folder that keeps what was fetched of a fork block, for other chains and later ones. Default: `devnet/fork` in the user's folder for
   * caches (`XDG_CACHE_HOME`).
   */
  forkCache?: string;
  /** Neither read nor keep anything in the fork cache. */
  noForkCache?: boolean;
  /** Bytes that the fork cache may take; the fork blocks that were not used for longest give way. Default 2 GiB. */
  forkCacheSize?: number;
  /** Ask no node: what isn't in the fork cache is an error that names it. */
  forkOffline?: boolean;
  /** Check the fork block's hash, and each account and slot with a Merkle proof (`eth_getProof`), against a node that lies. */
  forkVerify?: boolean;

  // Mining
  /** Seconds between blocks, fractions allowed. Default 2. */
  blockTime?: number;
  /** Milliseconds between partial blocks, 0 for none. Default 200, and 0 for `compat: 'hardhat'` and `'hardhat2'`. */
  flashblockInterval?: number;
  /** A block for each transaction, sealed before the send is answered. */
  automine?: boolean;
  /** Blocks only on demand (`evm_mine`). */
  noMining?: boolean;
  /** A block for each transaction, and at each block time. */
  mixedMining?: boolean;
  /**
   * Timing and fee parameters of a known network; implies `optimism`. `base` is Base since its Denim upgrade: full blocks
   * every 200 ms, and EIP-7825's cap of 2^24 gas a transaction. `base-flashblocks` is Base before it.
   */
  preset?: 'optimism' | 'unichain' | 'base' | 'base-flashblocks' | 'base-denim';
  /**
   * Return shapes, error texts and defaults of this node; implies `automine` unless a timing is given. `hardhat` is Hardhat 3,
   * `hardhat2` is Hardhat 2. Hardhat's defaults: 20 accounts, 60 million gas a block, 2^24 a transaction, its coinbase, `safe`
   * and `finalized` at `latest`, neither the create2 deployer nor Multicall3.
   */
  compat?: 'anvil' | 'hardhat' | 'hardhat2';
  /** Order inside a block: by effective tip, or by arrival. Default `fees`. */
  order?: 'fees' | 'fifo';
  /** Most transactions that a block takes from the mempool. Default: as many as its gas limit holds. */
  maxTransactions?: number;
  /** Blocks may share a timestamp. Default: on for `compat: 'anvil'`, preset `base` and block times under 1 s. */
  allowEqualTimestamps?: boolean;
  /** Most transactions that wait in the mempool. Default 50,000. */
  maxPoolSize?: number;
  /** Chain time moves only when told to (`devnet_tick`); for tests and replay. */
  manualClock?: boolean;
  /** File for `devnet replay` of all that changes the chain. Created, or continued after a clean end. */
  record?: string;

  // Storage
  /** Directory that keeps the chain. Default: a temporary one, removed at exit. */
  dataDir?: string;
  /** File in anvil's format: the chain begins with it where it exists, and is written to it at the end. */
  state?: string;
  /** File in anvil's format that a new chain begins with: its blocks, and its accounts as the newest state. */
  loadState?: string;
  /** File that the chain is written to at the end, in anvil's format: its blocks, and the newest state. */
  dumpState?: string;
  /** Seconds after which the file of `state` or `dumpState` is written again while the chain runs. Default: at the end. */
  stateInterval?: number;
  /** Write old states to the file of `state` or `dumpState` too, so that they can be read after it was loaded. */
  preserveHistoricalStates?: boolean;
  /** File that the accounts, their keys and the fees are written to at the start, as JSON in anvil's format. */
  configOut?: string;
  /** Keep only so many of the newest blocks, at least 1, and the genesis block. Older ones can't be gone back to. */
  pruneHistory?: number;
  /** Survive power loss too: wait for the disk at each block. */
  fsync?: boolean;
  /** Fall back to the last whole block of a damaged `dataDir`. */
  repair?: boolean;

  // Several machines
  /** Redis (`redis://` or `rediss://`) that this chain's log is written to, from which other nodes follow. */
  redis?: string;
  /**
   * Milliseconds for which Redis may be silent: after them a follower that hasn't heard of the log says so, and a leader that
   * couldn't renew its lease has stopped. All nodes of a chain take the same. Default 5,000.
   */
  redisTimeout?: number;
  /** URL at which followers reach this node's JSON-RPC, for what they pass on. Default: host and port of the listener. */
  advertise?: string;
  /** Blocks between two snapshots, from which followers start. Default 300. */
  snapshotInterval?: number;
  /** Directory for snapshots, which all nodes share, instead of Redis. */
  snapshotDir?: string;
  /** Begin a new chain where Redis has the log of one. Default: go on with that. */
  newLog?: boolean;
}
