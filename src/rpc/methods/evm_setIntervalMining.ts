import { sealsEachSend } from '../../sequencer/mode.ts';
import { anyOf, invalid, mapped } from '../codec.ts';
import { number, uint64 } from '../codecs.ts';
import { defineMethod } from '../define-method.ts';
import { intervalMode } from '../interval-mode.ts';

// anvil takes fractions of a second.
const interval = anyOf(
  'a time of 0 or more',
  mapped(uint64, Number),
  mapped(number, (time, path) => (time >= 0 ? time : invalid(path, 'a time of 0 or more', time))),
);

/**
 * Blocks at an interval; 0 ends it. anvil counts seconds and ends automine with it; Hardhat counts milliseconds and keeps
 * automine as it is.
 */
export const evm_setIntervalMining = defineMethod({
  name: 'evm_setIntervalMining',
  params: [interval],
  handler: async ({ sequencer, instance, shapes }, time) => {
    const ms = shapes.pick(time * 1000, time);
    const automine = shapes.compat === 'hardhat' && sealsEachSend(sequencer.mode);
    if (ms > 0) await sequencer.setMode(intervalMode(ms, instance.flashblockInterval, automine));
    else await sequencer.setMode({ kind: automine ? 'automine' : 'manual' });
    return shapes.done;
  },
});
