import { similar } from '../nearest.ts';
import { OptionError } from '../options/errors.ts';
import type { DevnetOptions } from '../options/options.ts';
import type { ImportProgress } from '../replay/import-chain.ts';

/** A request that was answered. */
export interface CallReport {
  readonly method: string;
  /** of the request; absent for a notification, and for a call from inside the process */
  readonly id?: number | string | null | undefined;
  /** when it began, milliseconds since the Unix epoch */
  readonly began: number;
  /** how long it took, milliseconds */
  readonly ms: number;
  /** what it was refused with: a `DevnetError`, or a fault of the node */
  readonly error?: unknown;
  /** of the request, where it was refused */
  readonly params?: readonly unknown[] | undefined;
}

/** A call, a creation or a self-destruction, with the calls it made: as geth's callTracer answers it. */
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
  /** absent where nothing was returned */
  readonly output?: string;
  /** wei, a quantity; absent for STATICCALL */
  readonly value?: string;
  /** why it failed, in geth's words */
  readonly error?: string;
  /** the reason of a revert with `Error(string)` or `Panic(uint256)` */
  readonly revertReason?: string;
  readonly calls?: readonly CallFrame[];
}

/** Who is told what a chain does. What is left out costs nothing. */
export interface DevnetHooks {
  /** Takes the lines of the log, one or several at a time, in place of `console.log`. */
  readonly onLog?: ((lines: string) => void) | undefined;
  /**
   * Takes each line that a contract prints with console.log, in transactions, calls and estimates that fail, in place of the log; also
   * with the options `silent` and `disableConsoleLog`. `contract` is its address, `0x` hex.
   */
  readonly onConsole?: ((line: string, contract: string) => void) | undefined;
  /**
   * Takes the call tree of each transaction, `eth_call` and estimate, in place of the log; also without the option `printTraces`.
   * Transactions take several times as long with it.
   */
  readonly onTrace?: ((root: CallFrame) => void) | undefined;
  /** Called after each request, whatever way it came. */
  readonly onCall?: ((report: CallReport) => void) | undefined;
  /** Called with the number of messages that a slow WebSocket reader lost, when it has caught up or disconnected. */
  readonly onDropped?: ((messages: number) => void) | undefined;
  /** Called with lines about a follower's connection, and about blocks that come out otherwise here. */
  readonly onFollow?: ((line: string) => void) | undefined;
  /** Called with a line where the node that is forked keeps the start waiting. */
  readonly onForkWait?: ((line: string) => void) | undefined;
  /**
   * Called with a line about what was read of the chain that is forked: at the end how many requests were sent to its node, and how much
   * came from the fork cache; also where that can't be used.
   */
  readonly onFork?: ((line: string) => void) | undefined;
  /** Called after each block of the option `import`. */
  readonly onImport?: ((progress: ImportProgress) => void) | undefined;
}

/** The names of all hooks: TypeScript sees that none is missing. */
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

/** @throws OptionError for a hook that devnet doesn't have, that can't be called, or that is among the options */
export function checkHooks(hooks: DevnetHooks, options: DevnetOptions): void {
  // Users of plain JavaScript may give null: that is refused with the options.
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
