/// <reference lib="esnext.disposable" />
import type { DevAccount } from './accounts.ts';
import type { Clock, ManualClock } from './clock.ts';
import { createNode, type NodeHooks } from './node.ts';
import { type DevnetOptions, resolveOptions } from './options.ts';
import type { MessageListener, ProviderMessage } from './rpc/in-process-provider.ts';

export { type Clock, ManualClock } from './clock.ts';
export { DevnetError } from './errors.ts';
export { type DevnetOptions, OptionError } from './options.ts';
export type { MessageListener, ProviderMessage };

/** EIP-1193 */
export interface Provider {
  /** @throws DevnetError with `code`, and `data` where the error has some */
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
  /** Notifications of `eth_subscribe`. */
  on(event: 'message', listener: MessageListener): this;
  removeListener(event: 'message', listener: MessageListener): this;
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
  readonly repaired: { readonly batches: number } | undefined;
  /** Stops accepting, seals the open block if it has transactions, and closes the store. */
  close(): Promise<void>;
}

/**
 * Starts a chain in this process. Without the option `port` nothing listens; several may run side by side.
 * @throws OptionError for a bad option, DataDirError for a directory that is not this chain's, EADDRINUSE
 */
export async function createDevnet(
  options: DevnetOptions & { manualClock: true },
  hooks?: Partial<NodeHooks>,
): Promise<Devnet & { readonly clock: ManualClock }>;
export async function createDevnet(options?: DevnetOptions, hooks?: Partial<NodeHooks>): Promise<Devnet>;
export async function createDevnet(
  options: DevnetOptions = {},
  hooks: Partial<NodeHooks> = {},
): Promise<Devnet> {
  const config = resolveOptions(options);
  const node = await createNode(config, {
    version: process.env.DEVNET_VERSION ?? '0.0.0',
    onFatal: (error) => {
      throw error;
    },
    ...hooks,
  });
  let url: string | undefined;
  try {
    if (options.port !== undefined) url = await node.listen(config.host, config.port);
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
    close: () => node.close(),
  };
}
