import { describe, expect, it } from 'vitest';
import { wholeNumber } from '../../src/explorer/data/units.ts';
import { ago, clockTime, etherText, typeName, wholeText } from '../../src/explorer/format.ts';

describe('a whole number as people write it', () => {
  it.each([
    ['1,000', 1_000n],
    ['1_000', 1_000n],
    ['0x10', 16n],
    ['-5', -5n],
    ['1e18', 10n ** 18n],
    ['1.5e3', 1_500n],
    ['100e-2', 1n],
    ['1.5 ether', 15n * 10n ** 17n],
    ['1.5ether', 15n * 10n ** 17n],
    ['2 ETH', 2n * 10n ** 18n],
    ['20 gwei', 20n * 10n ** 9n],
    ['.5 gwei', 5n * 10n ** 8n],
    ['7 wei', 7n],
    ['25 usd', 25_000_000n],
    ['0', 0n],
  ])('%s is %d', (text, value) => {
    expect(wholeNumber(text, { symbols: { usd: 6 } })).toBe(value);
  });

  it('takes the unit of its field where it has none', () => {
    expect(wholeNumber('1.5', { unit: 18 })).toBe(15n * 10n ** 17n);
    expect(wholeNumber('3 gwei', { unit: 18 })).toBe(3n * 10n ** 9n);
    // A number with an exponent is in the smallest unit, as in code.
    expect(wholeNumber('1e18', { unit: 18 })).toBe(10n ** 18n);
  });

  it.each(['', 'abc', '1.5', '1.5 wei', '1 dollar', '1e-1', '0x', '1 2', '--1'])('%j is none', (text) => {
    expect(wholeNumber(text)).toBeUndefined();
  });
});

it('amounts, ages and types are in words', () => {
  expect([etherText(1n), etherText(2n * 10n ** 16n), etherText(0n)]).toEqual(['1 wei', '0.02 ETH', '0 ETH']);
  const now = 1_000_000;
  expect([1_000, 990, 880, 1_010, 1_000 - 7_200, 1_000 - 2 * 86_400].map((at) => ago(at, now))).toEqual([
    'now',
    '10 s ago',
    '2 min ago',
    'in 10 s',
    '2 h ago',
    '2 days ago',
  ]);
  expect(['0x0', '0x2', '0x7e', '0x55'].map((type) => typeName(type as `0x${string}`))).toEqual([
    '0 (legacy)',
    '2 (EIP-1559)',
    '126 (deposit)',
    '85',
  ]);
});

describe('a number without a unit', () => {
  it.each([
    [1_234_567n, '1,234,567'],
    [10n ** 18n, '1e18'],
    [15n * 10n ** 17n, '1.5e18'],
    [-2n * 10n ** 18n, '−2e18'],
    [10n ** 30n, '1,000,000,000,000e18'],
    // Digits that would be lost
    [10n ** 18n + 1n, '1,000,000,000,000,000,001'],
    [10n ** 17n, '100,000,000,000,000,000'],
  ])('%d is %s', (value, text) => {
    expect(wholeText(value)).toBe(text);
  });
});

it('a time of day has milliseconds', () => {
  expect(clockTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe('03:04:05.006 UTC');
});
