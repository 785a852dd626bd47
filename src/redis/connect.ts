import type { RedisClientType } from '@redis/client';
import { SystemClock } from '../clock.ts';
import { checkPeer } from '../peer-version.ts';

/** A connection to Redis. */
export type Redis = RedisClientType;

/** Time limits for Redis, in milliseconds. */
export interface RedisLimits {
  /**
   * a connection on which nothing is received and nothing can be sent for this time is closed and reopened; must be longer than any
   * blocking command
   */
  readonly silent: number;
  /** interval of pings on an idle connection; must be shorter than `silent` */
  readonly ping: number;
  /** how long a command waits for a lost connection to be reopened; absent = without limit */
  readonly wait?: number;
}

/** For BullMQ, whose blocking commands take up to 10 s. */
const QUEUE_LIMITS: RedisLimits = { silent: 15_000, ping: 5_000 };
/** The reason reported if a server accepts the connection and never answers. */
const SILENT = 'the connection was accepted, but nothing is answered';
/** Timeout of the first attempt to connect, in milliseconds: TCP, TLS and the answer to the first command together. */
const CONNECT_MS = 5_000;

/**
 * Connects to Redis. If the connection is lost or silent later, it is reopened; commands sent meanwhile are executed then, or fail.
 * @param url `redis://` or `rediss://` (TLS), with user and password if needed
 * @throws Error in one line, without the password: the URL is invalid, the package is missing or too old, or Redis doesn't answer
 */
export async function connectRedis(url: string, limits: RedisLimits = QUEUE_LIMITS): Promise<Redis> {
  const place = withoutPassword(url);
  checkPeer('@redis/client');
  const { createClient } = await import('@redis/client').catch(missing);
  let isConnected = false;
  const client: Redis = createClient({
    url,
    pingInterval: limits.ping,
    ...(limits.wait !== undefined && { commandOptions: { timeout: limits.wait } }),
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: limits.silent,
      reconnectStrategy: (retries) => (isConnected ? Math.min(50 * 2 ** retries, 1_000) : false),
    },
  });
  let last: Error | undefined;
  // Without a listener an error would end the process; the client reconnects by itself.
  client.on('error', (error: Error) => {
    last = error;
  });
  let isLate = false;
  // A server that accepts the connection and never answers would block the start forever.
  const limit = new SystemClock().after(CONNECT_MS, () => {
    isLate = true;
    client.destroy();
  });
  try {
    await client.connect();
  } catch (error) {
    const reason = isLate ? SILENT : reasonOf(last ?? (error as Error));
    throw new Error(`no Redis at ${place}: ${reason}`);
  } finally {
    limit[Symbol.dispose]();
  }
  isConnected = true;
  return client;
}

export async function getBytes(redis: Redis, key: string): Promise<Buffer | undefined> {
  const { RESP_TYPES } = await import('@redis/client');
  return (await redis.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }).get(key)) ?? undefined;
}

/** A Redis URL without its password, for messages. @throws Error when the URL is invalid */
export function withoutPassword(url: string): string {
  const { protocol, host, pathname } = URL.canParse(url)
    ? new URL(url)
    : { protocol: '', host: '', pathname: '' };
  if (host === '' || !['redis:', 'rediss:'].includes(protocol))
    throw new Error('the URL of Redis: expected redis://host:port or rediss://host:port');
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** Handles the failed import of a package that isn't installed. */
export function missing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'MODULE_NOT_FOUND') throw error;
  throw new Error('Redis needs two more packages: npm install @redis/client@6 bullmq@6');
}

function reasonOf(error: Error): string {
  // An AggregateError: all addresses of the host have failed.
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const { constructor: made, code, message } = first as NodeJS.ErrnoException;
  if (made.name === 'SocketTimeoutError') return SILENT;
  if (made.name === 'ConnectionTimeoutError') return 'the host does not answer';
  if (made.name === 'SocketClosedUnexpectedlyError') return 'the connection was accepted, and closed';
  return code ?? message;
}
