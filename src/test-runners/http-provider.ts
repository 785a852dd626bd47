import type { Provider } from '../api/provider.ts';
import { DevnetError } from '../errors.ts';

/** The part of an EIP-1193 provider without events. */
export type EthereumProvider = Pick<Provider, 'request'>;

/** Creates a provider that sends each request to a node over HTTP. */
export function httpProvider(url: string): EthereumProvider {
  let id = 0;
  const request = async (call: { readonly method: string; readonly params?: readonly unknown[] }) => {
    const { method, params = [] } = call;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    });
    const { result, error } = (await response.json()) as {
      result?: unknown;
      error?: { code: number; message: string; data?: unknown };
    };
    if (error) throw DevnetError.answered(error);
    return result;
  };
  // The node answers each method as the type says.
  return { request: request as EthereumProvider['request'] };
}
