import type { StateView, StateWrites } from './view.ts';

/** How many states back a state knows what was written since. */
const MOST_STEPS = 16;

/** What a state is, without the state itself: two views of the same content share it. */
export interface StateVersion {
  /** the version that the writes were made on; `undefined` when that isn't known, or too many versions ago */
  before: StateVersion | undefined;
  readonly writes: StateWrites | undefined;
}

const VERSION = Symbol('version');

/** The version is a property of the state: V8 takes longer to add an entry to a WeakMap, and visits all entries in each collection. */
type Versioned = StateView & { [VERSION]?: StateVersion };

/** The version of a state that isn't an overlay. */
export function versionOf(state: Versioned): StateVersion {
  state[VERSION] ??= { before: undefined, writes: undefined };
  return state[VERSION];
}

/** Records that a state came from another one by writes. @returns the state */
export function derived<S extends Versioned>(from: StateView, writes: StateWrites, state: S): S {
  const version: StateVersion = { before: versionOf(from), writes };
  state[VERSION] = version;
  let last: StateVersion | undefined = version;
  for (let i = 0; i < MOST_STEPS && last; i++) last = last.before;
  if (last) last.before = undefined;
  return state;
}

/** Records that two views have the same content. @returns the second */
export function same<S extends Versioned>(from: StateView, state: S): S {
  state[VERSION] = versionOf(from);
  return state;
}

/** The writes that lead from one version to another, oldest first; `undefined` when that isn't known. */
export function writesBetween(from: StateVersion, to: StateVersion): StateWrites[] | undefined {
  const path: StateWrites[] = [];
  for (let version: StateVersion | undefined = to; version; version = version.before) {
    if (version === from) return path.reverse();
    if (version.writes) path.push(version.writes);
  }
  return undefined;
}
