import { setFlagsFromString } from 'node:v8';

/** The flags of V8 that a node changes while it runs -> V8's own values, of every version in which they are changed. */
const OWN = {
  /** bytes of bytecode that a function runs before V8 considers whether to optimize it */
  'interrupt-budget': 66 * 1024,
  /** the same for a function in WebAssembly, in bytes of its code */
  'wasm-tiering-budget': 1_800_000,
  /** by which V8 enlarges the young generation when much of it survives */
  'semi-space-growth-factor': 2,
} as const;

export type V8Flag = keyof typeof OWN;

const changed = new Set<V8Flag>();

/** V8 reads most flags each time that it needs them. */
export function setFlag(name: V8Flag, value: number): void {
  changed.add(name);
  setFlagsFromString(`--${name}=${value}`);
}

export function ownValue(name: V8Flag): number {
  return OWN[name];
}

/** Gives the flags that were changed V8's own values. */
export function resetFlags(): void {
  for (const name of changed) setFlagsFromString(`--${name}=${OWN[name]}`);
  changed.clear();
}
