import type { MiningMode } from '../../sequencer/mining/mode.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Starts making blocks again, in the mode in which the node was started; if that was the manual mode, with automine.
 * @returns true
 * @geth geth has no such method since version 1.14; before that it began to mine
 */
export const miner_start = defineMethod({
  kind: 'dev',
  handler: async ({ sequencer, instance, shapes, cause }) => {
    const mode: MiningMode = instance.mode.kind === 'manual' ? { kind: 'automine' } : instance.mode;
    await sequencer.setMode(cause, mode, { sealsWaiting: shapes.pick(true, false) });
    return true;
  },
});
