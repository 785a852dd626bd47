import { RLP } from '@ethereumjs/rlp';
import { bytesToHex } from '@ethereumjs/util';
import { beforeAll, describe, expect, it } from 'vitest';
import { withdrawalsRoot } from '../../../src/chain/block-seal.ts';
import { hashUncles, NO_UNCLES } from '../../../src/chain/header.ts';
import { encodeBlock } from '../../../src/chain/store/block-codec.ts';
import { CaseRunner } from '../../../src/replay/consensus/run-case.ts';
import { ConsensusBuilder, other, transfer, withHeader } from './builder.ts';

const wrong = new Uint8Array(32).fill(7);

let runner: CaseRunner;
beforeAll(async () => {
  runner = await CaseRunner.create();
});

describe('an invalid block is refused and the chain goes on from its parent:', () => {
  /** Osaka: block 1, then block 2 as `spoil` leaves it, then block 2. */
  async function refused(
    spoil: (
      builder: ConsensusBuilder,
      second: Awaited<ReturnType<ConsensusBuilder['next']>>,
      first: Awaited<ReturnType<ConsensusBuilder['next']>>,
    ) => unknown,
    network = 'Osaka',
  ) {
    const builder = new ConsensusBuilder(network);
    const first = await builder.next(builder.genesis, { send: [transfer(0n)] });
    const second = await builder.next(first, { send: [transfer(1n)] });
    builder.valid(first);
    await spoil(builder, second, first);
    builder.valid(second);
    expect(await runner.run(builder.build(second))).toEqual({
      pass: true,
      lastblockhash: bytesToHex(second.hash),
    });
  }

  it.each([
    ['stateRoot', { stateRoot: wrong }],
    ['gasUsed', { gasUsed: 21_001n }],
    ['baseFeePerGas', { baseFeePerGas: 1n }],
    ['receiptsRoot', { receiptsRoot: wrong }],
    ['transactionsRoot', { transactionsRoot: wrong }],
    ['logsBloom', { logsBloom: new Uint8Array(256).fill(1) }],
    ['unknown parent', { parentHash: wrong }],
    ['withdrawalsRoot', { withdrawalsRoot: wrong }],
    ['requestsHash', { requestsHash: wrong }],
    ['difficulty', { difficulty: 1n }],
    ['nonce', { nonce: new Uint8Array(8).fill(1) }],
    ['gas limit too high', { gasLimit: 30_029_297n }],
    ['gas limit below 5000', { gasLimit: 4_999n }],
    ['extra data of 33 bytes', { extraData: new Uint8Array(33) }],
    ['number', { number: 3n }],
    ['timestamp of the parent', { timestamp: 12n }],
    ['excessBlobGas', { excessBlobGas: 131_072n }],
    ['blobGasUsed', { blobGasUsed: 131_072n }],
    ['over-limit blob gas', { blobGasUsed: 131_072n * 10n }],
    ['a bloom of 255 bytes', { logsBloom: new Uint8Array(255) }],
  ] as const)('%s', (_, changes) => refused((builder, second) => builder.invalid(second, changes)));

  it('a nonce that is not the next', () =>
    refused((builder, second, first) =>
      builder.invalid({ ...second, transactions: first.transactions }, {}),
    ));

  it('bytes that are no RLP, an empty list, and a number with leading zeros', () =>
    refused((builder, second) => {
      const parts = RLP.decode(encodeBlock(second)) as [Uint8Array[], Uint8Array[], [], []];
      const [header, ...body] = parts;
      const padded = header.map((field, i) => (i === 8 ? new Uint8Array([0, ...field]) : field));
      builder
        .invalid(second, new Uint8Array([0xf9, 0x01]))
        .invalid(second, RLP.encode([]))
        .invalid(second, RLP.encode([padded, ...body]));
    }));

  it('withdrawals before Shanghai, and none since', async () => {
    await refused(
      (builder, second) =>
        builder.invalid({ ...second, withdrawals: [] }, {}).invalid(second, { withdrawalsRoot: wrong }),
      'Paris',
    );
    await refused((builder, second) => {
      const { withdrawals: _, ...without } = second;
      builder.invalid(without, {});
    }, 'Shanghai');
  });

  it('withdrawals that are not those of the root', () =>
    refused((builder, second) => {
      const withdrawals = [{ index: 0n, validatorIndex: 0n, address: other, amount: 1n }];
      builder
        .invalid({ ...second, withdrawals }, {})
        .invalid({ ...second, withdrawals }, { withdrawalsRoot: withdrawalsRoot(withdrawals) });
    }));

  it('uncles after the merge', () =>
    refused((builder, second, first) => {
      const uncles = [first.header];
      builder.invalid({ ...second, uncles }, { unclesHash: hashUncles(uncles) });
    }));

  it('a block of more than 8 MiB since Osaka (EIP-7934)', async () => {
    const send = [0n, 1n, 2n, 3n, 4n, 5n].map((nonce) => ({
      ...transfer(nonce),
      gasLimit: 1n << 24n,
      data: new Uint8Array(1_500_000),
    }));
    for (const network of ['Prague', 'Osaka']) {
      const builder = new ConsensusBuilder(network, { gasLimit: 1n << 27n });
      const large = await builder.next(builder.genesis, { send });
      const small = await builder.next(builder.genesis, { send: send.slice(0, 5) });
      if (network === 'Osaka') builder.invalid(large, {}, 'RLP_BLOCK_LIMIT_EXCEEDED').valid(small);
      else builder.valid(large);
      const head = network === 'Osaka' ? small : large;
      expect(await runner.run(builder.build(head))).toMatchObject({ pass: true });
    }
  });
});

describe('proof of work', () => {
  const start = async (network = 'Berlin') => {
    const builder = new ConsensusBuilder(network, { difficulty: 131_072n * 64n });
    const first = await builder.next(builder.genesis, { work: true });
    return { builder, first };
  };

  it('a difficulty that is not the canonical one is refused', async () => {
    const { builder, first } = await start();
    const fixture = builder.invalid(first, { difficulty: first.header.difficulty + 1n }).valid(first);
    expect(await runner.run(fixture.build(first))).toMatchObject({ pass: true });
  });

  it('the head moves to the heavier branch, and the first of equal ones stays', async () => {
    const { builder, first } = await start();
    const coinbase = other;
    const slow = await builder.next(first, { work: true, timestamp: first.header.timestamp + 40n });
    const equal = await builder.next(first, {
      work: true,
      timestamp: first.header.timestamp + 40n,
      coinbase,
    });
    const fast = await builder.next(first, { work: true, timestamp: first.header.timestamp + 1n, coinbase });
    builder.valid(first).valid(slow).valid(equal);
    expect(await runner.run(builder.build(slow))).toMatchObject({ pass: true });
    builder.valid(fast);
    expect(await runner.run(builder.build(fast))).toMatchObject({ pass: true });
    // A longer branch on the lighter block takes it over again.
    const longer = await builder.next(equal, { work: true });
    builder.valid(longer);
    expect(await runner.run(builder.build(longer))).toMatchObject({
      pass: true,
      lastblockhash: bytesToHex(longer.hash),
    });
  });

  it('uncles are rewarded, and refused when they break a rule', async () => {
    const { builder, first } = await start();
    const coinbase = other;
    const uncle = (await builder.next(builder.genesis, { work: true, coinbase })).header;
    const second = await builder.next(first, { work: true, uncles: [uncle] });
    const bad = async (uncles: readonly (typeof uncle)[]) =>
      builder.invalid(await builder.next(first, { work: true, uncles }), {});
    builder.valid(first);
    await bad([uncle, uncle]);
    await bad([first.header]);
    await bad([{ ...uncle, difficulty: uncle.difficulty + 1n }]);
    await bad([{ ...uncle, gasLimit: uncle.gasLimit * 2n }]);
    await bad([{ ...uncle, parentHash: wrong }]);
    await bad([{ ...uncle, number: 2n, parentHash: first.hash }]);
    builder.invalid(second, { unclesHash: NO_UNCLES });
    builder.valid(second);
    const third = await builder.next(second, { work: true, uncles: [uncle] });
    builder.invalid(third, {});
    expect(await runner.run(builder.build(second))).toEqual({
      pass: true,
      lastblockhash: bytesToHex(second.hash),
    });
    expect((await second.state.getAccount(other))!.balance).toBe((2n * 10n ** 18n * 7n) / 8n);
  });
});

describe('proof of stake', () => {
  it('the last valid block is the head, on whichever branch', async () => {
    const builder = new ConsensusBuilder('Cancun');
    const first = await builder.next(builder.genesis);
    const second = await builder.next(first);
    const side = await builder.next(builder.genesis, { coinbase: other });
    builder.valid(first).valid(second).valid(side);
    expect(await runner.run(builder.build(side))).toMatchObject({ pass: true });
  });

  it('a block with a system contract that is empty is refused (EIP-7002)', async () => {
    const builder = new ConsensusBuilder('Prague');
    const fixture = builder.build(builder.genesis);
    const block = await builder.next(builder.genesis);
    // The genesis isn't that of the state: named before any block runs.
    const { '0x00000961ef480eb55e80d19ad83579a64c007002': _, ...pre } = fixture.pre as Record<string, object>;
    expect(await runner.run({ ...builder.valid(block).build(block), pre })).toMatchObject({
      pass: false,
      error: expect.stringContaining('pre'),
    });
  });
});

it('members of older fixtures are taken as they are meant', async () => {
  const builder = new ConsensusBuilder('Berlin', { difficulty: 131_072n });
  const first = await builder.next(builder.genesis, { work: true, send: [transfer(0n)] });
  const { blocks, ...fixture } = builder.valid(first).build(first);
  const bad = encodeBlock(withHeader(first, { stateRoot: wrong }));
  const older = {
    ...fixture,
    sealEngine: 'NoProof',
    blocks: [
      { rlp: bytesToHex(bad), expectExceptionALL: 'InvalidStateRoot', hasBigInt: true },
      { rlp: bytesToHex(bad), expectExceptionBerlin: 'InvalidStateRoot', chainname: 'B' },
      { rlp: '0x:bigint 0x10', expectException: 'rlp', hasBigInt: true },
      { rlp: '0xf9', expectException: 'rlp' },
      // Described by nothing: it may be refused or not.
      { rlp: bytesToHex(bad) },
      { ...blocks[0]!, chainname: 'A', blocknumber: '1', uncleHeaders: [] },
    ],
  };
  expect(await runner.run(older)).toEqual({ pass: true, lastblockhash: bytesToHex(first.hash) });
  const taken = { ...older, blocks: [{ ...blocks[0]!, expectExceptionALL: 'InvalidGas' }] };
  expect(await runner.run(taken)).toMatchObject({
    pass: false,
    error: expect.stringContaining('InvalidGas'),
  });
});

describe('a case fails', () => {
  it('when an invalid block is taken, and when a valid one is refused', async () => {
    const builder = new ConsensusBuilder('Cancun');
    const first = await builder.next(builder.genesis);
    const taken = await runner.run(builder.invalid(first, {}, 'BlockException.X').build(first));
    expect(taken).toMatchObject({ pass: false, error: expect.stringContaining('BlockException.X') });
    const strict = new ConsensusBuilder('Cancun');
    const refused = await runner.run(strict.valid(withHeader(first, { gasUsed: 1n })).build(strict.genesis));
    expect(refused).toMatchObject({ pass: false, error: expect.stringContaining('gasUsed') });
  });

  it('when the head or the state is another one', async () => {
    const builder = new ConsensusBuilder('Cancun');
    const first = await builder.next(builder.genesis, { send: [transfer(0n)] });
    builder.valid(first);
    expect(await runner.run(builder.build({ hash: wrong }))).toMatchObject({
      pass: false,
      lastblockhash: bytesToHex(first.hash),
    });
    const { pre } = builder.build(first);
    expect(
      await runner.run(builder.build({ hash: first.hash }, { postState: { ...(pre as object) } })),
    ).toMatchObject({ pass: false, error: expect.stringContaining('postState') });
  });
});
