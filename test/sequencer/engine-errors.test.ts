import { bytesToHex } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { DataDirError } from '../../src/chain/store/data-dir-error.ts';
import { bareSequencer } from './bare-sequencer.ts';
import { GWEI } from './start-chain.ts';

const options = { blockTime: 2, flashblockInterval: 200 };

/** Lets the engine fail at one sender's transactions, as an error of its own would. */
function breakFor(node: Awaited<ReturnType<typeof bareSequencer>>, from: number, error: () => Error) {
  const { engine, accounts } = node;
  const execute = engine.execute.bind(engine);
  engine.execute = async (message, ...rest) => {
    const outcome = await execute(message, ...rest);
    if (message.from.equals(accounts[from]!.address)) throw error();
    return outcome;
  };
}

describe('an unexpected error of the engine', () => {
  it('drops the transaction that met it, with the reason, and the chain goes on', async () => {
    await using node = await bareSequencer(options);
    const dropped: string[] = [];
    node.feed.on('dropped', ({ transaction, reason }) =>
      dropped.push(`${bytesToHex(transaction.hash)} ${reason}`),
    );
    breakFor(node, 1, () => new Error('cannot read properties of undefined'));
    const bad = node.transfer(1, 0n, { maxPriorityFeePerGas: 2n * GWEI });
    const after = node.transfer(1, 1n);
    for (const transaction of [node.transfer(0, 0n), bad, after, node.transfer(2, 0n)])
      await node.sequencer.submit(transaction);
    await node.clock.jump(2000);
    expect(node.chain.latest.transactions.map(({ from }) => from.toString())).toEqual(
      [0, 2].map((i) => node.accounts[i]!.address.toString()),
    );
    expect(dropped).toEqual([
      `${bytesToHex(bad.hash)} the engine failed: cannot read properties of undefined`,
    ]);
    // Its sender's next one waits for the nonce.
    expect(node.mempool.has(after.hash)).toBe(true);
    expect(node.fatal).toEqual([]);
  });

  it('is the answer in automine', async () => {
    await using node = await bareSequencer({ automine: true });
    breakFor(node, 1, () => new Error('bug'));
    await expect(node.sequencer.submit(node.transfer(1, 0n))).rejects.toMatchObject({ code: -32003 });
    await node.sequencer.submit(node.transfer(0, 0n));
    expect(node.chain.latest.header.number).toBe(1n);
  });
});

describe('a chain that can not go on', () => {
  it('tells it once, refuses writes and serves reads', async () => {
    await using node = await bareSequencer(options);
    breakFor(node, 0, () => new DataDirError('damaged', '/data', 'a record is not what was written'));
    await node.sequencer.submit(node.transfer(0, 0n));
    await node.clock.jump(200);
    await node.clock.jump(10_000);
    expect(node.fatal).toMatchObject([{ code: 'damaged' }]);
    const submit = async () => node.sequencer.submit(node.transfer(1, 0n));
    await expect(submit()).rejects.toMatchObject({ code: -32000 });
    await expect(node.sequencer.mine('outside')).rejects.toMatchObject({ code: -32000 });
    expect(await node.chain.resolve({ tag: 'pending' })).toMatchObject({ header: { number: 1n } });
  });

  it('when a block can not be stored', async () => {
    await using node = await bareSequencer(options);
    node.store.commit = async () => {
      throw new Error('no space left on device');
    };
    await node.clock.jump(2000);
    expect(node.fatal).toMatchObject([{ message: 'no space left on device' }]);
    expect(node.chain.latest.header.number).toBe(0n);
  });
});

describe('the feed', () => {
  it('a listener that throws is reported, the others are told and the chain goes on', async () => {
    await using node = await bareSequencer(options);
    const told: bigint[] = [];
    node.feed.on('sealed', () => {
      throw new Error('a bug in a listener');
    });
    node.feed.on('sealed', ({ header }) => told.push(header.number));
    await node.clock.jump(2000);
    expect(told).toEqual([1n]);
    expect(node.listenerErrors).toMatchObject([{ message: 'a bug in a listener' }]);
    expect(node.fatal).toEqual([]);
  });
});

describe('what happens while a tick executes', () => {
  it('a replacement of a transaction that goes in is dropped and reported', async () => {
    await using node = await bareSequencer(options);
    const dropped: string[] = [];
    node.feed.on('dropped', ({ transaction }) => dropped.push(bytesToHex(transaction.hash)));
    const first = node.transfer(0, 0n);
    const replacement = node.transfer(0, 0n, {
      maxFeePerGas: 20n * GWEI,
      maxPriorityFeePerGas: 2n * GWEI,
    });
    const execute = node.engine.execute.bind(node.engine);
    node.engine.execute = async (message, ...rest) => {
      const outcome = await execute(message, ...rest);
      if (message.maxPriorityFeePerGas === GWEI) await node.sequencer.submit(replacement);
      return outcome;
    };
    await node.sequencer.submit(first);
    await node.clock.jump(200);
    expect(dropped).toEqual([bytesToHex(replacement.hash)]);
    expect(node.mempool.size).toBe(0);
    const pending = await node.chain.resolve({ tag: 'pending' });
    expect(pending?.transactions.map(({ hash }) => bytesToHex(hash))).toEqual([bytesToHex(first.hash)]);
  });

  it('dropping it waits for the tick, and answers false when it went in', async () => {
    await using node = await bareSequencer(options);
    const first = node.transfer(0, 0n);
    let drop: Promise<boolean> | undefined;
    const execute = node.engine.execute.bind(node.engine);
    node.engine.execute = async (...args) => {
      drop ??= node.sequencer.inTurn('outside', async () => node.mempool.remove(first.hash));
      return execute(...args);
    };
    await node.sequencer.submit(first);
    await node.clock.jump(200);
    expect(await drop).toBe(false);
  });
});
