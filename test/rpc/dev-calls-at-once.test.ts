import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNode, type Node } from '../../src/boot/node.ts';
import { resolveOptions } from '../../src/options/options.ts';

const ACCOUNT = `0x${'7e'.repeat(20)}`;

let node: Node;
beforeEach(async () => {
  // The other engines wait when they make a block.
  const options = resolveOptions({
    engine: 'fast',
    automine: true,
    manualClock: true,
    timestamp: 1_700_000_000,
  });
  node = await createNode(options, { version: 'test', onFatal: () => {} });
});
afterEach(() => node.close());

const send = (method: string, ...params: unknown[]) =>
  node.dispatcher.handleText(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
const result = (answer: unknown) => JSON.parse(String(answer)).result;

describe('while nothing else is under way', () => {
  it.each([
    ['evm_snapshot', [], '0x2'],
    ['evm_revert', ['0x1'], true],
    ['evm_revert', ['0x7'], false],
    ['evm_increaseTime', [60], 61],
    ['evm_setNextBlockTimestamp', [1_700_000_100], null],
    ['anvil_setNextBlockBaseFeePerGas', ['0x7'], null],
    ['anvil_setNextBlockPrevRandao', [`0x${'5e'.repeat(32)}`], null],
    ['anvil_setCoinbase', [ACCOUNT], null],
    ['evm_setBlockGasLimit', ['0x1c9c380'], true],
    ['anvil_setBalance', [ACCOUNT, '0x5'], null],
    ['anvil_setNonce', [ACCOUNT, '0x5'], null],
    ['anvil_setCode', [ACCOUNT, '0x00'], null],
    ['anvil_setStorageAt', [ACCOUNT, '0x1', '0x2'], true],
    ['evm_mine', [], '0x0'],
    ['anvil_mine', ['0x1', '0x5'], null],
  ])('%s is answered when the call returns', async (method, params, expected) => {
    expect(result(send('evm_snapshot'))).toBe('0x1');
    expect(result(send('evm_mine'))).toBe('0x0');
    const answer = send(method, ...params);
    expect(answer).not.toBeInstanceOf(Promise);
    expect(result(answer)).toEqual(expected);
  });

  it('an error is answered then, too, and the next call is not held up', () => {
    const refused = JSON.parse(String(send('evm_mine', { timestamp: 1 })));
    expect(refused.error).toMatchObject({ code: -32602 });
    expect(result(send('evm_mine'))).toBe('0x0');
    expect(result(send('eth_blockNumber'))).toBe('0x1');
  });
});

it('calls during a longer one come after it, in their order', async () => {
  const long = send('anvil_mine', '0x100');
  expect(long).toBeInstanceOf(Promise);
  const snapshot = send('evm_snapshot');
  const mined = send('evm_mine');
  const reverted = send('evm_revert', '0x1');
  expect(result(await snapshot)).toBe('0x1');
  expect(result(await long)).toBeNull();
  expect(result(await mined)).toBe('0x0');
  expect(result(await reverted)).toBe(true);
  expect(result(send('eth_blockNumber'))).toBe('0x100');
});
