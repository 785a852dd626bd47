import { intervalMode } from '../../sequencer/mining/interval-mode.ts';
import { sealsEachSend } from '../../sequencer/mining/mode.ts';
import { intervalTime, millisecondsOf } from '../codec/interval.ts';
import { defineMethod } from '../define-method.ts';

/**
 * Seals a block at each interval; 0 ends that. The parameter is the interval, or a range `[shortest, longest]` from which each block draws
 * its own, by the seed. By default it is in whole seconds, and automine ends, as in anvil; with `--compat hardhat` it is in whole
 * milliseconds, and automine stays as it is.
 * @returns null; true as Hardhat
 */
export const evm_setIntervalMining = defineMethod({
  kind: 'dev',
  params: [intervalTime],
  handler: async ({ sequencer, instance, shapes, cause }, time) => {
    const unit = shapes.pick('s', 'ms');
    const automine = shapes.pick(false, sealsEachSend(sequencer.mode));
    const blockTime =
      typeof time === 'number'
        ? millisecondsOf(time, unit)
        : ([millisecondsOf(time[0], unit), millisecondsOf(time[1], unit)] as const);
    if (blockTime === 0) await sequencer.setMode(cause, { kind: automine ? 'automine' : 'manual' });
    else await sequencer.setMode(cause, intervalMode(blockTime, instance.flashblockInterval, automine));
    return shapes.done;
  },
});
