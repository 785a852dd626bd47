import type { Awaitable } from '../state/view.ts';
import { giveWay, type Pauses } from '../turns.ts';
import { MAX_NESTED_VALUES } from './limits.ts';
import type { StorageLayout } from './storage-layout.ts';
import { hashOf, lengthOf, type StorageMap, type StoragePart, wordOf } from './storage-map.ts';
import { placedValue, textOf } from './storage-value.ts';

/** Reads a storage slot: returns its value without leading zeros. */
export type ReadSlot = (slot: Uint8Array) => Awaitable<Uint8Array>;

/** A variable with its value. */
export interface StorageValue extends StoragePart {
  readonly value: string | boolean;
}

/** Most bytes of a string that are read. */
const MAX_BYTES = 4096n;
/** Most elements of one array, and most values in total. */
const MAX_ELEMENTS = 256n;
const MAX_VALUES = 5_000;
/** Most variables, structs, arrays and mappings that are visited. */
const MAX_LOOKED_AT = 20_000;

/** Reads the values of a contract's variables. */
export class StorageReader {
  readonly #layout: StorageLayout;
  readonly #map: StorageMap;
  readonly #read: ReadSlot;
  readonly #pauses: Pauses | undefined;
  /** whether values were left out because of the limits */
  isCut = false;
  #lookedAt = 0;

  constructor(
    options: { readonly layout: StorageLayout; readonly map: StorageMap },
    deps: { readonly read: ReadSlot; readonly pauses?: Pauses | undefined },
  ) {
    this.#layout = options.layout;
    this.#map = options.map;
    this.#read = deps.read;
    this.#pauses = deps.pauses;
  }

  /** All values, for structs, arrays and mappings those of their parts. Of mappings only known keys are read. */
  async all(): Promise<StorageValue[]> {
    const values: StorageValue[] = [];
    for (const variable of this.#layout.storage) {
      const part = this.#map.partOf(variable, '', 0n);
      if (part) await this.#collect(part, values, 0);
    }
    return values;
  }

  /** The value of one part. For an array of variable length it is the length. */
  async value({ type, slot, offset }: StoragePart): Promise<string | boolean> {
    const word = await this.#word(slot);
    if (type.encoding === 'bytes') return this.#text(type, slot, word);
    if (type.encoding === 'dynamic_array') return numberOf(word).toString();
    const end = 32 - offset;
    return placedValue(type, word.subarray(Math.max(0, end - Number(type.numberOfBytes)), Math.max(0, end)));
  }

  async #collect(part: StoragePart, values: StorageValue[], depth: number): Promise<void> {
    if (this.#lookedAt++ >= MAX_LOOKED_AT || values.length >= MAX_VALUES || depth > MAX_NESTED_VALUES) {
      this.isCut = true;
      return;
    }
    await giveWay(this.#pauses);
    const { type, slot, name } = part;
    if (type.encoding === 'mapping') {
      for (const key of this.#map.keysOf(slot)) {
        const entry = this.#map.part(`${name}[${key.text}]`, type.value ?? '', key.slot);
        if (entry) await this.#collect(entry, values, depth + 1);
      }
      return;
    }
    if (type.members) {
      for (const member of type.members) {
        const inner = this.#map.partOf(member, name, slot);
        if (inner) await this.#collect(inner, values, depth + 1);
      }
      return;
    }
    if (type.base === undefined) {
      values.push({ ...part, value: await this.value(part) });
      return;
    }
    const isDynamic = type.encoding === 'dynamic_array';
    const length = isDynamic ? numberOf(await this.#word(slot)) : lengthOf(type);
    if (isDynamic) values.push({ ...lengthPart(part), value: length.toString() });
    if (length > MAX_ELEMENTS) this.isCut = true;
    const first = isDynamic ? hashOf(wordOf(slot)) : slot;
    for (let i = 0n; i < length && i < MAX_ELEMENTS; i++) {
      const element = this.#map.elementOf(part, first, i);
      if (element) await this.#collect(element, values, depth + 1);
    }
  }

  async #text(type: StoragePart['type'], slot: bigint, head: Uint8Array): Promise<string> {
    const last = head[31]!;
    if (last % 2 === 0) return textOf(type, head.subarray(0, Math.min(31, last / 2)));
    const length = (numberOf(head) - 1n) / 2n;
    const shown = length < MAX_BYTES ? length : MAX_BYTES;
    const words: Uint8Array[] = [];
    const start = hashOf(wordOf(slot));
    for (let i = 0n; 32n * i < shown; i++) words.push(await this.#word(start + i));
    const text = textOf(type, Buffer.concat(words).subarray(0, Number(shown)));
    return shown < length ? `${text}... (${length} bytes)` : text;
  }

  async #word(slot: bigint): Promise<Uint8Array> {
    const bytes = await this.#read(wordOf(BigInt.asUintN(256, slot)));
    const word = new Uint8Array(32);
    word.set(bytes, 32 - bytes.length);
    return word;
  }
}

/** The part for the slot of an array of variable length, which has the length. */
export function lengthPart(part: StoragePart): StoragePart {
  return { ...part, name: `${part.name}.length` };
}

function numberOf(word: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(word).toString('hex')}`);
}
