import { createNode, type NodeHooks } from '../../src/boot/node.ts';
import type { Block, Header } from '../../src/chain/block.ts';
import type { BlocksAbove } from '../../src/chain/blocks-above.ts';
import type { ManualClock } from '../../src/clock.ts';
import { type DevnetOptions, resolveOptions } from '../../src/options/options.ts';
import { isEmptyBloom } from '../../src/protocol/bloom.ts';
import type { FeedEvents } from '../../src/sequencer/feed/feed.ts';
import { callsOf } from '../wire.ts';

/** Genesis time of the chains here, seconds. */
export const GENESIS = 1_700_000_000n;
export const GWEI = 10n ** 9n;
export const BOB = '0x0000000000000000000000000000000000000b0b';

export type Seen = { [E in keyof FeedEvents]: { kind: E; event: FeedEvents[E] } }[keyof FeedEvents];

export interface Send {
  /** index of the dev account */
  readonly from?: number;
  readonly nonce?: number | bigint;
  readonly tip?: bigint;
  readonly cap?: bigint;
  readonly gas?: bigint;
  readonly value?: bigint;
  readonly data?: string;
  readonly to?: string | null;
}

/** Those of the blocks that hold logs, newest first. */
export function withLogs(blocks: BlocksAbove): Block[] {
  const wanted = ({ logsBloom }: Header) => !isEmptyBloom(logsBloom);
  return [...blocks.newestFirst(wanted)].flatMap((block) => block ?? []);
}

/** A whole node on a clock that stands still, with everything it told. */
export async function startChain(options: DevnetOptions = {}, hooks: Partial<NodeHooks> = {}) {
  const seen: Seen[] = [];
  const fatal: unknown[] = [];
  const node = await createNode(
    resolveOptions({
      manualClock: true,
      // A genesis file has these.
      ...(options.init === undefined && { timestamp: GENESIS, baseFee: GWEI }),
      ...options,
    }),
    {
      version: 'test',
      onFatal: (error) => fatal.push(error),
      onFeed: (feed) => {
        for (const kind of ['flashblock', 'sealed', 'removed', 'dropped'] as const)
          feed.on(kind, (event) => seen.push({ kind, event } as Seen));
      },
      ...hooks,
    },
  );
  const clock = node.clock as ManualClock;
  const call = callsOf(node);
  const hex = (value: bigint | number) => `0x${value.toString(16)}`;
  const accounts = node.accounts.map(({ address }) => address.toString());
  return {
    ...node,
    node,
    clock,
    call,
    seen,
    fatal,
    accounts,
    /** ms since the genesis block */
    elapsed: () => clock.now() - Number(GENESIS) * 1000,
    /** Sends a transfer, or what is asked for. @returns the hash */
    send: ({
      from = 0,
      nonce,
      tip = GWEI,
      cap = 10n * GWEI,
      gas = 21_000n,
      value = 1n,
      data,
      to = BOB,
    }: Send = {}) =>
      call('eth_sendTransaction', {
        from: accounts[from],
        ...(to && { to }),
        value: hex(value),
        gas: hex(gas),
        maxFeePerGas: hex(cap),
        maxPriorityFeePerGas: hex(tip),
        ...(nonce !== undefined && { nonce: hex(nonce) }),
        ...(data && { data }),
      }) as Promise<string>,
    block: (tag: string, full = false) => call('eth_getBlockByNumber', tag, full),
    receipt: (hash: string) => call('eth_getTransactionReceipt', hash),
    pendingNonce: async (from = 0) =>
      BigInt(await call('eth_getTransactionCount', accounts[from], 'pending')),
    flashblocks: () => seen.flatMap((item) => (item.kind === 'flashblock' ? [item.event] : [])),
    sealed: () => seen.flatMap((item) => (item.kind === 'sealed' ? [item.event] : [])),
    dropped: () => seen.flatMap((item) => (item.kind === 'dropped' ? [item.event] : [])),
    [Symbol.asyncDispose]: () => node.close(),
  };
}

export type TestChain = Awaited<ReturnType<typeof startChain>>;
