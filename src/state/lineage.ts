import type { StateView, StateWrites } from './view.ts';

/** Number of earlier versions up to which a state's writes can be traced back. */
const MAX_STEPS = 16;

/** Identifies a state's content without referring to the state: views with the same content share a version. */
export interface StateVersion {
  /** the version to which the writes were applied; `undefined` if unknown, or if it is too many versions back */
  before: StateVersion | undefined;
  readonly writes: StateWrites | undefined;
}

const VERSION = Symbol('version');

/** The version is a property, not in a WeakMap: adding to a WeakMap takes longer, and V8 visits all its entries in each collection. */
type Versioned = StateView & { [VERSION]?: StateVersion };

/** The version of a state. Must not be called with an overlay. */
export function versionOf(state: Versioned): StateVersion {
  state[VERSION] ??= { before: undefined, writes: undefined };
  return state[VERSION];
}

/** Records that `state` is `from` with `writes` applied. @returns `state` */
export function derived<S extends Versioned>(from: StateView, writes: StateWrites, state: S): S {
  const version: StateVersion = { before: versionOf(from), writes };
  state[VERSION] = version;
  let last: StateVersion | undefined = version;
  for (let i = 0; i < MAX_STEPS && last; i++) last = last.before;
  if (last) last.before = undefined;
  return state;
}

/** Records that two views have the same content. @returns `state` */
export function same<S extends Versioned>(from: StateView, state: S): S {
  state[VERSION] = versionOf(from);
  return state;
}

/** The writes that lead from one version to another, oldest first; `undefined` if unknown. */
export function writesBetween(from: StateVersion, to: StateVersion): StateWrites[] | undefined {
  const path: StateWrites[] = [];
  for (let version: StateVersion | undefined = to; version; version = version.before) {
    if (version === from) return path.reverse();
    if (version.writes) path.push(version.writes);
  }
  return undefined;
}
