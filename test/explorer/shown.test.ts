import { describe, expect, it } from 'vitest';
import { failingPath } from '../../src/explorer/data/failing-path.ts';
import type { Frame, Hex } from '../../src/explorer/data/types.ts';
import {
  count,
  decimals,
  ether,
  gwei,
  milliseconds,
  percent,
  plural,
  short,
  time,
} from '../../src/explorer/format.ts';

describe('numbers', () => {
  it('have commas, units and no more digits than say something', () => {
    expect([count('0xf4240'), count(0), count(12n)]).toEqual(['1,000,000', '0', '12']);
    expect([ether('0xde0b6b3a7640000'), ether(1n), ether(15n * 10n ** 17n), ether(0n)]).toEqual([
      '1',
      '1 wei',
      '1.5',
      '0',
    ]);
    expect([gwei('0x3b9aca00'), gwei(1n)]).toEqual(['1', '< 0.001']);
    expect([decimals(-1_500n, 3, 2), decimals(1_234_567_890n, 3, 3)]).toEqual(['−1.5', '1,234,567.89']);
    expect([milliseconds(0.25), milliseconds(91), milliseconds(1_500)]).toEqual([
      '0.3 ms',
      '91 ms',
      '1.50 s',
    ]);
    expect([percent(0.5), percent(0.012), percent(0)]).toEqual(['50 %', '1.2 %', '0 %']);
    expect([plural(1, 'log'), plural(2_000, 'log')]).toEqual(['1 log', '2,000 logs']);
    expect(time('0x6553f100')).toBe('2023-11-14 22:13:20 UTC');
    expect([short('0x12345678901234567890'), short('0x1234')]).toEqual(['0x1234…7890', '0x1234']);
  });
});

describe('the failing path', () => {
  const frame = (name: string, error?: string, calls: Frame[] = []): Frame => ({
    type: name,
    from: '0x' as Hex,
    gas: '0x1',
    gasUsed: '0x1',
    input: '0x',
    calls,
    ...(error && { error }),
  });
  const names = (root: Frame) => failingPath(root).map(({ type }) => type);

  it('ends at the innermost frame whose failure was not caught', () => {
    const deep = frame('a', 'x', [frame('caught', 'x'), frame('b', 'x', [frame('c', 'x'), frame('fine')])]);
    expect(names(deep)).toEqual(['a', 'b', 'c']);
    expect(names(frame('fine', undefined, [frame('caught', 'x')]))).toEqual([]);
  });
});
