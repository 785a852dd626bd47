import { bytesToHex } from '@ethereumjs/util';
import { expect, it, vi } from 'vitest';
import * as at from '../../../src/core/memory/layout.ts';
import { Executor } from '../../../src/engine/wasm/executor.ts';
import { rulesOf } from '../../../src/engine/wasm/rules.ts';
import { finishNow } from '../../../src/engine/wasm/run.ts';
import { singleHardfork } from '../../../src/protocol/hardfork.ts';
import { CHAIN_ID, signer } from '../ethereumjs/accounts.ts';
import { stockCommon } from '../ethereumjs/stock.ts';
import { add } from './core-blocks.ts';
import { BLOCK, crypto } from './executors.ts';
import { signed } from './stock-summary.ts';

const common = stockCommon('prague');
const rules = rulesOf(singleHardfork(CHAIN_ID, 'prague', crypto).at(0n, 0n));
const senders = ['a', 'b', 'c'].map((name) => signer(name).address);

function transfer(from: (typeof senders)[number], nonce: number): Uint8Array {
  const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 0n };
  return signed(from, { type: 2, nonce, gasLimit: 21_000n, to: senders[0]!, ...fees }, common).serialize();
}

it('a transaction that comes again has its sender, which is recovered once, also after the state was emptied', () => {
  const recover = vi.fn(crypto.recover);
  const executor = new Executor({ chainId: CHAIN_ID }, { recover });
  const kinds = new Set<string>();
  for (let round = 0; round < 3; round++) {
    executor.reset();
    executor.useRules(rules);
    executor.setBlock(BLOCK, () => undefined);
    for (const from of senders) executor.setBalance(executor.account(from.bytes), 10n ** 18n);
    for (const from of senders) {
      kinds.add(finishNow(add(executor, transfer(from, 0))).kind);
      expect(bytesToHex(executor.memory.wordBytes(at.TX_FROM).slice(12))).toBe(from.toString());
    }
    expect(recover).toHaveBeenCalledTimes(senders.length);
  }
  expect(kinds).toEqual(new Set(['executed']));
});

it('of more transactions than there is room for, each has its own sender', () => {
  const recover = vi.fn(crypto.recover);
  const executor = new Executor({ chainId: CHAIN_ID }, { recover });
  executor.useRules(rules);
  executor.setBlock(BLOCK, () => undefined);
  const count = at.SENDERS_SIZE / 64 + 100;
  const raws = Array.from({ length: count }, (_, nonce) => transfer(senders[nonce % 3]!, nonce));
  for (let round = 0; round < 2; round++)
    for (const [nonce, raw] of raws.entries()) {
      // Its nonce is too high, which is found out after its sender.
      expect(finishNow(add(executor, raw)).kind).toBe('invalid');
      expect(bytesToHex(executor.memory.wordBytes(at.TX_FROM).slice(12))).toBe(
        senders[nonce % 3]!.toString(),
      );
    }
  expect(recover.mock.calls.length).toBeGreaterThan(count);
  expect(recover.mock.calls.length).toBeLessThan(2 * count);
});
