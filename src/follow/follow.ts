import { bytesToHex } from '@ethereumjs/util';
import type { Node, NodeHooks } from '../boot/node.ts';
import { SystemClock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { conflict } from '../options/errors.ts';
import { type Config, type DevnetOptions, resolveOptions } from '../options/options.ts';
import { RpcClient, RpcError } from '../remote/rpc-client.ts';
import { Follower } from './follower.ts';
import { askerOf, type WireHeader } from './remote-chain.ts';
import { OtherChain, Sessions } from './session.ts';

/** Options of a follower, besides those of its chain and its server. */
export interface FollowOptions extends DevnetOptions {
  /** JSON-RPC address of the node that makes the blocks, `ws://` or `http://`. Default: the stream's host and port. */
  rpc?: string;
  /** End at the first block whose result differs from the other node's. */
  strict?: boolean;
}

export interface FollowHooks extends NodeHooks {
  /** Called with lines to print: about the connection, and about blocks that differ. */
  readonly onFollow?: ((line: string) => void) | undefined;
}

type CreateNode = (config: Config, hooks: NodeHooks) => Promise<Node>;

/**
 * Starts a node that follows another node's flashblock stream, and waits until it has caught up.
 * @param url address of the stream, `ws://host:port/flashblocks`
 * @throws OptionError, OtherChain when the genesis block or the rules differ, Error when the other node can't be
 *   reached
 */
export async function followNode(
  url: string,
  { rpc, strict = false, ...options }: FollowOptions,
  hooks: FollowHooks,
  createNode: CreateNode,
): Promise<{ readonly node: Node; readonly config: Config }> {
  if (options.forkUrl !== undefined) conflict('forkUrl', 'follow');
  const clock = new SystemClock();
  const endpoints = endpointsOf(url, rpc);
  const remote = await factsOf(endpoints.rpc, clock, resolveOptions(unmined(options)).number);
  const config = resolveOptions(options.init === undefined ? genesisOf(remote, options) : unmined(options));
  const onLine = hooks.onFollow ?? (() => {});
  let sessions: Sessions | undefined;
  const node = await createNode(config, {
    ...hooks,
    forward: async (method, params) => {
      try {
        return await sessions?.request(method, params);
      } catch (error) {
        throw error instanceof RpcError ? DevnetError.foreign(error) : error;
      }
    },
  });
  try {
    const genesisHash = node.chain.hashOf(node.chain.genesis)!;
    if (bytesToHex(genesisHash) !== remote.genesis.hash)
      throw new OtherChain(
        `the genesis block is ${bytesToHex(genesisHash)} here and ${remote.genesis.hash} at ${endpoints.rpc}: ` +
          'give the options that it was started with (--init, --accounts, --balance, --mnemonic, --seed, --hardfork)',
      );
    if (config.optimism !== remote.optimism)
      throw new OtherChain(`${endpoints.rpc} was started ${remote.optimism ? 'with' : 'without'} --optimism`);
    const rules = options.init === undefined && remote.config !== undefined;
    const own = rules && JSON.stringify(currentOf(await node.provider.request({ method: 'eth_config' })));
    if (rules && own !== JSON.stringify(remote.config))
      throw new OtherChain(`${endpoints.rpc} has other rules (eth_config): give its --hardfork`);
    const follower = new Follower({
      chain: node.chain,
      replica: node.replica,
      onMismatch: ({ number, reason }) => {
        const line =
          `block ${number} differs: ${reason}. What dev methods write (anvil_setBalance and its kin) is not in the ` +
          `stream; this chain stays at block ${node.chain.latest.header.number} until that is taken back`;
        onLine(line);
        if (strict) hooks.onFatal(new Error(line));
      },
    });
    sessions = new Sessions(endpoints, {
      follower,
      genesis: { number: node.chain.genesis, hash: genesisHash },
      clock,
      onLine,
      onFatal: hooks.onFatal,
    });
    await sessions.start();
  } catch (error) {
    await sessions?.stop();
    await node.close();
    throw error;
  }
  const { close } = node;
  return {
    config,
    node: {
      ...node,
      close: async () => {
        await sessions.stop();
        await close();
      },
    },
  };
}

interface RemoteFacts {
  readonly chainId: string;
  readonly genesis: WireHeader & Readonly<Record<string, string>>;
  /** `current` of `eth_config` (EIP-7910); `undefined` if the node doesn't have the method */
  readonly config: unknown;
  readonly optimism: boolean;
}

async function factsOf(url: string, clock: SystemClock, number: bigint): Promise<RemoteFacts> {
  const client = await RpcClient.open(url, clock);
  const ask = askerOf(client);
  try {
    const [chainId, genesis, config, metadata, info] = await Promise.all([
      ask('eth_chainId'),
      ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]),
      ask('eth_config').catch(() => undefined),
      ask('anvil_metadata').catch(() => undefined),
      ask('anvil_nodeInfo').catch(() => undefined),
    ]);
    if ((metadata as { forkedNetwork?: unknown } | undefined)?.forkedNetwork)
      throw new OtherChain(`${url} is forked from another chain, which a follower knows nothing of`);
    if (!genesis) throw new OtherChain(`there is no block ${number} at ${url}: give its --number`);
    return {
      chainId: chainId as string,
      genesis: genesis as RemoteFacts['genesis'],
      config: currentOf(config),
      optimism: (info as { network?: unknown } | undefined)?.network === 'optimism',
    };
  } finally {
    client.close();
  }
}

function currentOf(config: unknown): unknown {
  return (config as { current?: unknown } | undefined)?.current;
}

/** Options for the same built-in genesis block: the header's fields, and the accounts of the follower's own options. */
function genesisOf({ chainId, genesis }: RemoteFacts, options: DevnetOptions): DevnetOptions {
  return unmined({
    ...options,
    chainId: BigInt(chainId),
    timestamp: BigInt(genesis.timestamp!),
    gasLimit: BigInt(genesis.gasLimit!),
    coinbase: genesis.miner!,
    extraData: genesis.extraData!,
    ...(genesis.baseFeePerGas !== undefined && { baseFee: BigInt(genesis.baseFeePerGas) }),
  });
}

/** The options with mining switched off. */
function unmined(options: DevnetOptions): DevnetOptions {
  return { ...options, noMining: true };
}

/** WebSocket addresses of the stream, with the open block's flashblocks first (`backfill`), and of the JSON-RPC. */
function endpointsOf(url: string, rpc: string | undefined): { stream: string; rpc: string } {
  const stream = new URL(url);
  if (!stream.searchParams.has('backfill')) stream.searchParams.set('backfill', '1');
  const beside = new URL(rpc ?? new URL('/', stream));
  for (const it of [stream, beside]) it.protocol = it.protocol.replace('http', 'ws');
  return { stream: stream.href, rpc: beside.href };
}
