import { bytesToHex } from '@ethereumjs/util';
import type { OnProgress } from '../progress.ts';
import { type Pauses, turns } from '../turns.ts';
import { decodeAccount, decodeSlot, EMPTY_BYTES, hasCode } from './account.ts';
import type { GenesisAccount, GenesisAlloc } from './genesis.ts';
import { hexKey, latin1Key } from './hex-key.ts';
import { Generations } from './node-cache.ts';
import type { TrieState } from './trie-state.ts';

/** Buckets for sorting accounts, one per value of the first two bytes of an address; most contain only a few accounts. */
const BUCKETS = 2 ** 16;
/** Number of slots or accounts between two checks of the clock. */
const STRIDE = 8;
/** Accounts are yielded in lists of at most this length. */
const MANY = 64;
/** Slots whose keys are kept at hand: many contracts have the same first ones. */
const SLOTS = 4_096;
/** Size of the arrays that contain the accounts while they are sorted, in bytes. An account has at most 131. */
const SLAB = 2 ** 20;

const ADDRESS_BYTES = 20;

/** An account in the encoding of the state trie. */
export interface EncodedAccount {
  /** 20 bytes */
  readonly address: Uint8Array;
  /** RLP of nonce, balance, storage root and code hash, see `decodeAccount` */
  readonly leaf: Uint8Array;
}

/** Reads a complete state. */
export class WholeState {
  readonly #state: TrieState;
  readonly #preimageOf: (hash: Uint8Array) => Uint8Array | undefined;
  readonly #pauses: Pauses;
  readonly #slotKeys = new Generations<string, string>(SLOTS, () => 1);
  #steps = 0;

  /**
   * @param deps.preimageOf returns the address or slot with the given keccak256
   * @param deps.pauses may end the reading; default: those of background work that no caller waits for
   */
  constructor(
    state: TrieState,
    {
      preimageOf,
      pauses = turns,
    }: { preimageOf: (hash: Uint8Array) => Uint8Array | undefined; pauses?: Pauses | undefined },
  ) {
    this.#state = state;
    this.#preimageOf = preimageOf;
    this.#pauses = pauses;
  }

  /**
   * All accounts, in the order of their addresses, in lists. Walks the state trie once. Lets other work run in between.
   * @throws Error when a preimage isn't known: the state was written before preimages were stored
   */
  async *accounts(): AsyncGenerator<readonly EncodedAccount[]> {
    const packed = new SortedAccounts();
    for (const [hash, leaf] of this.#state.accountTrie.entries()) {
      packed.add(this.#requirePreimage(hash), leaf);
      if (this.#isDue()) await this.#pauses.pause();
    }
    let listed: EncodedAccount[] = [];
    for (const account of packed.inOrder()) {
      listed.push(account);
      if (this.#isDue()) await this.#pauses.pause();
      if (listed.length < MANY) continue;
      yield listed;
      listed = [];
    }
    yield listed;
  }

  /**
   * The slots of an account by `0x` key, in the order of the keys. Values have no leading zeros.
   * @param storageRoot root of the account's storage
   * @throws like {@link accounts}
   */
  async storageOf(
    { address }: EncodedAccount,
    storageRoot: Uint8Array,
  ): Promise<readonly (readonly [slot: string, value: Uint8Array])[]> {
    const slots: (readonly [string, Uint8Array])[] = [];
    for (const [hash, leaf] of this.#state.storageLeaves(address, storageRoot)) {
      slots.push([this.#slotKeyOf(hash), decodeSlot(leaf)]);
      if (this.#isDue()) await this.#pauses.pause();
    }
    return slots.sort(([one], [other]) => (one < other ? -1 : 1));
  }

  /** @throws Error when the state lacks the code */
  codeOf(hash: Uint8Array): Uint8Array {
    const code = this.#state.codeOf(hash);
    if (!code) throw new Error(`missing code ${bytesToHex(hash)}`);
    return code;
  }

  #isDue(): boolean {
    return ++this.#steps % STRIDE === 0 && this.#pauses.due;
  }

  #requirePreimage(hash: Uint8Array): Uint8Array {
    const preimage = this.#preimageOf(hash);
    if (!preimage) throw new Error(`the preimage of ${bytesToHex(hash)} is not known`);
    return preimage;
  }

  #slotKeyOf(hash: Uint8Array): string {
    const key = latin1Key(hash);
    let slot = this.#slotKeys.get(key);
    if (slot === undefined) {
      slot = hexKey(this.#requirePreimage(hash));
      this.#slotKeys.add(key, slot);
    }
    return slot;
  }
}

/**
 * Sorts accounts by address. The accounts are copied into large arrays: with an object for each of 100,000 accounts, garbage collection
 * takes as long as the sorting.
 */
class SortedAccounts {
  readonly #slabs: Uint8Array[] = [];
  /** where each account begins: its address, one byte with the length of its leaf, and the leaf */
  readonly #starts: number[] = [];
  readonly #sizes = new Uint32Array(BUCKETS + 1);
  #end = 0;

  add(address: Uint8Array, leaf: Uint8Array): void {
    const size = ADDRESS_BYTES + 1 + leaf.length;
    if ((this.#end % SLAB) + size > SLAB || this.#slabs.length === 0) {
      this.#end = this.#slabs.length * SLAB;
      this.#slabs.push(new Uint8Array(SLAB));
    }
    const slab = this.#slabs.at(-1)!;
    const at = this.#end % SLAB;
    slab.set(address, at);
    slab[at + ADDRESS_BYTES] = leaf.length;
    slab.set(leaf, at + ADDRESS_BYTES + 1);
    this.#starts.push(this.#end);
    this.#end += size;
    this.#sizes[1 + bucketOf(slab, at)]!++;
  }

  *inOrder(): Generator<EncodedAccount> {
    const ends = this.#sizes;
    for (let i = 0; i < BUCKETS; i++) ends[i + 1]! += ends[i]!;
    const starts = new Float64Array(this.#starts.length);
    for (const start of this.#starts) {
      const bucket = bucketOf(this.#slabOf(start), start % SLAB);
      starts[ends[bucket]!++] = start;
    }
    for (let bucket = 0, from = 0; bucket < BUCKETS; bucket++) {
      const to = ends[bucket]!;
      if (to - from > 1) starts.subarray(from, to).sort((one, other) => this.#compare(one, other));
      for (; from < to; from++) yield this.#accountAt(starts[from]!);
    }
  }

  #slabOf(start: number): Uint8Array {
    return this.#slabs[Math.floor(start / SLAB)]!;
  }

  #compare(one: number, other: number): number {
    const [a, b] = [this.#slabOf(one), this.#slabOf(other)];
    const [from, to] = [one % SLAB, other % SLAB];
    for (let i = 0; i < ADDRESS_BYTES; i++) {
      const difference = a[from + i]! - b[to + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #accountAt(start: number): EncodedAccount {
    const slab = this.#slabOf(start);
    const at = start % SLAB;
    const leafAt = at + ADDRESS_BYTES + 1;
    return {
      address: slab.subarray(at, at + ADDRESS_BYTES),
      leaf: slab.subarray(leafAt, leafAt + slab[leafAt - 1]!),
    };
  }
}

function bucketOf(bytes: Uint8Array, at: number): number {
  return bytes[at]! * 2 ** 8 + bytes[at + 1]!;
}

/** A complete state as a genesis allocation with the same state root. @throws like {@link WholeState.accounts} */
export async function genesisAllocOf(
  state: TrieState,
  preimageOf: (hash: Uint8Array) => Uint8Array | undefined,
  onProgress?: OnProgress,
): Promise<GenesisAlloc> {
  const alloc = new Map<string, GenesisAccount>();
  const whole = new WholeState(state, { preimageOf });
  for await (const accounts of whole.accounts()) {
    for (const encoded of accounts) {
      const account = decodeAccount(encoded.leaf);
      const { nonce, balance, codeHash, storageRoot } = account;
      const code = hasCode(account) ? whole.codeOf(codeHash) : EMPTY_BYTES;
      const storage = new Map(await whole.storageOf(encoded, storageRoot));
      alloc.set(hexKey(encoded.address), { nonce, balance, code, storage });
    }
    onProgress?.({ task: 'Exporting the state', done: alloc.size, unit: 'accounts' });
  }
  return alloc;
}
