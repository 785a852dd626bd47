import { createServer, type Server } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { messageBytes, readRequests } from './protocol.ts';
import { type SessionOptions, TransactionSession } from './session.ts';

/**
 * Serves one editor until it disconnects.
 * @throws Error if the editor sends something other than the Debug Adapter Protocol
 */
export async function serveEditor(input: Readable, output: Writable, options: SessionOptions): Promise<void> {
  const session = new TransactionSession(options);
  session.onDidSendMessage((message) => output.write(messageBytes(message)));
  for await (const request of readRequests(input)) {
    await session.answer(request);
    if (session.hasEnded) return;
  }
}

/**
 * Serves editors that connect to a port of this machine.
 * @param port 0 = any free port
 * @param tell called if a connection sends something other than the Debug Adapter Protocol
 */
export async function serveEditors(
  port: number,
  options: SessionOptions,
  tell: (reason: string) => void,
): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    serveEditor(socket, socket, options)
      .catch((error: Error) => tell(error.message))
      .finally(() => socket.end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}
