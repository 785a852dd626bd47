import { setFlagsFromString } from 'node:v8';

/** The V8 flags that a node changes while it runs -> V8's default values, in all versions in which they are changed. */
const OWN = {
  /** bytes of bytecode that a function runs before V8 considers whether to optimize it */
  'interrupt-budget': 66 * 1024,
  /** the same for a function in WebAssembly, in bytes of its code */
  'wasm-tiering-budget': 1_800_000,
  /** factor by which V8 enlarges the young generation when much of it survives */
  'semi-space-growth-factor': 2,
  /** whether V8 drops the compiled code of functions that haven't run for a few garbage collections */
  'flush-bytecode': true,
};

type Own = typeof OWN;
export type V8Flag = keyof Own;

const changed = new Set<V8Flag>();

/** Sets a flag. V8 reads most flags each time that it uses them. */
export function setFlag<Name extends V8Flag>(name: Name, value: Own[Name]): void {
  changed.add(name);
  setFlagsFromString(asArgument(name, value));
}

export function ownValue<Name extends V8Flag>(name: Name): Own[Name] {
  return OWN[name];
}

/** Resets all changed flags to V8's default values. */
export function resetFlags(): void {
  for (const name of changed) setFlagsFromString(asArgument(name, OWN[name]));
  changed.clear();
}

/** Formats a flag as on Node's command line. */
export function asArgument(name: V8Flag, value: number | boolean): string {
  if (typeof value === 'number') return `--${name}=${value}`;
  return value ? `--${name}` : `--no-${name}`;
}
