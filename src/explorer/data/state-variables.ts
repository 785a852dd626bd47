import { rpc } from '../app.ts';
import { plural } from '../format.ts';
import { type Variable, variableName } from '../names/variable.ts';
import type { StorageChange } from '../source/types.ts';
import type { Hex } from './types.ts';

/** A state variable, or a part of one, as `devnet_storageLayout` returns it. */
interface StoredVariable {
  readonly name: string;
  readonly type: string;
  readonly slot: Hex;
  /** byte offset of the variable's lowest byte in the slot */
  readonly offset: number;
  readonly bytes: number;
}

/** The state variables of accounts, by address in lower case. */
export type VariablesByAccount = ReadonlyMap<string, readonly StoredVariable[]>;

/** The storage that a transaction touched, by account in lower case. */
export interface Stored {
  readonly variables: VariablesByAccount;
  /** words of the slots before the transaction */
  readonly before: ReadonlyMap<string, ReadonlyMap<bigint, bigint>>;
}

/** Limit of the accounts whose variables are requested. */
const MAX_ACCOUNTS = 20;

/** Fetches the state variables of the accounts whose storage a transaction touched. @param block hash of its block */
export async function storedVariables(hash: Hex, block: Hex): Promise<Stored> {
  type Pre = Record<string, { readonly storage?: Record<string, Hex> }>;
  const pre = await rpc.call<Pre>('debug_traceTransaction', hash, { tracer: 'prestateTracer' });
  const touched = Object.entries(pre).filter(([, { storage }]) => storage);
  const before = touched.map(([address, { storage }]) => {
    const words = Object.entries(storage!).map(([slot, word]) => [BigInt(slot), BigInt(word)] as const);
    return [address.toLowerCase(), new Map(words)] as const;
  });
  const variables = await variablesOf(
    before.map(([address]) => address),
    block,
  );
  return { before: new Map(before), variables };
}

/** Fetches the state variables of accounts. An account whose contract isn't known has none. @param block hash of a block */
export async function variablesOf(
  addresses: readonly string[],
  block: Hex | undefined,
): Promise<VariablesByAccount> {
  const asked = addresses.slice(0, MAX_ACCOUNTS).map(async (address) => {
    const found = await rpc
      .call<{ variables: StoredVariable[] } | null>('devnet_storageLayout', address, block)
      .catch(() => null);
    return [address.toLowerCase(), found?.variables ?? []] as const;
  });
  return new Map(await Promise.all(asked));
}

/** The variables in a slot that differ between two words, with both values. */
export function changesInSlot(
  variables: readonly StoredVariable[],
  slot: Hex,
  words: readonly [before: Hex, after: Hex],
): (Omit<Variable, 'value'> & { from: string; to: string })[] {
  return variables
    .filter((it) => BigInt(it.slot) === BigInt(slot))
    .map(({ name, type, offset, bytes }) => {
      const [from, to] = words.map((word) => textOf(type, BigInt(word) >> BigInt(8 * offset), bytes));
      return { name, type, from: from!, to: to! };
    })
    .filter(({ from, to }) => from !== to);
}

/** The names of the variables in a slot; empty if they aren't known. */
export function namesOf(stored: Stored | undefined, address: Hex, slot: Hex): string {
  const at = BigInt(slot);
  const list = stored?.variables.get(address.toLowerCase()) ?? [];
  return list
    .filter((it) => BigInt(it.slot) === at)
    .map(({ name }) => variableName(name))
    .join(', ');
}

/** The variables of an account that the transaction touches, with their values at a step. @param changes storage changes up to the step */
export function valuesAt(
  stored: Stored | undefined,
  account: Hex,
  changes: readonly StorageChange[],
): readonly Variable[] {
  const address = account.toLowerCase();
  const words = new Map(stored?.before.get(address));
  for (const { address: of, slot, value, transient } of changes)
    if (!transient && of.toLowerCase() === address) words.set(BigInt(slot), BigInt(value));
  return (stored?.variables.get(address) ?? []).flatMap(({ name, type, slot, offset, bytes }) => {
    const word = words.get(BigInt(slot));
    if (word === undefined) return [];
    return [{ name, type, value: textOf(type, word >> BigInt(8 * offset), bytes) }];
  });
}

/** A value within one word as Solidity writes it, otherwise as hex. @param word shifted so that the variable begins at its lowest byte */
function textOf(type: string, word: bigint, bytes: number): string {
  const value = BigInt.asUintN(8 * bytes, word);
  const hex = value.toString(16).padStart(2 * bytes, '0');
  if (/^uint|^enum /.test(type)) return value.toString();
  if (type.startsWith('int')) return BigInt.asIntN(8 * bytes, value).toString();
  if (type === 'bool') return String(value !== 0n);
  // A short string lies in the slot itself, with twice its length in the lowest byte.
  if (type === 'string' && value % 2n === 0n) {
    const digits = hex.slice(0, Number(value & 0xffn)).match(/../g) ?? [];
    return JSON.stringify(new TextDecoder().decode(Uint8Array.from(digits, (it) => Number(`0x${it}`))));
  }
  if (type === 'bytes' && value % 2n === 0n) return `0x${hex.slice(0, Number(value & 0xffn))}`;
  // For a longer string or bytes the slot contains only the length.
  if (type === 'string' || type === 'bytes') return plural(Number(value / 2n), 'byte');
  return `0x${hex}`;
}
