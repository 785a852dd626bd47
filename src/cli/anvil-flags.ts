/** anvil's flags for what is always so here: taken, and without effect. */
const ALWAYS_SO: ReadonlySet<string> = new Set([
  '--steps-tracing',
  '--tracing',
  '--preserve-historical-states',
  '--no-rate-limit',
  '--no-storage-caching',
]);

/** anvil's switches -> the flag and the value that do the same here. */
const WRITTEN_OUT: Readonly<Record<string, readonly string[]>> = {
  // The largest that any client can count with: beyond it JavaScript's numbers lose digits.
  '--disable-block-gas-limit': ['--gas-limit', String(Number.MAX_SAFE_INTEGER)],
  '--no-request-size-limit': ['--max-body-size', String(2 ** 30)],
};

const FORKING = 'devnet has no fork mode: load a state with --load-state or a chain with --import';
const HISTORY = 'history is kept on disk, all of it or as --prune-history says';

/** anvil's flags that devnet can't honour -> why, and what to use instead. */
const REFUSED: Readonly<Record<string, string>> = {
  '--fork-url': FORKING,
  '--rpc-url': FORKING,
  '-f': FORKING,
  '--fork-block-number': FORKING,
  '--fork-transaction-hash': FORKING,
  '--fork-header': FORKING,
  '--fork-chain-id': FORKING,
  '--number': 'the genesis block is block 0: mine up to a number with anvil_mine, or start from --init',
  '--gas-price': 'there are no blocks without a base fee: set --base-fee, or --min-gas-price for a floor',
  '--disable-min-priority-fee': 'there is no least priority fee to disable: see --min-gas-price',
  '--no-priority-fee': 'there is no least priority fee to disable: see --min-gas-price',
  '--config-out': 'no such file is written: eth_accounts and the banner have the accounts and keys',
  '--max-persisted-states': HISTORY,
  '--transaction-block-keeper': HISTORY,
  '--state-interval': 'the state is written at the end: --data-dir keeps every block as it is sealed',
  '-s': 'the state is written at the end: --data-dir keeps every block as it is sealed',
  '--max-transactions': 'blocks are limited by gas alone: see --gas-limit',
  '--memory-limit': 'calls are limited by gas and time: see --call-gas-limit and --rpc-timeout',
  '--mnemonic-random': 'accounts are the same each time: give your own words with --mnemonic',
  '--mnemonic-seed-unsafe': 'accounts are the same each time: give your own words with --mnemonic',
  '--ipc': 'JSON-RPC is served over HTTP and WebSocket',
  '--ipcpath': 'JSON-RPC is served over HTTP and WebSocket',
  '--optimism': 'there are no deposit transactions: see --preset for the timing of OP chains',
  '--celo': 'only Ethereum rules apply: see --hardfork',
  '--tempo': 'only Ethereum rules apply: see --hardfork',
  '--print-traces': 'traces come from debug_traceTransaction',
  '--enable-trace-printing': 'traces come from debug_traceTransaction',
};

/**
 * Arguments with the flags that only anvil has replaced by devnet's own.
 * @returns a refusal instead, in one line, where one can't be honoured
 */
export function fromAnvil(args: readonly string[]): readonly string[] | { readonly refused: string } {
  const own: string[] = [];
  for (const [i, arg] of args.entries()) {
    if (arg === '--') return [...own, ...args.slice(i)];
    const [name = ''] = arg.split('=', 1);
    const reason = REFUSED[name];
    if (reason !== undefined) return { refused: `option '${name}' is not supported: ${reason}` };
    if (!ALWAYS_SO.has(arg)) own.push(...(WRITTEN_OUT[arg] ?? [arg]));
  }
  return own;
}
