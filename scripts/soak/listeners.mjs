import { keccak256 } from 'viem';
import { WebSocket } from 'ws';
import { Client } from '../bench/rpc.mjs';

/**
 * Connects subscribers: half of them to the flashblock stream, the others to different subscriptions.
 * @returns the faults that they found, and the numbers of messages
 */
export async function listen(port, count) {
  const faults = [];
  const got = { 'stream messages': 0, notifications: 0, 'blocks compared with their partial blocks': 0 };
  const sockets = [];
  const open = (path, onMessage) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
      sockets.push(socket);
      socket.on('message', (data) => onMessage(JSON.parse(data.toString())));
      socket.once('open', () => resolve(socket)).once('error', reject);
    });
  const client = new Client(port);
  const deltas = new Deltas(client, faults, got);
  for (let i = 0; i < count; i++) {
    if (i % 2 === 0) {
      await open('/flashblocks', (message) => {
        got['stream messages']++;
        if (i === 0) deltas.add(message);
      });
      continue;
    }
    const socket = await open('/', () => got.notifications++);
    const params = [['newHeads'], ['logs', {}], ['newPendingTransactions']][(i >> 1) % 3];
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
  }
  const close = () => {
    for (const socket of sockets) socket.terminate();
  };
  return { faults, counts: () => got, close };
}

/** Compares the transactions of a block's flashblocks with those of the sealed block. */
class Deltas {
  #client;
  #faults;
  #got;
  #open;

  constructor(client, faults, got) {
    this.#client = client;
    this.#faults = faults;
    this.#got = got;
  }

  add({ payload_id: payload, index, diff }) {
    if (index === 0 && payload !== this.#open?.payload) {
      if (this.#open) void this.#compare(this.#open);
      this.#open = { payload, next: 0, hashes: [] };
    }
    const open = this.#open;
    // A message was left out or repeated by an injected fault.
    if (payload !== open?.payload || index !== open.next) {
      if (open && index > open.next) this.#open = undefined;
      return;
    }
    open.next++;
    open.hash = diff.block_hash;
    open.hashes.push(...diff.transactions.map((raw) => keccak256(raw)));
  }

  async #compare({ hash, hashes }) {
    const block = await this.#client.call('eth_getBlockByHash', [hash, false]).catch(() => undefined);
    // The block was replaced, or an injected fault left out its last flashblock.
    if (!block) return;
    this.#got['blocks compared with their partial blocks']++;
    if (block.transactions.join() !== hashes.join())
      this.#faults.push(`block ${Number(block.number)} has other transactions than its partial blocks`);
  }
}
