import type { Clock } from '../clock.ts';
import { BadStatus } from './failure.ts';
import { NoJsonRpc, RpcClient, RpcError, Unreachable } from './rpc-client.ts';
import { type Answer, Refused, type Transport } from './transport.ts';

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
    send: async (calls, signal, onRequest) => {
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      const open = opening ?? connect();
      // The error's message contains the whole URL, which may contain an API key; the cause doesn't.
      const connected = open.catch((error: Error) => {
        throw refusalOf(error.cause ?? error);
      });
      const answers = connected.then((client) =>
        Promise.all(
          calls.map(async ({ method, params }): Promise<Answer> => {
            onRequest();
            try {
              return { result: await client.request(method, params) };
            } catch (error) {
              if (error instanceof NoJsonRpc) throw new Refused(error.message);
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

/** The reason why no connection was opened. */
function refusalOf(error: unknown): unknown {
  const [, status] = /^Unexpected server response: (\d+)$/.exec((error as Error).message) ?? [];
  if (status === undefined) return error;
  // The host speaks HTTP, but doesn't upgrade to WebSocket.
  return status === '200' ? new Refused('no WebSocket at this URL') : new BadStatus(Number(status));
}
