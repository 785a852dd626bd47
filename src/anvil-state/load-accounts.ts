import type { Controls } from '../sequencer/controls.ts';
import type { Cause } from '../sequencer/inputs.ts';
import type { Settings } from '../sequencer/settings.ts';
import { writeOfAccounts } from './accounts.ts';
import type { Dump } from './read-dump.ts';

/**
 * Puts the accounts of a file into the chain's state, as a dev write. Chain time goes on from the file's where that is
 * later. Its blocks aren't taken over: only a new chain can begin with them.
 */
export function loadAccounts(cause: Cause, controls: Controls, dump: Dump): Promise<void> {
  const { accounts, block } = dump;
  const moveTime = (settings: Settings) =>
    settings.moveTime((time) => {
      const ms = Number(block!.timestamp) * 1000;
      if (ms > time.now()) time.setAt(ms);
    });
  return controls.patch(cause, writeOfAccounts(accounts), block && moveTime);
}
