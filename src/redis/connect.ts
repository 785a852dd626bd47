import type { RedisClientType } from '@redis/client';
import { SystemClock } from '../clock.ts';
import { checkPeer } from '../peer-version.ts';

/** A connection to Redis. */
export type Redis = RedisClientType;

/** How long Redis may take. Times are milliseconds. */
export interface RedisLimits {
  /**
   * after which a connection on which nothing arrives and nothing can be sent is given up, and made again; longer than any
   * command that waits in Redis
   */
  readonly silent: number;
  /** between two pings of a connection on which nothing else is asked; shorter than `silent` */
  readonly ping: number;
  /** for which a command waits for a connection that is to be made again; without it, as long as that takes */
  readonly wait?: number;
}

/** For BullMQ, whose commands wait in Redis for up to 10 s. */
const QUEUE_LIMITS: RedisLimits = { silent: 15_000, ping: 5_000 };
/** What is said of one that accepts a connection, and no more. */
const SILENT = 'the connection was accepted, but nothing is answered';
/** Milliseconds until a first attempt to connect ends: TCP, TLS and the answer to the first command together. */
const CONNECT_MS = 5_000;

/**
 * Connects to Redis. A connection that is lost or silent later is made again, and what was asked meanwhile is answered then, or
 * fails.
 * @param url `redis://` or `rediss://` (TLS), with user and password if they are needed
 * @throws Error in one line, without the password: the URL is none, the package is missing or too old, or nobody answers
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
  // Without a listener an error would end the process; the connection is made again by itself.
  client.on('error', (error: Error) => {
    last = error;
  });
  let isLate = false;
  // Whoever accepts the connection and never answers would keep the start waiting for good.
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

/** The address of a Redis URL, as it may be printed. @throws Error when it is none */
export function withoutPassword(url: string): string {
  const { protocol, host, pathname } = URL.canParse(url)
    ? new URL(url)
    : { protocol: '', host: '', pathname: '' };
  if (host === '' || !['redis:', 'rediss:'].includes(protocol))
    throw new Error('the URL of Redis: expected redis://host:port or rediss://host:port');
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** What a failed import of a package that isn't installed is answered with. */
export function missing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'MODULE_NOT_FOUND') throw error;
  throw new Error('Redis needs two more packages: npm install @redis/client@6 bullmq@6');
}

function reasonOf(error: Error): string {
  // Several addresses of a host that all failed.
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const { constructor: made, code, message } = first as NodeJS.ErrnoException;
  if (made.name === 'SocketTimeoutError') return SILENT;
  if (made.name === 'ConnectionTimeoutError') return 'the host does not answer';
  if (made.name === 'SocketClosedUnexpectedlyError') return 'the connection was accepted, and closed';
  return code ?? message;
}
