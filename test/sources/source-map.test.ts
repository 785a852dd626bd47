import { expect, it } from 'vitest';
import { instructionNumbers, readSourceMap } from '../../src/sources/source-map.ts';

it('an empty or missing field of a source map has the value of the entry before', () => {
  expect(readSourceMap('1:2:0:-;;3::1:i:2;:9;;4:5:-1:o')).toEqual([
    { start: 1, length: 2, file: 0, jump: '-' },
    { start: 1, length: 2, file: 0, jump: '-' },
    { start: 3, length: 2, file: 1, jump: 'i' },
    { start: 3, length: 9, file: 1, jump: 'i' },
    { start: 3, length: 9, file: 1, jump: 'i' },
    { start: 4, length: 5, file: -1, jump: 'o' },
  ]);
});

it('a map that is none has entries without a source', () => {
  expect(readSourceMap('')).toEqual([]);
  expect(readSourceMap('x:y:z:w')).toEqual([{ start: 0, length: 0, file: -1, jump: '-' }]);
});

it('the data of PUSH is no instruction', () => {
  // PUSH1 0x5b, JUMPDEST, PUSH0, PUSH2 0x0102, STOP
  const code = Uint8Array.of(0x60, 0x5b, 0x5b, 0x5f, 0x61, 1, 2, 0);
  expect([...instructionNumbers(code)]).toEqual([0, -1, 1, 2, 3, -1, -1, 4]);
});
