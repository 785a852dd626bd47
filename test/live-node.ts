import { WebSocket } from 'ws';
import { createDevnet, type DevnetOptions } from '../src/index.ts';
import { callsOf, type Wire } from './wire.ts';

/** A node on a clock that stands still between the calls, with blocks of 2 s in partial blocks of 200 ms. */
export async function liveNode(
  options: DevnetOptions = {},
  hooks: { onDropped?: (messages: number) => void } = {},
) {
  const node = await createDevnet(
    { port: 0, manualClock: true, timestamp: 1_700_000_000, ...options },
    hooks,
  );
  const call = callsOf(node);
  const [first, second] = node.accounts.map(({ address }) => address.toLowerCase());
  let recipient = 0;
  return {
    node,
    call,
    accounts: { first: first!, second: second! },
    url: node.url!.replace('http', 'ws'),
    /** A transfer of one wei from a dev account; answers its hash. */
    send: (from = first!, rest: object = {}): Promise<string> =>
      call('eth_sendTransaction', {
        from,
        to: `0x${(++recipient).toString(16).padStart(40, '5')}`,
        value: '0x1',
        ...rest,
      }),
    /** A creation whose init code emits a log with one topic. */
    emit: (topic: number): Promise<string> =>
      call('eth_sendTransaction', {
        from: first,
        // PUSH1 topic, PUSH1 0, PUSH1 0, LOG1
        data: `0x60${topic.toString(16).padStart(2, '0')}60006000a1`,
        gas: '0x186a0',
      }),
    tick: (ms?: number) => call('devnet_tick', ...(ms === undefined ? [] : [ms])),
    seal: () => call('devnet_seal'),
    close: () => node.close(),
  };
}

/** A WebSocket that keeps what it gets, parsed by `read`. */
export async function listen<T = Wire>(
  url: string,
  read: (data: Buffer, isBinary: boolean) => T = (data) => JSON.parse(String(data)),
) {
  const socket = new WebSocket(url);
  const received: T[] = [];
  let wake = () => {};
  socket.on('message', (data, isBinary) => {
    received.push(read(data as Buffer, isBinary));
    wake();
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    socket,
    /** The next messages, in order. */
    take: async (count: number): Promise<T[]> => {
      while (received.length < count) await new Promise<void>((resolve) => (wake = resolve));
      return received.splice(0, count);
    },
    /** What came and wasn't taken, once all that was sent before is here: it may leave the node in several turns. */
    rest: async (): Promise<T[]> => {
      for (let silent = 0, before = -1; silent < 3; silent = received.length === before ? silent + 1 : 0) {
        before = received.length;
        await new Promise((resolve) => {
          socket.once('pong', resolve);
          socket.ping();
        });
      }
      return received.splice(0);
    },
  };
}

/** A JSON-RPC connection with subscriptions. */
export async function subscriber(url: string) {
  const { socket, take, rest } = await listen(url);
  let id = 0;
  const call = async (method: string, ...params: unknown[]): Promise<Wire> => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }));
    const [answer] = await take(1);
    return answer.error ? { error: answer.error } : answer.result;
  };
  const resultOf = ({ method, params }: Wire) => {
    if (method !== 'eth_subscription') throw new Error(`not a notification: ${method}`);
    return params.result;
  };
  return {
    socket,
    call,
    subscribe: (...params: unknown[]): Promise<Wire> => call('eth_subscribe', ...params),
    /** Results of the next notifications. */
    take: async (count: number) => (await take(count)).map(resultOf),
    rest: async () => (await rest()).map(resultOf),
  };
}

/** A topic of `emit`, as a filter takes it. */
export const topic = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;
