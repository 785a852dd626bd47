import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomMnemonic } from '../accounts.ts';

/** anvil's flags that are accepted without effect -> the reason. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  '--steps-tracing': 'every transaction can be traced',
  '--tracing': 'every transaction can be traced',
  '--no-rate-limit': 'a fork has no rate limit unless you give `--fork-rate-limit`',
  '--no-rpc-rate-limit': 'a fork has no rate limit unless you give `--fork-rate-limit`',
  '--verbosity': 'what devnet prints is set by `--log-level` and `--print-traces`',
};

/** The same for flags with a value. */
const VALUE_WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  '--threads': 'one thread executes',
  '--jobs': 'one thread executes',
  '-j': 'one thread executes',
  '--transaction-block-keeper': 'blocks and their transactions are on disk',
};

/** anvil's default for `--prune-history` without a number. */
const PRUNED = '500';

/** anvil's flags -> the equivalent in devnet. `next` is the next argument, or the text after `=`. */
const WRITTEN_OUT: Readonly<Record<string, (next: string | undefined) => Written>> = {
  // The largest number that all clients can represent: beyond it, JavaScript's numbers lose digits.
  '--disable-block-gas-limit': () => ({ args: ['--gas-limit', String(Number.MAX_SAFE_INTEGER)] }),
  '--no-request-size-limit': () => ({ args: ['--max-body-size', String(2 ** 30)] }),
  '--prune-history': (next) =>
    isNumber(next) ? { args: ['--prune-history', next], taken: true } : { args: ['--prune-history', PRUNED] },
  '--mnemonic-random': (next) => {
    const words = isNumber(next) ? Number(next) : 12;
    try {
      return { args: ['--mnemonic', randomMnemonic(words)], taken: isNumber(next) };
    } catch (error) {
      return { refused: `--mnemonic-random: ${(error as Error).message}` };
    }
  },
  '--ipc': ipc,
  '--ipcpath': ipc,
  '--no-storage-caching': () => ({ args: ['--no-fork-cache'] }),
  '--compute-units-per-second': computeUnits,
  '--cups': computeUnits,
  '--json': () => ({ args: ['--log-format', 'json'] }),
  '--network': network,
  '-n': network,
};

type Written =
  /** `taken`: the next argument is its value */
  { readonly args: readonly string[]; readonly taken?: boolean } | { readonly refused: string };

const HISTORY = 'history is kept on disk, all of it or as --prune-history says';
const OTHER_CHAINS = 'there are the rules of Ethereum and of the OP Stack: see --hardfork and --optimism';

/** anvil's flags that devnet doesn't support -> the reason, and what to use instead. */
const REFUSED: Readonly<Record<string, string>> = {
  '--disable-pool-balance-checks': 'a sender must be able to pay: see anvil_setBalance',
  '--max-persisted-states': HISTORY,
  '--cache-path': 'history is kept in --data-dir, and what a fork reads in --fork-cache',
  '--memory-limit': 'calls are limited by gas and time: see --call-gas-limit and --rpc-timeout',
  '--mnemonic-seed-unsafe': 'words are random or your own: see --mnemonic-random and --mnemonic',
  '--celo': OTHER_CHAINS,
  '--tempo': OTHER_CHAINS,
  '--md': 'the log is text or JSON: see --log-format',
};

/** Names of the flags that only anvil has and that devnet accepts. */
export function takenFromAnvil(): string[] {
  const names = [...Object.keys(withoutEffectOfAnvil()), ...Object.keys(WRITTEN_OUT)];
  return names.filter((name) => name.startsWith('--'));
}

/** anvil's flags that are accepted without effect, with the reasons. */
export function withoutEffectOfAnvil(): Readonly<Record<string, string>> {
  return { ...WITHOUT_EFFECT, ...VALUE_WITHOUT_EFFECT };
}

/** anvil's flags that are rejected, with the reasons. */
export function refusedOfAnvil(): Readonly<Record<string, string>> {
  return REFUSED;
}

/** Replaces flags that only anvil has by devnet's flags. @returns a one-line error if one isn't supported */
export function fromAnvil(args: readonly string[]): readonly string[] | { readonly refused: string } {
  const own: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') return [...own, ...args.slice(i)];
    const [name = ''] = arg.split('=', 1);
    const value = arg === name ? undefined : arg.slice(name.length + 1);
    const reason = REFUSED[name];
    if (reason !== undefined) return { refused: `option '${name}' is not supported: ${reason}` };
    if (Object.hasOwn(WITHOUT_EFFECT, arg) || /^-v+$/.test(arg)) continue;
    if (Object.hasOwn(VALUE_WITHOUT_EFFECT, name)) {
      if (value === undefined) i++;
      continue;
    }
    const written = WRITTEN_OUT[name]?.(value ?? args[i + 1]);
    if (!written) own.push(arg);
    else if ('refused' in written) return written;
    else {
      own.push(...written.args);
      if (written.taken && value === undefined) i++;
    }
  }
  return own;
}

/** Without a path, anvil's default is used. */
function ipc(next: string | undefined): Written {
  return next !== undefined && !next.startsWith('-')
    ? { args: ['--ipc', next], taken: true }
    : { args: ['--ipc', join(tmpdir(), 'anvil.ipc')] };
}

/** anvil's value is a number of Alchemy's compute units. */
function computeUnits(next: string | undefined): Written {
  return { args: ['--fork-rate-limit', `${next ?? '330'}cu`], taken: true };
}

function network(name: string | undefined): Written {
  if (name === 'ethereum') return { args: [], taken: true };
  if (name === 'optimism') return { args: ['--optimism'], taken: true };
  return { refused: `option '--network ${name ?? ''}' is not supported: ${OTHER_CHAINS}` };
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d+$/.test(text);
}
