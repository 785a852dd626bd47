import { expect, test } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { optimizeLater } from '../../src/process/optimize-later.ts';

function begin(version: string) {
  const flags: (readonly [string, number])[] = [];
  const wall = new ManualClock();
  const main = { work: 0 };
  optimizeLater({ wall, version, setFlag: (...flag) => flags.push(flag), work: () => main.work });
  return { flags, wall, main };
}

test('V8 of Node 20 optimizes late until the main thread has worked for 150 ms', async () => {
  const { flags, wall, main } = begin('11.3.244.8-node.33');
  expect(flags).toEqual([
    ['wasm-tiering-budget', 9_000_000],
    ['interrupt-budget', 270_336],
  ]);
  main.work = 149;
  await wall.advance(60_000);
  expect(flags).toHaveLength(2);
  main.work = 150;
  await wall.advance(100);
  expect(flags.slice(2)).toEqual([['interrupt-budget', 67_584]]);
  await wall.advance(60_000);
  expect(flags).toHaveLength(3);
});

test.each(['12.4.254.21-node.57', '13.6.233.17-node.53', '11.8.172.13-node.12'])(
  'V8 %s is left as it is',
  (version) => {
    expect(begin(version).flags).toEqual([]);
  },
);
