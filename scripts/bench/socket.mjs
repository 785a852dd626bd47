import { once } from 'node:events';
import { WebSocket } from 'ws';

export async function openSocket(port, path = '') {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}

/** @returns a WebSocket of its own, which receives the notifications of the subscription */
export async function subscribe(port, params) {
  const socket = await openSocket(port);
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
  const [answer] = await once(socket, 'message');
  const { error } = JSON.parse(answer.toString());
  if (error) throw new Error(`eth_subscribe ${params[0]}: ${error.message}`);
  return socket;
}
