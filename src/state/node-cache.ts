import { CODE_KEY, type EncodedEntries, NODE_KEY } from './encoded-entries.ts';
import { latin1Key } from './hex-key.ts';
import { type NodeSource, plainBytes } from './trie-node.ts';

/** The store that a state is read from: trie nodes and contract code by their keccak256. */
export interface StateSource extends NodeSource {
  getCode(hash: Uint8Array): Uint8Array | undefined;
}

/** The entries of a trie state that its source doesn't have yet. */
export interface Unstored {
  readonly nodes: Iterable<readonly [hash: Uint8Array, encoded: Uint8Array]>;
  readonly code: Iterable<readonly [hash: Uint8Array, code: Uint8Array]>;
  /** Addresses and slots by their keccak256, the key in the tries. May include ones that are stored already. */
  readonly preimages: Iterable<readonly [hash: Uint8Array, preimage: Uint8Array]>;
  /** all entries, encoded for the store; absent if the core didn't encode them */
  readonly encoded?: EncodedEntries | undefined;
}

/** A state source in memory. */
export class MemorySource implements StateSource {
  readonly #nodes = new Map<string, Uint8Array>();
  readonly #code = new Map<string, Uint8Array>();
  readonly #encoded: EncodedEntries[] = [];

  getNode(hash: Uint8Array): Uint8Array | undefined {
    return this.#nodes.get(latin1Key(hash)) ?? this.#find(NODE_KEY, hash);
  }

  getCode(hash: Uint8Array): Uint8Array | undefined {
    return this.#code.get(latin1Key(hash)) ?? this.#find(CODE_KEY, hash);
  }

  /** Adds the nodes and code of a state. */
  store({ nodes, code, encoded }: Pick<Unstored, 'nodes' | 'code' | 'encoded'>): void {
    if (encoded) {
      this.#encoded.push(encoded);
      return;
    }
    for (const [hash, bytes] of nodes) this.#nodes.set(latin1Key(hash), bytes);
    for (const [hash, bytes] of code) this.#code.set(latin1Key(hash), bytes);
  }

  /** The newest entries first: they are read most. */
  #find(kind: number, hash: Uint8Array): Uint8Array | undefined {
    for (let i = this.#encoded.length - 1; i >= 0; i--) {
      const found = this.#encoded[i]!.find(kind, hash);
      if (found) return found;
    }
    return undefined;
  }
}

export interface CacheOptions {
  /** trie nodes kept, at 0.3 to 0.8 KB each; default: 65,536 */
  readonly maxNodes?: number;
  /** bytes of contract code kept; default: 32 MiB */
  readonly maxCodeBytes?: number;
}

/**
 * A cache of the most recently used nodes and code, in front of a slower source. Nodes and code that the slower source
 * doesn't have may be added, but must be stored there before the cache evicts them.
 */
export class CachedSource implements StateSource {
  readonly #raw: StateSource;
  readonly #nodes: Generations<string, Uint8Array>;
  readonly #code: Generations<string, Uint8Array>;

  constructor({ maxNodes = 65_536, maxCodeBytes = 32 << 20 }: CacheOptions, raw: StateSource) {
    this.#raw = raw;
    this.#nodes = new Generations(maxNodes, () => 1);
    this.#code = new Generations(maxCodeBytes, (code) => code.length);
  }

  getNode(hash: Uint8Array): Uint8Array | undefined {
    const key = latin1Key(hash);
    const cached = this.#nodes.get(key);
    if (cached !== undefined) return cached;
    const found = this.#raw.getNode(hash);
    if (found === undefined) return undefined;
    const bytes = plainBytes(found);
    this.#nodes.add(key, bytes);
    return bytes;
  }

  getCode(hash: Uint8Array): Uint8Array | undefined {
    const key = latin1Key(hash);
    const cached = this.#code.get(key);
    if (cached !== undefined) return cached;
    const code = this.#raw.getCode(hash);
    if (code !== undefined) this.#code.add(key, code);
    return code;
  }

  /** Adds a node that is about to be stored in the slower source. */
  addNode(hash: Uint8Array, encoded: Uint8Array): void {
    this.#nodes.set(latin1Key(hash), encoded);
  }

  /** Adds code that is about to be stored in the slower source. */
  addCode(hash: Uint8Array, code: Uint8Array): void {
    this.#code.add(latin1Key(hash), code);
  }
}

/**
 * A bounded cache of two generations: entries that are read move to the young one. When the young one holds half of the
 * limit, it becomes the old one, and the previous old one is discarded. Keeps recently used entries as an LRU list does,
 * without its overhead on every hit.
 */
export class Generations<K, V> {
  readonly #half: number;
  readonly #weigh: (value: V) => number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #weight = 0;

  constructor(limit: number, weigh: (value: V) => number) {
    this.#half = limit / 2;
    this.#weigh = weigh;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.add(key, old);
    return old;
  }

  /** Adds a value, unless the young generation already has one for the key. */
  add(key: K, value: V): void {
    if (!this.#young.has(key)) this.set(key, value);
  }

  /** Adds or replaces a value. */
  set(key: K, value: V): void {
    const weight = this.#weigh(value);
    if (this.#weight + weight > this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#young.set(key, value);
    this.#weight += weight;
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#weight = 0;
  }

  /** Deletes the entries whose key `isDeleted` accepts. */
  deleteWhere(isDeleted: (key: K) => boolean): void {
    for (const [key, value] of this.#young) {
      if (!isDeleted(key)) continue;
      this.#young.delete(key);
      this.#weight -= this.#weigh(value);
    }
    for (const key of this.#old.keys()) if (isDeleted(key)) this.#old.delete(key);
  }
}
