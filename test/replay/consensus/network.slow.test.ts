import { bytesToHex, createAddressFromString } from '@ethereumjs/util';
import { beforeAll, describe, expect, it } from 'vitest';
import { CaseRunner } from '../../../src/replay/consensus/run-case.ts';
import { ConsensusBuilder, transfer, withHeader } from './builder.ts';

let runner: CaseRunner;
beforeAll(async () => {
  runner = await CaseRunner.create();
});

describe('every network', () => {
  it.each([
    'Frontier',
    'Homestead',
    'EIP150',
    'EIP158',
    'Byzantium',
    'Constantinople',
    'ConstantinopleFix',
    'Istanbul',
    'MuirGlacier',
    'Berlin',
    'London',
    'ArrowGlacier',
    'GrayGlacier',
  ])('%s: blocks of proof of work', async (network) => {
    const builder = new ConsensusBuilder(network, { difficulty: 131_072n });
    const first = await builder.next(builder.genesis, { work: true, send: [transfer(0n)] });
    const second = await builder.next(first, { work: true, send: [transfer(1n)] });
    const fixture = builder.valid(first).valid(second).build(second);
    expect(await runner.run(fixture)).toEqual({ pass: true, lastblockhash: bytesToHex(second.hash) });
  });

  it.each([
    'Merge',
    'Paris',
    'Shanghai',
    'Cancun',
    'Prague',
    'Osaka',
    'BPO1',
    'BPO2',
    'BPO3',
    'BPO4',
    'BPO5',
  ])('%s: blocks of proof of stake', async (network) => {
    const builder = new ConsensusBuilder(network);
    const first = await builder.next(builder.genesis, { send: [transfer(0n)] });
    const second = await builder.next(first, { send: [transfer(1n)] });
    const fixture = builder.valid(first).valid(second).build(second);
    expect(await runner.run(fixture)).toEqual({ pass: true, lastblockhash: bytesToHex(second.hash) });
  });

  it.each([
    ['FrontierToHomesteadAt5', true],
    ['HomesteadToEIP150At5', true],
    ['EIP150ToEIP158At5', true],
    ['ByzantiumToConstantinopleAt5', true],
    ['ConstantinopleToConstantinopleFixAt5', true],
    ['ConstantinopleFixToIstanbulAt5', true],
    ['IstanbulToBerlinAt5', true],
    ['MuirGlacierToBerlinAt5', true],
    ['EIP158ToByzantiumAt5', true],
    ['ByzantiumToConstantinopleFixAt5', true],
    ['BerlinToLondonAt5', true],
    ['ParisToShanghaiAtTime15k', false],
    ['ShanghaiToCancunAtTime15k', false],
    ['CancunToPragueAtTime15k', false],
    ['PragueToOsakaAtTime15k', false],
    ['OsakaToBPO1AtTime15k', false],
    ['BPO1ToBPO2AtTime15k', false],
    ['BPO2ToBPO3AtTime15k', false],
    ['BPO3ToBPO4AtTime15k', false],
    ['BPO4ToBPO5AtTime15k', false],
    ['OsakaToBPO5AtTime15k', false],
    ['MergeToShanghaiAtTime15k', false],
  ])('%s crosses the fork', async (network, work) => {
    const builder = new ConsensusBuilder(network, work ? { difficulty: 131_072n } : {});
    let head = builder.genesis;
    for (let i = 0n; i < 7n; i++) {
      const timestamp = work ? head.header.timestamp + 12n : 14_000n + i * 300n;
      head = await builder.next(head, { work, timestamp, send: [transfer(i)] });
      builder.valid(head);
    }
    expect(await runner.run(builder.build(head))).toEqual({
      pass: true,
      lastblockhash: bytesToHex(head.hash),
    });
  });

  it('HomesteadToDaoAt5: what the DAO held moves, and ten blocks are marked (EIP-779)', async () => {
    const dao = '0xbb9bc244d798123fde783fcc1c72d3bb8c189413';
    const child = '0x304a554a310c7e546dfe434669c62820b7d83490';
    const refund = createAddressFromString('0xbf4ed7b27f1d666546e30d74d50d173d20bca754');
    const marked = { work: true, extraData: new TextEncoder().encode('dao-hard-fork') };
    const builder = new ConsensusBuilder('HomesteadToDaoAt5', { difficulty: 131_072n });
    const pay = (to: string, nonce: bigint) => ({ ...transfer(nonce), to: to as `0x${string}`, value: 7n });
    let head = await builder.next(builder.genesis, { work: true, send: [pay(dao, 0n), pay(child, 1n)] });
    builder.valid(head);
    for (let number = 2n; number <= 15n; number++) {
      const isMarked = number >= 5n && number < 15n;
      if (isMarked) builder.invalid(await builder.next(head, { work: true }), {});
      head = await builder.next(head, isMarked ? marked : { work: true });
      builder.valid(head);
      const { state } = head;
      expect((await state.getAccount(createAddressFromString(dao)))?.balance).toBe(number < 5n ? 7n : 0n);
      expect((await state.getAccount(refund))?.balance).toBe(number < 5n ? undefined : 14n);
    }
    expect(await runner.run(builder.build(head))).toEqual({
      pass: true,
      lastblockhash: bytesToHex(head.hash),
    });
  });

  it('ArrowGlacierToMergeAtDiffC0000: stake once the difficulty is reached, work before', async () => {
    const builder = new ConsensusBuilder('ArrowGlacierToMergeAtDiffC0000', { difficulty: 0xb0000n });
    const early = withHeader(await builder.next(builder.genesis, { work: true }), { difficulty: 0n });
    const first = await builder.next(builder.genesis, { work: true });
    const late = await builder.next(first, { work: true });
    const second = await builder.next(first);
    const fixture = builder.invalid(early, {}).valid(first).invalid(late, {}).valid(second).build(second);
    expect(await runner.run(fixture)).toEqual({ pass: true, lastblockhash: bytesToHex(second.hash) });
  });

  it('one that is not known fails by name', async () => {
    const builder = new ConsensusBuilder('Cancun');
    const result = await runner.run({ ...builder.build(builder.genesis), network: 'Atlantis' });
    expect(result).toMatchObject({ pass: false, error: expect.stringContaining('Atlantis') });
  });
});
