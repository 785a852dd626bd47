import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';

/** Close code 1001 of RFC 6455: the server is shutting down. */
const GOING_AWAY = 1001;
/** How long to wait for the peer's close frame, milliseconds. A peer on the same machine needs one or two. */
const CLOSE_TIMEOUT_MS = 20;

/**
 * Closes a connection with a close frame, and terminates it if the peer doesn't answer, so that a peer that hangs or doesn't read can't
 * delay the end of the node.
 * @param clock the machine's clock
 */
export function closeWebSocket(socket: WebSocket, clock: Clock): void {
  const timer = clock.after(CLOSE_TIMEOUT_MS, () => socket.terminate());
  socket.once('close', () => timer[Symbol.dispose]());
  socket.close(GOING_AWAY);
}
