import { decodeNode, type LoadedNode, type NodeSource } from './trie-node.ts';

/** Trie nodes and contract code by their keccak256: what a state is read from. */
export interface StateSource extends NodeSource {
  getCode(hash: Uint8Array): Uint8Array | undefined;
}

/** What a trie state has that its source lacks. */
export interface Unstored {
  readonly nodes: Iterable<readonly [hash: Uint8Array, encoded: Uint8Array]>;
  readonly code: Iterable<readonly [hash: Uint8Array, code: Uint8Array]>;
  /** Addresses and slots by the hash that stands for them in the tries. Known ones may come again. */
  readonly preimages: Iterable<readonly [hash: Uint8Array, preimage: Uint8Array]>;
}

/** A source in memory. */
export class MemorySource implements StateSource {
  readonly #nodes = new Map<string, Uint8Array>();
  readonly #code = new Map<string, Uint8Array>();

  getNode(hash: Uint8Array): Uint8Array | undefined {
    return this.#nodes.get(keyOf(hash));
  }

  getCode(hash: Uint8Array): Uint8Array | undefined {
    return this.#code.get(keyOf(hash));
  }

  /** Takes in what a state has to store. */
  store({ nodes, code }: Pick<Unstored, 'nodes' | 'code'>): void {
    for (const [hash, encoded] of nodes) this.#nodes.set(keyOf(hash), encoded);
    for (const [hash, bytes] of code) this.#code.set(keyOf(hash), bytes);
  }
}

export interface CacheOptions {
  /** how many trie nodes are kept, at about 1 KB each; 16,384 unless told */
  readonly maxNodes?: number;
  /** bytes of contract code that are kept; 32 MiB unless told */
  readonly maxCodeBytes?: number;
}

/**
 * The nodes and codes used last, in front of a slower source. Nodes are kept decoded: the top of a trie is read with
 * every look-up. Code that is
 * not in the raw source yet may be added, but must be stored there before it falls out.
 */
export class CachedSource implements StateSource {
  readonly #raw: StateSource;
  readonly #nodes: Generations<LoadedNode>;
  readonly #code: Generations<Uint8Array>;

  constructor({ maxNodes = 16_384, maxCodeBytes = 32 << 20 }: CacheOptions, raw: StateSource) {
    this.#raw = raw;
    this.#nodes = new Generations(maxNodes, () => 1);
    this.#code = new Generations(maxCodeBytes, (code) => code.length);
  }

  getNode(hash: Uint8Array): Uint8Array | undefined {
    return this.getDecoded(hash)?.encoded;
  }

  getDecoded(hash: Uint8Array): LoadedNode | undefined {
    const key = keyOf(hash);
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const bytes = this.#raw.getNode(hash);
    if (bytes === undefined) return undefined;
    const node = decodeNode(bytes);
    this.#nodes.add(key, node);
    return node;
  }

  getCode(hash: Uint8Array): Uint8Array | undefined {
    const key = keyOf(hash);
    const known = this.#code.get(key);
    if (known !== undefined) return known;
    const code = this.#raw.getCode(hash);
    if (code !== undefined) this.#code.add(key, code);
    return code;
  }

  /** Remembers code that is being stored. */
  addCode(hash: Uint8Array, code: Uint8Array): void {
    this.#code.add(keyOf(hash), code);
  }
}

/**
 * A bounded cache of two generations: what is read moves to the young one, and when that holds half of the limit the
 * old one is dropped. Keeps the recently used as an LRU list does, without its cost on every hit.
 */
class Generations<V> {
  readonly #half: number;
  readonly #weigh: (value: V) => number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #weight = 0;

  constructor(limit: number, weigh: (value: V) => number) {
    this.#half = limit / 2;
    this.#weigh = weigh;
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.add(key, old);
    return old;
  }

  add(key: string, value: V): void {
    if (this.#young.has(key)) return;
    const weight = this.#weigh(value);
    if (this.#weight + weight > this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#young.set(key, value);
    this.#weight += weight;
  }
}

/** One character a byte: a third of the time that hex takes. */
function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}
