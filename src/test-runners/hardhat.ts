import { createDevnet, type Devnet, type DevnetOptions } from '../index.ts';
import { forSuites } from '../options/for-suites.ts';
import { checkPeer } from '../peer-version.ts';

checkPeer('hardhat');

/** The network that the plugin adds. */
const NETWORK = 'devnet';

interface Request {
  readonly id: number | string;
  readonly method: string;
  readonly params?: unknown;
}

interface Connection {
  readonly networkName: string;
}

interface ProviderErrorParts {
  readonly code: number;
  readonly data?: unknown;
  /** Solidity stack frames */
  readonly solidity?: string;
}

/** Creates an error like those of Hardhat's HTTP provider, whose stack starts in the Solidity source. */
function providerError({ code, message, data, stack = '' }: Error & ProviderErrorParts): Error {
  const error = Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });
  error.name = 'ProviderError';
  error.stack = stack.replace(/^\w+/, error.name);
  // Hardhat recognises its provider errors by this property.
  Object.defineProperty(error, '_isProviderError', { value: true });
  return error;
}

type Handler = (...args: never[]) => Promise<unknown>;

/** The part of the context of Hardhat's hooks that is used. */
interface Context {
  readonly hooks: {
    runHandlerChain(
      category: 'network',
      name: 'onRequest',
      params: readonly [Connection, Request],
      last: (context: Context, connection: Connection, request: Request) => Promise<unknown>,
    ): Promise<unknown>;
  };
}

/**
 * A plugin for Hardhat 3 that adds the network `devnet`: each connection to it has its own chain in Hardhat's process, and no request
 * leaves the process. It must be the last plugin in the list.
 * @param options options of the chains; by default with Hardhat's errors and accounts (`compat: 'hardhat'`) and a block for each
 * transaction
 */
export default function devnet(options: DevnetOptions = {}) {
  // Without a time limit: its timer would delay the end of Hardhat's process if the connection isn't closed.
  const asked: DevnetOptions = forSuites({ compat: 'hardhat', rpcTimeout: 0, ...options });
  const chains = new WeakMap<Connection, Promise<Devnet>>();
  const chainOf = (connection: Connection) => {
    const known = chains.get(connection) ?? createDevnet(asked);
    chains.set(connection, known);
    return known;
  };
  /** requests that are being processed by Hardhat's own handlers */
  const inside = new WeakSet<Request>();

  const answer = async (connection: Connection, { id, method, params }: Request) => {
    const { provider } = await chainOf(connection);
    try {
      const result = await provider.request({ method, params: (params ?? []) as readonly unknown[] });
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      const { code, message, data, solidity } = error as Error & ProviderErrorParts;
      // Hardhat would create its own error from the response, without the Solidity frames.
      if (solidity !== undefined) throw providerError(error as Error & ProviderErrorParts);
      return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
    }
  };

  const config = {
    extendUserConfig: async (
      given: Record<string, unknown>,
      next: (config: Record<string, unknown>) => Promise<Record<string, unknown>>,
    ) => {
      const { networks = {}, ...rest } = (await next(given)) as { networks?: Record<string, object> };
      // Hardhat's request handlers only work for a network with a URL. Nothing listens at this one.
      const network = { type: 'http', url: 'http://devnet.invalid', ...networks[NETWORK] };
      return { ...rest, networks: { ...networks, [NETWORK]: network } };
    },
  };

  const network = {
    onRequest: async (
      context: Context,
      connection: Connection,
      request: Request,
      next: (context: Context, connection: Connection, request: Request) => Promise<unknown>,
    ) => {
      if (connection.networkName !== NETWORK || inside.has(request))
        return next(context, connection, request);
      // The last handler would send the request to the network's URL. So all handlers are run here, with our own last one.
      const again = { ...request };
      inside.add(again);
      return context.hooks.runHandlerChain(
        'network',
        'onRequest',
        [connection, again],
        (_context, at, prepared) => answer(at, prepared),
      );
    },
    closeConnection: async (
      context: Context,
      connection: Connection,
      next: (context: Context, connection: Connection) => Promise<void>,
    ) => {
      const chain = chains.get(connection);
      chains.delete(connection);
      await next(context, connection);
      await (await chain)?.close();
    },
  };

  // Hardhat's types aren't imported, because it isn't installed where devnet is built; Hardhat checks these objects structurally.
  return {
    id: 'devnet',
    npmPackage: 'devnet',
    hookHandlers: {
      config: async () => ({ default: async () => config as Record<string, Handler> }),
      network: async () => ({ default: async () => network as Record<string, Handler> }),
    },
  };
}
