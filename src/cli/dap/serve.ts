import { createServer, type Server } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { messageBytes, readRequests } from './protocol.ts';
import { DebugSession } from './session.ts';

type Options = ConstructorParameters<typeof DebugSession>[0];

/**
 * Serves one editor until it disconnects.
 * @throws Error if the editor sends something other than the Debug Adapter Protocol
 */
export async function serveEditor(input: Readable, output: Writable, options: Options): Promise<void> {
  let seq = 0;
  let hasEnded = false;
  const session = new DebugSession(options, {
    send: (reply) => {
      output.write(messageBytes(++seq, reply));
    },
    end: () => {
      hasEnded = true;
    },
  });
  for await (const request of readRequests(input)) {
    await session.handle(request);
    if (hasEnded) return;
  }
}

/**
 * Serves editors that connect to a port of this machine.
 * @param port 0 = any free port
 * @param tell called if a connection sends something other than the Debug Adapter Protocol
 */
export async function serveEditors(
  port: number,
  options: Options,
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
