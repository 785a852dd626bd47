import { RpcError } from './rpc-client.ts';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The response to one call: the remote node responds to each call of a batch separately. */
export type Answer = { readonly result: unknown } | { readonly error: RpcError };

/** Sends calls and waits for the responses, in the order of the calls, until the signal aborts. */
export interface Transport {
  /**
   * @param onRequest called for each request sent; a request may contain several calls
   * @throws Error; `failureOf` tells whether another attempt may help
   */
  send(calls: readonly Call[], signal: AbortSignal, onRequest: () => void): Promise<readonly Answer[]>;
  close(): void;
}

/** The response is unusable, and a retry would not help. */
export class Refused extends Error {}

/** The node doesn't have the block at which the chain was forked, or has another one there. */
export class ForkMoved extends Refused {}

/** Converts a JSON-RPC error object, or a nonstandard replacement that some nodes send. @param status the HTTP status of the response */
export function rpcError(error: unknown, status?: number): RpcError {
  const { code, message, data } = (typeof error === 'string' ? { message: error } : error) as {
    code?: unknown;
    message?: unknown;
    data?: unknown;
  };
  return new RpcError({
    code: typeof code === 'number' ? code : -32000,
    message: typeof message === 'string' && message !== '' ? message : 'an error without a message',
    data,
    status,
  });
}
