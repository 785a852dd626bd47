import { effect, signal } from '@preact/signals';
import { BrowserClock } from './browser-clock.ts';
import { Feed } from './data/feed.ts';
import { RpcSocket, type Socket } from './data/rpc-socket.ts';
import { Store } from './data/store.ts';

// The singletons of the page.
export const clock = new BrowserClock();
export const rpc = new RpcSocket({
  // The page has a path of its own, so that the node doesn't log the page's requests.
  open: () => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    return new WebSocket(`${scheme}://${location.host}/explorer/rpc`) as Socket;
  },
  clock,
});
export const store = new Store({ clock });
export const feed = new Feed({ rpc, store, clock });

/** Whether the user has paused the live view. */
export const paused = signal(false);
const hidden = signal(document.hidden);
document.addEventListener('visibilitychange', () => {
  hidden.value = document.hidden;
});

/** Opens the connection. A hidden or paused page has no subscriptions. */
export function connect(): void {
  effect(() => feed.watch(!hidden.value && !paused.value));
  rpc.connect();
}
