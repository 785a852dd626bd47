import { describe, expect, test, vi } from 'vitest';
import type { BlockRef } from '../../../src/chain/refs.ts';
import { hex } from '../../../src/rpc/codec/hex.ts';
import { client } from '../client.ts';
import { bytes, CONTRACT, emptyChain, FakeChain, fakeBlock } from '../fake-chain.ts';
import { A, chain, TOPIC } from '../sample-chain.ts';

describe('eth_getLogs', () => {
  const blocks = chain();
  const call = client({ chain: blocks });
  const at = async (filter: object): Promise<string[]> =>
    (await call('eth_getLogs', filter)).map(
      (log: { blockNumber: string; logIndex: string }) => `${log.blockNumber}/${log.logIndex}`,
    );
  const topic = hex(TOPIC);

  test('a range, latest by default', async () => {
    expect(await at({})).toEqual(['0x1/0x0', '0x1/0x1', '0x1/0x2']);
    expect(await at({ fromBlock: 'earliest', toBlock: '0x0' })).toEqual([]);
    expect(await at({ fromBlock: '0x0' })).toHaveLength(3);
  });

  test('toBlock pending adds the pre-confirmed logs, each once', async () => {
    expect(await at({ fromBlock: '0x0', toBlock: 'pending' })).toEqual([
      '0x1/0x0',
      '0x1/0x1',
      '0x1/0x2',
      '0x2/0x0',
    ]);
    expect(await at({ fromBlock: 'pending', toBlock: 'pending' })).toEqual(['0x2/0x0']);
    expect(await at({ fromBlock: 'pending' })).toEqual(['0x2/0x0']);
  });

  test('one block by hash, the current partial hash included', async () => {
    expect(await at({ blockHash: hex(blocks.latest.hash) })).toHaveLength(3);
    expect(await at({ blockHash: hex(blocks.pending.hash) })).toEqual(['0x2/0x0']);
  });

  test('address and topics', async () => {
    expect(await at({ address: CONTRACT.toString() })).toHaveLength(3);
    expect(await at({ address: [A] })).toEqual([]);
    expect(await at({ topics: [topic] })).toEqual(['0x1/0x0']);
    expect(await at({ topics: [null, topic] })).toEqual(['0x1/0x2']);
    expect(await at({ topics: [[topic, hex(bytes(0x22))]] })).toEqual(['0x1/0x0', '0x1/0x2']);
    expect(await at({ topics: [[], []] })).toEqual(['0x1/0x2']);
  });

  test('receipts of a block whose bloom excludes the topic are not read', async () => {
    const sealed = blocks.latest;
    const view = {
      ...sealed,
      get receipts(): never {
        throw new Error('read');
      },
    };
    const guarded = client({ chain: new FakeChain([view], blocks.pending) });
    expect(await guarded('eth_getLogs', { topics: [hex(bytes(0x33))] })).toEqual([]);
  });

  test.each([
    ['a toBlock above the head', { fromBlock: '0x1', toBlock: '0x2' }, -32602],
    ['a fromBlock above the head', { fromBlock: '0x2' }, -32602],
    ['a reversed range', { fromBlock: '0x1', toBlock: '0x0' }, -32602],
    ['pending to latest', { fromBlock: 'pending', toBlock: 'latest' }, -32602],
    ['an unknown block hash', { blockHash: hex(bytes(9)) }, -32000],
  ])(
    '%s is refused',
    async (_, filter, code) => await expect(call('eth_getLogs', filter)).rejects.toMatchObject({ code }),
  );
});

describe('a range whose blocks are taken back while it is read', () => {
  /** Block 1 is another one for so many looks, or none. */
  class Moving extends FakeChain {
    moves = 0;
    gone = 0;
    override resolve(ref: BlockRef) {
      if ('number' in ref && ref.number === 1n && this.gone-- > 0) return undefined;
      if ('number' in ref && ref.number === 1n && this.moves-- > 0) return fakeBlock(1n, bytes(7));
      return super.resolve(ref);
    }
  }
  const { blocks, pending } = chain();
  const moving = new Moving(blocks, pending);
  const call = client({ chain: moving });
  const filter = { fromBlock: '0x0', toBlock: 'pending' };

  test('is read again', async () => {
    moving.moves = 2;
    expect(await call('eth_getLogs', filter)).toHaveLength(4);
  });

  test('is read again when the head went below it', async () => {
    moving.gone = 1;
    const looks = vi.spyOn(moving, 'snapshot');
    expect(await call('eth_getLogs', filter)).toHaveLength(4);
    // The chain as it was when the call came, and as it was after that.
    expect(looks).toHaveBeenCalledTimes(2);
    looks.mockRestore();
  });

  test('is refused when that goes on', async () => {
    moving.moves = 1_000;
    await expect(call('eth_getLogs', filter)).rejects.toMatchObject({ code: -32000 });
  });
});

test('blocks that are pruned while they are read are refused with 4444', async () => {
  class Pruning extends FakeChain {
    override resolve(ref: BlockRef) {
      const block = super.resolve(ref);
      if ('number' in ref) this.first = ref.number + 2n;
      return block;
    }
  }
  const { blocks, pending } = emptyChain();
  const call = client({ chain: new Pruning(blocks, pending) });
  await expect(call('eth_getLogs', { fromBlock: '0x0' })).rejects.toMatchObject({ code: 4444 });
});

test('an empty chain answers too', async () => {
  expect(await client({ chain: emptyChain() })('eth_getLogs', { fromBlock: '0x0' })).toEqual([]);
});
