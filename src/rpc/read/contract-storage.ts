import { type Address, createAddressFromString, equalsBytes } from '@ethereumjs/util';
import type { Block, BlockView } from '../../chain/block.ts';
import type { StorageLayout } from '../../sources/storage-layout.ts';
import { StorageMap, type StoragePart } from '../../sources/storage-map.ts';
import { lengthPart, type ReadSlot, StorageReader, type StorageValue } from '../../sources/storage-reader.ts';
import { ForkedState } from '../../state/forked-state.ts';
import { TrieState } from '../../state/trie-state.ts';
import type { StateView } from '../../state/view.ts';
import { giveWay } from '../../turns.ts';
import { type Hex, hex, word } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';
import { implementationOf } from './implementation.ts';
import type { AccountDiff } from './state-diff.ts';

/** The highest number of blocks that are executed again for one answer, and of blocks that are searched. */
const MAX_EXECUTED = 100;
const MAX_BLOCKS = 10_000;
/** The highest number of slots without a variable in one answer. */
const MAX_OTHERS = 100;
/** The highest number of proxies that point at each other. */
const MAX_HOPS = 4;

type Deps = Pick<RpcContext, 'chain' | 'tracing' | 'hashedKeys' | 'stackTraces' | 'database' | 'pauses'>;

/** The contract whose code runs on an account's storage. */
export interface StoredContract {
  readonly contract: string;
  readonly file: string | undefined;
  /** the account that has the code, if the account itself is a proxy */
  readonly implementation: Address | undefined;
  /** `undefined` if the build info doesn't have it */
  readonly layout: StorageLayout | undefined;
}

/**
 * Returns the contract whose variables are in an account's storage; for a proxy, that of its implementation.
 * @returns `undefined` if no build info has the code
 */
export async function contractAt(
  state: StateView,
  account: Address,
  { stackTraces }: Pick<Deps, 'stackTraces'>,
): Promise<StoredContract | undefined> {
  if (!stackTraces.mayKnow) return undefined;
  let found: StoredContract | undefined;
  let at: Address | undefined = account;
  for (let hop = 0; at && hop <= MAX_HOPS; hop++) {
    const code = await state.getCode(at);
    const known = code.length > 0 ? await stackTraces.layoutOf(code) : undefined;
    if (known) found = { ...known, implementation: hop === 0 ? undefined : at };
    at = await implementationOf(state, at);
  }
  return found;
}

/** A variable in the result of `devnet_storageLayout`. */
export interface RpcVariable {
  readonly name: string;
  /** as in the source */
  readonly type: string;
  /** 32 bytes */
  readonly slot: Hex;
  /** position in the slot of the variable's lowest byte */
  readonly offset: number;
  readonly bytes: number;
  readonly value: string | boolean;
}

export interface RpcStorage {
  readonly contract: string;
  readonly file: string | null;
  readonly implementation: Hex | null;
  readonly layout: StorageLayout | null;
  readonly variables: readonly RpcVariable[];
  /** slots with a value other than zero that belong to no known variable */
  readonly others: Readonly<Record<Hex, Hex>>;
  readonly isComplete: boolean;
}

/** Returns all variables of an account at a block. @returns `undefined` if no build info has the code */
export async function storageAt(
  view: BlockView,
  account: Address,
  deps: Deps,
): Promise<RpcStorage | undefined> {
  const { state } = view;
  const named = await namedStorage(view, account, (slot) => state.getStorage(account, slot), deps);
  if (!named) return undefined;
  const { contract, file, implementation, layout, variables, map, isComplete } = named;
  const { others, isCut } = map ? await othersOf(state, account, map, deps) : { others: {}, isCut: false };
  return {
    contract,
    file: file ?? null,
    implementation: implementation ? hex(implementation.bytes) : null,
    layout: layout ?? null,
    variables,
    others,
    isComplete: isComplete && !isCut,
  };
}

/** The variables of a contract, without the slots that belong to no variable. */
interface NamedStorage extends StoredContract {
  readonly variables: readonly RpcVariable[];
  /** `undefined` if the build info doesn't have the layout */
  readonly map: StorageMap | undefined;
  /** whether all variables are included */
  readonly isComplete: boolean;
}

/**
 * Returns the variables of an account, with the code that it has at a block.
 * @param read reads the values, which may be those of another moment
 * @returns `undefined` if no build info has the code
 */
export async function namedStorage(
  view: BlockView,
  account: Address,
  read: ReadSlot,
  deps: Deps,
): Promise<NamedStorage | undefined> {
  const found = await contractAt(view.state, account, deps);
  if (!found) return undefined;
  const { layout } = found;
  if (!layout) return { ...found, variables: [], map: undefined, isComplete: false };
  const { keys, isWhole } = hasMappings(layout)
    ? await keysOf(view, account, deps)
    : { keys: [], isWhole: true };
  const map = new StorageMap(layout, keys);
  const reader = new StorageReader({ layout, map }, { read, pauses: deps.pauses });
  const variables = (await reader.all()).map(formatVariable);
  return { ...found, variables, map, isComplete: isWhole && !reader.isCut };
}

function hasMappings({ types }: StorageLayout): boolean {
  return Object.values(types).some(({ encoding }) => encoding === 'mapping' || encoding === 'dynamic_array');
}

function formatVariable({ value, ...part }: StorageValue): RpcVariable {
  return { ...formatPart(part), value };
}

function formatPart({ name, type, slot, offset }: StoragePart): Omit<RpcVariable, 'value'> {
  const slotHex: Hex = `0x${BigInt.asUintN(256, slot).toString(16).padStart(64, '0')}`;
  return { name, type: type.label, slot: slotHex, offset, bytes: Number(type.numberOfBytes) };
}

/** Returns the data hashed in the blocks that changed an account's storage, newest block first. */
async function keysOf(
  view: BlockView,
  account: Address,
  { chain, tracing, hashedKeys, pauses }: Deps,
): Promise<{ readonly keys: readonly Uint8Array[]; readonly isWhole: boolean }> {
  const keys: Uint8Array[] = [];
  let executed = 0;
  let block: BlockView | undefined = view;
  for (let looked = 0; block && looked < MAX_BLOCKS; looked++) {
    await giveWay(pauses);
    if (block.header.number <= chain.genesis) return { keys, isWhole: true };
    const parent: BlockView | undefined = await chain.resolve({ hash: block.header.parentHash });
    if (block.transactions.length > 0 && mayDiffer(parent?.state, block.state, account)) {
      if (!hashedKeys.knows(block) && executed++ === MAX_EXECUTED) break;
      keys.push(...(await hashedKeys.of(block, tracing)));
    }
    block = parent;
  }
  return { keys, isWhole: false };
}

/** Whether an account's storage may have changed between two blocks. */
function mayDiffer(before: StateView | undefined, after: StateView, account: Address): boolean {
  const [from, to] = [before && trieOf(before), trieOf(after)];
  if (!from || !to) return true;
  try {
    return !equalsBytes(from.storageTrie(account).root, to.storageTrie(account).root);
  } catch {
    // The state has been pruned.
    return true;
  }
}

function trieOf(state: StateView): TrieState | undefined {
  if (state instanceof ForkedState) return state.local;
  return state instanceof TrieState ? state : undefined;
}

/** Returns the slots that belong to no variable, as far as the preimages of the trie's keys are known. */
async function othersOf(
  state: StateView,
  account: Address,
  map: StorageMap,
  { database, pauses }: Deps,
): Promise<{ readonly others: Record<Hex, Hex>; readonly isCut: boolean }> {
  const others: Record<Hex, Hex> = {};
  const trie = trieOf(state);
  if (!trie) return { others, isCut: true };
  const recent = new Map<string, Uint8Array>();
  for (const [hash, preimage] of trie.preimages()) recent.set(hex(hash), preimage);
  let count = 0;
  for (let start: Uint8Array | undefined = new Uint8Array(32); start; ) {
    const { entries, next } = trie.storageEntries(account, start, 256);
    for (const { hashedSlot, value } of entries) {
      const slot = recent.get(hex(hashedSlot)) ?? database.getPreimage(hashedSlot);
      // A forked state stores a marker under an empty key.
      if (slot?.length !== 32 || value.length === 0) continue;
      if (map.partsAt(BigInt(hex(slot))).length > 0) continue;
      if (count++ === MAX_OTHERS) return { others, isCut: true };
      others[hex(slot)] = word(value);
    }
    start = next;
    await giveWay(pauses);
  }
  return { others, isCut: false };
}

/** A variable that differs between two blocks. */
export interface VariableChange extends Omit<RpcVariable, 'value'> {
  readonly from: string | boolean;
  readonly to: string | boolean;
}

interface NamedChanges {
  readonly contract: string;
  readonly variables: readonly VariableChange[];
}

export type NamedDiff = AccountDiff & Partial<NamedChanges>;

/** Finds the variables of the slots that differ between two blocks, for one request. */
export class ChangedVariables {
  readonly #from: StateView;
  readonly #to: StateView;
  readonly #blocks: readonly Block[];
  readonly #deps: Deps;
  #keys: Promise<readonly Uint8Array[]> | undefined;

  /** @param options.blocks the blocks between the two states, in which the slots were written */
  constructor(
    options: { readonly from: StateView; readonly to: StateView; readonly blocks: readonly Block[] },
    deps: Deps,
  ) {
    this.#from = options.from;
    this.#to = options.to;
    this.#blocks = options.blocks;
    this.#deps = deps;
  }

  /** Adds the names of variables to the differences of two states, for contracts that are known. */
  async addedTo(diff: Readonly<Record<string, AccountDiff>>): Promise<Record<string, NamedDiff>> {
    const named: Record<string, NamedDiff> = {};
    for (const [address, account] of Object.entries(diff)) {
      const slots = Object.keys(account.storage ?? {}) as Hex[];
      const found = slots.length > 0 ? await this.#of(createAddressFromString(address), slots) : undefined;
      named[address] = { ...account, ...found };
    }
    return named;
  }

  /** @param slots the slots that differ @returns `undefined` if the contract's layout isn't known */
  async #of(account: Address, slots: readonly Hex[]): Promise<NamedChanges | undefined> {
    const found =
      (await contractAt(this.#to, account, this.#deps)) ??
      (await contractAt(this.#from, account, this.#deps));
    if (!found?.layout) return undefined;
    const { layout, contract } = found;
    this.#keys ??= this.#hashed();
    const map = new StorageMap(layout, await this.#keys);
    const [before, after] = [this.#from, this.#to].map(
      (state) =>
        new StorageReader(
          { layout, map },
          { read: (slot) => state.getStorage(account, slot), pauses: this.#deps.pauses },
        ),
    ) as [StorageReader, StorageReader];
    const variables = new Map<string, VariableChange>();
    for (const slot of slots)
      for (const part of map.partsAt(BigInt(slot))) {
        if (part.type.encoding === 'mapping') continue;
        const shown = part.type.encoding === 'dynamic_array' ? lengthPart(part) : part;
        if (variables.has(shown.name)) continue;
        const [from, to] = [await before.value(part), await after.value(part)];
        if (from !== to) variables.set(shown.name, { ...formatPart(shown), from, to });
      }
    return { contract, variables: [...variables.values()] };
  }

  async #hashed(): Promise<readonly Uint8Array[]> {
    const { hashedKeys, tracing, pauses } = this.#deps;
    const keys: Uint8Array[] = [];
    let executed = 0;
    for (const block of this.#blocks) {
      await giveWay(pauses);
      if (!hashedKeys.knows(block) && executed++ === MAX_EXECUTED) break;
      keys.push(...(await hashedKeys.of(block, tracing)));
    }
    return keys;
  }
}

/** Returns the newer of two blocks and the blocks before it, down to the older one exclusive; if both are the same block, this block. */
export async function blocksBetween(
  a: BlockView,
  b: BlockView,
  { chain, pauses }: Pick<Deps, 'chain' | 'pauses'>,
): Promise<readonly Block[]> {
  const [older, newer] = a.header.number <= b.header.number ? [a, b] : [b, a];
  const blocks: BlockView[] = [];
  let block: BlockView | undefined = newer;
  while (block && blocks.length < MAX_BLOCKS) {
    blocks.push(block);
    if (block.header.number <= older.header.number + 1n) break;
    block = await chain.resolve({ hash: block.header.parentHash });
    await giveWay(pauses);
  }
  return blocks;
}
