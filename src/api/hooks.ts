import { similar } from '../nearest.ts';
import { OptionError } from '../options/errors.ts';
import type { DevnetOptions } from '../options/options.ts';
import type { ImportProgress } from '../replay/import-chain.ts';

/** A request that was answered. */
export interface CallReport {
  readonly method: string;
  /** id of the request; absent for a notification, and for a call from inside the process */
  readonly id?: number | string | null | undefined;
  /** start time, milliseconds since the Unix epoch */
  readonly began: number;
  /** duration in milliseconds */
  readonly ms: number;
  /** the error of a failed request: a `DevnetError`, or a fault of the node */
  readonly error?: unknown;
  /** parameters of a failed request */
  readonly params?: readonly unknown[] | undefined;
}

/** A call, a creation or a self-destruct, with the calls that it made, in the format of geth's callTracer. */
export interface CallFrame {
  /** `CALL`, `CALLCODE`, `DELEGATECALL`, `STATICCALL`, `CREATE`, `CREATE2` or `SELFDESTRUCT` */
  readonly type: string;
  /** address */
  readonly from: string;
  /** address; absent for a creation that failed */
  readonly to?: string;
  /** gas limit, a quantity */
  readonly gas: string;
  /** a quantity */
  readonly gasUsed: string;
  readonly input: string;
  /** absent if nothing was returned */
  readonly output?: string;
  /** wei, a quantity; absent for STATICCALL */
  readonly value?: string;
  /** why it failed, in geth's words */
  readonly error?: string;
  /** reason of a revert with `Error(string)` or `Panic(uint256)` */
  readonly revertReason?: string;
  readonly calls?: readonly CallFrame[];
}

/** Functions that are called when something happens on a chain. A hook that isn't set has no overhead. */
export interface DevnetHooks {
  /** Called with one or several lines of the log, which are then not printed by `console.log`. */
  readonly onLog?: ((lines: string) => void) | undefined;
  /**
   * Called with each line that a contract prints with console.log, in transactions, calls and estimates that fail; the line is then not
   * logged. Also called with the options `silent` and `disableConsoleLog`. `contract` is the contract's address, `0x` hex.
   */
  readonly onConsole?: ((line: string, contract: string) => void) | undefined;
  /**
   * Called with the call tree of each transaction, `eth_call` and estimate, which is then not logged. Also called without the option
   * `printTraces`. With this hook, transactions take several times as long.
   */
  readonly onTrace?: ((root: CallFrame) => void) | undefined;
  /** Called after each request, over every transport. */
  readonly onCall?: ((report: CallReport) => void) | undefined;
  /** Called with the number of messages that a slow WebSocket reader lost, when it has caught up or disconnected. */
  readonly onDropped?: ((messages: number) => void) | undefined;
  /** Called with lines about a follower's connection, and about blocks whose result differs on this node. */
  readonly onFollow?: ((line: string) => void) | undefined;
  /** Called with a line when the start is waiting for the node of the forked chain. */
  readonly onForkWait?: ((line: string) => void) | undefined;
  /**
   * Called with a line about what was read from the forked chain: at the end, how many requests were sent to its node and how much came
   * from the fork cache; also if the fork cache can't be used.
   */
  readonly onFork?: ((line: string) => void) | undefined;
  /** Called after each imported block (option `import`). */
  readonly onImport?: ((progress: ImportProgress) => void) | undefined;
}

/** The names of all hooks; the type ensures that none is missing. */
const NAMES: { readonly [N in keyof DevnetHooks]-?: true } = {
  onLog: true,
  onConsole: true,
  onTrace: true,
  onCall: true,
  onDropped: true,
  onFollow: true,
  onForkWait: true,
  onFork: true,
  onImport: true,
};

/** @throws OptionError for a hook that doesn't exist, that isn't a function, or that is among the options */
export function checkHooks(hooks: DevnetHooks, options: DevnetOptions): void {
  // Users of plain JavaScript may pass null, which is rejected with the options.
  for (const [name, hook] of Object.entries(options ?? {}))
    if (Object.hasOwn(NAMES, name))
      throw new OptionError(name, `a place among the hooks: createDevnet(options, { ${name} })`, hook);
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks))
    throw new OptionError('hooks', 'an object', hooks);
  for (const [name, hook] of Object.entries(hooks)) {
    if (hook === undefined) continue;
    if (!Object.hasOwn(NAMES, name)) {
      const meant = similar(name, Object.keys(NAMES));
      throw new OptionError(
        `hooks.${name}`,
        meant === undefined ? 'a known hook' : `a known hook (did you mean ${meant}?)`,
        hook,
      );
    }
    if (typeof hook !== 'function') throw new OptionError(`hooks.${name}`, 'a function', hook);
  }
}
