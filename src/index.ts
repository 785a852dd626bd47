/// <reference lib="esnext.disposable" />
import type { DevAccount } from './accounts.ts';
import type { ForkFacts } from './boot/forking.ts';
import { createNode, type Node, type NodeHooks, type Repaired } from './boot/node.ts';
import type { Clock, ManualClock } from './clock.ts';
import { type FollowHooks, type FollowOptions, followNode } from './follow/follow.ts';
import { type Config, type DevnetOptions, resolveOptions } from './options/options.ts';
import { type ImportProgress, importChain } from './replay/import-chain.ts';
import type { MessageListener, ProviderMessage } from './rpc/in-process-provider.ts';

export type { ForkFacts } from './boot/forking.ts';
export type { Repaired } from './boot/node.ts';
export { type Clock, ManualClock } from './clock.ts';
export { DevnetError } from './errors.ts';
export type { FollowOptions } from './follow/follow.ts';
export { OtherChain } from './follow/session.ts';
export { type DevnetOptions, OptionError } from './options/options.ts';
export { ImportError } from './replay/import-chain.ts';
export { type CaseOutcome, type FileOutcome, replayFixture } from './replay/replay-file.ts';
export type { MessageListener, ProviderMessage };

/** EIP-1193 */
export interface Provider {
  /** @throws DevnetError with `code`, and `data` where the error has some */
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
  /** Notifications of `eth_subscribe`. */
  on(event: 'message', listener: MessageListener): this;
  removeListener(event: 'message', listener: MessageListener): this;
}

/** Who is told what the node does, for a log. Costs nothing where it is left out. */
export interface DevnetHooks extends Omit<Partial<NodeHooks>, 'onFatal' | 'version'> {
  /** A follower's connection, and blocks that come out otherwise here. */
  readonly onFollow?: FollowHooks['onFollow'];
  /** After each imported block. */
  readonly onImport?: ((progress: ImportProgress) => void) | undefined;
}

/** A chain that runs in this process. */
export interface Devnet {
  /** The whole JSON-RPC API without a port. */
  readonly provider: Provider;
  /** `http://host:port`; `undefined` without the option `port` */
  readonly url: string | undefined;
  /** What drives the chain: a {@link ManualClock} with the option `manualClock`. */
  readonly clock: Clock;
  /** the dev accounts, funded in the genesis block */
  readonly accounts: readonly DevAccount[];
  /** seconds since the Unix epoch */
  readonly genesisTimestamp: bigint;
  /** What a damaged data directory lost in its repair; `undefined` when nothing was repaired. */
  readonly repaired: Repaired | undefined;
  /** The chain that this one was forked from when it was started; `undefined` without the option `forkUrl`. */
  readonly fork: ForkFacts | undefined;
  /** Stops accepting, seals the open block if it has transactions, and closes the store. */
  close(): Promise<void>;
  /**
   * Settles when the chain has ended: resolves after {@link close}, rejects at once when a block can't be made or stored
   * any more (a full disk). Reads are served until `close` even then. A rejection that nobody handles ends the process.
   */
  readonly closed: Promise<void>;
}

/**
 * Starts a chain in this process. Without the option `port` nothing listens; several may run side by side.
 * @throws OptionError for a bad option, ImportError for a block that can't be imported, DataDirError for a directory
 * that is not this chain's, EADDRINUSE
 */
export async function createDevnet(
  options: DevnetOptions & { manualClock: true },
  hooks?: DevnetHooks,
): Promise<Devnet & { readonly clock: ManualClock }>;
export async function createDevnet(options?: DevnetOptions, hooks?: DevnetHooks): Promise<Devnet>;
export async function createDevnet(options: DevnetOptions = {}, hooks: DevnetHooks = {}): Promise<Devnet> {
  const config = resolveOptions(options);
  const end = ending();
  const own = { version: VERSION, onFatal: end.fail, ...hooks };
  const { redis } = options;
  if (redis !== undefined) {
    // Not loaded without a log.
    const { leadLog } = await import('./chain-log/log-member.ts');
    const joined = await leadLog({ ...options, redis }, own);
    return serve(joined.node, { options, config: joined.config, end }, undefined, joined.listening);
  }
  const node = await createNode(config, own);
  return serve(node, { options, config, end }, async () => {
    if (config.import !== undefined) await importChain(config.import, node, hooks.onImport);
  });
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
  const end = ending();
  const own = { version: VERSION, onFatal: end.fail, ...hooks };
  if (/^rediss?:/.test(stream)) {
    const { rpc, strict, ...chain } = options;
    const { followLog } = await import('./chain-log/log-member.ts');
    const joined = await followLog({ ...chain, redis: stream }, own);
    return serve(joined.node, { options, config: joined.config, end }, undefined, joined.listening);
  }
  const { node, config } = await followNode(stream, options, own, createNode);
  return serve(node, { options, config, end });
}

const VERSION = process.env.DEVNET_VERSION ?? '0.0.0';

interface Ending {
  readonly closed: Promise<void>;
  readonly close: () => void;
  readonly fail: (error: unknown) => void;
}

function ending(): Ending {
  let close = () => {};
  let fail: (error: unknown) => void = () => {};
  const closed = new Promise<void>((resolve, reject) => {
    close = resolve;
    fail = reject;
  });
  return { closed, close, fail };
}

async function serve(
  node: Node,
  { options, config, end }: { options: DevnetOptions; config: Config; end: Ending },
  prepare: () => Promise<void> = async () => {},
  listening: (url: string) => Promise<void> = async () => {},
): Promise<Devnet> {
  let url: string | undefined;
  try {
    await prepare();
    if (config.ipc !== undefined) await node.listenIpc(config.ipc);
    if (options.port !== undefined) {
      url = await node.listen(config.host, config.port);
      await listening(url);
    }
  } catch (error) {
    await node.close();
    throw error;
  }
  return {
    provider: node.provider,
    url,
    clock: node.clock,
    accounts: node.accounts,
    genesisTimestamp: node.genesisTimestamp,
    repaired: node.repaired,
    fork: node.fork,
    close: async () => {
      await node.close();
      end.close();
    },
    closed: end.closed,
  };
}
