import { type Signal, signal } from '@preact/signals';
import type { Hex } from './types.ts';

export type Keys = Readonly<Record<string, Hex>>;

/**
 * Private keys that the user gave to the page, by address in lower case. The node has no request that returns private keys,
 * so that nobody who can only reach the node's port can read them. The page forgets the keys when it is reloaded.
 */
export const givenKeys: Signal<Keys> = signal({});

/** The private keys in a file that the node wrote for `--config-out`. @returns `undefined` for any other file */
export function keysIn(text: string): Keys | undefined {
  let content: Partial<Record<string, unknown>> | null;
  try {
    content = JSON.parse(text);
  } catch {
    return undefined;
  }
  const [addresses, keys] = [content?.available_accounts, content?.private_keys];
  if (!Array.isArray(addresses) || !Array.isArray(keys) || addresses.length !== keys.length) return undefined;
  const isHex = (value: unknown, length: number) =>
    typeof value === 'string' && new RegExp(`^0x[\\da-f]{${length}}$`, 'i').test(value);
  if (!addresses.every((it) => isHex(it, 40)) || !keys.every((it) => isHex(it, 64))) return undefined;
  return Object.fromEntries(addresses.map((address, i) => [address.toLowerCase(), keys[i]]));
}
