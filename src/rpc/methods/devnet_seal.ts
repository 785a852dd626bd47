import { quantity } from '../codec/hex.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Seals a block, and returns the number of the new head. With `--manual-clock` it moves the clock to the end of the open block, so that all
 * flashblocks of the block are published; otherwise it seals at once.
 * @returns a quantity
 */
export const devnet_seal = defineMethod({
  kind: 'dev',
  // A recording has the clock ticks, or the call of evm_mine, that this call leads to.
  recorded: false,
  handler: async ({ chain, manualClock, recording, sequencer }) => {
    const { sealDue } = sequencer;
    const { latest } = chain;
    if (manualClock && sealDue !== undefined)
      await manualClock.advance(Math.max(0, sealDue - manualClock.now()));
    // The block may still be open: if the clock isn't manual, if no block is due, or if its seal was delayed.
    if (chain.latest === latest) await recording.as('evm_mine', [], (cause) => sequencer.mine(cause));
    return quantity(chain.latest.header.number);
  },
});
