import { RpcError } from './rpc-client.ts';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What became of one call: the other node answers a batch call by call. */
export type Answer = { readonly result: unknown } | { readonly error: RpcError };

/** Sends calls and waits for the answers, in the order of the calls; ends when the signal says so. */
export interface Transport {
  /** @throws {@link Refused} when no attempt more will do, anything else when one may */
  send(calls: readonly Call[], signal: AbortSignal): Promise<readonly Answer[]>;
  close(): void;
}

/** An answer that another attempt would only get again. */
export class Refused extends Error {}

/** An error that the other node answered, as it stands in the answer. */
export function rpcError(error: { code?: unknown; message?: unknown; data?: unknown }): RpcError {
  return new RpcError({
    code: typeof error.code === 'number' ? error.code : -32000,
    message: typeof error.message === 'string' ? error.message : 'an error without a message',
    data: error.data,
  });
}
