import {
  Address,
  bytesToHex,
  concatBytes,
  intToBytes,
  type PrefixedHexString,
  setLengthLeft,
} from '@ethereumjs/util';
import type { Block } from '../../../src/chain/block.ts';
import { hashHeader } from '../../../src/chain/header.ts';
import { BlockStore, type StoreDeps, type StoreOptions } from '../../../src/chain/store/block-store.ts';
import { decodeAccount, EMPTY_ROOT, NEW_ACCOUNT } from '../../../src/state/account.ts';
import { CODE_KEY, EncodedEntries, NODE_KEY, PREIMAGE_KEY } from '../../../src/state/encoded-entries.ts';
import { keccak256 } from '../../../src/state/keccak.ts';
import { MemorySource, type StateSource, type Unstored } from '../../../src/state/node-cache.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import type { AccountState, StateWrites } from '../../../src/state/view.ts';
import { Bytes, blockOn, decodeTransaction, signed } from './sample-blocks.ts';

const ACCOUNTS = 40;
const SLOTS = 80;
/** Where the indexes of accounts and slots begin that soon go. */
const BRIEF = 10_000;
export const CONTRACT = addressOf(1000);

function addressOf(index: number): Address {
  return new Address(keccak256(new TextEncoder().encode(`account ${index}`)).slice(12));
}

const slotOf = (index: number) => bytesToHex(setLengthLeft(intToBytes(index), 32));

/** The entries as the executor lists them. */
export function encoded({ nodes, code, preimages }: Unstored): EncodedEntries {
  const entries: Uint8Array[] = [];
  const kinds = [
    [NODE_KEY, nodes],
    [CODE_KEY, code],
    [PREIMAGE_KEY, preimages],
  ] as const;
  for (const [kind, list] of kinds)
    for (const [hash, bytes] of list) {
      const head = concatBytes(Uint8Array.of(33), setLengthLeft(intToBytes(bytes.length), 4));
      entries.push(head, Uint8Array.of(kind), hash, bytes, new Uint8Array(4));
    }
  return new EncodedEntries(concatBytes(...entries));
}

/**
 * What block `number` writes: a few accounts and slots of a bounded state, values that come back, code that changes, and an
 * account and a slot that are there until the next block only.
 */
function writesOf(number: number, before: TrieState): StateWrites {
  const accounts = new Map<string, AccountState | undefined>();
  for (let i = 0; i < 4; i++) {
    const address = addressOf((number * 7 + i * 13) % ACCOUNTS);
    const gone = (number + i) % 11 === 0;
    accounts.set(address.toString(), gone ? undefined : { ...NEW_ACCOUNT, balance: BigInt(number % 50) });
  }
  accounts.set(addressOf(BRIEF + number - 1).toString(), undefined);
  accounts.set(addressOf(BRIEF + number).toString(), { ...NEW_ACCOUNT, balance: 1n });
  const code = new Map<PrefixedHexString, Uint8Array>();
  // The same code comes back long after it was replaced.
  const runtime = new TextEncoder().encode(`code ${Math.floor(number / 5) % 40}`.padEnd(300, '.'));
  const codeHash = keccak256(runtime);
  code.set(bytesToHex(codeHash), runtime);
  accounts.set(CONTRACT.toString(), {
    ...(before.getAccount(CONTRACT) ?? NEW_ACCOUNT),
    codeHash,
    nonce: BigInt(number % 3),
  });
  const slots = new Map<PrefixedHexString, Uint8Array>();
  for (let i = 0; i < 6; i++)
    slots.set(
      slotOf((number * 11 + i * 29) % SLOTS),
      (number + i) % 9 ? Uint8Array.of(1 + (number % 20)) : new Uint8Array(),
    );
  slots.set(slotOf(BRIEF + number - 1), new Uint8Array());
  slots.set(slotOf(BRIEF + number), Uint8Array.of(1));
  return { accounts, storage: new Map([[CONTRACT.toString(), { cleared: false, slots }]]), code };
}

export interface ChangingBlock {
  readonly block: Block;
  readonly state: TrieState;
}

/** A chain of blocks with real state tries, the same in each run. `truth` holds every state whole. */
export class ChangingChain {
  readonly truth = new MemorySource();
  readonly blocks: ChangingBlock[] = [];
  readonly #bytes: Bytes;
  readonly #withTransactions: boolean;
  readonly #parts = new WeakMap<Block, ReadonlyMap<PrefixedHexString, Uint8Array>>();
  /** number of the genesis block; `blocks` counts from it */
  readonly first: bigint;

  constructor(seed = 'changing', withTransactions = true, first = 0n) {
    this.first = first;
    this.#bytes = new Bytes(seed);
    this.#withTransactions = withTransactions;
    this.next(undefined, TrieState.at(this.truth, EMPTY_ROOT), 0);
  }

  /** Makes a block on the newest one, or on another. */
  next(parent = this.blocks.at(-1)?.block, before = this.blocks.at(-1)!.state, salt = 0): ChangingBlock {
    const place = parent ? Number(parent.header.number - this.first) + 1 : 0;
    const state = before.fold(writesOf(place + salt, before));
    const plain = blockOn(
      parent,
      this.#bytes,
      parent && this.#withTransactions ? [signed(2, this.blocks.length, this.#bytes)] : [],
      this.first,
    );
    const header = { ...plain.header, stateRoot: state.root };
    const block = { ...plain, header, hash: hashHeader(header) };
    // Only what the store is given too: what it should have kept can't be found elsewhere.
    const made = { block, state };
    this.#store(state);
    this.blocks.splice(place, this.blocks.length - place, made);
    return { block, state };
  }

  /** What the state of a block consists of: its trie nodes and code, by their hashes. */
  partsOf({ block, state }: ChangingBlock): ReadonlyMap<PrefixedHexString, Uint8Array> {
    const known = this.#parts.get(block);
    if (known) return known;
    const parts = partsOf(this.truth, state.root);
    this.#parts.set(block, parts);
    return parts;
  }

  #store(state: TrieState): void {
    const { nodes, code } = state.unstored();
    this.truth.store({ nodes: [...nodes], code: [...code] });
  }

  /** The newest block as the store takes it, from a state that was opened at its parent's root in that store. */
  async commit(store: BlockStore, salt = 0): Promise<Block> {
    const parent = this.blocks.at(-1)!;
    const { block } = this.next(parent.block, TrieState.at(this.truth, parent.state.root), salt);
    await this.#give(block, store, salt);
    return block;
  }

  /** All blocks but the genesis block, which the store has. */
  async copyTo(store: BlockStore): Promise<void> {
    for (const { block } of this.blocks.slice(1)) await this.#give(block, store);
  }

  async #give(block: Block, store: BlockStore, salt = 0): Promise<void> {
    const before = TrieState.at(store, store.head.stateRoot);
    const state = before.fold(writesOf(Number(block.header.number - this.first) + salt, before));
    const unstored = state.unstored();
    // Half of the blocks come as they do from the executor.
    const parts = block.header.number % 2n === 0n ? unstored : encoded(unstored).parts;
    await store.commit({ block, stateRoot: state.root, ...parts });
  }

  async grow(store: BlockStore, blocks: number): Promise<void> {
    for (let i = 0; i < blocks; i++) await this.commit(store);
  }

  async open(
    dir: string,
    options: Partial<StoreOptions> = {},
    deps: Partial<StoreDeps> = {},
  ): Promise<BlockStore> {
    const genesis = this.blocks[0]!;
    const store = await BlockStore.open(
      dir,
      { identity: { chainId: 1n, genesisHash: genesis.block.hash }, createdBy: 'test', ...options },
      { decodeTransaction, onPruneError: (error) => Promise.reject(error), ...deps },
    );
    if (store.isEmpty)
      await store.commit({
        block: genesis.block,
        stateRoot: genesis.state.root,
        ...TrieState.at(store, EMPTY_ROOT)
          .fold(writesOf(0, TrieState.at(store, EMPTY_ROOT)))
          .unstored(),
      });
    return store;
  }
}

/** Every account with its code and slots, by a walk of all tries: a line each. */
export function dumpOf(source: StateSource, root: Uint8Array): string {
  const state = TrieState.at(source, root);
  const lines = [...state.accountTrie.entries()].map(([hash, leaf]) => {
    const account = decodeAccount(leaf);
    const code = bytesToHex(account.codeHash);
    return `${bytesToHex(hash)} ${account.nonce} ${account.balance} ${code}`;
  });
  lines.push(bytesToHex(state.getCode(CONTRACT)));
  for (const { hashedSlot, value } of state.storageEntries(CONTRACT, new Uint8Array(32), 10_000).entries)
    lines.push(`${bytesToHex(hashedSlot)} ${bytesToHex(value)}`);
  return lines.join('\n');
}

/** The nodes and the code that {@link dumpOf} reads, by their hashes. */
export function partsOf(source: StateSource, root: Uint8Array): Map<PrefixedHexString, Uint8Array> {
  const parts = new Map<PrefixedHexString, Uint8Array>();
  const noted = (hash: Uint8Array, bytes: Uint8Array | undefined) => {
    if (bytes) parts.set(bytesToHex(hash), bytes);
    return bytes;
  };
  const noting: StateSource = {
    getNode: (hash) => noted(hash, source.getNode(hash)),
    getCode: (hash) => noted(hash, source.getCode(hash)),
  };
  dumpOf(noting, root);
  return parts;
}

/** The hashed keys of all accounts and slots. */
export function keysOf(source: StateSource, root: Uint8Array): Uint8Array[] {
  const state = TrieState.at(source, root);
  const { entries } = state.storageEntries(CONTRACT, new Uint8Array(32), 10_000);
  return [
    ...[...state.accountTrie.entries()].map(([hash]) => hash),
    ...entries.map(({ hashedSlot }) => hashedSlot),
  ];
}
