import type { Clock } from '../clock.ts';
import { RpcClient, RpcError, Unreachable } from './rpc-client.ts';
import type { Answer, Transport } from './transport.ts';

/** Sends all calls over one WebSocket, which is opened on the first call and again after it has closed. */
export function socketTransport(
  options: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  deps: { clock: Clock },
): Transport {
  let opening: Promise<RpcClient> | undefined;
  const connect = () => {
    const client = RpcClient.open(options.url, deps.clock, undefined, options.headers);
    opening = client;
    const forget = () => {
      if (opening === client) opening = undefined;
    };
    client.then(({ socket }) => socket.on('close', forget), forget);
    return client;
  };
  return {
    send: async (calls, signal) => {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      const open = opening ?? connect();
      const connected = open.catch(() => {
        // The original message contains the whole URL, which may contain a key.
        throw new Error('no connection');
      });
      const answers = connected.then((client) =>
        Promise.all(
          calls.map(async ({ method, params }): Promise<Answer> => {
            try {
              return { result: await client.request(method, params) };
            } catch (error) {
              if (error instanceof RpcError && !(error instanceof Unreachable)) return { error };
              throw error;
            }
          }),
        ),
      );
      return Promise.race([answers, aborted]);
    },
    close: () => void opening?.then((client) => client.close()).catch(() => {}),
  };
}
