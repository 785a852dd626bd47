import type { RedisClientType } from '@redis/client';
import { checkPeer } from '../peer-version.ts';

/** A connection to Redis. */
export type Redis = RedisClientType;

/**
 * Connects to Redis. A connection that is lost later is made again, and what was asked meanwhile is answered then.
 * @param url `redis://` or `rediss://` (TLS), with user and password if they are needed
 * @throws Error in one line, without the password: the URL is none, the package is missing or too old, or nobody answers
 */
export async function connectRedis(url: string): Promise<Redis> {
  const place = withoutPassword(url);
  checkPeer('@redis/client');
  const { createClient } = await import('@redis/client').catch(missing);
  let isConnected = false;
  const client: Redis = createClient({
    url,
    socket: {
      connectTimeout: 5_000,
      reconnectStrategy: (retries) => (isConnected ? Math.min(50 * 2 ** retries, 1_000) : false),
    },
  });
  let last: Error | undefined;
  // Without a listener an error would end the process; the connection is made again by itself.
  client.on('error', (error: Error) => {
    last = error;
  });
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`no Redis at ${place}: ${reasonOf(last ?? (error as Error))}`);
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
  return (first as NodeJS.ErrnoException).code ?? (first as Error).message;
}
