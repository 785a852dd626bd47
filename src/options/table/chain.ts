import { Address, createAddressFromString } from '@ethereumjs/util';
import { DEFAULT_ENGINE, ENGINES } from '../../engine/engine-name.ts';
import { LATEST } from '../../sequencer/chain-time.ts';
import { flagOption, option } from '../option.ts';
import { address, bytes, genesis, hardfork, integer, oneOf, seed, text, whole } from '../value-types.ts';

/** The chain's genesis block and its rules. */
export const CHAIN = {
  /** Chain id. Default 31337, or that of the forked chain. */
  chainId: option({
    flags: '--chain-id <id>',
    aliases: ['--chain'],
    help: 'chain id (31337)',
    type: integer(1n, BigInt(Number.MAX_SAFE_INTEGER)),
    default: 31337n,
  }),
  /**
   * Hardfork of the built-in genesis. Default `osaka`. `amsterdam` has the gas schedule of tests-glamsterdam-devnet v8.1; EIP-8037 may
   * still change: docs/amsterdam.md.
   */
  hardfork: option({
    flags: '--hardfork <name>',
    help: 'rules of the built-in genesis (osaka)',
    type: hardfork,
    default: 'osaka',
  }),
  /**
   * The EVM that executes transactions and calls. `fast`: devnet's own in WebAssembly, and EthereumJS for what it doesn't support;
   * `ethereumjs`: always EthereumJS; `shadow`: both, and the node ends at the first difference. Default `fast`.
   */
  engine: option({
    flags: '--engine <name>',
    help: 'EVM: fast, ethereumjs, or shadow to compare both (fast)',
    type: oneOf(ENGINES),
    default: DEFAULT_ENGINE,
  }),
  /**
   * Make a chain of the OP Stack: with deposit transactions (type 0x7e), predeployed and preinstalled contracts, L1 attributes and its
   * header rules. Default: off, on with `preset`.
   */
  optimism: flagOption({
    flags: '--optimism',
    help: 'a chain of the OP Stack, also --network optimism (docs/optimism.md)',
  }),
  /** With `optimism`: only deposit transactions and fee vaults, as in anvil. */
  depositsOnly: flagOption({
    flags: '--deposits-only',
    help: 'only deposit transactions and fee vaults of the OP Stack, as in anvil',
  }),
  /** With `optimism`: predeployed contracts without proxies, and no preinstalled contracts, as in older versions of devnet. */
  barePredeploys: flagOption({
    flags: '--bare-predeploys',
    help: 'predeployed contracts without proxies, and no preinstalled contracts',
  }),
  /** Put the create2 deployer (0x4e59...) into the genesis block. Default: on, off for `compat: 'hardhat'` and `'hardhat2'`. */
  create2: flagOption({
    flags: '--create2',
    help: 'put the create2 deployer into the genesis block (default, but not with --compat hardhat)',
    default: true,
    hardhat: false,
  }),
  /** Leave the create2 deployer out of the genesis block. */
  noCreate2: flagOption({
    flags: '--no-create2',
    aliases: ['--disable-default-create2-deployer'],
    help: 'leave the create2 deployer out of the genesis block',
  }),
  /** Put Multicall3 (0xcA11...) into the genesis block. Default: on, off for `compat: 'hardhat'` and `'hardhat2'`. */
  multicall3: flagOption({
    flags: '--multicall3',
    help: 'put Multicall3 into the genesis block (default, but not with --compat hardhat)',
    default: true,
    hardhat: false,
  }),
  /** Maximum size of contract code in bytes (EIP-170); init code may be twice as large. Default 24,576. */
  codeSizeLimit: option({
    flags: '--code-size-limit <bytes>',
    help: 'maximum size of contract code (24576)',
    type: whole(1, 2 ** 32),
  }),
  /** Maximum size in bytes of an unpacked gzipped state, in `anvil_loadState` and in a state file. Default 128 MiB. */
  maxStateSize: option({
    flags: '--max-state-size <bytes>',
    help: 'maximum unpacked size of a state for anvil_loadState and --load-state (128 MiB)',
    type: whole(1, 2 ** 32 - 1),
    default: 128 * 2 ** 20,
  }),
  /** Don't limit the size of code and init code. */
  disableCodeSizeLimit: flagOption({
    flags: '--disable-code-size-limit',
    help: 'no limit on code and init code',
  }),
  /** Path or content of a geth genesis file, which replaces the built-in genesis. */
  init: option({ flags: '--init <file>', help: "start from geth's genesis.json", type: genesis }),
  /** File with a chain to start from: blocks in RLP, one after the other. The node then serves it and does not mine. */
  import: option({
    flags: '--import <file>',
    help: 'serve the blocks of this file (RLP, as chain.rlp) and do not mine',
    type: text,
    recorded: 'refused',
  }),
  /** Block gas limit. Default: 30 million, 200 million with `amsterdam`, or that of the fork block. */
  gasLimit: option({
    flags: '--gas-limit <gas>',
    aliases: ['--block-gas-limit'],
    help: 'block gas limit (30000000)',
    type: integer(21_000n, 2n ** 53n),
    default: 30_000_000n,
    hardhat: 60_000_000n,
  }),
  /** Base fee of the first block, in wei per gas. Default 1 gwei. */
  baseFee: option({
    flags: '--block-base-fee-per-gas <wei>',
    aliases: ['--base-fee'],
    help: 'base fee of the first block (1000000000), also --base-fee',
    type: integer(0n, 2n ** 128n),
    default: 10n ** 9n,
  }),
  /** Lowest fee cap that the mempool accepts, in wei per gas. Default 0. */
  minGasPrice: option({
    flags: '--min-gas-price <wei>',
    help: 'minimum fee cap of a transaction (0)',
    type: integer(0n, 2n ** 128n),
    default: 0n,
  }),
  /** Gas price that `eth_gasPrice` suggests if blocks have no base fee (before London), in wei per gas. Default 1.875 gwei. */
  gasPrice: option({
    flags: '--gas-price <wei>',
    help: 'gas price suggested where blocks have no base fee, before London (1875000000)',
    type: integer(0n, 2n ** 128n),
    default: 1_875_000_000n,
    recorded: false,
  }),
  /** Number of the genesis block. Default 0. */
  number: option({
    flags: '--number <n>',
    help: 'number of the genesis block (0)',
    type: integer(0n, BigInt(Number.MAX_SAFE_INTEGER)),
    default: 0n,
  }),
  /** Suggest no tip. Otherwise 1 gwei per gas is suggested. */
  disableMinPriorityFee: flagOption({
    flags: '--disable-min-priority-fee',
    aliases: ['--no-priority-fee'],
    help: 'suggest no tip (1 gwei is suggested otherwise)',
    recorded: false,
  }),
  /** Timestamp of the genesis block, in seconds since the Unix epoch. Default: now. */
  timestamp: option({
    flags: '--timestamp <seconds>',
    aliases: ['--genesis-timestamp', '--genesis-time'],
    help: 'genesis time, Unix (now)',
    type: integer(0n, LATEST),
    recorded: false,
  }),
  /** Source of all randomness (`prevRandao`). The same seed, time and inputs give the same hashes. Default `devnet`. */
  seed: option({
    flags: '--seed <text>',
    help: 'source of randomness: same seed, time and inputs, same hashes',
    type: seed,
    default: 'devnet',
  }),
  /** `extraData` of each block: `0x` hex, at most 32 bytes. Default `0x`; with `optimism` it contains the parameters of the base fee. */
  extraData: option({
    flags: '--extra-data <hex>',
    help: 'extraData of each block (0x)',
    type: bytes(32),
    default: new Uint8Array(),
  }),
  /** Address that receives the tips. Default: the zero address; with `optimism` the SequencerFeeVault. */
  coinbase: option({
    flags: '--coinbase <address>',
    help: 'receiver of tips (the zero address)',
    type: address,
    default: new Address(new Uint8Array(20)),
    hardhat: createAddressFromString('0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e'),
  }),
  /**
   * Enforce EIP-7825's cap of 2^24 gas per transaction. Default: off on the built-in genesis, on with `init`, preset `base`,
   * `compat: 'hardhat'` and `'hardhat2'`.
   */
  enableTxGasLimit: flagOption({
    flags: '--enable-tx-gas-limit',
    aliases: ['--tx-gas-limit'],
    help: 'enforce the cap of 2^24 gas a transaction (EIP-7825)',
    hardhat: true,
  }),
  /** Don't enforce EIP-7825's cap on the gas of a transaction. */
  disableTxGasLimit: flagOption({
    flags: '--disable-tx-gas-limit',
    help: 'do not enforce that cap where it is the default: --init, --preset base, --compat hardhat',
  }),
  /** Compute state roots in `eth_simulateV1`; otherwise they are zero. Default: off. */
  simulateStateRoot: flagOption({
    flags: '--simulate-state-root',
    help: 'compute real state roots in eth_simulateV1 (off: zero)',
    recorded: false,
  }),
  /** How many blocks `safe` is behind `latest`; `finalized` is twice as far behind. Default 32. */
  slotsInAnEpoch: option({
    flags: '--slots-in-an-epoch <n>',
    help: 'blocks between latest and safe; finalized is twice as far back (32)',
    type: whole(0, 1_000_000),
    default: 32,
    hardhat: 0,
  }),
};
