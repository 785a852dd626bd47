import { bytesToHex } from '@ethereumjs/util';
import { WebSocket } from 'ws';
import { callData, Kitchen } from '../../../engine/ethereumjs/accounts.ts';
import type { Promises } from '../../../promises.ts';
import type { Random } from '../../../random.ts';
import type { DevWritten } from '../../../stock-chain.ts';
import type { Wire } from '../../../wire.ts';
import { rpc, UseUntilDead } from '../devnet-process.ts';

/** The first contract of the last dev account. */
const KITCHEN = '0x8464135c8f25da09e49bc8782676a84730c318bc';
const BOB = '0x0000000000000000000000000000000000000b0b';
const SLOT = `0x${'00'.repeat(32)}`;
const DEV_WRITTEN = Array.from({ length: 4 }, (_, i) => `0x${(0xde00 + i).toString(16).padStart(40, '0')}`);

/** What {@link useUntilDead} writes by dev methods. */
export const WRITTEN: DevWritten = { addresses: DEV_WRITTEN, slots: [SLOT] };

export interface LoadOptions {
  readonly random: Random;
  /** whether blocks are also taken back: snapshots that are reverted to, rollbacks, reorganisations */
  readonly goesBack: boolean;
  /** whether most transactions carry much data, so that LevelDB is written to */
  readonly heavy: boolean;
  /** Called when a partial block, or a sealed one, is announced. */
  readonly onAnnounced?: (kind: 'flashblock' | 'seal') => void;
}

/** Uses a node in every way at once until it dies, and notes what it promises. */
export function useUntilDead(
  url: string,
  accounts: readonly string[],
  options: LoadOptions,
  promises: Promises,
): UseUntilDead {
  const { random, goesBack, onAnnounced = () => {} } = options;
  const call = (method: string, ...params: unknown[]) => rpc(url, method, ...params);
  // A refusal is an answer: with blocks taken back, a nonce or a block may be gone.
  const tried = (method: string, ...params: unknown[]) =>
    call(method, ...params).catch((error: Error) => {
      if (error.name === 'TypeError') throw error;
    });
  const changer = goesBack
    ? () => random.pick([write, write, mine, snapshot, reorganise])()
    : () => random.pick([write, write, mine, announce])();
  const write = async () => {
    const address = random.pick(DEV_WRITTEN);
    const wei = `0x${(1 + random.below(2 ** 30)).toString(16)}`;
    await promises.balance(address, wei, () => call('anvil_setBalance', address, wei));
    if (random.chance(0.3))
      await call('anvil_setStorageAt', address, SLOT, `0x${wei.slice(2).padStart(64, '0')}`);
    if (random.chance(0.2)) await call('anvil_setCode', address, `0x${'5b'.repeat(random.below(9000))}`);
  };
  const mine = () => tried('anvil_mine', `0x${(1 + random.below(3)).toString(16)}`);
  const announce = async () => {
    const { number, hash } = await call('eth_getBlockByNumber', 'latest', false);
    promises.block(number, hash);
  };
  const snapshot = async () => {
    // The chain may grow between the two: what is above the lower block isn't promised.
    const to = BigInt(await call('eth_blockNumber'));
    const id = await call('evm_snapshot');
    for (let i = random.below(3); i > 0; i--) await random.pick([write, mine])();
    await promises.takeBack(to, () => tried('evm_revert', id));
    await announce();
  };
  const reorganise = async () => {
    const head = BigInt(await call('eth_blockNumber'));
    if (head < 3n) return;
    const depth = `0x${(1 + random.below(2)).toString(16)}`;
    const method = random.pick(['devnet_reorg', 'anvil_rollback']);
    await promises.takeBack(head - 2n, () => tried(method, depth));
  };
  const send = async (i: number) => {
    const from = random.pick(accounts);
    const wide = options.heavy || random.chance(0.05);
    const data = random.pick([
      callData(Kitchen, 'fill', BigInt(random.below(64)), 8n, BigInt(i)),
      callData(Kitchen, 'emitMany', 3n, '0x1234'),
      callData(Kitchen, 'createAndDestroy', BOB),
    ]);
    const transaction = random.pick<Wire>([
      { from, to: BOB, value: '0x1', gas: '0x5208' },
      { from, to: KITCHEN, data: bytesToHex(data), gas: '0xf4240' },
      { from, data: '0x60016000556001600160006000a15b', gas: '0x30d40' },
    ]);
    await tried(
      'eth_sendTransaction',
      wide ? { from, to: BOB, data: `0x${'fe'.repeat(20_000)}`, gas: '0x1e8480' } : transaction,
    );
  };
  const read = async () => {
    const calls = [{ to: KITCHEN, data: bytesToHex(callData(Kitchen, 'emitMany', 3n, '0x')) }];
    const tag = random.pick(['latest', 'pending', 'safe', 'earliest']);
    await random.pick([
      () => tried('eth_simulateV1', { blockStateCalls: [{ calls }, { calls }] }, tag),
      () => tried('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }),
      () => tried('eth_getBlockReceipts', tag),
      () => tried('debug_traceBlockByNumber', 'latest', { tracer: 'callTracer' }),
      () => tried('eth_estimateGas', { from: accounts[0], ...calls[0] }),
    ])();
  };
  const stream = listen(`${url.replace('http', 'ws')}/flashblocks`, () => onAnnounced('flashblock'));
  const heads = listen(url.replace('http', 'ws'), (message) => {
    const head = message.params?.result;
    if (!head) return;
    // Without an order between notifications and answers, a head isn't promised where blocks are taken back.
    if (goesBack) promises.passed(head.number);
    else promises.block(head.number, head.hash);
    onAnnounced('seal');
  });
  heads.on('open', () =>
    heads.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
  );
  const using = new UseUntilDead([send, send, changer, read]);
  void using.over.finally(() => {
    stream.terminate();
    heads.terminate();
  });
  return using;
}

/** Sends what the load needs, once in a chain. */
export async function prepare(url: string): Promise<void> {
  const accounts: string[] = await rpc(url, 'eth_accounts');
  const from = accounts.at(-1);
  if (BigInt(await rpc(url, 'eth_getTransactionCount', from, 'pending')) > 0n) return;
  const data = bytesToHex(Kitchen.initCode);
  await rpc(url, 'eth_sendTransaction', { from, data, value: '0xffff', gas: '0x4c4b40' });
}

function listen(url: string, take: (message: Wire) => void): WebSocket {
  const socket = new WebSocket(url);
  socket.on('message', (data) => take(JSON.parse(String(data))));
  // The node dies sooner or later.
  socket.on('error', () => {});
  return socket;
}
