/**
 * Flags and options of Hardhat -> the equivalent in devnet. docs/migrating.md contains this table, and the error for an unknown option
 * quotes it. Options of the configuration file have Hardhat's names; several options in one row share the answer.
 */
export const OF_HARDHAT: Readonly<Record<string, string>> = {
  '--hostname': '`--host`, `--hostname`',
  '--port': '`--port`',
  '--chain-id': '`--chain-id`',
  '--chain-type': '`--optimism` for `op`; `l1` and `generic` are the default',
  '--fork': '`--fork-url`',
  '--fork-block-number': '`--fork-block-number`',
  chainId: '`--chain-id`',
  networkId: '`--chain-id`; both are the same',
  chainType: '`--optimism` for `op`; `l1` and `generic` are the default',
  blockGasLimit: '`--gas-limit`; for `false` it is `--gas-limit 9007199254740991`',
  transactionGasCap:
    '`--enable-tx-gas-limit` for 2^24, `--disable-tx-gas-limit` for `false`; there are no other caps',
  hardfork: '`--hardfork`',
  'initialBaseFeePerGas, minGasPrice': '`--block-base-fee-per-gas`, `--min-gas-price`',
  initialDate: '`--timestamp`, in seconds',
  coinbase: '`--coinbase`',
  'accounts: { mnemonic, count, accountsBalance, path }':
    '`--mnemonic`, `--accounts`, `--balance` (in ETH), `--derivation-path`',
  'accounts: { initialIndex, passphrase }':
    'none: the accounts are the first ones of the mnemonic, without a passphrase',
  'accounts: [{ privateKey, balance }]':
    '`--fund-accounts` with addresses; the node signs with a key after `personal_importRawKey`',
  allowUnlimitedContractSize: '`--disable-code-size-limit`',
  allowBlocksWithSameTimestamp: '`--allow-equal-timestamps`',
  'forking: { enabled, url, blockNumber, httpHeaders }':
    '`--fork-url`, `--fork-block-number`, `--fork-header`; without `--fork-url` nothing is forked',
  chains: 'none: a fork of a network that devnet knows has its hardfork; otherwise `--hardfork`',
  'mining: { auto: true }': '`--automine`; `--compat hardhat` has it',
  'mining: { auto: false, interval: 5000 }': '`--block-time 5 --flashblock-interval 0`',
  'mining: { interval: [3000, 6000] }': 'none at the start: send `evm_setIntervalMining` with `[3000, 6000]`',
  'mining: { auto: false }': '`--no-mining`',
  'mining: { mempool: { order } }': '`--order`: `priority` is `fees`, `fifo` is `fifo`',
  loggingEnabled: '`--silent` for `false`',
  throwOnTransactionFailures: '`--compat hardhat` for `true`; for `false` leave it out',
  throwOnCallFailures: 'none: a call that fails is always an error',
  gasEstimationMode:
    'none: `--compat hardhat` has `noInternalOutOfGas`, `--compat hardhat2` and the default have `topLevelSuccess`',
  'from, gas, gasPrice, gasMultiplier':
    'none: they stay in the configuration, in the network with the URL of devnet, since Hardhat itself fills them in',
  enableTransientStorage: 'none: each hardfork since `cancun` has it',
  enableRip7212: 'none: `osaka`, the default, has it (EIP-7951)',
};

/** Flags of Ganache 7 -> the equivalent in devnet, like `OF_HARDHAT`. Ganache also accepts them without the group, as `--deterministic`. */
export const OF_GANACHE: Readonly<Record<string, string>> = {
  '--server.host, --server.port': '`--host`, `--port`',
  '--server.ws': 'none: WebSocket is always there, on the same port',
  '--chain.chainId, --chain.networkId': '`--chain-id`; both are the same',
  '--chain.hardfork': '`--hardfork`',
  '--chain.time': '`--timestamp`, in seconds',
  '--chain.allowUnlimitedContractSize, --chain.allowUnlimitedInitCodeSize': '`--disable-code-size-limit`',
  '--chain.vmErrorsOnRPCResponse': '`--compat hardhat`, whose sends answer an error if the transaction fails',
  '--wallet.mnemonic': '`--mnemonic`',
  '--wallet.totalAccounts': '`--accounts`',
  '--wallet.defaultBalance': '`--balance`, in ETH',
  '--wallet.deterministic':
    'none: the accounts are always the same, those of anvil and Hardhat, not those of Ganache',
  '--wallet.seed': 'none: words are your own or random: see `--mnemonic` and `--mnemonic-random`',
  '--wallet.hdPath': '`--derivation-path`',
  '--wallet.accounts':
    '`--fund-accounts` with addresses; the node signs with a key after `personal_importRawKey`',
  '--wallet.unlockedAccounts': '`anvil_impersonateAccount`, or `--auto-impersonate` for all',
  '--wallet.accountKeysPath': '`--config-out`, whose file has the format of anvil',
  '--miner.blockTime': '`--block-time` with `--flashblock-interval 0`; `0` is `--automine`',
  '--miner.instamine': '`--automine`, which is `eager`; there is no `strict`',
  '--miner.timestampIncrement': 'none at the start: send `anvil_setBlockTimestampInterval`',
  '--miner.blockGasLimit': '`--gas-limit`',
  '--miner.callGasLimit': '`--call-gas-limit`',
  '--miner.defaultGasPrice': 'none: the price follows the base fee (EIP-1559)',
  '--miner.defaultTransactionGasLimit': 'none: the gas of a transaction without a limit is estimated',
  '--miner.coinbase, --miner.extraData': '`--coinbase`, `--extra-data`',
  '--database.dbPath': "`--data-dir`; databases of Ganache can't be read",
  '--fork.url, --fork.blockNumber': '`--fork-url`, `--fork-block-number`',
  '--fork.headers, --fork.requestsPerSecond': '`--fork-header`, `--fork-rate-limit`',
  '--fork.disableCache': '`--no-fork-cache`',
  '--logging.quiet': '`--silent`',
  '--logging.verbose': 'none: the log says what each request does; see `--log-level`',
};

/** Returns the equivalent of another tool's option, such as `of Ganache, in devnet: --accounts`; `undefined` if no tool has this name. */
export function ofOtherTool(name: string): string | undefined {
  for (const [tool, table] of [
    ['Hardhat', OF_HARDHAT],
    ['Ganache', OF_GANACHE],
  ] as const) {
    const rows = Object.entries(table).filter(([row]) =>
      namesIn(row).some((one) => one === name || one.replace(/^--\w+\./, '--') === name),
    );
    const meant = rows.map(
      ([row, text]) =>
        (rows.length > 1 ? `${row}: ` : '') + text.replace(/^none[^:]*: /, '').replaceAll('`', ''),
    );
    if (meant.length > 0) return `of ${tool}, in devnet: ${meant.join('; ')}`;
  }
  return undefined;
}

/** `accounts: { count }` -> accounts; `--fork.url, --fork.blockNumber` -> both */
export function namesIn(row: string): string[] {
  return row.replace(/:.*$/, '').split(', ');
}
