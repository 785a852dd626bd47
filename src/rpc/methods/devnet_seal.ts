import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Seals a block: with `--manual-clock` by moving the clock to the end of the open block, so that all its flashblocks
 * are published, else at once. Answers the new head's number.
 * @returns a quantity
 */
export const devnet_seal = defineMethod({
  kind: 'dev',
  // A recording has the ticks that it causes, or a call of evm_mine, instead.
  recorded: false,
  handler: async ({ chain, manualClock, recording, sequencer }) => {
    const { sealDue } = sequencer;
    const { latest } = chain;
    if (manualClock && sealDue !== undefined)
      await manualClock.advance(Math.max(0, sealDue - manualClock.now()));
    // It may still be open: the clock runs by itself, no block is due, or its seal was delayed.
    if (chain.latest === latest) await recording.as('evm_mine', [], (cause) => sequencer.mine(cause));
    return quantity(chain.latest.header.number);
  },
});
