import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeErrorResult, hexToBytes, parseAbi } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { revertText } from '../../src/log/explainer.ts';
import { callText } from '../../src/sources/abi/argument-text.ts';
import { Contracts } from '../../src/sources/contracts.ts';

const abi = parseAbi([
  'error Nothing()',
  'error Several(address who, uint256[] amounts, (bool ok, bytes data) pair)',
  'error Said(string text)',
  'error Unnamed(uint8, bytes4)',
]);
const ADDRESS = '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB';

let folder: string;
let clock: ManualClock;
let contracts: Contracts;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-errors-'));
  clock = new ManualClock();
  contracts = new Contracts({ artifacts: folder }, { clock });
});
afterEach(() => rmSync(folder, { recursive: true }));
const compile = (name = 'Contract') =>
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ contractName: name, abi }));

const several = encodeErrorResult({
  abi,
  errorName: 'Several',
  args: [ADDRESS, [1n, 2n], { ok: true, data: '0x1234' }],
});

describe('what a call reverted with', () => {
  it.each([
    ['0x', 'no reason'],
    ['0x1234', '0x1234'],
    [encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['too late'] }), '"too late"'],
    [encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [''] }), '""'],
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
    expect(await revertText(contracts, data)).toBe(`reverted with ${text}`);
  });

  it('is looked up again in what was compiled since', async () => {
    const data = encodeErrorResult({ abi, errorName: 'Nothing' });
    const unknown = `reverted with ${data}`;
    expect(await revertText(contracts, data)).toBe(unknown);
    compile();
    expect(await revertText(contracts, data)).toBe(unknown);
    await clock.advance(59_999);
    expect(await revertText(contracts, data)).toBe(unknown);
    const other = encodeErrorResult({ abi, errorName: 'Said', args: ['hi'] });
    expect(await revertText(contracts, other)).toBe('reverted with Said(text: "hi")');
    expect(await revertText(contracts, data)).toBe('reverted with Nothing()');
  });

  it('is there at once where it is known, and where the folder was read a moment ago', async () => {
    compile();
    const known = hexToBytes(encodeErrorResult({ abi, errorName: 'Nothing' }));
    expect(contracts.errorIn(known)).toBeInstanceOf(Promise);
    await contracts.errorIn(known);
    expect(contracts.errorIn(known)).toMatchObject({ name: 'Nothing', source: 'Contract' });
    expect(contracts.errorIn(hexToBytes('0x12345678'))).toBeUndefined();
  });

  it('in the words of Foundry and of Hardhat', async () => {
    compile();
    const decoded = (await contracts.errorIn(hexToBytes(several)))!;
    expect(callText(decoded, 'foundry')).toBe(`Several(${ADDRESS}, [1, 2], (true, 0x1234))`);
    expect(callText(decoded, 'hardhat')).toBe(`Several("${ADDRESS}", [1, 2], [true, "0x1234"])`);
  });
});
