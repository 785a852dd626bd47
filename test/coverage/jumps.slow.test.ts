import { describe, expect, it } from 'vitest';
import { type Called, coverageOf } from './compiled-coverage.ts';

const TEXT = `pragma solidity ^0.8.0;
contract Jumps {
  uint public sum;
  function loop(uint n) external {
    for (uint i; i < n; i++) {
      if (i == 2)
        continue;
      if (i == 90) {
        break;
      }
      sum += i;
    }
  }
  function early(uint n) external {
    if (n == 3)
      return;
    sum = n;
    if (n == 4) {
      sum = 5;
      return;
    }
    sum = 6;
  }
  function nested(uint n) external {
    if (n > 2) {
      while (n > 4) n--;
    } else {
      sum = n;
    }
  }
  function yul(uint n) external {
    assembly {
      function square(a) -> b {
        if gt(a, 50) {
          leave
        }
        b := mul(a, a)
      }
      for { let i := 0 } 1 { i := add(i, 1) } {
        if eq(i, n) {
          break
        }
        if mod(i, 2) {
          continue
        }
        switch add(n, square(i))
        case 0 { sstore(1, i) }
        default { sstore(0, i) }
      }
    }
  }
}
`;
const jumps = { text: TEXT, name: 'Jumps' };
const call = (name: 'loop' | 'early' | 'nested' | 'yul', n: number): Called => ({
  signature: `${name}(uint256)`,
  n,
});

const lineOf = (text: string, from = '') => {
  const at = TEXT.indexOf(text, TEXT.indexOf(from));
  return TEXT.slice(0, at).split('\n').length;
};
const runsOf = (lcov: string, line: number) => {
  const [, runs] = new RegExp(`^DA:${line},(\\d+)$`, 'm').exec(lcov) ?? [];
  return runs === undefined ? undefined : Number(runs);
};

describe('jumps out of an `if`, of which the compiler makes one JUMPI with the condition', () => {
  it('run as often as the condition holds', async () => {
    const lcov = await coverageOf(jumps, [
      call('loop', 5),
      call('early', 3),
      call('early', 9),
      call('yul', 5),
    ]);
    expect(runsOf(lcov, lineOf('if (i == 2)'))).toBe(5);
    expect(runsOf(lcov, lineOf('continue;'))).toBe(1);
    expect(runsOf(lcov, lineOf('if (i == 90)'))).toBe(4);
    expect(runsOf(lcov, lineOf('break;'))).toBe(0);
    expect(runsOf(lcov, lineOf('return;'))).toBe(1);
    expect(runsOf(lcov, lineOf('return;', 'sum = 5'))).toBe(0);
    expect(runsOf(lcov, lineOf('break', 'assembly'))).toBe(1);
    expect(runsOf(lcov, lineOf('continue', 'assembly'))).toBe(2);
    expect(runsOf(lcov, lineOf('leave'))).toBe(0);
    for (const [text, runs] of [
      ['if (i == 2)', 1],
      ['if (i == 90)', 0],
      ['if (n == 3)', 1],
      ['if eq(i, n)', 1],
      ['if mod(i, 2)', 2],
      ['if gt(a, 50)', 0],
    ] as const)
      expect(lcov).toMatch(new RegExp(`BRDA:${lineOf(text)},\\d+,0,${runs}\n`));
  });

  it('a function runs as often as it is called, whatever functions of inline assembly do', async () => {
    const lcov = await coverageOf(jumps, [call('yul', 5)]);
    expect(lcov).toContain('FNDA:1,Jumps.yul\n');
    expect(runsOf(lcov, lineOf('b := mul(a, a)'))).toBe(3);
    expect(runsOf(lcov, lineOf('switch'))).toBe(3);
  });
});

it('a branch is taken as often as its condition holds, also if it begins with a loop', async () => {
  const lcov = await coverageOf(jumps, [call('nested', 9), call('nested', 1), call('nested', 2)]);
  expect(runsOf(lcov, lineOf('while (n > 4)'))).toBe(6);
  expect(lcov).toMatch(new RegExp(`BRDA:${lineOf('if (n > 2)')},\\d+,0,1\nBRDA:\\d+,\\d+,1,2\n`));
});
