import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import type { Wire } from '../../../wire.ts';

/** A connection that takes one request at a time. */
export interface Channel {
  readonly kind: 'http' | 'ws' | 'ipc';
  /** @returns the text of the answer; `undefined` when the connection was closed instead */
  ask(text: string): Promise<string | undefined>;
  close(): void;
}

export function httpChannel(url: string): Channel {
  return {
    kind: 'http',
    ask: async (body) => (await fetch(url, { method: 'POST', body })).text(),
    close: () => {},
  };
}

export async function webSocketChannel(url: string): Promise<Channel> {
  const socket = new WebSocket(url.replace('http', 'ws'), { maxPayload: 2 ** 30 });
  const answers = new Answers();
  socket.on('message', (data) => answers.take(String(data)));
  socket.on('close', () => answers.end());
  socket.on('error', () => {});
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    kind: 'ws',
    ask: (text) => answers.next(() => socket.send(text)),
    close: () => socket.terminate(),
  };
}

export async function ipcChannel(path: string): Promise<Channel> {
  const socket = connect(path);
  const answers = new Answers();
  createInterface({ input: socket })
    .on('line', (line) => answers.take(line))
    .on('error', () => {});
  socket.on('close', () => answers.end());
  socket.on('error', () => {});
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    kind: 'ipc',
    ask: (text) => answers.next(() => socket.write(text)),
    close: () => socket.destroy(),
  };
}

/** Answers of a connection, without the notifications between them. */
class Answers {
  #resolve: ((text: string | undefined) => void) | undefined;
  #hasEnded = false;

  take(text: string): void {
    if (text.includes('"eth_subscription"') && (JSON.parse(text) as Wire).method) return;
    this.#resolve?.(text);
  }

  end(): void {
    this.#hasEnded = true;
    this.#resolve?.(undefined);
  }

  next(send: () => void): Promise<string | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#resolve = resolve;
      send();
    });
  }
}
