import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';

/** Close code of RFC 6455. */
const GOING_AWAY = 1001;
/** Milliseconds that a peer gets to answer: one on this machine takes one or two. */
const PATIENCE = 20;

/**
 * Tells the peer that the node goes, and ends the connection where it doesn't answer: a peer that is stopped, or that
 * doesn't read, would hold up the end.
 * @param clock wall time
 */
export function closeWebSocket(socket: WebSocket, clock: Clock): void {
  const timer = clock.after(PATIENCE, () => socket.terminate());
  socket.once('close', () => timer[Symbol.dispose]());
  socket.close(GOING_AWAY);
}
