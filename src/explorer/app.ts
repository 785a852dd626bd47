import { effect, signal } from '@preact/signals';
import { BrowserClock } from './browser-clock.ts';
import { Feed } from './data/feed.ts';
import { RpcSocket, type Socket } from './data/rpc-socket.ts';
import { Store } from './data/store.ts';

// The parts of the page, one of each.
export const clock = new BrowserClock();
export const rpc = new RpcSocket({
  // A path of its own, so that what the page reads isn't told in the node's log.
  open: () => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    return new WebSocket(`${scheme}://${location.host}/explorer/rpc`) as Socket;
  },
  clock,
});
export const store = new Store({ clock });
export const feed = new Feed({ rpc, store, clock });

/** The user has stopped the picture. */
export const paused = signal(false);
const hidden = signal(document.hidden);
document.addEventListener('visibilitychange', () => {
  hidden.value = document.hidden;
});

/** Opens the connection; a hidden or stopped page doesn't listen. */
export function connect(): void {
  effect(() => feed.watch(!hidden.value && !paused.value));
  rpc.connect();
}
