import { describe, expect, it } from 'vitest';
import { changesOf, etherTransfers, swapIn, tokenTransfers } from '../../src/explorer/data/effects.ts';
import { TRANSFER, TRANSFER_BATCH, TRANSFER_SINGLE } from '../../src/explorer/data/tokens.ts';
import type { Frame, Hex, Log } from '../../src/explorer/data/types.ts';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const topic = (digit: string): Hex => `0x${'0'.repeat(24)}${digit.repeat(40)}`;
const word = (value: number) => value.toString(16).padStart(64, '0');
const [A, B, POOL, TOKEN, USD, NOBODY] = ['a', 'b', 'c', 'd', 'e', '0'].map(address) as Hex[];
const log = (token: Hex, topics: readonly Hex[], ...words: number[]): Log => ({
  address: token,
  topics,
  data: `0x${words.map(word).join('')}`,
});
const erc20 = (token: Hex, from: string, to: string, amount: number) =>
  log(token, [TRANSFER, topic(from), topic(to)], amount);
const frame = (from: Hex, to: Hex, value: number, rest: Partial<Frame> = {}): Frame => ({
  type: 'CALL',
  from,
  to,
  value: `0x${value.toString(16)}`,
  gas: '0x1',
  gasUsed: '0x1',
  input: '0x',
  ...rest,
});

describe('transfers', () => {
  it('of all token standards are read from logs, others are left out', () => {
    const logs = [
      erc20(TOKEN!, 'a', 'b', 5),
      log(TOKEN!, [TRANSFER, topic('a'), topic('b'), `0x${word(7)}`]),
      log(TOKEN!, [TRANSFER_SINGLE, topic('c'), topic('a'), topic('b')], 3, 40),
      log(TOKEN!, [TRANSFER_BATCH, topic('c'), topic('a'), topic('b')], 64, 160, 2, 8, 9, 2, 80, 90),
      log(TOKEN!, [`0x${'1'.repeat(64)}`], 1),
    ];
    const parties = { token: TOKEN, from: A, to: B };
    expect(tokenTransfers(logs)).toEqual([
      { ...parties, amount: 5n },
      { ...parties, id: 7n, amount: 1n },
      { ...parties, id: 3n, amount: 40n },
      { ...parties, id: 8n, amount: 80n },
      { ...parties, id: 9n, amount: 90n },
    ]);
  });

  it('of ETH are those of calls that succeeded, without delegated ones', () => {
    const root = frame(A!, POOL!, 10, {
      calls: [
        frame(POOL!, B!, 4),
        frame(POOL!, B!, 5, { error: 'execution reverted', calls: [frame(B!, A!, 1)] }),
        frame(POOL!, B!, 10, { type: 'DELEGATECALL' }),
      ],
    });
    expect(etherTransfers(root).map(({ to, amount }) => [to, amount])).toEqual([
      [POOL, 10n],
      [B, 4n],
    ]);
  });
});

describe('balance changes', () => {
  it('are sums, without zeros and without the zero address', () => {
    const logs = [erc20(TOKEN!, '0', 'a', 100), erc20(TOKEN!, 'a', 'b', 30), erc20(USD!, 'b', 'c', 5)];
    const back = erc20(USD!, 'c', 'b', 5);
    const changes = changesOf(tokenTransfers([...logs, back]));
    expect(changes.map(({ holder, amount }) => [holder, amount])).toEqual([
      [A, 70n],
      [B, 30n],
    ]);
    expect(changes.some(({ holder }) => holder === NOBODY)).toBe(false);
  });

  it('of one thing for another are a swap', () => {
    const swap = changesOf(tokenTransfers([erc20(TOKEN!, 'a', 'c', 10), erc20(USD!, 'c', 'a', 25)]));
    expect(swapIn(swap, A!)).toMatchObject({
      given: { token: TOKEN, amount: -10n },
      got: { token: USD, amount: 25n },
    });
    expect(swapIn(swap, B!)).toBeUndefined();
    expect(swapIn(changesOf(tokenTransfers([erc20(TOKEN!, 'a', 'b', 10)])), A!)).toBeUndefined();
  });
});
