import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'vitest';
import {
  createDevnet,
  type Devnet,
  type DevnetOptions,
  followDevnet,
  type ManualClock,
} from '../../src/index.ts';
import { eventually } from '../eventually.ts';

/**
 * `WHICH REDIS`: the tests run on a chain of three nodes, and reach the one with this index, 0 for the leader, as with a balancer that
 * keeps a client at its node; or, with `any`, each connection reaches the next one, as with a plain balancer.
 */
const SHARED = process.env.DEVNET_SHARED?.split(' ');

/** Passes each connection on to the next of the URLs. */
async function startBalancer(urls: readonly string[]) {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((client) => {
    const { hostname, port } = new URL(urls[count++ % urls.length]!);
    const node = connect(Number(port), hostname);
    for (const socket of [client, node]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        node.destroy();
      });
    }
    client.pipe(node).pipe(client);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function startNode(options: DevnetOptions) {
  if (!SHARED) {
    const node = await createDevnet({ ...options, port: 0 });
    return { node, url: node.url!, level: async () => {}, close: () => node.close() };
  }
  const [which, redis] = SHARED as [string, string];
  const node = await createDevnet({ ...options, port: 0, redis, newLog: true });
  const followers = [await followDevnet(redis, { port: 0 }), await followDevnet(redis, { port: 0 })];
  const nodes = [node, ...followers];
  const balancer = which === 'any' ? await startBalancer(nodes.map(({ url }) => url!)) : undefined;
  const statusOf = async ({ provider }: Devnet) =>
    (await provider.request({ method: 'devnet_status' })) as { position: string };
  return {
    node,
    url: balancer?.url ?? nodes[Number(which)]!.url!,
    /** Waits until the followers have what the leader has, whose clock stands still. */
    level: async () => {
      const { position } = await statusOf(node);
      for (const follower of followers)
        await eventually(async () => expect((await statusOf(follower)).position).toBe(position));
    },
    close: async () => {
      balancer?.close();
      for (const one of nodes.toReversed()) await one.close();
    },
  };
}

/** Blocks every 2 s, partial blocks every 200 ms, on a clock that stands still between the calls. */
export async function startIntervalNode() {
  const { node, url, level, close } = await startNode({
    blockTime: 2,
    flashblockInterval: 200,
    manualClock: true,
  });
  const clock = node.clock as ManualClock;
  const height = () => node.provider.request({ method: 'eth_blockNumber', params: [] });
  return {
    url,
    /** One partial block: what waits in the mempool is pre-confirmed. */
    preconfirm: async () => {
      await clock.advance(200);
      await level();
    },
    /** On to the next block boundary: the block that is being built is sealed, and nothing of the next one is there. */
    seal: async () => {
      const before = await height();
      for (let index = 0; index < 10 && (await height()) === before; index++) await clock.advance(200);
      await level();
    },
    close,
  };
}

/** A block per transaction, sealed before the send is answered. */
export async function startAutomineNode() {
  const { url, close } = await startNode({ automine: true });
  return { url, close };
}

/** Keys of the first dev accounts: mnemonic `test test test test test test test test test test test junk`. */
export const KEYS = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
] as const;

/** Accounts that nobody has used before. */
export const ALICE = '0x00000000000000000000000000000000000A11cE';
export const BOB = '0x0000000000000000000000000000000000000B0b';
export const CAROL = '0x00000000000000000000000000000000000ca201';
