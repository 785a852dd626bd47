import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeErrorResult, parseAbi } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { CustomErrors } from '../../src/log/custom-errors.ts';

const abi = parseAbi([
  'error Nothing()',
  'error Several(address who, uint256[] amounts, (bool ok, bytes data) pair)',
  'error Said(string text)',
  'error Unnamed(uint8, bytes4)',
]);
const ADDRESS = `0x${'ab'.repeat(20)}` as const;

let folder: string;
let clock: ManualClock;
let errors: CustomErrors;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-errors-'));
  clock = new ManualClock();
  errors = new CustomErrors({ artifacts: folder }, { clock });
});
afterEach(() => rmSync(folder, { recursive: true }));
const compile = (name = 'Contract') =>
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ contractName: name, abi }));

describe('what a call reverted with', () => {
  const several = encodeErrorResult({
    abi,
    errorName: 'Several',
    args: [ADDRESS, [1n, 2n], { ok: true, data: '0x1234' }],
  });

  it.each([
    ['0x', 'no reason'],
    ['0x1234', '0x1234'],
    [encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['too late'] }), 'too late'],
    [
      encodeErrorResult({ abi: parseAbi(['error Panic(uint256)']), args: [17n] }),
      'arithmetic underflow or overflow',
    ],
    [encodeErrorResult({ abi, errorName: 'Nothing' }), 'Nothing()'],
    [several, `Several(who: ${ADDRESS}, amounts: [1, 2], pair: {ok: true, data: 0x1234})`],
    [encodeErrorResult({ abi, errorName: 'Said', args: ['a\u001b[2J"'] }), 'Said(text: "a\\u001b[2J\\"")'],
    [encodeErrorResult({ abi, errorName: 'Unnamed', args: [3, '0x01020304'] }), 'Unnamed(3, 0x01020304)'],
    // Less than the ABI says.
    [several.slice(0, 100), several.slice(0, 74).concat('...')],
  ])('%s is %s', async (data, text) => {
    compile();
    expect(await errors.describe(data)).toBe(text);
  });

  it('is looked up again in what was compiled since', async () => {
    const data = encodeErrorResult({ abi, errorName: 'Nothing' });
    expect(await errors.describe(data)).toBe(data);
    compile();
    expect(await errors.describe(data)).toBe(data);
    await clock.advance(59_999);
    expect(await errors.describe(data)).toBe(data);
    const other = encodeErrorResult({ abi, errorName: 'Said', args: ['hi'] });
    expect(await errors.describe(other)).toBe('Said(text: "hi")');
    await clock.advance(1);
    expect(await errors.describe(data)).toBe('Nothing()');
  });
});
