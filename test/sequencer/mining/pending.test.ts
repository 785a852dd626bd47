import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startChain, type TestChain } from '../start-chain.ts';

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
    await using chain = await startChain({ blockTime: 0.4, flashblockInterval: 100 });
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
