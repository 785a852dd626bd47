// The same calls to a node of Hardhat and to devnet: fields, codes, and the words of errors.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CALLS } from './calls.mjs';
import { DEV_CALLS } from './dev-calls.mjs';
import { HARDHAT_CALLS } from './hardhat-calls.mjs';
import { startDevnet } from './nodes.mjs';
import { sideBySide } from './side-by-side.mjs';

const SHARED = [
  ...['methods without parameters', 'transactions of each type', 'a contract', 'blocks and what is in them'],
  ...['reads of the state', 'calls, estimates and simulations', 'logs and filters', 'subscriptions'],
  ...['signatures', 'sends that are refused', 'traces'],
];

/** @param compat whose answers devnet gives */
export function compareWithHardhat({ name, start, compat, differences, uncovered }) {
  describe(`the answers of ${name} and of devnet`, () => {
    const both = sideBySide({
      start: () => Promise.all([start(), startDevnet('--compat', compat, '--chain-id', '31337')]),
      differences,
      wordOf,
    });
    before(both.start);
    after(both.close);

    const all = { ...CALLS, ...DEV_CALLS };
    for (const calls of SHARED) it(calls, () => all[calls](both));
    for (const [title, calls] of Object.entries(HARDHAT_CALLS)) it(title, () => calls(both));
    it('bad parameters', () => both.askBadly());

    it('are of every method that both should have', () => both.checkCoverage(uncovered));

    it('differ in all the ways that are listed, and in no other', () => {
      assert.deepEqual(both.unmet(), []);
    });
  });
}

/** The text of an error without its numbers; each node has words of its own for what it can't decode. */
function wordOf({ code, message }) {
  if (code === -32602) return undefined;
  return message.replace(/0x[\da-f]{4,}/gi, '0x*').replace(/\d{2,}/g, '*');
}
