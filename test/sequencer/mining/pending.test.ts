import { setImmediate } from 'node:timers/promises';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { BOB, startChain, type TestChain } from '../start-chain.ts';

const twoSeconds = { blockTime: 2, flashblockInterval: 200 };

interface Seen {
  readonly number: bigint;
  readonly transactions: number;
}

async function batch(chain: TestChain, ...calls: [string, unknown[]][]) {
  const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const answers = JSON.parse((await chain.dispatcher.handle(body))!) as { result: never }[];
  return answers.map(({ result }) => result);
}

/** Ticks run until the answer is called. */
function ticking({ clock }: TestChain): () => Promise<void> {
  let done = false;
  const running = (async () => {
    while (!done) {
      await clock.advance(100);
      await setImmediate();
    }
  })();
  return () => {
    done = true;
    return running;
  };
}

describe('pending', () => {
  it('asked 10,000 times across 20 blocks, is never null and never goes back', async () => {
    await using chain = await startChain(twoSeconds);
    let done = false;
    const writing = (async () => {
      for (let tick = 0; tick < 200; tick++) {
        for (let from = 0; from < tick % 3; from++) void chain.send({ from });
        await chain.clock.advance(200);
        await setImmediate();
      }
      done = true;
    })();
    let reads = 0;
    let atBoundary = 0;
    let last: Seen = { number: 0n, transactions: 0 };
    const read = async () => {
      const block = await chain.block('pending');
      expect(block).not.toBeNull();
      const seen = { number: BigInt(block.number), transactions: block.transactions.length };
      if (seen.number < last.number) throw new Error(`went back from ${last.number} to ${seen.number}`);
      if (seen.number === last.number && seen.transactions < last.transactions)
        throw new Error(`lost transactions at ${seen.number}`);
      if (seen.number > last.number) atBoundary++;
      last = seen;
      reads++;
    };
    while (!done || reads < 10_000) {
      for (let i = 0; i < 20; i++) await read();
      await setImmediate();
    }
    await writing;
    expect(reads).toBeGreaterThanOrEqual(10_000);
    expect(atBoundary).toBe(21);
  });

  it('and latest agree in one batch: pending is the block on latest', async () => {
    await using chain = await startChain({ blockTime: 0.4, flashblockInterval: 100 });
    const writing = (async () => {
      for (let tick = 0; tick < 100; tick++) {
        void chain.send({ from: tick % 3 });
        await chain.clock.advance(100);
      }
      return true;
    })();
    let done = false;
    void writing.then(() => {
      done = true;
    });
    while (!done) {
      const [latest, pending] = (await batch(
        chain,
        ['eth_getBlockByNumber', ['latest', false]],
        ['eth_getBlockByNumber', ['pending', false]],
      )) as { number: string; hash: string; parentHash: string }[];
      expect(pending!.parentHash).toBe(latest!.hash);
      expect(BigInt(pending!.number)).toBe(BigInt(latest!.number) + 1n);
      await setImmediate();
    }
  });

  it('and latest stand still for the reads of a long batch, and move after a write in it', async () => {
    await using chain = await startChain({ blockTime: 0.1, flashblockInterval: 100 });
    const stop = ticking(chain);
    const reads = [...Array(3000).keys()].map((i): [string, unknown[]] => [
      'eth_getBlockByNumber',
      [i % 2 ? 'latest' : 'pending', false],
    ]);
    const before = BigInt(await chain.call('eth_blockNumber'));
    const answers = (await batch(chain, ...reads, ['evm_mine', []], ...reads.slice(0, 2))) as {
      hash: string;
      number: string;
    }[];
    await stop();
    // The chain went on meanwhile.
    expect(BigInt(await chain.call('eth_blockNumber')) > before + 1n).toBe(true);
    expect(new Set(answers.slice(0, 3000).map(({ hash }) => hash)).size).toBe(2);
    expect(BigInt(answers[3002]!.number)).toBeGreaterThan(BigInt(answers[1]!.number));
  });

  it.each([{ automine: true }, { noMining: true }])(
    'is built on the latest of the same moment: %o',
    async (options) => {
      await using chain = await startChain(options);
      const first = await chain.send({ nonce: 0 });
      const waiting = options.noMining ? [first] : [];
      // A nonce gap: it waits in every mode, and is in no block before the one below it.
      const queued = await chain.send({ nonce: 2 });
      const before = chain.chain.snapshot();
      const { timestamp } = await chain.block('pending');
      await chain.send({ nonce: 1 });
      await chain.clock.advance(5_000);
      await chain.call('evm_mine');
      const after = chain.chain.snapshot();
      await chain.send({ nonce: 3 });

      const seen = (await before.resolve({ tag: 'pending' }))!;
      expect(seen.header.parentHash).toEqual(before.latest.hash);
      expect(seen.header.timestamp).toBe(BigInt(timestamp));
      expect(seen.transactions.map(({ hash }) => bytesToHex(hash))).toEqual(waiting);
      expect(await before.resolve({ tag: 'pending' })).toBe(seen);

      const next = (await after.resolve({ tag: 'pending' }))!;
      expect(next.header.parentHash).toEqual(after.latest.hash);
      expect(after.latest.header.number).toBeGreaterThan(before.latest.header.number);
      expect(next.transactions).toEqual([]);
      expect(chain.chain.findTransaction(hexToBytes(queued as `0x${string}`))).toBeDefined();
    },
  );

  it('and latest agree in one batch while automine seals', async () => {
    await using chain = await startChain({ automine: true });
    const sending = (async () => {
      for (let nonce = 0; nonce < 60; nonce++) {
        await chain.send({ nonce });
        // A send is done without a turn of the event loop.
        await setImmediate();
      }
      return true;
    })();
    let done = false;
    void sending.then(() => {
      done = true;
    });
    const moments = new Set<string>();
    while (!done) {
      const [latest, , pending] = (await batch(
        chain,
        ['eth_getBlockByNumber', ['latest', false]],
        ['eth_estimateGas', [{ from: chain.accounts[1], to: BOB, value: '0x1' }, 'latest']],
        ['eth_getBlockByNumber', ['pending', false]],
      )) as { hash: string; parentHash: string }[];
      expect(pending!.parentHash).toBe(latest!.hash);
      moments.add(latest!.hash);
    }
    expect(moments.size).toBeGreaterThan(1);
  });

  it('is the next block after each send of a batch, and reads between two sends see the first one', async () => {
    await using chain = await startChain({ automine: true });
    const send = ['eth_sendTransaction', [{ from: chain.accounts[0], to: BOB, value: '0x1' }]] as [
      string,
      unknown[],
    ];
    const read = ['eth_getBlockByNumber', ['latest', false]] as [string, unknown[]];
    const pending = ['eth_getBlockByNumber', ['pending', false]] as [string, unknown[]];
    const answers = (await batch(chain, read, send, read, pending, send, read, pending)) as {
      number: string;
      transactions: string[];
    }[];
    expect([0, 2, 3, 5, 6].map((i) => Number(answers[i]!.number))).toEqual([0, 1, 2, 2, 3]);
    expect(answers[2]!.transactions).toEqual([answers[1]]);
    expect(answers[5]!.transactions).toEqual([answers[4]]);
  });

  it('nonce never goes back nor repeats for a fast sender while ticks run', async () => {
    await using chain = await startChain({ blockTime: 0.4, flashblockInterval: 100 });
    const stop = ticking(chain);
    for (let expected = 0n; expected < 300n; expected++) {
      const nonce = await chain.pendingNonce();
      expect(nonce).toBe(expected);
      await chain.send({ nonce });
      if (expected % 7n === 0n) await setImmediate();
    }
    await stop();
    await chain.clock.advance(400);
    expect(BigInt(await chain.call('eth_getTransactionCount', chain.accounts[0], 'latest'))).toBe(300n);
  });

  it('nonce and receipts agree with the mempool while automine seals', async () => {
    await using chain = await startChain({ automine: true });
    let sent = 0n;
    const sending = (async () => {
      for (let nonce = 0; nonce < 60; nonce++) {
        await chain.send({ nonce });
        sent++;
      }
    })();
    let last = 0n;
    while (sent < 60n) {
      const atLeast = sent;
      const nonce = await chain.pendingNonce();
      expect(nonce).toBeGreaterThanOrEqual(atLeast);
      expect(nonce).toBeGreaterThanOrEqual(last);
      last = nonce;
      await setImmediate();
    }
    await sending;
  });
});
