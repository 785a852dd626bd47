import { bytesToBigInt } from '@ethereumjs/util';
import { keccak256 } from '../state/keccak.ts';
import { MAX_NESTED_VALUES } from './limits.ts';
import {
  type StorageLayout,
  type StorageType,
  type StorageVariable,
  slotsOfElements,
} from './storage-layout.ts';
import { keyText } from './storage-value.ts';

/** A variable, or a part of one, with its place in storage. */
export interface StoragePart {
  /** as an expression of the source: `balances[0x...]`, `users[3].name`, `list.length` */
  readonly name: string;
  readonly type: StorageType;
  /** key in the layout's types */
  readonly typeKey: string;
  readonly slot: bigint;
  /** offset of its lowest byte in the slot */
  readonly offset: number;
}

/** A known key of a mapping, with the first slot of its value. */
export interface MappingKey {
  readonly text: string;
  readonly slot: bigint;
}

/** A range of slots that belong to one variable, one entry of a mapping, or the elements of one array. */
interface Region {
  readonly start: bigint;
  readonly slots: bigint;
  /** the parts in a slot. @param slot number of the slot in storage, not in the region */
  partsAt(slot: bigint): readonly StoragePart[];
}

/** A hashed value: a key followed by the slot of its mapping, or the slot of an array. */
interface Hashed {
  readonly hash: bigint;
  readonly key: Uint8Array;
  readonly head: bigint;
}

const SLOT = 32n;
const WORDS = 2n ** 256n;
/** Number of slots, from the hash of an array's slot on, that count as its elements. */
const MAX_ELEMENT_SLOTS = 2n ** 64n;
/** Longest key of a mapping that is looked at, in bytes. */
const MAX_KEY = 1024;
/** Most parts of one variable that are looked at, when it is searched for arrays of variable length or for one slot. */
const MAX_LOOKED_AT = 1_000;

/** Number of parts that may still be looked at. Layouts come from files, which may be inconsistent, so there is a limit. */
interface Budget {
  count: number;
}

const newBudget = (): Budget => ({ count: MAX_LOOKED_AT });

/** Finds the variables that are stored in given slots. Entries of mappings are found through the keys that were hashed. */
export class StorageMap {
  readonly #layout: StorageLayout;
  /** sorted by `start` */
  #regions: Region[] = [];
  /** slot of a mapping -> its known keys */
  readonly #keys = new Map<bigint, MappingKey[]>();

  /** @param preimages values that the contract hashed in its executions */
  constructor(layout: StorageLayout, preimages: Iterable<Uint8Array>) {
    this.#layout = layout;
    for (const variable of layout.storage) {
      const part = this.partOf(variable, '', 0n);
      if (part) this.#add(this.#regionOf(part));
    }
    this.#addHashed(hashedOf(preimages));
  }

  /** The variables in a slot, in the order of their bytes, the lowest first; for structs and arrays their parts. */
  partsAt(slot: bigint): readonly StoragePart[] {
    const region = this.#regionAt(slot);
    return region ? region.partsAt(slot) : [];
  }

  /** The known keys of a mapping. @param slot of the mapping */
  keysOf(slot: bigint): readonly MappingKey[] {
    return this.#keys.get(slot) ?? [];
  }

  /** @param start slot of the struct that has the variable; 0 for a state variable @returns `undefined` for a type that the layout lacks */
  partOf(
    { label, type, slot, offset }: StorageVariable,
    within: string,
    start: bigint,
  ): StoragePart | undefined {
    const name = within === '' ? label : `${within}.${label}`;
    return this.part(name, type, start + bigintOf(slot), offset);
  }

  part(name: string, typeKey: string, slot: bigint, offset = 0): StoragePart | undefined {
    const { types } = this.#layout;
    const type = Object.hasOwn(types, typeKey) ? types[typeKey] : undefined;
    return type && { name, type, typeKey, slot: slot % WORDS, offset };
  }

  /** An element of an array. @param first slot of the first element */
  elementOf(array: StoragePart, first: bigint, index: bigint): StoragePart | undefined {
    const { base = '' } = array.type;
    const type = Object.hasOwn(this.#layout.types, base) ? this.#layout.types[base] : undefined;
    if (!type) return undefined;
    const bytes = bigintOf(type.numberOfBytes);
    const name = `${array.name}[${index}]`;
    if (bytes > SLOT / 2n) return this.part(name, base, first + index * slotsOfElements(type, 1n));
    const each = SLOT / (bytes || 1n);
    return this.part(name, base, first + index / each, Number((index % each) * bytes));
  }

  #regionOf(part: StoragePart): Region {
    const slots = slotsOf(part.type);
    return { start: part.slot, slots, partsAt: (slot) => this.#within(part, slot, newBudget(), 0) };
  }

  /** The parts of a variable that are in a slot. */
  #within(part: StoragePart, slot: bigint, budget: Budget, depth: number): StoragePart[] {
    const { type } = part;
    if (
      budget.count-- <= 0 ||
      depth > MAX_NESTED_VALUES ||
      slot < part.slot ||
      slot >= part.slot + slotsOf(type)
    )
      return [];
    if (type.members)
      return type.members.flatMap((member) => {
        const inner = this.partOf(member, part.name, part.slot);
        return inner ? this.#within(inner, slot, budget, depth + 1) : [];
      });
    if (type.encoding === 'inplace' && type.base !== undefined)
      return this.#elementsAt(part, part.slot, slot, lengthOf(type), budget, depth);
    return [part];
  }

  #elementsAt(
    array: StoragePart,
    first: bigint,
    slot: bigint,
    length: bigint,
    budget: Budget,
    depth: number,
  ): StoragePart[] {
    const type = this.#layout.types[array.type.base ?? ''];
    if (!type) return [];
    const bytes = bigintOf(type.numberOfBytes);
    const each = bytes > SLOT / 2n ? 1n : SLOT / (bytes || 1n);
    const from = ((slot - first) / slotsOfElements(type, 1n)) * each;
    const parts: StoragePart[] = [];
    for (let index = from; index < from + each && index < length; index++) {
      const element = this.elementOf(array, first, index);
      if (element) parts.push(...this.#within(element, slot, budget, depth + 1));
    }
    return parts;
  }

  #regionAt(slot: bigint): Region | undefined {
    let low = 0;
    let high = this.#regions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#regions[middle]!.start <= slot) low = middle + 1;
      else high = middle;
    }
    // Several state variables may share a slot. Their regions begin together, so all of them are returned.
    for (let i = low - 1; i >= 0 && i >= low - 33; i--) {
      const region = this.#regions[i]!;
      if (slot < region.start + region.slots) return this.#together(i, slot);
    }
    return undefined;
  }

  /** Combines all regions that have the same start as one, for one slot. @param last index of that region */
  #together(last: number, slot: bigint): Region {
    const { start, slots } = this.#regions[last]!;
    let first = last;
    while (first > 0 && this.#regions[first - 1]!.start === start) first--;
    const regions = this.#regions.slice(first, last + 1);
    return { start, slots, partsAt: () => regions.flatMap((region) => [...region.partsAt(slot)]) };
  }

  #add(...regions: readonly Region[]): void {
    this.#regions.push(...regions);
  }

  #sort(): void {
    this.#regions.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  }

  /** Adds regions for the entries and elements that are found through hashes: the outer ones first, then those within them. */
  #addHashed(hashed: readonly Hashed[]): void {
    for (const variable of this.#layout.storage) {
      const part = this.partOf(variable, '', 0n);
      if (part) this.#addHeads(part, newBudget(), 0);
    }
    this.#sort();
    let open = hashed;
    for (let depth = 0; depth < MAX_NESTED_VALUES && open.length > 0; depth++) {
      const left = open.filter((each) => !this.#addEntry(each));
      if (left.length === open.length) return;
      this.#sort();
      open = left;
    }
  }

  /** Adds the data of arrays and strings of variable length within a variable: its place follows from their own slot. */
  #addHeads(part: StoragePart, budget: Budget, depth: number): void {
    const { type } = part;
    if (budget.count-- <= 0 || depth > MAX_NESTED_VALUES) return;
    if (type.encoding === 'dynamic_array' || type.encoding === 'bytes') this.#addData(part);
    for (const member of type.members ?? []) {
      const inner = this.partOf(member, part.name, part.slot);
      if (inner) this.#addHeads(inner, budget, depth + 1);
    }
    if (type.encoding !== 'inplace' || type.base === undefined) return;
    for (let i = 0n; i < lengthOf(type) && budget.count > 0; i++) {
      const element = this.elementOf(part, part.slot, i);
      if (element) this.#addHeads(element, budget, depth + 1);
    }
  }

  #addData(part: StoragePart): void {
    const start = hashOf(wordOf(part.slot));
    const partsAt = (slot: bigint) =>
      part.type.encoding === 'bytes' ? [part] : this.#elementsAt(part, start, slot, WORDS, newBudget(), 0);
    this.#add({ start, slots: MAX_ELEMENT_SLOTS, partsAt });
  }

  /** @returns whether the hash belongs to a known mapping or array: a region is added then */
  #addEntry({ hash, key, head }: Hashed): boolean {
    const part = this.partsAt(head).find(({ slot, type }) => slot === head && type.encoding !== 'inplace');
    if (!part) return false;
    if (key.length === 0) {
      if (part.type.encoding === 'mapping') return false;
      this.#addData(part);
      return true;
    }
    const { key: keyKey = '', value = '' } = part.type;
    const keyType = this.#layout.types[keyKey];
    if (part.type.encoding !== 'mapping' || !keyType) return false;
    if (keyType.encoding === 'inplace' && key.length !== 32) return false;
    const text = keyText(keyType, key);
    const entry = this.part(`${part.name}[${text}]`, value, hash);
    if (!entry) return false;
    const keys = this.#keys.get(head);
    if (keys) keys.push({ text, slot: hash });
    else this.#keys.set(head, [{ text, slot: hash }]);
    this.#add(this.#regionOf(entry));
    this.#addHeads(entry, newBudget(), 0);
    return true;
  }
}

function hashedOf(preimages: Iterable<Uint8Array>): Hashed[] {
  const seen = new Map<bigint, Hashed>();
  for (const bytes of preimages) {
    if (bytes.length < 32 || bytes.length > 32 + MAX_KEY) continue;
    const hash = hashOf(bytes);
    const head = bytesToBigInt(bytes.subarray(bytes.length - 32));
    seen.set(hash, { hash, head, key: bytes.subarray(0, bytes.length - 32) });
  }
  return [...seen.values()];
}

/** Number of slots of a variable, without data that is stored at hashes. */
function slotsOf(type: StorageType): bigint {
  return type.encoding === 'inplace' ? (bigintOf(type.numberOfBytes) + SLOT - 1n) / SLOT || 1n : 1n;
}

/** Length of a fixed-size array. */
export function lengthOf({ label }: StorageType): bigint {
  return bigintOf(/\[(\d+)\]$/.exec(label)?.[1] ?? '0');
}

export function hashOf(bytes: Uint8Array): bigint {
  return bytesToBigInt(keccak256(bytes));
}

export function wordOf(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

/** @param decimal from a file @returns 0 if it isn't a number */
function bigintOf(decimal: string): bigint {
  return /^\d{1,80}$/.test(decimal) ? BigInt(decimal) : 0n;
}
