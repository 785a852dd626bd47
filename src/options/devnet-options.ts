// npm run docs writes this file from the table in src/options/table

/** What `createDevnet` takes. All of it is optional; docs/options.md has the flags. */
export interface DevnetOptions {
  // Server
  /** TCP port to listen on, 0 for any free one. Default 8545. */
  port?: number;
  /** Address to listen on. Default 127.0.0.1. */
  host?: string;
  /** Path of a Unix socket (on Windows a named pipe) that also serves JSON-RPC, accessible only to its owner. Default: none. */
  ipc?: string;
  /** Host names that requests may use in addition to localhost and IP addresses; `*` for any. */
  allowHost?: readonly string[];
  /** Origin of web pages that may read answers and open WebSockets, or `*` for any. Default `*`. */
  allowOrigin?: string;
  /** Send no CORS headers: pages of other origins can't read answers or open WebSockets. */
  noCors?: boolean;
  /** Don't serve the web page at `/`. */
  noExplorer?: boolean;
  /**
   * Folder with compiled contracts. Their ABIs provide the names of contracts, functions and custom errors in error messages, log, traces
   * and the web page. Default: `artifacts` and `out`, if they exist.
   */
  artifacts?: string;
  /** Time limit in milliseconds of a request, and of a pause in a streamed answer; 0 for no limit. Default 60,000. */
  rpcTimeout?: number;
  /**
   * Gas limit of `eth_call` and other methods that send nothing, such as `eth_estimateGas`. Default: 50 million, 200 million with
   * `amsterdam`.
   */
  callGasLimit?: number | bigint;
  /** Maximum size of a request body in bytes. Default 10 MiB. */
  maxBodySize?: number;
  /** Maximum number of calls in a batch. Default 5,000. */
  maxBatchSize?: number;
  /** Maximum size of an answer in bytes; it doesn't apply to struct logs, which are streamed. Default 64 MiB. */
  maxResponseSize?: number;
  /** Maximum number of subscriptions of a WebSocket connection. Default 1,000. */
  maxSubscriptions?: number;
  /** Maximum number of filters (`eth_newFilter`, `eth_newBlockFilter` and `eth_newPendingTransactionFilter`). Default 10,000. */
  maxFilters?: number;
  /** Unsent bytes after which a slow WebSocket reader loses notifications. Default 16 MiB. */
  notificationBuffer?: number;
  /** Unsent bytes after which a slow WebSocket reader is disconnected. Default 64 MiB. */
  sendBuffer?: number;
  /** Unsent messages of the flashblock stream after which a slow reader loses the oldest. Default 100. */
  flashblockBuffer?: number;
  /** Print nothing. */
  silent?: boolean;
  /** Format of the log: lines of text, or one JSON object per line. Default `text`. */
  logFormat?: 'text' | 'json';
  /** Level of the least important lines in the log: `info`, `warn` or `error`. Default `info`. */
  logLevel?: 'info' | 'warn' | 'error';
  /** Whether the log has colours. Default `auto`: on a terminal, unless NO_COLOR is set in the environment. */
  color?: 'auto' | 'always' | 'never';
  /** Don't print the output of `console.log` in contracts. */
  disableConsoleLog?: boolean;
  /** Print the call trees of transactions, `eth_call` and estimates. */
  printTraces?: boolean;

  // Accounts
  /** Number of dev accounts. Default 10. */
  accounts?: number;
  /** Balance of each dev account in ETH. Fractions are allowed; use a string if a number isn't precise enough. Default 10,000. */
  balance?: number | bigint | string;
  /** BIP-39 mnemonic. Default `test test test test test test test test test test test junk`, as in anvil and Hardhat. */
  mnemonic?: string;
  /** BIP-32 path of the accounts' parent. Default `m/44'/60'/0'/0/`. */
  derivationPath?: string;
  /** Further accounts to fund in the genesis block: an address, or `address:ETH`. Without an amount they get 10,000 ETH. */
  fundAccounts?: readonly string[];
  /** Send for any sender without its private key (`eth_sendTransaction`), as with `anvil_autoImpersonateAccount`. */
  autoImpersonate?: boolean;

  // Chain
  /** Chain id. Default 31337, or that of the forked chain. */
  chainId?: number | bigint;
  /**
   * Hardfork of the built-in genesis. Default `osaka`. `amsterdam` has the gas schedule of tests-glamsterdam-devnet v8.1; EIP-8037 may
   * still change: docs/amsterdam.md.
   */
  hardfork?: 'chainstart' | 'homestead' | 'dao' | 'tangerineWhistle' | 'spuriousDragon' | 'byzantium' | 'constantinople' | 'petersburg' | 'istanbul' | 'muirGlacier' | 'berlin' | 'london' | 'arrowGlacier' | 'grayGlacier' | 'paris' | 'shanghai' | 'cancun' | 'prague' | 'osaka' | 'bpo1' | 'bpo2' | 'bpo3' | 'bpo4' | 'bpo5' | 'amsterdam' | 'holocene' | 'jovian' | 'karst' | 'latest';
  /**
   * The EVM that executes transactions and calls. `fast`: devnet's own in WebAssembly, and EthereumJS for what it doesn't support;
   * `ethereumjs`: always EthereumJS; `shadow`: both, and the node ends at the first difference. Default `fast`.
   */
  engine?: 'fast' | 'ethereumjs' | 'shadow';
  /**
   * Make a chain of the OP Stack: with deposit transactions (type 0x7e), predeployed and preinstalled contracts, L1 attributes and its
   * header rules. Default: off, on with `preset`.
   */
  optimism?: boolean;
  /** With `optimism`: only deposit transactions and fee vaults, as in anvil. */
  depositsOnly?: boolean;
  /** With `optimism`: predeployed contracts without proxies, and no preinstalled contracts, as in older versions of devnet. */
  barePredeploys?: boolean;
  /** Put the create2 deployer (0x4e59...) into the genesis block. Default: on, off for `compat: 'hardhat'` and `'hardhat2'`. */
  create2?: boolean;
  /** Leave the create2 deployer out of the genesis block. */
  noCreate2?: boolean;
  /** Put Multicall3 (0xcA11...) into the genesis block. Default: on, off for `compat: 'hardhat'` and `'hardhat2'`. */
  multicall3?: boolean;
  /** Maximum size of contract code in bytes (EIP-170); init code may be twice as large. Default 24,576. */
  codeSizeLimit?: number;
  /** Maximum size in bytes of an unpacked gzipped state, in `anvil_loadState` and in a state file. Default 128 MiB. */
  maxStateSize?: number;
  /** Don't limit the size of code and init code. */
  disableCodeSizeLimit?: boolean;
  /** Path or content of a geth genesis file, which replaces the built-in genesis. */
  init?: string | object;
  /** File with a chain to start from: blocks in RLP, one after the other. The node then serves it and does not mine. */
  import?: string;
  /** Block gas limit. Default: 30 million, 200 million with `amsterdam`, or that of the fork block. */
  gasLimit?: number | bigint;
  /** Base fee of the first block, in wei per gas. Default 1 gwei. */
  baseFee?: number | bigint;
  /** Lowest fee cap that the mempool accepts, in wei per gas. Default 0. */
  minGasPrice?: number | bigint;
  /** Gas price that `eth_gasPrice` suggests if blocks have no base fee (before London), in wei per gas. Default 1.875 gwei. */
  gasPrice?: number | bigint;
  /** Number of the genesis block. Default 0. */
  number?: number | bigint;
  /** Suggest no tip. Otherwise 1 gwei per gas is suggested. */
  disableMinPriorityFee?: boolean;
  /** Timestamp of the genesis block, in seconds since the Unix epoch. Default: now. */
  timestamp?: number | bigint;
  /** Source of all randomness (`prevRandao`). The same seed, time and inputs give the same hashes. Default `devnet`. */
  seed?: string | number;
  /** `extraData` of each block: `0x` hex, at most 32 bytes. Default `0x`; with `optimism` it contains the parameters of the base fee. */
  extraData?: string;
  /** Address that receives the tips. Default: the zero address; with `optimism` the SequencerFeeVault. */
  coinbase?: string;
  /**
   * Enforce EIP-7825's cap of 2^24 gas per transaction. Default: off on the built-in genesis, on with `init`, preset `base`,
   * `compat: 'hardhat'` and `'hardhat2'`.
   */
  enableTxGasLimit?: boolean;
  /** Don't enforce EIP-7825's cap on the gas of a transaction. */
  disableTxGasLimit?: boolean;
  /** Compute state roots in `eth_simulateV1`; otherwise they are zero. Default: off. */
  simulateStateRoot?: boolean;
  /** How many blocks `safe` is behind `latest`; `finalized` is twice as far behind. Default 32. */
  slotsInAnEpoch?: number;

  // Fork
  /**
   * JSON-RPC URL of a node whose chain to fork: `http(s)://` or `ws(s)://`, with `@block` at its end to fork at a block other than the
   * newest. Data that isn't on this chain is read from there. With several URLs, the first one's chain is forked, and if a node fails, the
   * next one is asked.
   */
  forkUrl?: string | readonly string[];
  /** Number of the block to fork at; a negative number counts back from the newest. Default: the newest. */
  forkBlockNumber?: number | bigint;
  /**
   * Transaction of the other chain before which to fork: the state includes the transactions before it in its block. The first block of
   * this chain is the block before the transaction's block.
   */
  forkTransactionHash?: string;
  /** HTTP headers for the node at `forkUrl`, as `Name: value`. */
  forkHeaders?: readonly string[];
  /** Chain id of the forked chain; saves a request to the node at `forkUrl`. */
  forkChainId?: number | bigint;
  /** Time limit of a request to the node at `forkUrl`, in milliseconds. Default 45,000. */
  forkTimeout?: number;
  /** Number of retries of a request to the node at `forkUrl` that wasn't answered. Default 5. */
  forkRetries?: number;
  /** Pause before the first retry, in milliseconds; it doubles before each further retry. Default 1,000. */
  forkRetryBackoff?: number;
  /** Rate limit for the node at `forkUrl`: requests per second, or compute units per second as `'330cu'`. Default: no limit. */
  forkRateLimit?: number | string;
  /**
   * Folder that caches data fetched for a fork block, for other and later chains. Default: `devnet/fork` in the user's cache folder
   * (`XDG_CACHE_HOME`).
   */
  forkCache?: string;
  /** Don't use the fork cache: neither read nor write it. */
  noForkCache?: boolean;
  /** Maximum size of the fork cache in bytes; the fork blocks that were not used for the longest time are removed. Default 2 GiB. */
  forkCacheSize?: number;
  /** Send no requests to a node: data that isn't in the fork cache causes an error that names it. */
  forkOffline?: boolean;
  /** Verify the fork block's hash, and each account and slot with a Merkle proof (`eth_getProof`), to detect false answers of the node. */
  forkVerify?: boolean;

  // Mining
  /** Seconds between blocks; fractions are allowed. Default 2. */
  blockTime?: number;
  /** Milliseconds between partial blocks (flashblocks); 0 for none. Default 200; 0 with `compat: 'hardhat'` and `'hardhat2'`. */
  flashblockInterval?: number;
  /** Make a block for each transaction, and seal it before the send is answered. */
  automine?: boolean;
  /** Make blocks only on demand (`evm_mine`). */
  noMining?: boolean;
  /** Make a block for each transaction, and also at each block time. */
  mixedMining?: boolean;
  /**
   * Timing and fee parameters of a known network; implies `optimism`. `base` is Base since its Denim upgrade: full blocks every 200 ms, and
   * EIP-7825's cap of 2^24 gas per transaction. `base-flashblocks` is Base before this upgrade.
   */
  preset?: 'optimism' | 'unichain' | 'base' | 'base-flashblocks' | 'base-denim';
  /**
   * Node to imitate: its return values, error messages and defaults; implies `automine` unless a block time is given. `hardhat` is Hardhat
   * 3, `hardhat2` is Hardhat 2. Hardhat's defaults: 20 accounts, 60 million gas per block, 2^24 per transaction, its coinbase, `safe` and
   * `finalized` at `latest`, neither the create2 deployer nor Multicall3.
   */
  compat?: 'anvil' | 'hardhat' | 'hardhat2';
  /** Order of transactions in a block: by effective tip (`fees`), or by arrival (`fifo`). Default `fees`. */
  order?: 'fees' | 'fifo';
  /** Maximum number of transactions that a block takes from the mempool. Default: limited only by gas. */
  maxTransactions?: number;
  /** Allow blocks to have the same timestamp as their parent. Default: on for `compat: 'anvil'`, preset `base` and block times under 1 s. */
  allowEqualTimestamps?: boolean;
  /** Maximum number of waiting transactions in the mempool. Default 50,000. */
  maxPoolSize?: number;
  /** Advance chain time only by calls (`devnet_tick`); for tests and replay. */
  manualClock?: boolean;
  /** File in which to record everything that changes the chain, for `devnet replay`. It is created, or continued after a clean end. */
  record?: string;

  // Storage
  /** Directory in which to store the chain. Default: a temporary one, removed at exit. */
  dataDir?: string;
  /** File in anvil's format: the chain starts from it if it exists, and is written to it at the end. */
  state?: string;
  /** File in anvil's format from which a new chain starts: with its blocks, and its accounts as the newest state. */
  loadState?: string;
  /** File to which the chain is written at the end, in anvil's format: its blocks and the newest state. */
  dumpState?: string;
  /** Also write the file of `state` or `dumpState` every so many seconds while the chain runs. Default: only at the end. */
  stateInterval?: number;
  /** Also write old states to the file of `state` or `dumpState`, so that they can be read after it is loaded. */
  preserveHistoricalStates?: boolean;
  /** File to which the accounts, their private keys and the fees are written at the start, as JSON in anvil's format. */
  configOut?: string;
  /** Number of newest blocks to keep (at least 1), in addition to the genesis block. The chain can't be reverted to older blocks. */
  pruneHistory?: number;
  /** Wait for the disk at each block, so that the chain also survives a power loss. */
  fsync?: boolean;
  /** Repair a damaged `dataDir` by reverting to its last complete block. */
  repair?: boolean;

  // Several machines
  /** URL of the Redis (`redis://` or `rediss://`) to which this chain's log is written, and from which other nodes follow. */
  redis?: string;
  /**
   * Milliseconds without a response from Redis after which a follower reports that it may be outdated, and after which a leader that
   * couldn't renew its lease has stopped. All nodes of a chain use the same value. Default 5,000.
   */
  redisTimeout?: number;
  /** URL at which followers reach this node's JSON-RPC, to forward calls. Default: host and port of the listener. */
  advertise?: string;
  /** Number of blocks between two snapshots; followers start from a snapshot. Default 300. */
  snapshotInterval?: number;
  /** Directory in which to store snapshots instead of Redis; all nodes must share it. */
  snapshotDir?: string;
  /** Start a new chain even if Redis has the log of one. Default: continue the existing chain. */
  newLog?: boolean;
}
