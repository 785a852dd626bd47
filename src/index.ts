/// <reference lib="esnext.disposable" />
import { bytesToHex, toChecksumAddress } from '@ethereumjs/util';
import { type Account, type ChainActions, chainActions } from './api/chain-actions.ts';
import type { ErrorKind } from './api/error-kind.ts';
import type { DevnetHooks } from './api/hooks.ts';
import { output } from './api/output.ts';
import type { Provider } from './api/provider.ts';
import type { ForkFacts } from './boot/forking.ts';
import type { Repaired } from './boot/node.ts';
import type { Clock, ManualClock } from './clock.ts';
import { DevnetError as ErrorClass } from './errors.ts';
import type { FollowOptions } from './follow/follow.ts';
import type { DevnetOptions } from './options/options.ts';
import { type Started, startFollower, startNode } from './start.ts';

export type { Account, ChainActions, Deployed, Deployment, ViemTransport } from './api/chain-actions.ts';
export type { ErrorKind } from './api/error-kind.ts';
export type { CallFrame, CallReport, DevnetHooks } from './api/hooks.ts';
export type { Provider, RpcCall, RpcParams, RpcResult } from './api/provider.ts';
export type { Hex, RpcBlock, RpcLog, RpcMethods, RpcReceipt, RpcTransaction } from './api/rpc-methods.ts';
export type { ForkFacts } from './boot/forking.ts';
export type { Repaired } from './boot/node.ts';
export { type Clock, ManualClock } from './clock.ts';
export type { FollowOptions } from './follow/follow.ts';
export { OtherChain } from './follow/session.ts';
export { type DevnetOptions, OptionError } from './options/options.ts';
export { ImportError, type ImportProgress } from './replay/import-chain.ts';
export { type CaseOutcome, type FileOutcome, replayFixture } from './replay/replay-file.ts';
export type { MessageListener, ProviderMessage } from './rpc/in-process-provider.ts';

/** An error that a chain answers, such as a revert or a refused parameter. */
export interface DevnetError extends Error {
  readonly name: 'DevnetError';
  /** what went wrong: its row in docs/errors.md */
  readonly kind: ErrorKind;
  /** of JSON-RPC */
  readonly code: number;
  /** what a revert returned, in `0x` hex; the hash of a transaction without a receipt in time; an object as in Hardhat */
  readonly data?: string | { readonly message: string; readonly [field: string]: unknown };
}

/** The class, for `error instanceof DevnetError`. */
export const DevnetError: {
  readonly prototype: DevnetError;
  new (...given: never): DevnetError;
} = ErrorClass;

/** A chain that runs in this process. */
export interface Devnet extends ChainActions {
  /** The whole JSON-RPC API without a port. */
  readonly provider: Provider;
  /** `http://host:port`; `undefined` without the option `port` */
  readonly url: string | undefined;
  /** What drives the chain: a {@link ManualClock} with the option `manualClock`. */
  readonly clock: Clock;
  /** the dev accounts, funded in the genesis block */
  readonly accounts: readonly Account[];
  /** seconds since the Unix epoch */
  readonly genesisTimestamp: bigint;
  /** What a damaged data directory lost in its repair; `undefined` when nothing was repaired. */
  readonly repaired: Repaired | undefined;
  /** The chain that this one was forked from when it was started; `undefined` without the option `forkUrl`. */
  readonly fork: ForkFacts | undefined;
  /**
   * Stops accepting, seals the open block if it has transactions, and closes the store. From then on the provider refuses requests
   * with the error `disconnected` (4900). Further calls return the same end.
   */
  close(): Promise<void>;
  /**
   * Settles when the chain has ended: resolves after {@link close}, rejects at once when a block can't be made or stored
   * any more (a full disk). Reads are served until `close` even then. A rejection that nobody handles ends the process.
   */
  readonly closed: Promise<void>;
}

/**
 * Starts a chain in this process, whose settings (signals, environment, flags of V8) it leaves alone. Without the option `port`
 * nothing listens; several chains may run side by side. What contracts print with console.log goes to `console.log`.
 * @throws OptionError for a bad option, ImportError for a block that can't be imported, DataDirError for a directory
 * that is not this chain's, EADDRINUSE
 */
export async function createDevnet(
  options: DevnetOptions & { manualClock: true },
  hooks?: DevnetHooks,
): Promise<Devnet & { readonly clock: ManualClock }>;
export async function createDevnet(options?: DevnetOptions, hooks?: DevnetHooks): Promise<Devnet>;
export async function createDevnet(options: DevnetOptions = {}, hooks: DevnetHooks = {}): Promise<Devnet> {
  const printed = output(options, hooks);
  return devnetOf(await startNode(options, printed.hooks), printed);
}

/**
 * Starts a chain in this process that is another node's: fed by its flashblock stream, executed again here. Reads and
 * subscriptions are answered from here, what changes the chain is passed on. Resolves when it has caught up.
 * @param stream `ws://host:port/flashblocks`, or the `redis://` that the other node writes its log to (option `redis`)
 * @throws OptionError, OtherChain when the other node's genesis block or rules differ, Error when it can't be reached
 */
export async function followDevnet(
  stream: string,
  options: FollowOptions = {},
  hooks: DevnetHooks = {},
): Promise<Devnet> {
  const { rpc: _, strict: __, ...own } = options;
  const printed = output(own, hooks);
  return devnetOf(await startFollower(stream, options, printed.hooks), printed);
}

function devnetOf(
  { accounts: keys, close, ...started }: Started,
  { log, printing }: Pick<ReturnType<typeof output>, 'log' | 'printing'>,
): Devnet {
  let accounts: readonly Account[] | undefined;
  if (printing) started.provider.waitFor(printing);
  return {
    ...started,
    // It answers each method as its type says.
    provider: started.provider as Provider,
    // A chain may have thousands, and a checksum takes 20 us.
    get accounts() {
      accounts ??= keys.map(({ address, privateKey }) => ({
        address: toChecksumAddress(address.toString()),
        privateKey: bytesToHex(privateKey),
      }));
      return accounts;
    },
    ...chainActions(started.provider, () => keys[0]!.address.toString()),
    close: async () => {
      if (printing) {
        started.provider.close();
        // While the chain can still execute again what failed last.
        await printing.settle();
      }
      await close();
      await log?.settle();
    },
  };
}
