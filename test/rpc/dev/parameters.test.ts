import { afterEach, describe, expect, it } from 'vitest';
import { startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node?.close());

const ACCOUNT = `0x${'aa'.repeat(20)}`;
const WORD = `0x${'5'.padStart(64, '0')}`;
const DIALECTS = ['anvil', 'hardhat', 'hardhat2'] as const;

/** The value in each form. A fraction and a negative number are in none of the peers' methods. */
const FORMS = { number: 5, decimal: '5', hex: '0x5', word: WORD };
const NEVER = {
  fraction: 0.5,
  'a fraction as text': '0.5',
  negative: -1,
  'past 2^53': 2 ** 60,
  boolean: true,
  nothing: null,
};

/** What each parameter takes: what anvil 1.7.1, Hardhat 2 and Hardhat 3 take, and where it says so more. */
const SETTERS: [string, (value: unknown) => unknown[], (keyof typeof FORMS)[]][] = [
  ['anvil_setBalance', (value) => [ACCOUNT, value], ['number', 'decimal', 'hex', 'word']],
  ['anvil_addBalance', (value) => [ACCOUNT, value], ['number', 'decimal', 'hex', 'word']],
  ['anvil_setNonce', (value) => [ACCOUNT, value], ['number', 'decimal', 'hex', 'word']],
  ['anvil_setStorageAt', (value) => [ACCOUNT, value, WORD], ['number', 'decimal', 'hex', 'word']],
  // Devnet alone pads a shorter value.
  ['anvil_setStorageAt', (value) => [ACCOUNT, '0x0', value], ['hex', 'word']],
  ['hardhat_setStorageAt', (value) => [ACCOUNT, '0x0', value], ['hex', 'word']],
  ['evm_setAccountStorageAt', (value) => [ACCOUNT, '0x0', value], ['hex', 'word']],
  ['hardhat_setPrevRandao', (value) => [value], ['hex', 'word']],
  ['anvil_setNextBlockBaseFeePerGas', (value) => [value], ['number', 'decimal', 'hex', 'word']],
  ['evm_setBlockGasLimit', (value) => [value], ['number', 'decimal', 'hex', 'word']],
  ['evm_increaseTime', (value) => [value], ['number', 'decimal', 'hex', 'word']],
  ['anvil_setBlockTimestampInterval', (value) => [value], ['number', 'decimal', 'hex', 'word']],
  ['evm_setIntervalMining', (value) => [value], ['number', 'hex', 'word']],
  ['anvil_setIntervalMining', (value) => [value], ['number', 'hex', 'word']],
  ['hardhat_setIntervalMining', (value) => [value], ['number', 'hex', 'word']],
  ['anvil_setCode', (value) => [ACCOUNT, value], ['word']],
];

describe.each(DIALECTS)('the numbers of dev methods, %s', (compat) => {
  it('are taken as the peers take them, and refused with what was expected and got', async () => {
    node = await startNode({ compat, automine: true });
    for (const [method, params, takes] of SETTERS) {
      for (const [form, value] of Object.entries({ ...FORMS, ...NEVER })) {
        const answer = node.rpc(method, ...params(value)).then(
          () => 'taken',
          ({ code, message }) => `${code} ${message}`,
        );
        const what = `${method} with ${form}: ${JSON.stringify(params(value))}`;
        if (takes.includes(form as never)) expect(await answer, what).toBe('taken');
        else expect(await answer, what).toMatch(/^-32602 .*: expected .*, got /);
      }
    }
  });

  it('an interval of a fraction is refused, alone and in a range, and changes nothing', async () => {
    node = await startNode({ compat, automine: true });
    const before = await node.rpc('anvil_getIntervalMining');
    for (const time of [0.5, 1.5, [0.5, 2], [1, 2.5], '0.5'])
      await expect(node.rpc('evm_setIntervalMining', time)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(/params\[0\].*expected .*got .*\.5/),
      });
    expect(await node.rpc('anvil_getIntervalMining')).toEqual(before);
  });
});
