import { readFileSync } from 'node:fs';
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { consoleLines, Decoder, encodeCall } from '../../src/explorer/abi/decoder.ts';
import type { Frame } from '../../src/explorer/data/types.ts';
import { matches, readArtifact } from '../../src/sources/abi/artifact.ts';

const file = (name: string) =>
  readArtifact(`${name}.json`, readFileSync(`fixtures/contracts/${name}.json`, 'utf8'));
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const transfer = encodeFunctionData({
  abi: parseAbi(['function transfer(address to, uint256 value)']),
  args: [TO, 5n],
});
const decoder = new Decoder([]);

describe('Decoder', () => {
  it('knows ERC-20 without an artifact', () => {
    expect(decoder.call(transfer)).toEqual({
      name: 'transfer',
      source: 'ERC-20',
      args: [
        { name: 'to', type: 'address', value: TO },
        { name: 'amount', type: 'uint256', value: 5n },
      ],
    });
    expect(decoder.call('0x')).toBeUndefined();
    expect(decoder.call('0x12345678')).toBeUndefined();
  });

  it('prefers the artifact, and the one that it is told to prefer', () => {
    const other = { ...file('Token'), name: 'Other' };
    const both = new Decoder([file('Token'), other]);
    expect(both.call(transfer)?.source).toBe('Token');
    expect(both.call(transfer, 'Other')?.source).toBe('Other');
    expect(both.call(transfer, 'ERC-20')?.args[1]?.name).toBe('amount');
  });

  it('marks bytes that do not fit', () => {
    expect(decoder.call(transfer.slice(0, 60) as Hex)).toEqual({
      name: 'transfer',
      source: 'ERC-20',
      args: [],
      broken: true,
    });
    expect(decoder.error('0x08c379a0ffff')).toMatchObject({ name: 'Error', broken: true });
  });

  it('tells logs of ERC-20 and ERC-721 apart by their indexed values', () => {
    const topics = [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      `0x${'0'.repeat(24)}${TO.slice(2)}`,
      `0x${'0'.repeat(24)}${TO.slice(2)}`,
    ] as Hex[];
    const word = `0x${'9'.padStart(64, '0')}` as Hex;
    expect(decoder.log({ topics, data: word })).toMatchObject({
      source: 'ERC-20',
      args: [{}, {}, { value: 9n }],
    });
    expect(decoder.log({ topics: [...topics, word], data: '0x' })).toMatchObject({
      source: 'ERC-721',
      args: [{}, {}, { name: 'tokenId', value: 9n }],
    });
    expect(decoder.log({ topics: [topics[0]!], data: '0x' })).toMatchObject({
      name: 'Transfer',
      broken: true,
    });
    expect(decoder.log({ topics: [word], data: '0x' })).toBeUndefined();
    expect(decoder.log({ topics: [], data: '0x' })).toBeUndefined();
  });

  it('says what a panic means, and decodes custom errors', () => {
    const panic = encodeErrorResult({ abi: parseAbi(['error Panic(uint256)']), args: [17n] });
    expect(decoder.error(panic)?.args.at(-1)).toMatchObject({
      name: 'meaning',
      value: 'overflow or underflow',
    });
    const { abi } = file('Counter');
    const high = encodeErrorResult({ abi, errorName: 'TooHigh', args: [2n, 1n] });
    expect(new Decoder([file('Counter')]).error(high)).toMatchObject({
      name: 'TooHigh',
      args: [{ value: 2n }, { value: 1n }],
    });
  });

  it('decodes what a call returned', () => {
    const balanceOf = `${toFunctionSelector('balanceOf(address)')}${'0'.repeat(64)}` as Hex;
    expect(decoder.result(balanceOf, `0x${'7'.padStart(64, '0')}`)).toMatchObject([{ value: 7n }]);
    expect(decoder.result(balanceOf, '0x')).toBeUndefined();
  });
});

describe('encodeCall', () => {
  const [item] = parseAbi([
    'function f(uint256 n, bool on, address who, (uint8 a, string b)[] list, bytes data)',
  ]);

  it('takes values as they are typed', () => {
    expect(encodeCall(item, ['1,000', 'true', TO, '[[1, "x"]]', '0xff'])).toBe(
      encodeFunctionData({ abi: [item], args: [1000n, true, TO, [{ a: 1, b: 'x' }], '0xff'] as never }),
    );
  });

  it.each([
    [['x', 'true', TO, '[]', '0x'], 'n: expected a whole number'],
    [['1', 'yes', TO, '[]', '0x'], 'on: expected true or false'],
    [['1', 'true', '0x1', '[]', '0x'], 'who: expected an address'],
    [['1', 'true', TO, '[', '0x'], 'list: expected tuple[] as JSON'],
    [['1', 'true', TO, '[]', '0x1'], 'data: expected bytes'],
  ])('names the value that does not fit: %j', (texts, message) => {
    expect(() => encodeCall(item, texts)).toThrow(message);
  });
});

describe('console.log', () => {
  const log = (signature: string, args: unknown[]): Frame => ({
    type: 'STATICCALL',
    from: TO,
    to: '0x000000000000000000636F6e736F6c652e6c6f67',
    gas: '0x1',
    gasUsed: '0x1',
    input: `${toFunctionSelector(signature)}${encodeAbiParameters(
      /\((.*)\)/
        .exec(signature)![1]!
        .split(',')
        .map((type) => ({ type })),
      args,
    ).slice(2)}`,
  });

  it('says its lines in the order of the calls, with format marks filled', () => {
    const root: Frame = {
      ...log('log(uint256)', [1n]),
      to: TO,
      calls: [
        log('log(string,uint256)', ['n is %d', 5n]),
        log('log(string,address,bool)', ['a', TO, true]),
        log('log(int256)', [-3n]),
      ],
    };
    expect(consoleLines(root)).toEqual(['n is 5', `a ${TO} true`, '-3']);
  });
});

describe('an artifact', () => {
  it('is read as Hardhat, Foundry and solc write it, and as an ABI alone', () => {
    const abi = [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'view' }];
    const read = (json: unknown) => readArtifact('out/C.sol/C.json', JSON.stringify(json));
    expect(read({ contractName: 'D', abi, deployedBytecode: '0xAB' })).toMatchObject({
      name: 'D',
      code: 'ab',
    });
    const foundry = { object: '0xab00', immutableReferences: { 7: [{ start: 1, length: 1 }] } };
    expect(read({ abi, deployedBytecode: foundry })).toMatchObject({
      name: 'C',
      code: 'ab00',
      masked: [{ start: 1, length: 1 }],
    });
    expect(read({ abi, evm: { deployedBytecode: { object: 'ab' } } })).toMatchObject({ code: 'ab' });
    expect(read(abi)).toMatchObject({ name: 'C', masked: [] });
    expect(() => read({})).toThrow('has no ABI');
    expect(() => readArtifact('x.json', '{')).toThrow('x.json is not JSON');
  });

  it('matches deployed code but for immutables, libraries and metadata', () => {
    const artifact = {
      name: 'C',
      abi: [],
      // 2 bytes of metadata and their length at the end
      code: `60ff00006073__${'$'.repeat(36)}__a1b20002`,
      masked: [{ start: 2, length: 2 }],
    };
    const deployed = (immutable: string, metadata: string, first = '60') =>
      `0x${first}ff${immutable}6073${'12'.repeat(20)}${metadata}0002` as Hex;
    expect(matches(artifact, deployed('abcd', 'ffff'))).toBe(true);
    expect(matches(artifact, deployed('abcd', 'ffff', '61'))).toBe(false);
    expect(matches(artifact, '0x60')).toBe(false);
    expect(matches({ ...artifact, code: undefined }, '0x')).toBe(false);
  });

  it('matches code with immutables where the artifact does not say where they are, as of Hardhat 2', () => {
    const code = (immutable: string, behind = '9055') => `5f7f${immutable}${behind}`;
    const artifact = { name: 'C', abi: [], code: code('00'.repeat(32)), masked: [] };
    expect(matches(artifact, `0x${code('a1'.repeat(32))}`)).toBe(true);
    expect(matches(artifact, `0x${code('a1'.repeat(32), '9054')}`)).toBe(false);
    expect(matches({ ...artifact, code: code(`01${'00'.repeat(31)}`) }, `0x${code('a1'.repeat(32))}`)).toBe(
      false,
    );
  });
});
