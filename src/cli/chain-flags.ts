import type { Flag } from './flags.ts';

/** What the chain begins with, and its rules. */
export const CHAIN_FLAGS: readonly Flag[] = [
  {
    flags: '--chain-id <id>',
    option: 'chainId',
    kind: 'integer',
    help: 'chain id (31337)',
    aliases: ['--chain'],
  },
  {
    flags: '--hardfork <name>',
    option: 'hardfork',
    kind: 'text',
    help: 'rules of the built-in genesis (osaka)',
  },
  {
    flags: '--no-create2',
    option: 'noCreate2',
    kind: 'flag',
    help: 'leave the create2 deployer out of the genesis block',
    aliases: ['--disable-default-create2-deployer'],
  },
  {
    flags: '--code-size-limit <bytes>',
    option: 'codeSizeLimit',
    kind: 'number',
    help: 'largest contract code (24576)',
  },
  {
    flags: '--disable-code-size-limit',
    option: 'disableCodeSizeLimit',
    kind: 'flag',
    help: 'no limit on code and init code',
  },
  { flags: '--init <file>', option: 'init', kind: 'text', help: "start from geth's genesis.json" },
  {
    flags: '--import <file>',
    option: 'import',
    kind: 'text',
    help: 'serve the blocks of this file (RLP, as chain.rlp) and do not mine',
  },
  {
    flags: '--gas-limit <gas>',
    option: 'gasLimit',
    kind: 'integer',
    help: 'block gas limit (30000000)',
    aliases: ['--block-gas-limit'],
  },
  {
    flags: '--block-base-fee-per-gas <wei>',
    option: 'baseFee',
    kind: 'integer',
    help: 'base fee of the first block (1000000000), also --base-fee',
    aliases: ['--base-fee'],
  },
  {
    flags: '--min-gas-price <wei>',
    option: 'minGasPrice',
    kind: 'integer',
    help: 'least fee cap that is accepted (0)',
  },
  {
    flags: '--gas-price <wei>',
    option: 'gasPrice',
    kind: 'integer',
    help: 'gas price suggested where blocks have no base fee, before London (1875000000)',
  },
  {
    flags: '--timestamp <seconds>',
    option: 'timestamp',
    kind: 'integer',
    help: 'genesis time, Unix (now)',
    aliases: ['--genesis-time'],
  },
  {
    flags: '--seed <text>',
    option: 'seed',
    kind: 'text',
    help: 'source of randomness: same seed, time and inputs, same hashes',
  },
  { flags: '--extra-data <hex>', option: 'extraData', kind: 'text', help: 'extraData of each block (0x)' },
  {
    flags: '--coinbase <address>',
    option: 'coinbase',
    kind: 'text',
    help: 'receiver of tips (the zero address)',
  },
  {
    flags: '--enable-tx-gas-limit',
    option: 'enableTxGasLimit',
    kind: 'flag',
    help: 'enforce the cap of 2^24 gas a transaction (EIP-7825)',
    aliases: ['--tx-gas-limit'],
  },
  {
    flags: '--simulate-state-root',
    option: 'simulateStateRoot',
    kind: 'flag',
    help: 'compute real state roots in eth_simulateV1 (off: zero)',
  },
  {
    flags: '--slots-in-an-epoch <n>',
    option: 'slotsInAnEpoch',
    kind: 'number',
    help: 'blocks that safe lags behind, finalized twice that (32)',
  },
];
