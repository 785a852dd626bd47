import { hexToBytes } from '@ethereumjs/util';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { decodeConsoleLog } from '../../src/protocol/console-log.ts';

const call = (types: string, ...args: unknown[]): Hex => {
  const abi = parseAbi([`function log(${types})` as 'function log(uint256)']);
  return encodeFunctionData({ abi, functionName: 'log', args: args as [bigint] });
};
const line = (types: string, ...args: unknown[]) => decodeConsoleLog(hexToBytes(call(types, ...args)));

describe('a line of console.log', () => {
  test.each([
    ['string', ['hello'], 'hello'],
    ['string,uint256', ['value is %d', 7n], 'value is 7'],
    ['string,string', ['%s!', 'hi'], 'hi!'],
    ['string,uint256,bool', ['a', 1n, true], 'a 1 true'],
    ['string,uint256', ['100%', 1n], '100% 1'],
    ['int256', [-5n], '-5'],
    ['bytes', ['0xabcd'], '0xabcd'],
    ['bytes4', ['0x01020304'], '0x01020304'],
    ['address,uint256', [`0x${'11'.repeat(20)}`, 2n], `0x${'11'.repeat(20)} 2`],
    ['string,uint256', ['%x', 255n], '0xff'],
  ])('of %s', (types, args, expected) => expect(line(types, ...args)).toBe(expected));

  test('of the old selectors, which say uint', () =>
    // keccak256('log(uint)')
    expect(decodeConsoleLog(hexToBytes(`0xf5b1bba9${'2a'.padStart(64, '0')}`))).toBe('42'));

  test('no other bytes make one', () => {
    expect(decodeConsoleLog(hexToBytes('0x01020304'))).toBeUndefined();
    expect(decodeConsoleLog(hexToBytes('0x41304fac'))).toBeUndefined();
  });
});
