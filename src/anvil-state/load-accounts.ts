import type { Controls } from '../sequencer/controls.ts';
import type { Cause } from '../sequencer/inputs.ts';
import type { Settings } from '../sequencer/settings.ts';
import { packedWrites } from '../state/packed-writes.ts';
import type { Awaitable } from '../state/view.ts';
import type { Dump } from './read-dump.ts';

/**
 * Writes the accounts of a state file into the chain's state, as a dev write. If the file's newest block is later than
 * chain time, chain time continues from it. The file's blocks aren't loaded: only a new chain can begin with them.
 */
export function loadAccounts(cause: Cause, controls: Controls, dump: Dump): Awaitable<void> {
  const { accounts, block } = dump;
  const moveTime = (settings: Settings) =>
    settings.moveTime((time) => {
      const ms = Number(block!.timestamp) * 1000;
      if (ms > time.now()) time.setAt(ms);
    });
  return controls.patch(cause, (state) => packedWrites(accounts, state), block && moveTime);
}
