import { flagOption, option, unrecorded } from '../option.ts';
import { integer, list, oneOf, text, whole } from '../value-types.ts';

/** The listener, its limits, and what the command line prints: options that block hashes don't depend on. */
export const SERVER = unrecorded({
  /** TCP port to listen on, 0 for any free one. Default 8545. */
  port: option({
    flags: '-p, --port <port>',
    help: 'port to listen on, 0 for a free one (8545)',
    type: whole(0, 65_535),
    default: 8545,
  }),
  /** Address to listen on. Default 127.0.0.1. */
  host: option({
    flags: '--host <address>',
    aliases: ['--hostname'],
    help: 'address to listen on (127.0.0.1)',
    type: text,
    default: '127.0.0.1',
  }),
  /** Path of a Unix socket (on Windows a named pipe) that also serves JSON-RPC, accessible only to its owner. Default: none. */
  ipc: option({
    flags: '--ipc [path]',
    aliases: ['--ipcpath'],
    help: "serve JSON-RPC on this Unix socket too (anvil.ipc in the system's temporary folder)",
    type: text,
  }),
  /** Host names that requests may use in addition to localhost and IP addresses; `*` for any. */
  allowHost: option({
    flags: '--allow-host <names...>',
    help: "host names requests may use besides localhost, '*' for any",
    type: list,
    default: [],
  }),
  /** Origin of web pages that may read answers and open WebSockets, or `*` for any. Default `*`. */
  allowOrigin: option({
    flags: '--allow-origin <origin>',
    help: 'web pages that may read answers and open WebSockets (*)',
    type: text,
    default: '*',
  }),
  /** Send no CORS headers: pages of other origins can't read answers or open WebSockets. */
  noCors: flagOption({
    flags: '--no-cors',
    help: 'no CORS headers, and no WebSockets for pages of other origins',
  }),
  /** Don't serve the web page at `/`. */
  noExplorer: flagOption({
    flags: '--no-explorer',
    help: 'no web page that shows the chain at /',
  }),
  /**
   * Folder with compiled contracts. Their ABIs provide the names of contracts, functions and custom errors in error messages, log, traces
   * and the web page. Default: `artifacts` and `out`, if they exist.
   */
  artifacts: option({
    flags: '--artifacts <dir>',
    help: 'folder of compiled contracts, for names of functions and errors (artifacts and out)',
    type: text,
  }),
  /** Time limit in milliseconds of a request, and of a pause in a streamed answer; 0 for no limit. Default 60,000. */
  rpcTimeout: option({
    flags: '--rpc-timeout <ms>',
    help: 'time limit of a request, 0 for none (60000)',
    type: whole(0, 2 ** 31 - 1),
    default: 60_000,
  }),
  /**
   * Gas limit of `eth_call` and other methods that send nothing, such as `eth_estimateGas`. Default: 50 million, 200 million with
   * `amsterdam`.
   */
  callGasLimit: option({
    flags: '--call-gas-limit <gas>',
    help: 'gas for eth_call and other calls that send nothing (50000000)',
    type: integer(21_000n, 2n ** 53n),
    default: 50_000_000n,
  }),
  /** Maximum size of a request body in bytes. Default 10 MiB. */
  maxBodySize: option({
    flags: '--max-body-size <bytes>',
    help: 'maximum size of a request body (10 MiB)',
    type: whole(1, 2 ** 30),
    default: 10 * 2 ** 20,
  }),
  /** Maximum number of calls in a batch. Default 5,000. */
  maxBatchSize: option({
    flags: '--max-batch-size <n>',
    help: 'maximum number of calls in a batch (5000)',
    type: whole(1, 1_000_000),
    default: 5000,
  }),
  /** Maximum size of an answer in bytes; it doesn't apply to struct logs, which are streamed. Default 64 MiB. */
  maxResponseSize: option({
    flags: '--max-response-size <bytes>',
    help: 'maximum size of a response (64 MiB)',
    type: whole(1, 2 ** 30),
    default: 64 * 2 ** 20,
  }),
  /** Maximum number of subscriptions of a WebSocket connection. Default 1,000. */
  maxSubscriptions: option({
    flags: '--max-subscriptions <n>',
    help: 'maximum number of subscriptions of a connection (1000)',
    type: whole(0, 1_000_000),
    default: 1000,
  }),
  /** Maximum number of filters (`eth_newFilter`, `eth_newBlockFilter` and `eth_newPendingTransactionFilter`). Default 10,000. */
  maxFilters: option({
    flags: '--max-filters <n>',
    help: 'maximum number of filters at a time (10000)',
    type: whole(0, 1_000_000),
    default: 10_000,
  }),
  /** Unsent bytes after which a slow WebSocket reader loses notifications. Default 16 MiB. */
  notificationBuffer: option({
    flags: '--notification-buffer <bytes>',
    help: 'bytes that may wait for a slow reader before it loses notifications (16 MiB)',
    type: whole(1, 2 ** 30),
    default: 16 * 2 ** 20,
  }),
  /** Unsent bytes after which a slow WebSocket reader is disconnected. Default 64 MiB. */
  sendBuffer: option({
    flags: '--send-buffer <bytes>',
    help: 'bytes that may wait for a slow reader before it is disconnected (64 MiB)',
    type: whole(1, 2 ** 30),
    default: 64 * 2 ** 20,
  }),
  /** Unsent messages of the flashblock stream after which a slow reader loses the oldest. Default 100. */
  flashblockBuffer: option({
    flags: '--flashblock-buffer <n>',
    help: 'messages that may wait for a slow reader of the stream before it loses some (100)',
    type: whole(1, 1_000_000),
    default: 100,
  }),
  /** Print nothing. */
  silent: flagOption({
    flags: '-q, --silent',
    aliases: ['--quiet'],
    help: 'print nothing',
  }),
  /** Format of the log: lines of text, or one JSON object per line. Default `text`. */
  logFormat: option({
    flags: '--log-format <text|json>',
    help: 'lines for people, or a JSON object in each line (text)',
    type: oneOf(['text', 'json']),
    default: 'text',
  }),
  /** Level of the least important lines in the log: `info`, `warn` or `error`. Default `info`. */
  logLevel: option({
    flags: '--log-level <level>',
    help: 'least important lines of the log: info, warn or error (info)',
    type: oneOf(['info', 'warn', 'error']),
    default: 'info',
  }),
  /** Whether the log has colours. Default `auto`: on a terminal, unless NO_COLOR is set in the environment. */
  color: option({
    flags: '--color <when>',
    help: 'colours in the log: always, never, or auto for a terminal without NO_COLOR (auto)',
    type: oneOf(['auto', 'always', 'never']),
    default: 'auto',
  }),
  /** Don't print the output of `console.log` in contracts. */
  disableConsoleLog: flagOption({
    flags: '--disable-console-log',
    aliases: ['--no-console-log'],
    help: 'do not print console.log of contracts',
  }),
  /** Print the call trees of transactions, `eth_call` and estimates. */
  printTraces: flagOption({
    flags: '--print-traces',
    aliases: ['--enable-trace-printing'],
    help: 'print the calls of transactions, eth_call and estimates',
  }),
});
