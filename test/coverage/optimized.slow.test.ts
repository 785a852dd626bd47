import { describe, expect, it } from 'vitest';
import { coverageOf } from './compiled-coverage.ts';

const TEXT = `pragma solidity ^0.8.0;
error Four(uint n);
abstract contract Base {
  address public first;
  constructor() {
    first = msg.sender;
  }
}
contract Made {
  uint public immutable n;
  constructor(uint given) {
    n = given > 100 ? 100 : given;
  }
}
contract Merged is Base {
  uint public sum;
  constructor() {
    sum = 1;
  }
  function checked(uint n) external {
    require(n != 1, "one");
    require(n != 2);
    require(n != 3, "three, for which the reason is longer than thirty-two bytes");
    require(n != 4, Four(n));
    require(n > 5 && n < 90, string(abi.encodePacked("no ", msg.data)));
    sum = n;
  }
  function nothing() external {}
  function never() external {}
  function inlined() private pure {}
  function callsNothing() external pure {
    inlined();
  }
  function make(uint n) external returns (Made) {
    return new Made(n);
  }
  function seven() external pure returns (uint) {
    return 7;
  }
  function added(uint n) external returns (uint) {
    unchecked {
      n = n + 1;
    }
    sum = n;
    return n;
  }
}
`;
const CALLS = [
  ...[1, 2, 3, 4, 95].map((n) => ({ signature: 'checked(uint256)', n, fails: true })),
  { signature: 'checked(uint256)', n: 8 },
  { signature: 'nothing()' },
  { signature: 'callsNothing()' },
  { signature: 'seven()' },
  { signature: 'seven()' },
  { signature: 'added(uint256)', n: 1 },
  { signature: 'make(uint256)', n: 1 },
];
const lineOf = (text: string) => TEXT.slice(0, TEXT.indexOf(text)).split('\n').length;
const optimizer = { enabled: true };

describe.each([
  ['without optimizer', {}],
  ['with the optimizer', { optimizer }],
  ['with viaIR', { viaIR: true }],
  ['with viaIR and the optimizer', { viaIR: true, optimizer }],
])('code compiled %s', (_, settings) => {
  it('has the functions that were called, and no line of them that did not run', async () => {
    const lcov = await coverageOf({ text: TEXT, name: 'Merged', settings }, CALLS);
    const ran = Object.fromEntries(
      [...lcov.matchAll(/^FNDA:(\d+),(.*)$/gm)].map(([, runs, name]) => [name, Number(runs)]),
    );
    // The optimizer merges the code of functions that do nothing.
    expect(ran['Merged.nothing']).toBeGreaterThan(0);
    expect(ran['Merged.callsNothing']).toBeGreaterThan(0);
    expect(ran['Merged.seven']).toBeGreaterThan(1);
    expect(ran).toMatchObject({
      'Merged.added': 1,
      'Merged.constructor': 1,
      'Base.constructor': 1,
      'Made.constructor': 1,
    });
    expect(ran['Merged.checked']).toBeGreaterThan(0);
    const never = [...lcov.matchAll(/^DA:(\d+),0$/gm)].map(([, line]) => Number(line));
    expect([lineOf('function never'), lineOf('function inlined')]).toEqual(expect.arrayContaining(never));
  });

  it('has both outcomes of each require, where they are known', async () => {
    const lcov = await coverageOf({ text: TEXT, name: 'Merged', settings }, CALLS);
    const outcomes = [...lcov.matchAll(/^BRDA:\d+,\d+,\d+,(.*)$/gm)].map(([, runs]) => runs);
    const isKnown = !('viaIR' in settings && 'optimizer' in settings);
    expect(outcomes).toEqual(isKnown ? ['5', '1', '4', '1', '3', '1', '2', '1', '1', '1'] : []);
  });
});
