import { bytesToHex, toChecksumAddress } from '@ethereumjs/util';
import { DEFAULT_MNEMONIC, type DevAccount } from '../accounts.ts';
import type { ForkFacts } from '../boot/forking.ts';
import type { Repaired } from '../boot/node.ts';
import type { Config } from '../options/options.ts';
import { formatEther } from '../options/value-types.ts';
import { isSince } from '../protocol/hardfork.ts';

const TITLE = String.raw`
     _                       _
  __| | _____   ___ __   ___| |_
 / _${'`'} |/ _ \ \ / / '_ \ / _ \ __|
| (_| |  __/\ V /| | | |  __/ |_
 \__,_|\___| \_/ |_| |_|\___|\__|
`;

/** Hardhat's warning; the default mnemonic is the same as Hardhat's and anvil's. */
const WARNING =
  'WARNING: These accounts, and their private keys, are publicly known.\nAny funds sent to them on Mainnet or any other live network WILL BE LOST.\n';

/** The version of the rules of Amsterdam. */
const AMSTERDAM =
  'amsterdam, by the schedule of tests-glamsterdam-devnet v8.1; EIP-8037 is still moving, and with it what state costs';

function isAmsterdam({ hardfork, genesis }: Config): boolean {
  if (!genesis) return isSince(hardfork, 'amsterdam');
  return genesis.config.amsterdamTime !== undefined && genesis.config.amsterdamTime !== null;
}

export interface BannerFacts {
  readonly version: string;
  readonly accounts: readonly DevAccount[];
  /** seconds */
  readonly genesisTimestamp: bigint;
  /** host and port, as in `127.0.0.1:8545` */
  readonly address: string;
  /** changes that were lost when a damaged directory was repaired */
  readonly repaired?: Repaired | undefined;
  readonly fork?: ForkFacts | undefined;
  /** the stream of the followed node */
  readonly following?: string | undefined;
}

/**
 * Returns what the command prints at its start: first the node's URL and its mining mode, then anvil's sections, with the private keys
 * last. Ends with `Listening on ...`, which tools wait for.
 */
export function banner(config: Config, facts: BannerFacts): string {
  const { accounts, fork, following } = facts;
  const { chainId, baseFee, gasLimit } = fork?.here ?? config;
  // A genesis file lists the accounts that it funds; the dev accounts may be among them.
  const balance = ({ address }: DevAccount) =>
    formatEther(
      config.genesis ? (config.genesis.alloc.get(address.toString())?.balance ?? 0n) : config.balance,
    );
  const numbered = (lines: readonly string[]) => lines.map((line, i) => `(${i}) ${line}`).join('\n');
  return [
    `${TITLE}\n    ${facts.version}\n`,
    [
      `RPC:   http://${facts.address}, ws://${facts.address}`,
      ...(config.noExplorer ? [] : [`Page:  http://${facts.address} in a browser`]),
      `Mode:  ${following === undefined ? describeMode(config) : `follows ${following}`}\n`,
    ].join('\n'),
    facts.repaired !== undefined && `Repaired: ${describeRepair(facts.repaired)}\n`,
    // A follower has these from the other node.
    following === undefined &&
      [
        ...(fork ? [section('Fork', describeFork(fork))] : []),
        section('Chain ID', chainId),
        section('Base Fee', baseFee),
        section('Gas Limit', gasLimit),
        ...(isAmsterdam(config) ? [section('Hardfork', AMSTERDAM)] : []),
      ].join('\n'),
    section('Genesis Timestamp', facts.genesisTimestamp),
    following === undefined && section('Genesis Number', fork?.blockNumber ?? config.number),
    accounts.length > 0 &&
      [
        section(
          'Available Accounts',
          numbered(accounts.map((a) => `${toChecksumAddress(a.address.toString())} (${balance(a)} ETH)`)),
        ),
        section('Private Keys', numbered(accounts.map((a) => bytesToHex(a.privateKey)))),
        ...(config.mnemonic === DEFAULT_MNEMONIC ? [WARNING] : []),
        section(
          'Wallet',
          `Mnemonic:          ${config.mnemonic}\nDerivation path:   ${config.derivationPath}`,
          '',
        ),
      ].join('\n'),
    `Listening on ${facts.address}\n`,
  ]
    .filter((part) => part !== false)
    .join('\n');
}

/** Describes the mining mode, its effect for senders, and the flag for another mode. */
function describeMode({ mining }: Config): string {
  const lines = (...parts: readonly string[]) => parts.join('\n       ');
  if (mining.kind === 'automine')
    return lines(
      'automine, a block for each transaction: a send is answered when its block is sealed',
      'For pre-confirmations and a block every 2 s: --block-time 2, without --automine',
    );
  if (mining.kind === 'manual')
    return lines(
      'manual, blocks on demand: a transaction waits until evm_mine is called',
      'For a block for each transaction: --automine, without --no-mining',
    );
  const every = `every ${mining.blockTime / 1000} s`;
  const partial = mining.flashblockInterval > 0 ? `, a flashblock every ${mining.flashblockInterval} ms` : '';
  const meaning =
    mining.flashblockInterval > 0
      ? [
          'A transaction has its receipt at the next flashblock and counts at `pending`; `latest` follows with the block.',
          'cast and forge count nonces at `latest`: for them --automine, or --flashblock-interval 0',
        ]
      : [];
  return mining.kind === 'mixed'
    ? lines(
        `mixed, a block for each transaction and ${every}${partial}`,
        'For a block for each transaction only: --automine, without --mixed-mining',
      )
    : lines(
        `interval, a block ${every}${partial}`,
        ...meaning,
        ...(meaning.length > 0 ? [] : ['For a block for each transaction: --automine']),
      );
}

function describeRepair({ batches, head }: Repaired): string {
  if (batches === 0) return `nothing is lost, the newest block is ${head}`;
  return `back to block ${head}, the last ${batches === 1 ? 'change is' : `${batches} changes are`} lost`;
}

function describeFork({
  endpoint,
  blockNumber,
  blockHash,
  chainId,
  chainName,
  transactionHash,
  cacheDir,
  hardfork,
}: ForkFacts): string {
  return [
    `Endpoint:       ${endpoint}`,
    `Block number:   ${blockNumber}`,
    `Block hash:     ${bytesToHex(blockHash)}`,
    `Chain ID:       ${chainId}${chainName === undefined ? '' : ` (${chainName})`}`,
    ...(transactionHash === undefined ? [] : [`Before:         transaction ${transactionHash}`]),
    `Hardfork:       ${hardfork}`,
    `Cache:          ${cacheDir ?? 'none'}`,
  ].join('\n');
}

function section(title: string, body: string | bigint, gap = '\n'): string {
  return `${title}\n==================\n${gap}${body}\n`;
}
