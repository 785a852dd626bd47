import { bytesToHex } from '@ethereumjs/util';
import type { Node, NodeHooks } from '../boot/node.ts';
import { SystemClock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { conflict } from '../options/errors.ts';
import { type Config, type DevnetOptions, resolveOptions } from '../options/options.ts';
import { presetOf, withShared } from '../options/recorded.ts';
import { RpcClient, RpcError, Unreachable } from '../remote/rpc-client.ts';
import { Follower } from './follower.ts';
import { askerOf } from './remote-chain.ts';
import { OtherChain, Sessions } from './session.ts';

/** Options of a follower in addition to those of its chain and its server. */
export interface FollowOptions extends DevnetOptions {
  /** JSON-RPC address of the node that makes the blocks, `ws://` or `http://`. Default: the stream's host and port. */
  rpc?: string;
  /** Ends at the first block whose result differs from the other node's. */
  strict?: boolean;
}

export interface FollowHooks extends NodeHooks {
  /** Called with lines to print: about the connection, and about blocks that differ. */
  readonly onFollow?: ((line: string) => void) | undefined;
}

/** JSON-RPC 2.0 */
const METHOD_NOT_FOUND = -32601;

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
  const own = { ...options, noMining: true };
  const { number } = resolveOptions(own);
  const remote = await factsOf(endpoints.rpc, clock, options.init === undefined ? undefined : number);
  const preset = presetOf(remote.options?.preset);
  const config = {
    ...resolveOptions(remote.options ? withShared(unmined(remote.options), own) : own),
    // The preset excludes noMining, so it is set only afterwards; it determines how blocks are shown.
    ...(preset && { preset }),
  };
  const onLine = hooks.onFollow ?? (() => {});
  let sessions: Sessions | undefined;
  const node = await createNode(config, {
    ...hooks,
    followed: () => sessions?.connectionState() ?? { heardMs: 0, problem: null },
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
    if (bytesToHex(genesisHash) !== remote.genesis)
      throw new OtherChain(
        `the genesis block is ${bytesToHex(genesisHash)} here and ${remote.genesis} at ${endpoints.rpc}: ` +
          (remote.options
            ? 'leave out the options of the chain; a chain that began with a state file (--state, --load-state) ' +
              "can't be followed"
            : 'give the genesis file that it was started with (--init)'),
      );
    const rules =
      remote.rules && JSON.stringify(currentOf(await node.provider.request({ method: 'eth_config' })));
    if (remote.rules && rules !== JSON.stringify(remote.rules))
      throw new OtherChain(`${endpoints.rpc} has other rules (eth_config): leave out --hardfork`);
    const follower = new Follower({
      chain: node.chain,
      replica: node.replica,
      onProgress: hooks.onProgress,
      onMismatch: ({ number, reason }) => {
        const line =
          `block ${number} differs: ${reason}. What dev methods write (such as anvil_setBalance) is not in the ` +
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
  /** hash of the genesis block, `0x` hex */
  readonly genesis: string;
  /** the options of its chain; `undefined` if they weren't requested */
  readonly options?: Readonly<Record<string, unknown>>;
  /** `current` of `eth_config` (EIP-7910), if the other node has the method and its chain's options were requested */
  readonly rules?: unknown;
}

/** The result of `devnet_chainOptions`. */
interface ChainOptions {
  readonly options: Readonly<Record<string, unknown>>;
  readonly chainId: number;
  readonly genesis: { readonly timestamp: number; readonly hash: string };
}

/** @param known number of the genesis block if this node has a genesis file; then nothing but the block's hash is requested */
async function factsOf(url: string, clock: SystemClock, known: bigint | undefined): Promise<RemoteFacts> {
  const client = await RpcClient.open(url, clock);
  const ask = askerOf(client);
  try {
    if (known !== undefined) {
      const first = (await ask('eth_getBlockByNumber', [`0x${known.toString(16)}`, false])) as {
        hash: string;
      } | null;
      return { genesis: first?.hash ?? 'missing' };
    }
    const [told, config] = await Promise.all([
      ask('devnet_chainOptions') as Promise<ChainOptions>,
      ask('eth_config').catch(() => undefined),
    ]);
    const { options, chainId, genesis } = told;
    const own = options.init === undefined && { chainId, timestamp: genesis.timestamp };
    return { genesis: genesis.hash, options: { ...options, ...own }, rules: currentOf(config) };
  } catch (error) {
    if (!(error instanceof RpcError) || error instanceof Unreachable) throw error;
    const why =
      error.code === METHOD_NOT_FOUND
        ? 'it is no devnet of this version, and its genesis file is needed (--init)'
        : error.message;
    throw new OtherChain(`${url} can't be followed: ${why}`);
  } finally {
    client.close();
  }
}

function currentOf(config: unknown): unknown {
  return (config as { current?: unknown } | undefined)?.current;
}

/** The other node's options without those that determine when it makes blocks. */
function unmined({
  automine,
  mixedMining,
  preset,
  blockTime,
  flashblockInterval,
  ...options
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return options;
}

/** WebSocket URLs of the stream, which starts with the open block's flashblocks (`backfill`), and of the JSON-RPC. */
function endpointsOf(url: string, rpc: string | undefined): { stream: string; rpc: string } {
  const stream = new URL(url);
  if (!stream.searchParams.has('backfill')) stream.searchParams.set('backfill', '1');
  const beside = new URL(rpc ?? new URL('/', stream));
  for (const it of [stream, beside]) it.protocol = it.protocol.replace('http', 'ws');
  return { stream: stream.href, rpc: beside.href };
}
