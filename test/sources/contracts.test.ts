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

describe('the contract that a code was made from', () => {
  const creation = '600a600c600039600a6000f3602a60005260206000f3';
  const deployed = '602a60005260206000f3';
  const functions = parseAbi(['function get() view returns (uint256)', 'function set(uint256)']);
  const ofContract = (hex: string, isCreation: boolean) =>
    contracts.contractOf(hexToBytes(`0x${hex}`), { isCreation });
  const write = (json: object) =>
    writeFileSync(
      join(folder, 'Contract.json'),
      JSON.stringify({ contractName: 'Kept', abi: functions, ...json }),
    );
  const found = {
    name: 'Kept',
    functions: new Map([
      ['6d4ce63c', 'get'],
      ['60fe47b1', 'set'],
    ]),
  };

  it.each([
    ['Hardhat', { bytecode: `0x${creation}`, deployedBytecode: `0x${deployed}` }],
    [
      'Foundry',
      { bytecode: { object: `0x${creation}` }, deployedBytecode: { object: `0x${deployed.toUpperCase()}` } },
    ],
    ['solc', { evm: { bytecode: { object: creation }, deployedBytecode: { object: deployed } } }],
  ])('is found by its code and by its init code in an artifact of %s', async (_, codes) => {
    write(codes);
    expect(await ofContract(deployed, false)).toEqual(found);
    expect(await ofContract(`${creation}${'00'.repeat(31)}05`, true)).toEqual(found);
    expect(await ofContract(creation, false)).toBeUndefined();
    expect(await ofContract(deployed, true)).toBeUndefined();
    // The node keeps the deployed codes only.
    const kept = JSON.stringify(await contracts.folder.read()).toLowerCase();
    expect([kept.includes(deployed), kept.includes(creation)]).toEqual([true, false]);
  });

  it('is found by its init code after it was compiled again, and not when its file has gone', async () => {
    write({ bytecode: `0x${creation}00` });
    expect(await ofContract(creation, true)).toBeUndefined();
    write({ bytecode: `0x${creation}` });
    await clock.advance(60_000);
    expect(await ofContract(creation, true)).toEqual(found);
    rmSync(join(folder, 'Contract.json'));
    await clock.advance(60_000);
    expect(await ofContract(creation, true)).toBeUndefined();
  });
});
