import { conflict, needs } from './errors.ts';
import type { Values } from './table.ts';

/** Files in anvil's format from which the state is loaded, and to which it is written. */
export interface StateFiles {
  readonly load?: { readonly file: string; readonly mustExist: boolean };
  readonly dump?: string;
  /** seconds between two writes; absent = only at the end */
  readonly dumpEvery?: number;
  /** Whether old states are written, too, not only the newest one. */
  readonly history: boolean;
}

/** @throws OptionConflict for `state`, which combines loading and writing, together with one of the others */
export function chooseStateFiles(values: Values): StateFiles {
  const { state, loadState: load, stateInterval: dumpEvery, preserveHistoricalStates: history } = values;
  if (state !== undefined && load !== undefined) conflict('state', 'loadState');
  if (state !== undefined && values.dumpState !== undefined) conflict('state', 'dumpState');
  const dump = values.dumpState ?? state;
  if (dumpEvery !== undefined && dump === undefined) needs('stateInterval', 'dumpState');
  if (history && dump === undefined) needs('preserveHistoricalStates', 'dumpState');
  return {
    history,
    ...(load !== undefined && { load: { file: load, mustExist: true } }),
    ...(state !== undefined && { load: { file: state, mustExist: false } }),
    ...(dump !== undefined && { dump }),
    ...(dumpEvery !== undefined && { dumpEvery }),
  };
}
