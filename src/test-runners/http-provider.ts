/** What EIP-1193 asks of a provider, without events. */
export interface EthereumProvider {
  /** @throws Error with `code` and possibly `data`, as the node answered */
  request(args: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** A provider that sends each request to a node by HTTP. */
export function httpProvider(url: string): EthereumProvider {
  let id = 0;
  return {
    async request({ method, params = [] }) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      });
      const { result, error } = (await response.json()) as {
        result?: unknown;
        error?: { code: number; message: string; data?: unknown };
      };
      if (!error) return result;
      throw Object.assign(new Error(error.message), error);
    },
  };
}
