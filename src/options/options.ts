import { DEFAULT_DERIVATION_PATH, DEFAULT_MNEMONIC } from '../accounts.ts';
import { HARDFORKS, type HardforkName } from '../evm/hardfork.ts';
import type { Compat } from '../rpc/compat/shapes.ts';
import { LATEST } from '../sequencer/chain-time.ts';
import { checks, conflict, needs, OptionError } from './checks.ts';
import type { Config } from './config.ts';
import { DEFAULTS } from './defaults.ts';
import { chooseHardfork } from './fork.ts';
import { KNOWN } from './known.ts';
import { chooseMining, PRESETS, type Preset } from './mining.ts';
import { NOT_RECORDED, recordedOptions } from './recorded.ts';
import { chooseStateFiles } from './state-files.ts';

export { OptionError } from './checks.ts';
export type { Config, HardforkName, Preset };

/** What `createDevnet` takes. All of it is optional. */
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
  /** Web pages that may read answers: an origin, or `*`. Default `*`. */
  allowOrigin?: string;
  /** No CORS headers: pages of other origins can't read answers. */
  noCors?: boolean;
  /** Largest request body, in bytes. Default 10 MiB. */
  maxBodySize?: number;
  /** Most calls in a batch. Default 5,000. */
  maxBatchSize?: number;
  /** Largest answer, in bytes; struct logs are streamed without it. Default 64 MiB. */
  maxResponseSize?: number;
  /** Most subscriptions of one WebSocket connection. Default 1,000. */
  maxSubscriptions?: number;
  /** Most filters (`eth_newFilter` and its kin) at a time. Default 10,000. */
  maxFilters?: number;
  /** Bytes that may wait for a slow WebSocket reader before it loses notifications. Default 16 MiB. */
  notificationBuffer?: number;
  /** Bytes that may wait for a slow WebSocket reader before it is disconnected. Default 64 MiB. */
  sendBuffer?: number;
  /** Messages of the flashblock stream that may wait for a slow reader before it loses the oldest. Default 100. */
  flashblockBuffer?: number;
  /** Longest that a request may run, or a streamed answer may pause, in milliseconds; 0 for no limit. Default 60,000. */
  rpcTimeout?: number;
  /** Gas for `eth_call` and its kin. Default 50 million. */
  callGasLimit?: number | bigint;

  // Accounts
  /** Number of dev accounts. Default 10. */
  accounts?: number;
  /** Balance of each, in ETH; fractions allowed, as a string where a number is too coarse. Default 10,000. */
  balance?: number | bigint | string;
  /** BIP-39. Default `test test test test test test test test test test test junk`, as in anvil and Hardhat. */
  mnemonic?: string;
  /** BIP-32 path of the accounts' parent. Default `m/44'/60'/0'/0/`. */
  derivationPath?: string;

  // Chain
  /** Default 31337, or that of the forked chain. */
  chainId?: number | bigint;
  /** Rules of the built-in genesis. Default `osaka`. */
  hardfork?: HardforkName | 'latest';
  /** Take deposit transactions of the OP Stack (type 0x7e), and send fees to its vaults. Off by default. */
  optimism?: boolean;
  /** Send for any sender without its key (`eth_sendTransaction`), as `anvil_autoImpersonateAccount` does. */
  autoImpersonate?: boolean;
  /** More accounts to fund in the genesis block: an address, or `address:ETH`; 10,000 ETH where nothing is said. */
  fundAccounts?: readonly string[];
  /** Put the create2 deployer (0x4e59...) into the genesis block. Default: on, off for `compat: 'hardhat'` and `'hardhat2'`. */
  create2?: boolean;
  /** Leave it out. */
  noCreate2?: boolean;
  /** Put Multicall3 (0xcA11...) into the genesis block. Default: on, off for `compat: 'hardhat'` and `'hardhat2'`. */
  multicall3?: boolean;
  /** Largest contract code, in bytes (EIP-170); init code may be twice that. Default 24,576. */
  codeSizeLimit?: number;
  /** No limit on code and init code. */
  disableCodeSizeLimit?: boolean;
  /** A geth genesis file's path or its content, instead of the built-in genesis. */
  init?: string | object;
  /** A chain to start from: blocks in RLP, one after the other. The node then serves it and does not mine. */
  import?: string;
  /**
   * JSON-RPC of a node whose chain this one goes on from: `http(s)://` or `ws(s)://`, with `@block` at its end where it
   * isn't to be the newest. What isn't written here is read from there.
   */
  forkUrl?: string;
  /** Block to go on from; negative for so many before the newest. Default: the newest. */
  forkBlockNumber?: number | bigint;
  /** HTTP headers for that node, as `Name: value`. */
  forkHeaders?: readonly string[];
  /** Chain id of that chain, so that its node isn't asked for it. */
  forkChainId?: number | bigint;
  /** Milliseconds that one request to that node may take. Default 45,000. */
  forkTimeout?: number;
  /** Attempts after a request that wasn't answered. Default 5. */
  forkRetries?: number;
  /** Milliseconds before the first of them, twice as long before each next one. Default 1,000. */
  forkRetryBackoff?: number;
  /** Block gas limit. Default 30 million, or the forked block's. */
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
  /** `0x` hex, 32 bytes at most, for each block. Default `0x`. */
  extraData?: string;
  /** Receiver of tips. Default the zero address. */
  coinbase?: string;
  /** Enforce EIP-7825's cap of 2^24 gas a transaction. Default: off on the built-in genesis, on with `init` and as Hardhat. */
  enableTxGasLimit?: boolean;
  /** Lift that cap. */
  disableTxGasLimit?: boolean;
  /** `safe` lags by this many blocks, `finalized` by twice as many. Default 32. */
  slotsInAnEpoch?: number;

  // Mining
  /** Seconds between blocks, fractions allowed. Default 2. */
  blockTime?: number;
  /** Milliseconds between partial blocks, 0 for none. Default 200. */
  flashblockInterval?: number;
  /** A block for each transaction, sealed before the send is answered. */
  automine?: boolean;
  /** Blocks only on demand (`evm_mine`). */
  noMining?: boolean;
  /** A block for each transaction, and at each block time. */
  mixedMining?: boolean;
  /** Timing of a known network. */
  preset?: Preset;
  /**
   * Return shapes, error texts and defaults of this node; implies `automine` unless a timing is given. `hardhat` is Hardhat 3,
   * `hardhat2` is Hardhat 2. Hardhat's defaults: 20 accounts, 60 million gas a block, 2^24 a transaction, its coinbase, `safe`
   * and `finalized` at `latest`, neither the create2 deployer nor Multicall3.
   */
  compat?: Compat;
  /** Compute real state roots in `eth_simulateV1`; without, they are zero. Default: off. */
  simulateStateRoot?: boolean;
  /** Order inside a block: by effective tip, or by arrival. Default `fees`. */
  order?: 'fees' | 'fifo';
  /** Most transactions that a block takes from the mempool. Default: as many as its gas limit holds. */
  maxTransactions?: number;
  /** Blocks may share a timestamp. Default: on for `compat: 'anvil'`, preset `base-denim` and block times under 1 s. */
  allowEqualTimestamps?: boolean;
  /** Most transactions that wait in the mempool. Default 50,000. */
  maxPoolSize?: number;
  /** Chain time moves only when told to (`devnet_tick`); for tests and replay. */
  manualClock?: boolean;

  /**
   * File that everything is written to that changes the chain, for `devnet replay`. Made anew, or gone on with after a
   * clean end.
   */
  record?: string;

  // Storage
  /** Directory that keeps the chain. Default: a temporary one, removed at exit. */
  dataDir?: string;
  /** Survive power loss too: wait for the disk at each block. */
  fsync?: boolean;
  /** Keep only so many of the newest blocks, at least 1, and the genesis block. Older ones can't be gone back to. */
  pruneHistory?: number;
  /** File in anvil's format: the chain begins with it where it exists, and is written to it at the end. */
  state?: string;
  /** File in anvil's format that a new chain begins with: its blocks, and its accounts as the newest state. */
  loadState?: string;
  /** File that the chain is written to at the end, in anvil's format: its blocks, and the newest state. */
  dumpState?: string;
  /** Fall back to the last whole block of a damaged `dataDir`. */
  repair?: boolean;
  /** Seconds after which the file of `state` or `dumpState` is written again while the chain runs. Default: at the end. */
  stateInterval?: number;
  /** Write old states to that file too, so that they can be read after it was loaded. */
  preserveHistoricalStates?: boolean;
  /** File that the accounts, their keys and the fees are written to at the start, as JSON in anvil's format. */
  configOut?: string;

  // The command line's log
  /** Print nothing. */
  silent?: boolean;
  /** Don't print what contracts say with `console.log`. */
  disableConsoleLog?: boolean;
  /** Print the calls of transactions, `eth_call` and estimates. */
  printTraces?: boolean;
}

/** @throws OptionError naming the option, what it takes and what it got, or the two options that exclude each other */
export function resolveOptions(options: DevnetOptions = {}): Config {
  const check = checks(options, KNOWN);
  const mining = chooseMining(options, check);
  for (const name of ['hardfork', 'baseFee', 'timestamp', 'number'] as const)
    if (options.init !== undefined && options[name] !== undefined) conflict('init', name);
  const genesis = check.genesis('init');
  const chainId = check.integer('chainId', 1n, BigInt(Number.MAX_SAFE_INTEGER));
  if (genesis && chainId !== undefined && chainId !== genesis.chainId)
    throw new OptionError('chainId', `${genesis.chainId}, which the genesis file says`, options.chainId);
  const chainFile = check.text('import');
  const dataDir = check.text('dataDir');
  const record = check.text('record');
  const configOut = check.text('configOut');
  const ipc = check.text('ipc');
  // What such a chain starts from isn't in the recording.
  for (const name of NOT_RECORDED)
    if (record !== undefined && options[name] !== undefined) conflict('record', name);
  if (dataDir === undefined && options.repair) needs('repair', 'dataDir');
  if (dataDir === undefined && options.fsync) needs('fsync', 'dataDir');
  if (options.noCors && options.allowOrigin !== undefined) conflict('noCors', 'allowOrigin');
  if (options.disableCodeSizeLimit && options.codeSizeLimit !== undefined)
    conflict('disableCodeSizeLimit', 'codeSizeLimit');
  // A chain from outside has its own genesis block and its own rules.
  if (options.create2 && options.noCreate2) conflict('create2', 'noCreate2');
  if (options.enableTxGasLimit && options.disableTxGasLimit)
    conflict('enableTxGasLimit', 'disableTxGasLimit');
  for (const name of [
    'fundAccounts',
    'create2',
    'noCreate2',
    'multicall3',
    'codeSizeLimit',
    'disableCodeSizeLimit',
  ] as const)
    if (options.init !== undefined && options[name]) conflict('init', name);
  // As good as none: twice that, for init code, is still a safe integer.
  const codeSize = check.flag('disableCodeSizeLimit') ? 2 ** 52 : check.whole('codeSizeLimit', 1, 2 ** 32);
  const timestamp = check.integer('timestamp', 0n, LATEST);
  const compat = check.oneOf('compat', Object.keys(DEFAULTS) as Compat[]);
  const defaults = DEFAULTS[compat ?? 'anvil'];
  const preset = check.oneOf('preset', Object.keys(PRESETS) as Preset[]);
  const pruneHistory = check.whole('pruneHistory', 1, Number.MAX_SAFE_INTEGER);
  const fork = chooseHardfork(options, check);
  const shortBlocks = 'blockTime' in mining && mining.blockTime < 1000;
  return {
    port: check.whole('port', 0, 65_535) ?? 8545,
    host: check.text('host') ?? '127.0.0.1',
    ...(ipc !== undefined && { ipc }),
    allowHost: check.texts('allowHost') ?? [],
    allowOrigin: check.flag('noCors') ? false : (check.text('allowOrigin') ?? '*'),
    limits: {
      bodySize: check.whole('maxBodySize', 1, 2 ** 30) ?? 10 * 2 ** 20,
      batchSize: check.whole('maxBatchSize', 1, 1_000_000) ?? 5000,
      responseSize: check.whole('maxResponseSize', 1, 2 ** 30) ?? 64 * 2 ** 20,
      subscriptions: check.whole('maxSubscriptions', 0, 1_000_000) ?? 1000,
      filters: check.whole('maxFilters', 0, 1_000_000) ?? 10_000,
      notificationBuffer: check.whole('notificationBuffer', 1, 2 ** 30) ?? 16 * 2 ** 20,
      sendBuffer: check.whole('sendBuffer', 1, 2 ** 30) ?? 64 * 2 ** 20,
      flashblockBuffer: check.whole('flashblockBuffer', 1, 1_000_000) ?? 100,
      rpcTimeout: check.whole('rpcTimeout', 0, 2 ** 31 - 1) ?? 60_000,
      callGas: check.integer('callGasLimit', 21_000n, 2n ** 53n) ?? 50_000_000n,
      poolSize: check.whole('maxPoolSize', 1, 10_000_000) ?? 50_000,
    },
    accounts: {
      count: check.whole('accounts', 0, 10_000) ?? defaults.accounts,
      balance: check.ether('balance') ?? 10_000n * 10n ** 18n,
      mnemonic: check.mnemonic('mnemonic') ?? DEFAULT_MNEMONIC,
      derivationPath: check.path('derivationPath') ?? DEFAULT_DERIVATION_PATH,
    },
    autoImpersonate: check.flag('autoImpersonate') ?? false,
    chainId: genesis?.chainId ?? chainId ?? 31337n,
    hardfork: check.hardfork('hardfork', HARDFORKS) ?? 'osaka',
    optimism: check.flag('optimism') ?? false,
    ...(genesis && { genesis }),
    ...(fork && { fork }),
    asked: { chainId: chainId !== undefined, gasLimit: options.gasLimit !== undefined },
    ...(chainFile !== undefined && { import: chainFile }),
    gasLimit: check.integer('gasLimit', 21_000n, 2n ** 53n) ?? genesis?.fields.gasLimit ?? defaults.gasLimit,
    keepsGasLimit: (genesis ?? fork) !== undefined && options.gasLimit === undefined,
    baseFee: check.integer('baseFee', 0n, 2n ** 128n) ?? genesis?.fields.baseFeePerGas ?? 10n ** 9n,
    ...(fork && options.baseFee !== undefined && { nextBaseFee: BigInt(options.baseFee) }),
    minGasPrice: check.integer('minGasPrice', 0n, 2n ** 128n) ?? 0n,
    gasPrice: check.integer('gasPrice', 0n, 2n ** 128n) ?? 1_875_000_000n,
    number: genesis?.fields.number ?? check.integer('number', 0n, BigInt(Number.MAX_SAFE_INTEGER)) ?? 0n,
    suggestedTip: check.flag('disableMinPriorityFee') ? 0n : 10n ** 9n,
    ...(timestamp !== undefined && { timestamp }),
    seed: check.seed('seed') ?? 'devnet',
    extraData: check.bytes('extraData', 32) ?? new Uint8Array(),
    coinbase: check.address('coinbase') ?? defaults.coinbase,
    transactionGasCap: check.flag('disableTxGasLimit')
      ? false
      : (check.flag('enableTxGasLimit') ?? (genesis !== undefined || defaults.transactionGasCap)),
    slotsInAnEpoch: check.whole('slotsInAnEpoch', 0, 1_000_000) ?? defaults.slotsInAnEpoch,
    mining,
    ...(preset && { preset }),
    dialect: compat ?? (genesis || chainFile !== undefined ? 'geth' : 'anvil'),
    refusesGaps: defaults.refusesGaps,
    simulateStateRoot: check.flag('simulateStateRoot') ?? false,
    order: check.oneOf('order', ['fees', 'fifo']) ?? 'fees',
    maxTransactions: check.whole('maxTransactions', 1, 1_000_000) ?? Number.POSITIVE_INFINITY,
    allowEqualTimestamps:
      check.flag('allowEqualTimestamps') ?? (compat === 'anvil' || preset === 'base-denim' || shortBlocks),
    manualClock: check.flag('manualClock') ?? false,
    fundAccounts: check.funds('fundAccounts') ?? [],
    create2Deployer: check.flag('noCreate2') ? false : (check.flag('create2') ?? defaults.create2Deployer),
    multicall3: check.flag('multicall3') ?? defaults.multicall3,
    ...(codeSize !== undefined && { codeSizeLimit: codeSize }),
    stateFiles: chooseStateFiles(options, check),
    ...(record !== undefined && { record }),
    recorded: () => recordedOptions(options),
    ...(dataDir !== undefined && { dataDir }),
    fsync: check.flag('fsync') ?? false,
    ...(pruneHistory !== undefined && { pruneHistory: BigInt(pruneHistory) }),
    repair: check.flag('repair') ?? false,
    ...(configOut !== undefined && { configOut }),
    silent: check.flag('silent') ?? false,
    consoleLog: !check.flag('disableConsoleLog'),
    printTraces: check.flag('printTraces') ?? false,
  };
}
