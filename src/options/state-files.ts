import { type Checks, conflict, needs } from './checks.ts';
import type { DevnetOptions } from './options.ts';

/** Where the state comes from and goes to, as files in anvil's format. */
export interface StateFiles {
  readonly load?: { readonly file: string; readonly mustExist: boolean };
  readonly dump?: string;
  /** seconds; absent = only at the end */
  readonly dumpEvery?: number;
  /** Old states are written too, not the newest one alone. */
  readonly history: boolean;
}

/** @throws OptionConflict for `state`, which is both, beside one of the others */
export function chooseStateFiles(options: DevnetOptions, check: Checks<DevnetOptions>): StateFiles {
  const both = check.text('state');
  if (both !== undefined && options.loadState !== undefined) conflict('state', 'loadState');
  if (both !== undefined && options.dumpState !== undefined) conflict('state', 'dumpState');
  const load = check.text('loadState');
  const dump = check.text('dumpState') ?? both;
  const dumpEvery = check.whole('stateInterval', 1, 1_000_000);
  if (dumpEvery !== undefined && dump === undefined) needs('stateInterval', 'dumpState');
  const history = check.flag('preserveHistoricalStates') ?? false;
  if (history && dump === undefined) needs('preserveHistoricalStates', 'dumpState');
  return {
    history,
    ...(load !== undefined && { load: { file: load, mustExist: true } }),
    ...(both !== undefined && { load: { file: both, mustExist: false } }),
    ...(dump !== undefined && { dump }),
    ...(dumpEvery !== undefined && { dumpEvery }),
  };
}
