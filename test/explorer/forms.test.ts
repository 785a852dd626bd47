import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ACTIONS, parameter } from '../../src/explorer/data/actions.ts';
import {
  asCurl,
  asViem,
  NEW_CALL,
  type SimulationForm,
  simulationParams,
} from '../../src/explorer/data/simulation.ts';

const A = `0x${'aa'.repeat(20)}`;
const input = (as: Parameters<typeof parameter>[0]['as']) => ({ label: 'x', initial: '', as });

describe('a field', () => {
  it.each([
    ['text', ' abc ', 'abc'],
    ['quantity', '255', '0xff'],
    ['quantity', '0xff', '0xff'],
    ['number', '500', 500],
    ['ether', '1.5', '0x14d1120d7b160000'],
    ['ether', '0', '0x0'],
    ['ether', '20 gwei', '0x4a817c800'],
    ['ether', '1e18', '0xde0b6b3a7640000'],
    ['quantity', '1,000', '0x3e8'],
    ['address', A, A],
    ['boolean', 'false', false],
    ['json', '{"a": 1}', { a: 1 }],
  ] as const)('of kind %s reads %j', (as, text, value) => {
    expect(parameter(input(as), text)).toEqual(value);
  });

  it.each([
    ['text', '', 'a value'],
    ['quantity', '-1', 'a whole number'],
    ['ether', '1e', 'an amount of ETH'],
    ['address', '0x12', 'an address'],
    ['boolean', 'yes', 'true or false'],
    ['json', '{', 'JSON'],
  ] as const)('of kind %s refuses %j', (as, text, expected) => {
    expect(() => parameter(input(as), text)).toThrow(`x: expected ${expected}`);
  });
});

describe('a simulation', () => {
  const form: SimulationForm = {
    blocks: [
      {
        overrides: [{ address: A, balance: '1', code: '0x00', slots: '{"0x1": "0x02"}' }],
        calls: [{ ...NEW_CALL, from: A, to: A, value: '0.5', data: '0x12' }],
      },
      { overrides: [], calls: [{ ...NEW_CALL, fn: 'f', args: ['7'] }] },
    ],
    after: '12',
    validation: true,
    traceTransfers: false,
  };

  it('becomes the parameters of eth_simulateV1', () => {
    expect(simulationParams(form, (fn, args) => `0x${fn}${args.join('')}`)).toEqual([
      {
        blockStateCalls: [
          {
            stateOverrides: {
              [A]: {
                balance: '0xde0b6b3a7640000',
                code: '0x00',
                stateDiff: { [`0x${'1'.padStart(64, '0')}`]: `0x${'2'.padStart(64, '0')}` },
              },
            },
            calls: [{ from: A, to: A, value: '0x6f05b59d3b20000', input: '0x12' }],
          },
          { calls: [{ value: '0x0', input: '0xf7' }] },
        ],
        validation: true,
        traceTransfers: false,
      },
      '0xc',
    ]);
  });

  it('names the field that is wrong', () => {
    const wrong = { ...form, blocks: [{ overrides: [], calls: [{ ...NEW_CALL, data: '0x1' }] }] };
    expect(() => simulationParams(wrong, () => '0x')).toThrow('data: expected bytes');
  });

  it('can be copied for a shell and for viem', () => {
    const params = [{ it: "isn't" }, 'pending'];
    expect(asCurl('http://a', params)).toContain(
      `'{"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"it":"isn'\\''t"},"pending"]}'`,
    );
    expect(asViem('http://a', params)).toContain("http('http://a')");
  });
});

it('all failures on demand of docs/failures.md can be asked for', () => {
  const documented = readFileSync('docs/failures.md', 'utf8').matchAll(/\bdevnet_\w+/g);
  const asked = [...ACTIONS['Failures on demand']!, ...ACTIONS.Time!].map(({ method }) => method);
  expect(asked).toEqual(expect.arrayContaining([...documented].map(([name]) => name)));
});
