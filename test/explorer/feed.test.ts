import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ManualClock } from '../../src/clock.ts';
import { Feed } from '../../src/explorer/data/feed.ts';
import { RpcSocket, type Socket } from '../../src/explorer/data/rpc-socket.ts';
import { Store } from '../../src/explorer/data/store.ts';
import type { Hex } from '../../src/explorer/data/types.ts';
import { followDevnet } from '../../src/index.ts';
import { liveNode } from '../live-node.ts';

/** The page's part that listens, on a node in the same process. Both clocks stand still between the calls. */
async function watching(options: object = {}) {
  const live = await liveNode(options);
  const clock = new ManualClock();
  let socket: WebSocket | undefined;
  let url = live.url;
  const rpc = new RpcSocket({
    open: () => {
      socket = new WebSocket(url);
      socket.on('error', () => {});
      return socket as unknown as Socket;
    },
    clock,
  });
  const store = new Store({ clock });
  const feed = new Feed({ rpc, store, clock });
  rpc.connect();
  const until = async (is: () => boolean | Promise<boolean>) => {
    while (!(await is())) await new Promise((resolve) => setImmediate(resolve));
  };
  const head = () => Number(store.head?.number ?? -1);
  const subscriptions = async () => (await live.call('devnet_status')).subscriptions as number;
  await until(() => rpc.state.value === 'open' && store.head !== undefined);
  return {
    live,
    clock,
    rpc,
    store,
    feed,
    until,
    head,
    subscriptions,
    cut: () => socket?.terminate(),
    go: (to: string) => (url = to),
  };
}

let page: Awaited<ReturnType<typeof watching>>;
const ready = () => page.until(() => page.store.pending.value !== undefined);
afterEach(() => page.live.close());

describe('on a chain with flashblocks', () => {
  beforeEach(async () => {
    page = await watching();
    await ready();
  });

  it('follows a transaction from the mempool into its block', async () => {
    const sent = (await page.live.send()) as Hex;
    await page.until(() => page.store.lifecycles.of(sent).length === 1);
    await page.live.tick();
    await page.until(() => page.store.recent.value.length === 1);
    await page.live.seal();
    await page.until(() => page.head() === 1);
    expect(page.store.lifecycles.of(sent).map(({ kind }) => kind)).toEqual([
      'sent',
      'preconfirmed',
      'sealed',
    ]);
    const sealed = await page.live.call('eth_getBlockByNumber', 'latest', true);
    expect(page.store.head).toEqual(sealed);
    expect(page.store.groupsOf(sealed)?.at(-1)).toBe(1);
  });

  it('hears of a drop', async () => {
    const sent = (await page.live.send()) as Hex;
    await page.live.tick();
    await page.until(() => page.store.recent.value.length === 1);
    await page.live.call('devnet_dropPreconfirmed', sent);
    await page.until(() => page.store.lifecycles.of(sent).at(-1)?.kind === 'dropped');
    expect(page.store.recent.value).toEqual([]);
  });

  it('survives a reorg', async () => {
    for (let i = 0; i < 3; i++) {
      await page.live.send();
      await page.live.seal();
    }
    await page.until(() => page.head() === 3);
    await page.live.call('devnet_reorg', 2, { reinclude: false });
    const { hash } = await page.live.call('eth_getBlockByNumber', 'latest', false);
    await page.until(() => page.store.head?.hash === hash);
    for (const { number, hash: known } of page.store.sealed.value)
      expect(known).toBe((await page.live.call('eth_getBlockByNumber', number, false)).hash);
  });

  it('notices that the head went back by the block that is opened on it', async () => {
    const snapshot = await page.live.call('evm_snapshot');
    await page.live.seal();
    await page.live.seal();
    await page.until(() => page.head() === 2);
    await page.live.call('evm_revert', snapshot);
    await page.until(() => page.head() === 0);
    expect(page.store.sealed.value).toHaveLength(1);
  });

  it('fetches the block being built where notifications of it were lost', async () => {
    const notify = page.rpc.onNotification;
    await page.live.send();
    await page.live.tick();
    await page.until(() => page.store.pending.value?.index === 1);
    let dropped = 0;
    page.rpc.onNotification = (id, result) => {
      if ((result as { payloadId?: Hex }).payloadId) dropped++;
      else notify(id, result);
    };
    const lost = (await page.live.send()) as Hex;
    await page.live.tick();
    await page.until(() => page.store.lifecycles.of(lost).length === 1 && dropped === 1);
    page.rpc.onNotification = notify;
    await page.live.send();
    await page.live.tick();
    await page.until(() => page.store.pending.value?.index === 3);
    expect(page.store.pending.value?.block).toEqual(
      await page.live.call('eth_getBlockByNumber', 'pending', true),
    );
    expect(page.store.lifecycles.of(lost).map(({ kind }) => kind)).toEqual(['sent', 'preconfirmed']);
    await page.live.seal();
    await page.until(() => page.head() === 1);
    expect(page.store.head).toEqual(await page.live.call('eth_getBlockByNumber', 'latest', true));
  });

  it('catches up after the connection ended', async () => {
    page.cut();
    await page.until(() => page.rpc.state.value === 'closed');
    for (let i = 0; i < 3; i++) await page.live.seal();
    await page.clock.advance(250);
    await page.until(() => page.head() === 3);
    expect(page.store.sealed.value.map(({ number }) => Number(number))).toEqual([0, 1, 2, 3]);
  });

  it('begins anew on another chain', async () => {
    await page.live.seal();
    await page.until(() => page.head() === 1);
    const other = await liveNode({ chainId: 7 });
    page.go(other.url);
    page.cut();
    await page.until(() => page.rpc.state.value === 'closed');
    await page.clock.advance(250);
    await page.until(() => page.store.status.value?.chainId === '0x7' && page.head() === 0);
    page.cut();
    await other.close();
  });

  it('has no subscriptions while nobody watches, and the missed blocks afterwards', async () => {
    expect(await page.subscriptions()).toBe(3);
    page.feed.watch(false);
    await page.until(async () => (await page.subscriptions()) === 0);
    for (let i = 0; i < 50; i++) await page.live.seal();
    expect(page.head()).toBe(0);
    page.feed.watch(true);
    await page.until(() => page.head() === 50);
    expect(page.store.sealed.value).toHaveLength(30);
    await ready();
    expect(await page.subscriptions()).toBe(3);
  });

  it('follows a change of the mode', async () => {
    await page.live.call('evm_setAutomine', true);
    await page.clock.advance(1_000);
    await page.until(() => page.store.status.value?.mode.kind === 'automine');
    await page.until(() => page.store.pending.value === undefined);
    await page.live.send();
    await page.until(() => page.head() === 1);
    expect(await page.subscriptions()).toBe(2);
  });
});

it('in automine mode it fetches the blocks, also those between two heads', async () => {
  page = await watching({ automine: true });
  await Promise.all(Array.from({ length: 40 }, () => page.live.send()));
  await page.until(() => page.head() === 40);
  const numbers = page.store.sealed.value.map(({ number }) => Number(number));
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => 11 + i));
});

it('in automine mode it finds that the head went back when it looks at the status', async () => {
  page = await watching({ automine: true });
  const snapshot = await page.live.call('evm_snapshot');
  await page.live.send();
  await page.until(() => page.head() === 1);
  await page.live.call('evm_revert', snapshot);
  const looking = page.clock.advance(1_000);
  await page.until(() => page.head() === 0);
  await looking;
});

it("on a follower it shows the other node's flashblocks", async () => {
  page = await watching();
  const follower = await followDevnet(`${page.live.url}/flashblocks`, { port: 0 });
  page.go(follower.url!.replace('http', 'ws'));
  page.cut();
  await page.until(() => page.rpc.state.value === 'closed');
  await page.clock.advance(250);
  await page.until(() => page.store.status.value?.role === 'follower');
  await page.live.send();
  await page.live.tick();
  await page.until(() => page.store.recent.value.length === 1);
  expect(page.store.pending.value?.block.transactions).toHaveLength(1);
  await page.live.seal();
  await page.until(() => page.head() === 1);
  page.cut();
  await follower.close();
});
