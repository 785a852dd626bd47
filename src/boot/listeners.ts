import type { Config } from '../options/options.ts';
import type { RpcContext } from '../rpc/context.ts';
import type { Dispatcher } from '../rpc/dispatch.ts';
import { InProcessProvider } from '../rpc/in-process-provider.ts';
import type { CallCounts } from '../server/call-counts.ts';
import { Explorer } from '../server/explorer.ts';
import { FlashblockStream } from '../server/flashblocks.ts';
import { RpcIpc } from '../server/ipc.ts';
import { statusPages } from '../server/pages.ts';
import { RpcServer } from '../server/server.ts';
import type { NodeParts } from './rpc.ts';
import { prepare, warmUp } from './warm-up.ts';

/** Delay of the warm-up, so that a client that polls the port is answered first. The first tick comes at 200 ms. */
const WARM_UP_DELAY_MS = 25;

/** Events of the listeners. */
export interface ListenerHooks {
  /** Called with the number of messages that a slow WebSocket reader lost, when it has caught up or disconnected. */
  readonly onDropped?: (messages: number) => void;
  /** Called when a block can't be made or stored: the chain can't continue. */
  readonly onFatal: (error: unknown) => void;
}

/** The interfaces of a node: the port, the Unix socket, and the provider for code in the same process. */
export interface Listeners {
  readonly provider: InProcessProvider;
  /** Opens the port. @returns `http://host:port`; throws EADDRINUSE */
  listen(host: string, port: number): Promise<string>;
  /** Opens a Unix socket. @throws EADDRINUSE if another process listens on it */
  listenIpc(path: string): Promise<void>;
  /** Accepts no more calls, and waits for the running ones. */
  stop(): Promise<void>;
}

/** Makes the servers for JSON-RPC (HTTP, WebSocket, Unix socket), the flashblock stream and the status pages. Doesn't open them yet. */
export function createListeners(
  config: Config,
  hooks: ListenerHooks,
  deps: {
    parts: NodeParts;
    context: RpcContext;
    dispatcher: Dispatcher;
    calls: CallCounts;
  },
): Listeners {
  const { context, dispatcher, calls } = deps;
  const {
    chain,
    forking,
    store,
    engine,
    feed,
    sequencer,
    replica,
    mempool,
    contracts,
    stackTraces,
    wall,
    delivery,
  } = deps.parts;
  let droppedMessages = 0;
  const onDropped = (messages: number) => {
    droppedMessages += messages;
    hooks.onDropped?.(messages);
  };
  context.subscriptions.whenDropped(onDropped);
  const { published } = context;
  const provider = new InProcessProvider({ dispatcher });
  const stream = new FlashblockStream(
    { buffer: config.flashblockBuffer },
    {
      feed,
      faults: sequencer.faults,
      delivery,
      published,
      clock: wall,
      onDropped,
    },
  );
  const pages = statusPages(() => ({
    head: chain.latest.header.number,
    preconfirmed: published().at(-1)?.block.transactions.length ?? 0,
    waiting: mempool.size,
    ticks: sequencer.metrics.report(),
    calls: calls.entries(),
    subscriptions: context.subscriptions.size,
    streamReaders: stream.readers,
    droppedMessages,
    mismatches: replica.mismatches,
    member: context.member?.status(),
    followed: context.followed?.(),
    fork: forking.fork?.reads.counts,
    memory: process.memoryUsage(),
  }));
  let server: RpcServer | undefined;
  let warmUpTimer: Disposable | undefined;
  let warming: Promise<void> | undefined;
  const stopping = new AbortController();
  const listen: Listeners['listen'] = async (host, port) => {
    server = new RpcServer(
      {
        allowHosts: config.allowHost,
        allowOrigin: config.allowOrigin,
        bodyLimit: config.maxBodySize,
        notificationBuffer: config.notificationBuffer,
        sendBuffer: config.sendBuffer,
      },
      {
        dispatcher,
        clock: wall,
        member: context.member,
        upgrades: new Map([['/flashblocks', (...args) => stream.upgrade(...args)]]),
        pages,
        ...(!config.noExplorer && {
          explorer: new Explorer({}, { artifacts: contracts.folder, buildInfos: stackTraces }),
        }),
        onDropped,
      },
    );
    const address = await server.start(host, port);
    warmUpTimer = wall.after(WARM_UP_DELAY_MS, () => {
      const { signal } = stopping;
      const isTicking = 'blockTime' in config.mining;
      const warm = isTicking ? warmUp(chain, context.simulator, signal) : Promise.resolve();
      warming = warm.then(() => prepare({ engine, store, wall }, signal)).catch(hooks.onFatal);
    });
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  };
  const { maxBodySize: bodyLimit, notificationBuffer, sendBuffer } = config;
  const ipc = new RpcIpc(
    { bodyLimit, notificationBuffer, sendBuffer },
    { dispatcher, clock: wall, onDropped },
  );
  const stop = async () => {
    provider.close();
    stopping.abort();
    warmUpTimer?.[Symbol.dispose]();
    await Promise.all([server?.stop(), ipc.stop(), stream.stop()]);
    await warming;
  };
  return { provider, listen, listenIpc: (path) => ipc.start(path), stop };
}
