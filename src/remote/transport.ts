import { RpcError } from './rpc-client.ts';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The answer to one call: the other node answers each call of a batch separately. */
export type Answer = { readonly result: unknown } | { readonly error: RpcError };

/** Sends calls and waits for the answers, in the order of the calls, until the signal aborts. */
export interface Transport {
  /** @throws {@link Refused} when a retry is useless, any other error when it may help */
  send(calls: readonly Call[], signal: AbortSignal): Promise<readonly Answer[]>;
  close(): void;
}

/** A failure that a retry would only repeat. */
export class Refused extends Error {}

/** Converts a JSON-RPC error object. */
export function rpcError(error: { code?: unknown; message?: unknown; data?: unknown }): RpcError {
  return new RpcError({
    code: typeof error.code === 'number' ? error.code : -32000,
    message: typeof error.message === 'string' ? error.message : 'an error without a message',
    data: error.data,
  });
}
