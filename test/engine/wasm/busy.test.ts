import { hexToBytes } from '@ethereumjs/util';
import { expect, it } from 'vitest';
import { CALL_RULES } from '../../../src/engine/engine.ts';
import { EMPTY_ROOT } from '../../../src/state/account.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import { turns } from '../../../src/turns.ts';
import { at } from '../ethereumjs/scenarios.ts';
import { engineOf, hashOfBlock } from '../ethereumjs/stock.ts';

it('more than 32 runs in the background at a time wait for each other, and all end', async () => {
  const { engine } = engineOf('prague', 'fast');
  const state = TrieState.at(new MemorySource(), EMPTY_ROOT);
  const env = {
    number: 1n,
    timestamp: 1n,
    coinbase: at(0),
    gasLimit: 30_000_000n,
    difficulty: 0n,
    prevRandao: new Uint8Array(32),
    baseFeePerGas: 0n,
    blockHash: hashOfBlock,
  };
  let due = true;
  const background = {
    ...turns,
    get due() {
      return due;
    },
    pause: () => turns.pause(),
    hold: () => {},
  };
  // JUMPDEST, PUSH0, JUMP: until the gas is used up.
  const message = {
    type: 2,
    from: at(1),
    nonce: 0n,
    gasLimit: 1_000_000n,
    value: 0n,
    data: hexToBytes('0x5b5f56'),
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    accessList: [],
  };
  const runs = Array.from({ length: 40 }, () =>
    engine.execute(message, env, new Overlay(state), CALL_RULES, { background, discards: true }),
  );
  expect(engine.whenFree).toBeInstanceOf(Promise);
  const ended = await Promise.all(runs);
  due = false;
  expect(ended.every((outcome) => outcome.kind === 'executed' && !outcome.success)).toBe(true);
  expect(engine.whenFree).toBeUndefined();
});
