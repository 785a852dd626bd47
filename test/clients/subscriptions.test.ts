import { WebSocketProvider } from 'ethers';
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hash,
  type Log,
  parseAbiItem,
  webSocket,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { liveNode } from '../live-node.ts';
import { TOKEN_ARGS, Token } from './contracts.ts';
import { ALICE, KEYS } from './node.ts';

/** Collects what a callback is given. */
function collector<T>() {
  const items: T[] = [];
  let wake = () => {};
  return {
    add: (item: T) => {
      items.push(item);
      wake();
    },
    take: async (count: number) => {
      while (items.length < count) await new Promise<void>((resolve) => (wake = resolve));
      return items.splice(0, count);
    },
  };
}

describe('viem over WebSocket', () => {
  let live: Awaited<ReturnType<typeof liveNode>>;
  let clients: ReturnType<typeof connect>;

  function connect(url: string) {
    const chain = defineChain({
      id: 31337,
      name: 'devnet',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
      experimental_preconfirmationTime: 200,
    });
    const transport = webSocket(url, { keepAlive: false, reconnect: false });
    return {
      reader: createPublicClient({ chain, transport }),
      wallet: createWalletClient({ chain, transport, account: privateKeyToAccount(KEYS[0]) }),
    };
  }

  beforeAll(async () => {
    // The receipt is waited for in real time, as apps do.
    live = await liveNode({ manualClock: false, blockTime: 1, flashblockInterval: 200 });
    clients = connect(live.url);
  });
  afterAll(async () => {
    (await clients.reader.transport.getRpcClient()).close();
    await live.close();
  });

  it('watchBlockNumber and watchBlocks see the sealed blocks in order', async () => {
    const numbers = collector<bigint>();
    const blocks = collector<bigint | null>();
    const stop = [
      clients.reader.watchBlockNumber({ onBlockNumber: (number) => numbers.add(number) }),
      clients.reader.watchBlocks({ blockTag: 'latest', onBlock: ({ number }) => blocks.add(number) }),
    ];
    const [first, second] = await numbers.take(2);
    expect(second).toBe(first! + 1n);
    const [one, two] = await blocks.take(2);
    expect(two).toBe(one! + 1n);
    for (const unwatch of stop) unwatch();
  });

  it('a receipt is there at pre-confirmation when it is waited for right after the send', async () => {
    const { reader, wallet } = clients;
    const hash = await wallet.deployContract({ ...Token, args: TOKEN_ARGS });
    const { contractAddress, blockNumber } = await reader.waitForTransactionReceipt({ hash });
    expect(contractAddress).toBeTruthy();
    expect(blockNumber).toBeGreaterThan((await reader.getBlockNumber({ cacheTime: 0 })) - 2n);
  });

  it('watchEvent and watchPendingTransactions see what is sent', async () => {
    const { reader, wallet } = clients;
    const deployed = await wallet.deployContract({ ...Token, args: TOKEN_ARGS });
    const { contractAddress: address } = await reader.waitForTransactionReceipt({ hash: deployed });
    const logs = collector<Log>();
    const hashes = collector<Hash>();
    const stop = [
      reader.watchEvent({
        address: address!,
        event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
        args: { to: ALICE },
        onLogs: (found) => found.forEach(logs.add),
      }),
      reader.watchPendingTransactions({ onTransactions: (found) => found.forEach(hashes.add) }),
    ];
    // The subscriptions are made one after the other on the connection that the next calls use.
    await reader.getChainId();
    const call = { ...Token, address: address!, functionName: 'transfer', args: [ALICE, 5n] } as const;
    const hash = await wallet.writeContract(call);
    expect(await hashes.take(1)).toEqual([hash]);
    expect(await logs.take(1)).toMatchObject([{ transactionHash: hash, removed: false }]);
    for (const unwatch of stop) unwatch();
  });

  it('sendTransactionSync answers the receipt at once', async () => {
    const receipt = await clients.wallet.sendTransactionSync({ to: ALICE, value: 1n });
    expect(receipt).toMatchObject({ status: 'success', to: ALICE.toLowerCase() });
  });
});

describe("ethers' WebSocketProvider", () => {
  it('sees blocks, logs and waiting transactions', async () => {
    const live = await liveNode();
    const provider = new WebSocketProvider(live.url);
    // ethers throws, out of anybody's reach, at an event that comes before it knows the network.
    await provider.getNetwork();
    const blocks = collector<number>();
    const hashes = collector<string>();
    const logs = collector<{ transactionHash: string }>();
    await provider.on('block', (number: number) => blocks.add(number));
    await provider.on('pending', (hash: string) => hashes.add(hash));
    await provider.on({ topics: [] }, (log: { transactionHash: string }) => logs.add(log));
    // ethers doesn't wait for its subscriptions; they stand before a call that comes after them.
    await provider.getBlockNumber();
    const sent = await live.emit(1);
    await live.seal();
    await live.seal();
    expect(await blocks.take(2)).toEqual([1, 2]);
    expect(await hashes.take(1)).toEqual([sent]);
    expect(await logs.take(1)).toMatchObject([{ transactionHash: sent }]);
    await provider.destroy();
    await live.close();
  });
});
