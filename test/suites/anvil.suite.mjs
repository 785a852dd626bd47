// The same calls to anvil and to devnet.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { DIFFERENCES } from './anvil-differences.mjs';
import { CALLS } from './calls.mjs';
import { DEV_CALLS } from './dev-calls.mjs';
import { EFFECT_CALLS } from './effect-calls.mjs';
import { EXPLORER_CALLS } from './explorer-calls.mjs';
import { startAnvil, startDevnet } from './nodes.mjs';
import { REVERT_CALLS } from './revert-calls.mjs';
import { sideBySide } from './side-by-side.mjs';

const FLAGS = ['--chain-id', '31337', '--timestamp', '1700000000', '--hardfork', 'osaka'];
/** What does nothing on a chain that is no fork. */
const NEEDS_A_FORK = ['anvil_setRpcUrl', 'hardhat_setRpcUrl'];
/** What both refuse: that, and what anvil lists and does on other networks or not at all. */
const REFUSED = [
  'anvil_setFeeAmmLiquidity',
  'anvil_setFeeToken',
  'anvil_setRpcUrl',
  'anvil_setValidatorFeeToken',
  'eth_getWork',
  'eth_submitHashrate',
  'eth_submitWork',
];
/** Asks for what anvil doesn't have. */
const BEYOND = readFileSync(new URL('../rpc/dev/beyond-anvil.test.ts', import.meta.url), 'utf8');

describe('the answers of anvil and of devnet', () => {
  const both = sideBySide({
    start: () => Promise.all([startAnvil(...FLAGS), startDevnet('--automine', ...FLAGS)]),
    differences: DIFFERENCES,
  });
  before(both.start);
  after(both.close);

  // One after the other: each finds the chain as those before it left it.
  const suites = { ...CALLS, ...EXPLORER_CALLS, ...DEV_CALLS, ...EFFECT_CALLS, ...REVERT_CALLS };
  for (const [name, calls] of Object.entries(suites)) it(name, () => calls(both));
  it('bad parameters', () => both.askBadly());
  it('are of every method that both should have', () => both.checkCoverage(REFUSED));

  it('are of every method but those that beyond-anvil.test.ts asks for', () => {
    assert.deepEqual(
      both
        .lacking()
        .filter((method) => !NEEDS_A_FORK.includes(method) && !BEYOND.includes(`\n  ${method}: {`)),
      [],
    );
  });

  it('differ in all the ways that are listed, and in no other', () => {
    assert.deepEqual(both.unmet(), []);
  });
});
