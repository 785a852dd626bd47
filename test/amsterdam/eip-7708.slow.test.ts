import { expect, it } from 'vitest';
import type { Wire } from '../wire.ts';
import {
  A,
  at,
  B,
  callOf,
  type Ended,
  NEW,
  onEachEngine,
  push,
  pushed,
  SYSTEM,
  TRANSFER,
  word,
} from './chain.ts';

/** The logs of transfers, as [from, to, value], and others as their address. */
const transfersOf = ({ logs }: Pick<Ended, 'logs'>) =>
  logs.map(({ address, topics, data }: Wire) =>
    topics[0] === TRANSFER && address === SYSTEM
      ? [`0x${topics[1].slice(26)}`, `0x${topics[2].slice(26)}`, Number(data)]
      : address,
  );
/** LOG0 of nothing */
const LOG = '5f5fa0';

onEachEngine('EIP-7708, logs of transfers', (chain) => {
  it('a transaction with value: in the name of the system address, the value in 32 bytes', async () => {
    const { logs, block } = await chain.send({ to: chain.other, value: 7n });
    expect(logs).toHaveLength(1);
    expect(logs[0]).toMatchObject({
      address: SYSTEM,
      topics: [TRANSFER, word(chain.from), word(chain.other)],
      data: word(7),
      logIndex: '0x0',
    });
    // It is in the bloom of the block, and filters find it.
    expect(BigInt(block.logsBloom)).toBeGreaterThan(0n);
    const query = { fromBlock: 'latest', address: SYSTEM, topics: [TRANSFER, null, word(chain.other)] };
    expect(await chain.call('eth_getLogs', query)).toHaveLength(1);
  });

  it.each<[string, () => Promise<Ended>]>([
    ['no value', () => chain.send({ to: chain.other })],
    ['value to oneself', () => chain.send({ to: chain.from, value: 1n })],
    ['a creation without value', () => chain.send({ data: '00' })],
  ])('a transaction with %s leaves none', async (_, send) => {
    expect((await send()).logs).toEqual([]);
  });

  it('a creation with value: to the new contract', async () => {
    const ended = await chain.send({ data: '00', value: 3n });
    expect(transfersOf(ended)).toEqual([[chain.from, ended.created, 3]]);
  });

  it('comes before the logs of the callee', async () => {
    await chain.put(A, `${LOG}${callOf(B, { value: 2 })}${LOG}`, [], 5);
    await chain.put(B, LOG);
    expect(transfersOf(await chain.send({ to: A, value: 1n }))).toEqual([
      [chain.from, A, 1],
      A,
      [A, B, 2],
      B,
      A,
    ]);
  });

  it.each<[string, string, boolean]>([
    ['CALL to itself', callOf(A, { value: 1 }), false],
    ['CALLCODE with value', `5f5f5f5f6001${pushed(B)}5af2`, false],
    ['DELEGATECALL', `5f5f5f5f${pushed(B)}5af4`, false],
    ['STATICCALL', `5f5f5f5f${pushed(B)}5afa`, false],
    ['CALL with value to a precompile', callOf(at(4), { value: 1 }), true],
    ['CALL with value to a new account', callOf(NEW, { value: 1 }), true],
    ['CALL with more than it has', callOf(B, { value: 99 }), false],
  ])('%s: a log is left: %#', async (_, code, leaves) => {
    await chain.put(A, code, [], 10);
    await chain.put(B, '00');
    expect((await chain.send({ to: A })).logs).toHaveLength(leaves ? 1 : 0);
  });

  it('CREATE and CREATE2 with value', async () => {
    for (const create of ['f0', 'f5']) {
      await chain.put(A, `${create === 'f5' ? '5f' : ''}5f5f6004${create}`, [], 10);
      const ended = await chain.send({ to: A });
      expect(transfersOf(ended)).toMatchObject([[A, expect.any(String), 4]]);
    }
  });

  it.each<[string, string]>([
    ['reverts', '5f5ffd'],
    ['halts', 'fe'],
  ])('a frame that %s takes the logs of its transfers back', async (_, end) => {
    await chain.put(B, `${callOf(NEW, { value: 1 })}${end}`, [], 5);
    await chain.put(A, `${callOf(B, { value: 1, gas: push(400_000) })}`, [], 5);
    const ended = await chain.send({ to: A });
    expect([ended.status, transfersOf(ended)]).toEqual([1, []]);
    expect((await chain.send({ to: B, value: 1n, gas: 300_000n })).logs).toEqual([]);
  });

  it('SELFDESTRUCT with a balance: to the beneficiary; none without a balance, and none to itself', async () => {
    await chain.put(A, `${pushed(B)}ff`, [], 6);
    expect(transfersOf(await chain.send({ to: A }))).toEqual([[A, B, 6]]);
    expect(transfersOf(await chain.send({ to: A }))).toEqual([]);
    await chain.put(A, '30ff', [], 6);
    expect(transfersOf(await chain.send({ to: A }))).toEqual([]);
  });

  it('a contract that is created and destroyed in one transaction, to itself: only the transfer of its creation', async () => {
    const ended = await chain.send({ data: '30ff', value: 9n });
    expect(transfersOf(ended)).toEqual([[chain.from, ended.created, 9]]);
  });

  it('fees, tips and withdrawals leave none', async () => {
    const ended = await chain.send({ to: A });
    expect(ended.logs).toEqual([]);
    const receipts = await chain.call('eth_getBlockReceipts', 'latest');
    expect(receipts.flatMap(({ logs }: Wire) => logs)).toEqual([]);
  });

  it('a transfer costs no gas for its log', async () => {
    expect(await chain.send({ to: chain.other, value: 1n })).toMatchObject({ gas: 21_000n });
  });

  it('the system address may send value by itself: a log like any other', async () => {
    await chain.call('anvil_setBalance', SYSTEM, '0xde0b6b3a7640000');
    await chain.call('anvil_impersonateAccount', SYSTEM);
    const ended = await chain.send({ from: SYSTEM, to: A, value: 1n, gas: 300_000n });
    expect(transfersOf(ended)).toEqual([[SYSTEM, A, 1]]);
  });
});
