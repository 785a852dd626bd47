import { describe, expect, test, vi } from 'vitest';
import { hex } from '../../../src/rpc/codec/hex.ts';
import { client } from '../client.ts';
import { bytes, CONTRACT, emptyChain, FakeChain } from '../fake-chain.ts';
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
  /** The range is looked for so many times in vain; then its blocks are gone so many times when they are read. */
  const moving = ({ unfound = 0, gone = 0 }) => {
    const { blocks, pending } = chain();
    const fake = new FakeChain(blocks, pending);
    const { find, read } = fake.logged;
    fake.logged.find = (...range) => (unfound-- > 0 ? undefined : find(...range));
    fake.logged.read = (number) => (gone-- > 0 ? undefined : read(number));
    return { call: client({ chain: fake }), looks: vi.spyOn(fake, 'snapshot') };
  };
  const filter = { fromBlock: '0x0', toBlock: 'pending' };

  test('is read again', async () => {
    const { call, looks } = moving({ unfound: 2 });
    expect(await call('eth_getLogs', filter)).toHaveLength(4);
    // The chain as it was when the call came, and as it was after that, twice.
    expect(looks).toHaveBeenCalledTimes(3);
  });

  test('is read again when the head went below it', async () => {
    const { call, looks } = moving({ gone: 1 });
    expect(await call('eth_getLogs', filter)).toHaveLength(4);
    expect(looks).toHaveBeenCalledTimes(2);
  });

  test('is refused when that goes on', async () => {
    const { call } = moving({ unfound: 1_000 });
    await expect(call('eth_getLogs', filter)).rejects.toMatchObject({ code: -32000 });
  });
});

test('blocks that are pruned while they are read are refused with 4444', async () => {
  const { blocks, pending } = emptyChain();
  const pruning = new FakeChain(blocks, pending);
  const { read } = pruning.logged;
  pruning.logged.read = (number) => {
    pruning.first = BigInt(number) + 2n;
    return read(number);
  };
  const call = client({ chain: pruning });
  await expect(call('eth_getLogs', { fromBlock: '0x0' })).rejects.toMatchObject({ code: 4444 });
});

test('an empty chain answers too', async () => {
  expect(await client({ chain: emptyChain() })('eth_getLogs', { fromBlock: '0x0' })).toEqual([]);
});
