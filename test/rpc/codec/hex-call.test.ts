import { describe, expect, it } from 'vitest';
import { hexCallOf } from '../../../src/rpc/codec/hex-call.ts';
import { Simulation } from '../../../src/rpc/codec/simulation.ts';

const TO = `0x${'a1'.repeat(20)}`;

describe('a call object is left as text', () => {
  it.each([
    ['target and data', { to: TO, data: '0x01' }, { to: TO, data: '0x01' }],
    ['`input`', { to: TO, input: '0x01' }, { to: TO, data: '0x01' }],
    ['a creation', { from: TO, data: '0x01' }, { from: TO, data: '0x01' }],
    ['no data', { to: TO }, { to: TO, data: '0x' }],
    ['nothing', {}, { data: '0x' }],
    ['amounts', { value: '0x1', gas: '0x10' }, { data: '0x', amounts: { value: 1n, gas: 16n } }],
    ['fees', { gasPrice: '0x1' }, { data: '0x', amounts: { gasPrice: 1n } }],
  ])('with %s', (_, request, call) => expect(hexCallOf(request)).toEqual(call));

  it.each([
    ['is no object', 'text'],
    ['is a list', []],
    ['has a short address', { to: '0x01' }],
    ['has both names of the data', { data: '0x01', input: '0x01' }],
    ['has a type', { to: TO, type: '0x2' }],
    ['has an access list', { to: TO, accessList: [] }],
    ['has blobs', { to: TO, blobVersionedHashes: [] }],
    ['has authorizations', { to: TO, authorizationList: [] }],
    ['has a chain id', { to: TO, chainId: '0x1' }],
    ['has null', { to: TO, gas: null }],
    ['has a number', { to: TO, gas: 1 }],
    ['has an amount that is none', { to: TO, value: '1' }],
    ['has too much gas', { to: TO, gas: `0x1${'0'.repeat(16)}` }],
    ['has contradictory fees', { to: TO, gasPrice: '0x1', maxFeePerGas: '0x1' }],
    ['has a member of the prototype', { to: TO, constructor: '0x1' }],
    ['is long', { to: TO, data: `0x${'00'.repeat(2 ** 16 + 1)}` }],
  ])('but not where it %s', (_, request) => expect(hexCallOf(request)).toBe(undefined));
});

describe('a simulation', () => {
  const payload = (...calls: unknown[]) => ({ blockStateCalls: [{ calls }] });
  const simulation = (value: unknown) => new Simulation(value, 'params[0]');

  it('has the text of its calls where all can be left as text', () => {
    expect(simulation(payload({ to: TO }, {})).hex?.blockStateCalls[0]?.calls).toHaveLength(2);
    expect(simulation(payload({ to: TO }, { to: TO, type: '0x2' })).hex).toBe(undefined);
  });

  it.each([
    ['a call', payload({ to: TO, value: 'x' }), 'params[0].blockStateCalls[0].calls[0].value'],
    ['digits', payload({ to: TO, data: '0x0' }), 'params[0].blockStateCalls[0].calls[0].data'],
    [
      'overrides',
      { blockStateCalls: [{ blockOverrides: 1 }] },
      'params[0].blockStateCalls[0].blockOverrides',
    ],
    ['no payload', 1, 'params[0]'],
  ])('with %s that is wrong is refused where it is decoded', (_, value, path) => {
    expect(() => simulation(value).decoded).toThrow(`${path}: expected`);
  });
});
