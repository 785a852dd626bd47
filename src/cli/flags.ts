import type { DevnetOptions } from '../options/options.ts';
import { CHAIN_FLAGS } from './chain-flags.ts';
import { FORK_FLAGS } from './fork-flags.ts';
import { MINING_FLAGS } from './mining-flags.ts';
import { STORAGE_FLAGS } from './storage-flags.ts';

/** How the text of a flag becomes the option's value. */
export type Kind = 'number' | 'integer' | 'text' | 'list' | 'lines' | 'flag';

/** One flag of the command line. Names are anvil's where anvil has the flag. */
export interface Flag {
  /** as commander takes it */
  readonly flags: string;
  readonly option: keyof DevnetOptions;
  readonly kind: Kind;
  readonly help: string;
  /** other long names that mean the same */
  readonly aliases?: readonly string[];
}

/** Headings of `--help` -> flags, in the order they are shown. */
export const FLAGS: Readonly<Record<string, readonly Flag[]>> = {
  'Server:': [
    {
      flags: '-p, --port <port>',
      option: 'port',
      kind: 'number',
      help: 'port to listen on, 0 for a free one (8545)',
    },
    {
      flags: '--host <address>',
      option: 'host',
      kind: 'text',
      help: 'address to listen on (127.0.0.1)',
      aliases: ['--hostname'],
    },
    {
      flags: '--ipc [path]',
      option: 'ipc',
      kind: 'text',
      help: "serve JSON-RPC on this Unix socket too (anvil.ipc in the system's temporary folder)",
      aliases: ['--ipcpath'],
    },
    {
      flags: '--allow-host <names...>',
      option: 'allowHost',
      kind: 'list',
      help: "host names requests may use besides localhost, '*' for any",
    },
    {
      flags: '--allow-origin <origin>',
      option: 'allowOrigin',
      kind: 'text',
      help: 'web pages that may read answers (*)',
    },
    { flags: '--no-cors', option: 'noCors', kind: 'flag', help: 'no CORS headers' },
    {
      flags: '--rpc-timeout <ms>',
      option: 'rpcTimeout',
      kind: 'number',
      help: 'longest that a request may run, 0 for no limit (60000)',
    },
    {
      flags: '--call-gas-limit <gas>',
      option: 'callGasLimit',
      kind: 'integer',
      help: 'gas for eth_call and its kin (50000000)',
    },
    {
      flags: '--max-body-size <bytes>',
      option: 'maxBodySize',
      kind: 'number',
      help: 'largest request body (10 MiB)',
    },
    {
      flags: '--max-batch-size <n>',
      option: 'maxBatchSize',
      kind: 'number',
      help: 'most calls in a batch (5000)',
    },
    {
      flags: '--max-response-size <bytes>',
      option: 'maxResponseSize',
      kind: 'number',
      help: 'largest answer (64 MiB)',
    },
    {
      flags: '--max-subscriptions <n>',
      option: 'maxSubscriptions',
      kind: 'number',
      help: 'most subscriptions of a connection (1000)',
    },
    {
      flags: '--max-filters <n>',
      option: 'maxFilters',
      kind: 'number',
      help: 'most filters at a time (10000)',
    },
    {
      flags: '--notification-buffer <bytes>',
      option: 'notificationBuffer',
      kind: 'number',
      help: 'waiting for a slow reader before it loses notifications (16 MiB)',
    },
    {
      flags: '--send-buffer <bytes>',
      option: 'sendBuffer',
      kind: 'number',
      help: 'waiting for a slow reader before it is disconnected (64 MiB)',
    },
    {
      flags: '--flashblock-buffer <n>',
      option: 'flashblockBuffer',
      kind: 'number',
      help: 'messages waiting for a slow reader of the stream before it loses some (100)',
    },
    { flags: '-q, --silent', option: 'silent', kind: 'flag', help: 'print nothing', aliases: ['--quiet'] },
    {
      flags: '--disable-console-log',
      option: 'disableConsoleLog',
      kind: 'flag',
      help: 'print nothing of console.log in contracts',
      aliases: ['--no-console-log'],
    },
    {
      flags: '--print-traces',
      option: 'printTraces',
      kind: 'flag',
      help: 'print the calls of transactions, eth_call and estimates',
      aliases: ['--enable-trace-printing'],
    },
  ],
  'Accounts:': [
    { flags: '-a, --accounts <n>', option: 'accounts', kind: 'number', help: 'number of dev accounts (10)' },
    { flags: '--balance <eth>', option: 'balance', kind: 'text', help: 'balance of each, in ETH (10000)' },
    {
      flags: '-m, --mnemonic <words>',
      option: 'mnemonic',
      kind: 'text',
      help: 'BIP-39 mnemonic (test test ... junk)',
    },
    {
      flags: '--derivation-path <path>',
      option: 'derivationPath',
      kind: 'text',
      help: "BIP-32 path of the accounts (m/44'/60'/0'/0/)",
    },
    {
      flags: '--fund-accounts <address:eth...>',
      option: 'fundAccounts',
      kind: 'list',
      help: 'more accounts to fund, 10000 ETH each unless told',
    },
    {
      flags: '--auto-impersonate',
      option: 'autoImpersonate',
      kind: 'flag',
      help: 'send for any sender without its key',
      aliases: ['--auto-unlock'],
    },
  ],
  'Chain:': CHAIN_FLAGS,
  'Fork:': FORK_FLAGS,
  'Mining:': MINING_FLAGS,
  'Storage:': STORAGE_FLAGS,
};

const ALL = Object.values(FLAGS).flat();

/** The long name of an option's flag. */
export function flagOf(option: string): string {
  const flag = ALL.find((row) => row.option === option);
  return flag ? longName(flag.flags) : option;
}

/** All long names, the other ones too. */
export function longNames(): string[] {
  return ALL.flatMap(({ flags, aliases = [] }) => [longName(flags), ...aliases]);
}

/** Arguments with aliases replaced by the names that `--help` shows. */
export function canonical(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, i) => {
    if (i > end) return arg;
    const [name = '', ...value] = arg.split('=');
    const flag = ALL.find((row) => row.aliases?.includes(name));
    return flag ? [longName(flag.flags), ...value].join('=') : arg;
  });
}

const longName = (flags: string): string => /--[\w-]+/.exec(flags)![0];
