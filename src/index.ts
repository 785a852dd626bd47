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

/** An error of a chain, such as a revert or a rejected parameter. */
export interface DevnetError extends Error {
  readonly name: 'DevnetError';
  /** the kind of error: its row in docs/errors.md */
  readonly kind: ErrorKind;
  /** JSON-RPC error code */
  readonly code: number;
  /** the revert data in `0x` hex; the hash of a transaction that got no receipt in time; an object as in Hardhat */
  readonly data?: string | { readonly message: string; readonly [field: string]: unknown };
}

/** The class, for use in `error instanceof DevnetError`. */
export const DevnetError: {
  readonly prototype: DevnetError;
  new (...given: never): DevnetError;
} = ErrorClass;

/** A chain that runs in this process. */
export interface Devnet extends ChainActions {
  /** The whole JSON-RPC API, without a port. */
  readonly provider: Provider;
  /** `http://host:port`; `undefined` without the option `port` */
  readonly url: string | undefined;
  /** The clock that drives the chain: a {@link ManualClock} with the option `manualClock`. */
  readonly clock: Clock;
  /** the dev accounts, funded in the genesis block */
  readonly accounts: readonly Account[];
  /** seconds since the Unix epoch */
  readonly genesisTimestamp: bigint;
  /** What was lost when a damaged data directory was repaired; `undefined` if nothing was repaired. */
  readonly repaired: Repaired | undefined;
  /** The chain from which this one was forked at its start; `undefined` without the option `forkUrl`. */
  readonly fork: ForkFacts | undefined;
  /**
   * Rejects new requests, seals the open block if it has transactions, and closes the store. After that the provider rejects requests with
   * the error `disconnected` (4900). Further calls wait for the same end.
   */
  close(): Promise<void>;
  /**
   * Settles when the chain has ended: resolves after {@link close}, rejects as soon as a block can't be made or stored any more (disk
   * full). Even then reads are served until `close`. An unhandled rejection ends the process.
   */
  readonly closed: Promise<void>;
}

/**
 * Starts a chain in this process, without changing the process's settings (signals, environment, V8 flags). Without the option `port`
 * nothing listens; several chains can run side by side. The output of console.log in contracts goes to `console.log`.
 * @throws OptionError for an invalid option, ImportError for a block that can't be imported, DataDirError for a directory that is not this
 * chain's, EADDRINUSE
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
 * Starts a chain in this process that follows another node's chain: it receives the flashblock stream and executes the blocks itself. It
 * answers reads and subscriptions, and forwards calls that change the chain. Resolves when it has caught up.
 * @param stream `ws://host:port/flashblocks`, or the `redis://` URL to which the other node writes its log (option `redis`)
 * @throws OptionError; OtherChain if the other node's genesis block or rules differ; Error if it can't be reached
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
    // The provider answers each method as the type says.
    provider: started.provider as Provider,
    // Computed lazily: a chain may have thousands of accounts, and a checksum takes 20 µs.
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
        // Done while the chain can still execute failed calls and transactions again.
        await printing.settle();
      }
      await close();
      await log?.settle();
    },
  };
}
