import { basename } from 'node:path';
import type { DevAccount } from './accounts.ts';
import type { ForkFacts } from './boot/forking.ts';
import { createNode, type Node, type NodeHooks, type Repaired } from './boot/node.ts';
import type { Clock } from './clock.ts';
import type { CountedNode } from './coverage/counted-node.ts';
import { type FollowHooks, type FollowOptions, followNode } from './follow/follow.ts';
import { type Config, type DevnetOptions, resolveOptions } from './options/options.ts';
import type { Progress } from './progress.ts';
import { type ImportProgress, importChain } from './replay/import-chain.ts';
import type { InProcessProvider } from './rpc/in-process-provider.ts';

/** Hooks that are called when something happens on a node, and services of the process that runs it. */
export interface StartHooks extends Omit<Partial<NodeHooks>, 'onFatal' | 'version'> {
  /** Called with lines about a follower's connection, and about blocks whose result differs on this node. */
  readonly onFollow?: FollowHooks['onFollow'];
  /** Called after each imported block. */
  readonly onImport?: ((progress: ImportProgress) => void) | undefined;
  /** the resolved options, if they have already been read: a large genesis file takes seconds */
  readonly config?: Config;
}

/** A started node, which listens if its options say so. */
export interface Started {
  readonly provider: InProcessProvider;
  /** `http://host:port`; `undefined` without the option `port` */
  readonly url: string | undefined;
  /** The clock that drives the chain: a `ManualClock` with the option `manualClock`. */
  readonly clock: Clock;
  /** the dev accounts, funded in the genesis block */
  readonly accounts: readonly DevAccount[];
  /** seconds since the Unix epoch */
  readonly genesisTimestamp: bigint;
  /** What was lost when a damaged data directory was repaired; `undefined` if nothing was repaired. */
  readonly repaired: Repaired | undefined;
  /** The chain from which this one was forked at its start; `undefined` without the option `forkUrl`. */
  readonly fork: ForkFacts | undefined;
  /** Rejects new requests, seals the open block if it has transactions, and closes the store. */
  close(): Promise<void>;
  /**
   * Settles when the chain has ended: resolves after {@link close}, rejects as soon as a block can't be made or stored any more (disk
   * full). Even then reads are served until `close`. An unhandled rejection ends the process.
   */
  readonly closed: Promise<void>;
}

/**
 * Starts a node. Without the option `port`, nothing listens.
 * @throws OptionError for an invalid option, ImportError for a block that can't be imported, DataDirError for a directory that is not this
 * chain's, EADDRINUSE
 */
export async function startNode(
  options: DevnetOptions = {},
  { config: known, ...asked }: StartHooks = {},
): Promise<Started> {
  const config = known ?? resolveOptions(options);
  const counted = await countedNode();
  const hooks = counted?.hooks(asked) ?? asked;
  const end = ending();
  const own = { version: VERSION, onFatal: end.fail, ...hooks };
  const { redis } = options;
  if (redis !== undefined) {
    // Loaded only if there is a log.
    const { leadLog } = await import('./chain-log/log-member.ts');
    const joined = await leadLog({ ...options, redis }, own);
    return serve(joined.node, { options, config: joined.config, end, counted }, undefined, joined.listening);
  }
  const node = await createNode(config, own);
  return serve(node, { options, config, end, counted }, async () => {
    const { onImport, onProgress } = hooks;
    const told = (progress: ImportProgress) => {
      onImport?.(progress);
      onProgress?.(importProgress(config.import!, progress));
    };
    if (config.import !== undefined) await importChain(config.import, node, told);
  });
}

function importProgress(path: string, { imported, bytes, total }: ImportProgress): Progress {
  const also = { done: imported, unit: 'blocks' };
  return { task: `Importing ${basename(path)}`, done: bytes, total, unit: 'bytes', also };
}

/**
 * Starts a node that follows another node's chain: it receives the flashblock stream and executes the blocks itself. Resolves when it has
 * caught up.
 * @param stream `ws://host:port/flashblocks`, or the `redis://` URL to which the other node writes its log (option `redis`)
 * @throws OptionError; OtherChain if the other node's genesis block or rules differ; Error if it can't be reached
 */
export async function startFollower(
  stream: string,
  options: FollowOptions = {},
  hooks: StartHooks = {},
): Promise<Started> {
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

/** Returns the counter of the node's executions, if `devnet run` has started this process and requested it. */
async function countedNode(): Promise<CountedNode | undefined> {
  const { DEVNET_PROFILE: folder, DEVNET_PROFILE_CALLS: calls } = process.env;
  if (!folder) return undefined;
  const { CountedNode } = await import('./coverage/counted-node.ts');
  return new CountedNode(folder, { calls: Boolean(calls) });
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
  {
    options,
    config,
    end,
    counted,
  }: { options: DevnetOptions; config: Config; end: Ending; counted?: CountedNode | undefined },
  prepare: () => Promise<void> = async () => {},
  listening: (url: string) => Promise<void> = async () => {},
): Promise<Started> {
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
      await counted?.settle();
      await node.close();
      await counted?.settle();
      counted?.end();
      end.close();
    },
    closed: end.closed,
  };
}
