import { Address, equalsBytes } from '@ethereumjs/util';
import * as at from '../../core/memory/layout.ts';
import * as entry from '../../core/state/entries.ts';
import type { Recover } from '../../protocol/crypto.ts';
import { EMPTY_CODE_HASH, EMPTY_ROOT, hasCode, stripZeros } from '../../state/account.ts';
import { ForkedState } from '../../state/forked-state.ts';
import { hexKey, keyBytes } from '../../state/hex-key.ts';
import { integerOf } from '../../state/integers.ts';
import { type StateVersion, versionOf, writesBetween } from '../../state/lineage.ts';
import { Overlay } from '../../state/overlay.ts';
import { PackedWrites } from '../../state/packed-writes.ts';
import { UNKNOWN_ROOT } from '../../state/remote-state.ts';
import { TrieState, type UnstoredState } from '../../state/trie-state.ts';
import type { AccountState, Awaitable, StateView, StateWrites, StorageWrites } from '../../state/view.ts';
import { areSame, NO_WRITES } from '../../state/writes.ts';
import { EncodedWrites } from './encoded-writes.ts';
import { Executor } from './executor.ts';
import { awaited, finishNow, type Run, Unfinished } from './run.ts';
import type { ExecutorOptions, OutsideState } from './types.ts';

/** The tables are emptied before the next run once they take more bytes than this. */
const MAX_BYTES = 64 * 2 ** 20;
/** How many writes are applied before other work gets its turn: they take a fraction of a millisecond. */
const STRIDE = 128;
/** A state that is stored lists its written accounts for the next reads, where they are no more than this. */
const MAX_LISTED = 64;
const NO_SLOTS: ReadonlyMap<string, Uint8Array> = new Map();

/** Stored trie nodes are dropped once they take more bytes than this. */
const MAX_NODE_BYTES = 24 * 2 ** 20;

export interface StateTablesDeps {
  readonly recover: Recover;
}

/** A state whose tries the executor can hold. Those of a forked chain hold only what differs from the other chain. */
export type FollowedState = TrieState | ForkedState;

export function canFollow(state: StateView): state is FollowedState {
  return state instanceof TrieState || state instanceof ForkedState;
}

/** Writes above the base that are in the tables, in the order in which they were made. */
interface Layer {
  readonly writes: StateWrites;
  /** the overlay that these writes are from, as it was at `version`; absent where they are from none */
  readonly overlay: Overlay | undefined;
  readonly version: number;
}

/** A layer in the tables, and how it is taken back. */
interface AppliedLayer extends Layer {
  /** the position of the executor's journal before the layer */
  readonly mark: number;
  /** table entries that the layer has written to before their content was read from the base */
  readonly accounts: number[];
  readonly slots: number[];
}

/** Writes that are being applied to the tables. */
interface RestOfWrites {
  readonly writes: StateWrites;
  /** index of the next record, where the writes are packed */
  record: number;
  /** iterators over the other writes; made when they are needed */
  parts: RestOfParts | undefined;
}

interface RestOfParts {
  readonly accounts: IterableIterator<[string, AccountState | undefined]>;
  readonly storage: IterableIterator<[string, StorageWrites]>;
  /** the account whose slots are being written */
  owner: number;
  slots: IterableIterator<[string, Uint8Array]>;
}

/**
 * An executor whose tables follow the states that runs are made on. They hold what runs have read of one state, the
 * base, and the writes above it: those of the open block and of overlays. When the next run is on a state that came
 * from the base by known writes, these are applied. For any other state the tables are emptied, and the run fills them by what it reads.
 *
 * Once a state root is asked for, the executor's tries follow too: then every entry that is written to is loaded, and
 * the tables begin with a state whose nodes are all stored.
 */
export class StateTables {
  readonly executor: Executor;
  #base: StateVersion | undefined;
  /** the state that the tables hold since a block was kept; `undefined` once they hold another one, or may do so */
  #kept: StateVersion | undefined;
  readonly #layers: AppliedLayer[] = [];
  /** the base, from which entries that aren't loaded yet are read */
  #view: StateView | undefined;
  /** roots of the states that {@link goBackTo} can go back to, newest last: as many as the core has blocks to take back */
  readonly #past: Uint8Array[] = [];
  /** whether the tries follow: they can't when the base isn't stored */
  #tries: 'none' | 'wanted' | 'follow' = 'none';
  /** whether the tries hold differences and the tables have an account that was removed on the fork, which only the state itself can fold */
  #hidesAll = false;

  constructor(options: ExecutorOptions, deps: StateTablesDeps) {
    const otherState = () =>
      this.executor.holdsDifferences ? (this.#view as ForkedState).remote : undefined;
    const source: OutsideState = {
      get other() {
        return otherState();
      },
      getAccount: (address) => this.#view!.getAccount(address),
      getCode: (address) => this.#codeAt(address),
      getStorage: (address, slot) => this.#view!.getStorage(address, slot),
      getNode: (hash) => (this.#view as FollowedState).getNode(hash),
      differs: (address) => this.#ownRecord(address.bytes)?.isWhole ?? false,
    };
    this.executor = new Executor(options, { ...deps, source });
  }

  /** Whether the tables hold this state: the base with nothing above it, or an overlay on the base as it is now. */
  #isAt(state: StateView): boolean {
    const { length } = this.#layers;
    if (!(state instanceof Overlay)) return length === 0 && versionOf(state) === this.#base;
    const layer = this.#layers[0];
    if (length !== 1 || layer?.overlay !== state || layer.version !== state.version) return false;
    return versionOf(state.base) === this.#base;
  }

  /** How many steps {@link moveTo} takes; `Infinity` = all state has to be read anew. */
  distanceTo(state: StateView): number {
    if (versionOf(state) === this.#kept || this.#isAt(state)) return 0;
    const { base, layers } = partsOf(state);
    const path = this.#base && writesBetween(this.#base, versionOf(base));
    if (!path) return Number.POSITIVE_INFINITY;
    if (path.length > 0) return path.length + layers.length;
    return this.#layers.length + layers.length - 2 * this.#common(layers);
  }

  /** Lets the next runs be on this state. */
  moveTo(state: StateView): void {
    const moving = this.moving(state);
    if (moving) finishNow(moving.rest);
  }

  /**
   * Does what {@link moveTo} does, but lets other work run between many writes. If it is ended there, the layer that is being applied is
   * taken back.
   * @returns what is left to do: layers of writes above the base
   */
  moving(state: StateView): Unfinished<void> | undefined {
    if (this.#isAt(state) && !this.#isFull()) return undefined;
    const { base, layers } = partsOf(state);
    const version = versionOf(base);
    if (versionOf(state) !== this.#kept) this.#kept = undefined;
    const path = this.#base && !this.#isFull() ? writesBetween(this.#base, version) : undefined;
    if (!path || !this.#follow(path, base)) this.#beginWith(base);
    this.#base = version;
    this.#view = base;
    this.#mergeApplied(layers);
    const kept = this.#common(layers);
    this.#dropLayers(kept);
    return this.#apply(layers.slice(kept));
  }

  /** Writes what the executor changed since a mark to the overlay that it ran on. */
  passChanges(mark: number, state: Overlay): void {
    this.#kept = undefined;
    state.apply(this.writesSince(mark));
    if (state.version === 0) return;
    const last = this.#layers.at(-1);
    const continuesLast = last?.overlay === state;
    if (continuesLast) this.#layers.pop();
    this.#layers.push({
      writes: state.writes(),
      overlay: state,
      version: state.version,
      mark: continuesLast ? last.mark : mark,
      accounts: continuesLast ? last.accounts : [],
      slots: continuesLast ? last.slots : [],
    });
  }

  /** The root of a state; `undefined` when the executor's tries can't follow here. */
  rootOf(state: FollowedState): Uint8Array | undefined {
    return this.followTo(state) && this.#canFold() ? this.executor.stateRoot() : undefined;
  }

  /** {@link rootOf}, of a state that the chain goes on from. */
  keepRootOf(state: FollowedState): Uint8Array | undefined {
    const root = this.rootOf(state);
    if (root) this.#kept = versionOf(state);
    return root;
  }

  /**
   * Lets the next runs be on this state, with tries that follow.
   * @returns false when the executor's tries can't follow here
   */
  followTo(state: FollowedState): boolean {
    if (this.#tries !== 'follow') {
      this.#tries = 'wanted';
      this.#base = undefined;
    }
    if (!this.#becomesBase(state)) this.moveTo(state);
    return this.#tries === 'follow';
  }

  /**
   * Makes a state the base, where the tables hold exactly this state after a block that was kept.
   * @returns false where they hold another one; nothing has changed then
   */
  #becomesBase(state: FollowedState): boolean {
    const version = versionOf(state);
    if (version !== this.#kept || this.#tries !== 'follow') return false;
    if (state.waiting || this.#isFull() || !this.#hasTriesOf(state)) return false;
    this.#closeBlock();
    this.#base = version;
    this.#view = state;
    return true;
  }

  /** The layers become part of the base, as a block that can be taken back. */
  #closeBlock(): void {
    const { core, memory } = this.executor;
    this.#layers.length = 0;
    if (this.#tries !== 'follow') {
      // Accounts with cleared storage are read again from the new base: their storage roots aren't known here.
      core.listChanges(0);
      for (let i = 0, list = core.clearedAccounts(); i < core.clearedAccountCount(); i++) {
        const account = memory.u32(list + 4 * i);
        memory.setU32(account + entry.LOADED, 0);
        memory.setU32(account + entry.GONE, 0);
      }
      // An entry that this block has changed may be loaded only later, so the journal lacks its earlier content.
      core.forgetPast();
      return;
    }
    if (this.executor.holdsDifferences) {
      core.keepFold();
      core.forgetPast();
      return;
    }
    core.closeBlock();
    this.#past.push((this.#view as TrieState).root);
    // The core forgets its oldest blocks.
    this.#past.splice(0, this.#past.length - core.pastBlocks());
  }

  /**
   * Takes blocks back until the tables hold an earlier state again.
   * @returns false when they can't
   */
  goBackTo(state: TrieState): boolean {
    if (this.#tries !== 'follow' || this.executor.holdsDifferences) return false;
    const { core } = this.executor;
    const kept = equalsBytes((this.#view as TrieState).root, state.root)
      ? this.#past.length
      : this.#past.findLastIndex((root) => equalsBytes(root, state.root));
    if (kept < 0) return false;
    this.#kept = undefined;
    this.#dropLayers(0);
    core.revertTo(0);
    for (let count = this.#past.length; count > kept; count--) core.undoBlock();
    this.#past.length = kept;
    this.#base = versionOf(state);
    this.#view = state;
    // The tables hold that state if their root is equal.
    if (!equalsBytes(this.executor.stateRoot(), state.root)) this.#beginWith(state);
    // The nodes that are new in the core were stored with the state: they are taken off the list of unstored ones.
    else this.executor.changedNodes();
    return true;
  }

  /** How many writes above the base are in the tables. */
  get layerCount(): number {
    return this.#layers.length;
  }

  /** All that was written since a mark. */
  writesSince(mark: number): StateWrites {
    this.executor.core.listChanges(mark);
    return this.#listedChanges();
  }

  /**
   * Brings the tries up to date.
   * @returns the state's root, and all that was written since a mark; `undefined` where only the state itself can compute the root
   */
  *foldSince(mark: number): Run<{ root: Uint8Array; writes: StateWrites } | undefined> {
    const { executor } = this;
    const { core, memory } = executor;
    if (!this.#canFold()) return undefined;
    core.listChanges(mark);
    // Folding forgets which of the removed accounts existed before it, so these changes are listed first. So are those of a block whose
    // receipts have state roots (before EIP-658): it folds after each transaction.
    const isFolded = memory.u32(at.BLOCK_ROOTS_RECEIPTS) !== 0;
    const removing = isFolded || core.changesRemove() ? this.#listedChanges() : undefined;
    const length = removing ? 0 : core.encodeChanges();
    const root = yield* executor.fold();
    if (removing) return { root, writes: removing };
    if (executor.holdsDifferences) core.listChanges(mark);
    if (core.changedAccountCount() + core.changedSlotCount() === 0) return { root, writes: NO_WRITES };
    core.encodeRoots();
    return { root, writes: new EncodedWrites(memory.bytes(core.encodedChanges(), length)) };
  }

  /** Whether the core can fold the writes above the base. Where its tries hold differences, only the state itself can record removals. */
  #canFold(): boolean {
    const { core, holdsDifferences } = this.executor;
    if (!holdsDifferences) return true;
    core.listChanges(0);
    return !core.changesRemove() && !this.#hidesAll;
  }

  /** Whether the tries belong to a state. Only tries of differences may not: writes may have been folded that they lack. */
  #hasTriesOf(state: StateView): boolean {
    const { holdsDifferences, memory } = this.executor;
    if (!holdsDifferences) return true;
    return equalsBytes(memory.view(at.BLOCK_STATE_ROOT, 32), (state as FollowedState).root);
  }

  /**
   * The storage root that an account has in the base. Where the tries hold differences, that is the root of what the fork has written: the
   * one in the writes may be later.
   */
  #rootBelow(account: number, { storageRoot }: AccountState): Uint8Array {
    if (!this.executor.holdsDifferences) return storageRoot;
    const own = this.#ownRecord(this.executor.addressOf(account))?.storageRoot;
    if (own && !equalsBytes(own, EMPTY_ROOT)) return own;
    return equalsBytes(storageRoot, EMPTY_ROOT) ? EMPTY_ROOT : UNKNOWN_ROOT;
  }

  /** The record of an account in tries of differences; `undefined` where it has none, or the tries aren't of that kind. */
  #ownRecord(address: Uint8Array): ReturnType<ForkedState['ownRecord']> {
    if (!this.executor.holdsDifferences) return undefined;
    const own = (this.#view as ForkedState).ownRecord(new Address(address));
    this.#hidesAll ||= own?.hidesAll ?? false;
    return own;
  }

  /**
   * An account of a state that the tables hold. It is read from their tries where it isn't in the tables yet.
   * @returns `null` when the tables hold another state, or have no tries
   */
  accountOf(state: StateVersion, address: Address): AccountState | undefined | null {
    if (state !== this.#kept) return null;
    const { executor } = this;
    let account = executor.account(address.bytes);
    if (executor.memory.u32(account + entry.LOADED) === 0) {
      // Reads alone must not make the tables grow without end.
      if (!this.#loadsWritten || this.#isFull()) return null;
      account = finishNow(executor.loadAccount(address.bytes));
    }
    return executor.exists(account) ? executor.fieldsOf(account) : undefined;
  }

  /** An account with all writes so far, fetched where the tables don't have it. */
  *readAccount(address: Address): Run<AccountState | undefined> {
    const { executor } = this;
    const account = yield* executor.loadAccount(address.bytes);
    return executor.exists(account) ? executor.fieldsOf(account) : undefined;
  }

  /** The code of an account, with all writes so far. */
  *readCode(address: Address): Run<Uint8Array> {
    yield* this.executor.loadAccount(address.bytes);
    return yield* awaited(this.codeOf(address));
  }

  /** @param slot 32 bytes @returns its value with all writes so far, without leading zeros */
  *readStorage(address: Address, slot: Uint8Array): Run<Uint8Array> {
    const { executor } = this;
    const account = yield* executor.loadAccount(address.bytes);
    const found = yield* executor.loadSlot(account, integerOf(slot));
    return stripZeros(executor.memory.wordBytes(found + entry.VALUE));
  }

  /** The code of an account that is in the tables, with all writes so far. */
  codeOf(address: Address): Awaitable<Uint8Array> {
    const { executor } = this;
    const account = executor.account(address.bytes);
    const isLoaded = executor.memory.u32(account + entry.CODE) !== entry.CODE_NOT_LOADED;
    return isLoaded ? executor.codeOf(account) : this.#codeAt(address);
  }

  /** Applies writes until {@link takeBack}. @returns the rest of the work, where there are many writes: other work runs in between */
  applyWrites(writes: StateWrites): Unfinished<void> | undefined {
    this.#kept = undefined;
    return this.#apply([{ writes, overlay: undefined, version: 0 }]);
  }

  /**
   * Keeps what was written since a mark, after a block on a state of which the tables have computed the root.
   * @param writes all that was written
   * @returns the state after them, and its root
   */
  keep(state: FollowedState, writes: StateWrites, mark: number): { folded: FollowedState; root: Uint8Array } {
    const folded = state.fold(writes);
    if (folded === state) this.#kept = versionOf(folded);
    else this.keepAs(folded, writes, mark);
    return { folded, root: this.executor.memory.bytes(at.BLOCK_STATE_ROOT, 32) };
  }

  /** Keeps what was written since a mark, as another state. */
  keepAs(state: StateView, writes: StateWrites, mark: number): void {
    this.#layers.push({ writes, overlay: undefined, version: 0, mark, accounts: [], slots: [] });
    this.#kept = versionOf(state);
  }

  /**
   * Takes back what was written since a mark.
   * @param layers their number at the mark
   */
  takeBack(mark: number, layers: number): void {
    this.#kept = undefined;
    this.#dropLayers(layers);
    this.executor.core.revertTo(mark);
    this.executor.core.rollBackFold();
  }

  /** What has to be stored with a state whose root was computed here; `undefined` when the tables have gone on. */
  unstoredOf(state: FollowedState, root: Uint8Array): UnstoredState | undefined {
    if (this.#tries !== 'follow') return undefined;
    const { executor } = this;
    if (this.#kept !== versionOf(state)) {
      if (this.distanceTo(state) === Number.POSITIVE_INFINITY) return undefined;
      const again = this.rootOf(state);
      if (!again) return undefined;
      if (!equalsBytes(again, root)) throw new Error('a state has two roots');
      // Runs that were taken back since then have left entries that the core has to check again.
    } else if (!equalsBytes(executor.stateRoot(), root)) throw new Error('a state has two roots');
    const encoded = executor.changedNodes();
    this.trim();
    return { encoded, accounts: this.writtenAccounts() };
  }

  /** To be called once the unstored nodes have been taken: drops the nodes of the tries where they are many. */
  trim(): void {
    if (this.executor.nodeBytes > MAX_NODE_BYTES) this.executor.dropNodes();
  }

  /** The accounts that were written above the base, with the roots of their storage. */
  writtenAccounts(): UnstoredState['accounts'] {
    return this.accountsWritten(...this.#layers.map(({ writes }) => writes));
  }

  /** The accounts among writes, with their present fields. */
  accountsWritten(...all: readonly StateWrites[]): UnstoredState['accounts'] {
    const { executor } = this;
    if (all.some((writes) => writes instanceof PackedWrites)) return undefined;
    const only = all[0];
    if (all.length === 1 && only instanceof EncodedWrites) return () => only.foldedAccounts;
    const written = all.reduce((sum, { accounts, storage }) => sum + accounts.size + storage.size, 0);
    if (written > MAX_LISTED) return undefined;
    const accounts = new Map<string, AccountState>();
    for (const writes of all)
      for (const written of [writes.accounts, writes.storage])
        for (const key of written.keys()) {
          const account = executor.account(keyBytes(key));
          if (executor.exists(account)) accounts.set(key, executor.fieldsOf(account));
        }
    return () => accounts;
  }

  #isFull(): boolean {
    return this.executor.core.heapSize() > MAX_BYTES;
  }

  /** Code that a layer has written, or else the base's. */
  #codeAt(address: Address): Awaitable<Uint8Array> {
    const { executor } = this;
    const hash = hexKey(executor.memory.view(executor.account(address.bytes) + entry.CODE_HASH, 32));
    return (
      this.#layers.findLast(({ writes }) => writes.code.has(hash))?.writes.code.get(hash) ??
      this.#view!.getCode(address)
    );
  }

  /** How many of these layers, counted from the first, are in the tables. */
  #common(layers: readonly Layer[]): number {
    const different = layers.findIndex((layer, i) => !isSame(layer, this.#layers[i]));
    return different < 0 ? layers.length : different;
  }

  /** Joins the layers of an overlay and of the one above it, where the lower overlay has taken over the writes of the upper one. */
  #mergeApplied(layers: readonly Layer[]): void {
    for (const [i, { overlay, writes, version }] of layers.entries()) {
      const applied = overlay?.applied;
      if (!applied || applied.after !== version) continue;
      const below = applied.before === 0 ? [] : this.#layers.slice(i, i + 1);
      if (below[0] && (below[0].overlay !== overlay || below[0].version !== applied.before)) continue;
      const above = this.#layers[i + below.length];
      if (applied.before > 0 && below.length === 0) continue;
      if (!above || !areSame(above.writes, applied.writes) || above.overlay?.version !== above.version)
        continue;
      const all = [...below, above];
      this.#layers.splice(i, all.length, {
        writes,
        overlay: overlay!,
        version,
        mark: all[0]!.mark,
        accounts: all.flatMap(({ accounts }) => accounts),
        slots: all.flatMap(({ slots }) => slots),
      });
    }
  }

  /**
   * Makes a later state the base.
   * @returns false where the tries can't follow: tries of differences know only writes that were made in these tables
   */
  #follow(path: readonly StateWrites[], base: StateView): boolean {
    if (path.length === 0) return true;
    const isSealed = this.#layers.every(
      ({ writes, overlay, version }, i) =>
        areSame(writes, path[i] ?? NO_WRITES) && (!overlay || overlay.version === version),
    );
    const done = isSealed ? this.#layers.length : 0;
    if (this.executor.holdsDifferences && (done < path.length || !this.#hasTriesOf(base))) return false;
    this.#dropLayers(isSealed ? done : 0);
    this.#layers.length = 0;
    for (const writes of path.slice(done)) {
      const rest = restOf(writes);
      while (this.#write(rest, undefined));
    }
    this.#closeBlock();
    return true;
  }

  /** Empties the tables. From now on runs fill them from this state. */
  #beginWith(base: StateView): void {
    const { executor } = this;
    // New ones are empty, and to empty them again takes a millisecond.
    if (this.#view) executor.reset();
    this.#past.length = 0;
    this.#kept = undefined;
    this.#layers.length = 0;
    this.#hidesAll = false;
    this.#base = versionOf(base);
    this.#view = base;
    if (this.#tries === 'none') return;
    const isStored = canFollow(base) && base.isStored;
    this.#tries = isStored ? 'follow' : 'wanted';
    if (!isStored) return;
    if (base instanceof ForkedState) executor.useDifferences(base.root);
    else executor.useState(base.root);
  }

  /**
   * Takes the last layers back.
   * @param kept number of layers that stay
   */
  #dropLayers(kept: number): void {
    const [first] = this.#layers.slice(kept);
    if (!first) return;
    const { core, memory } = this.executor;
    core.revertTo(first.mark);
    core.rollBackFold();
    for (const { accounts, slots } of this.#layers.slice(kept)) {
      for (const account of accounts) memory.setU32(account + entry.LOADED, 0);
      for (const slot of slots) memory.setU32(slot + entry.SLOT_LOADED, 0);
    }
    this.#layers.length = kept;
  }

  /** Adds layers above the present ones, in order. @returns the rest of the work, where a layer takes more than a slice */
  #apply(layers: readonly Layer[]): Unfinished<void> | undefined {
    for (const [i, { writes, overlay, version }] of layers.entries()) {
      const mark = this.executor.core.mark();
      const applied: AppliedLayer = { writes, overlay, version, mark, accounts: [], slots: [] };
      this.#layers.push(applied);
      const rest = restOf(writes);
      if (this.#writeOn(rest, applied)) return new Unfinished(this.#applying(rest, layers.slice(i + 1)));
    }
    return undefined;
  }

  /** @param rest writes of the last layer that aren't applied yet @param layers those that come after it */
  *#applying(rest: RestOfWrites, layers: readonly Layer[]): Run<void> {
    const applied = this.#layers.at(-1)!;
    do {
      try {
        yield;
      } catch (error) {
        this.#dropLayers(this.#layers.length - 1);
        throw error;
      }
    } while (this.#writeOn(rest, applied));
    const next = this.#apply(layers);
    if (next) yield* next.rest;
  }

  /** Does what {@link #write} does for the last layer, and takes that layer back after an error. */
  #writeOn(rest: RestOfWrites, applied: AppliedLayer): boolean {
    try {
      return this.#write(rest, applied);
    } catch (error) {
      this.#dropLayers(this.#layers.length - 1);
      throw error;
    }
  }

  /**
   * Applies the next writes to the tables, at most {@link STRIDE}.
   * @param unloaded receives entries that are written to before their content was read. Absent: such entries are left out, and read
   *   later, from a state that has these writes
   * @returns whether there are more
   */
  #write(rest: RestOfWrites, unloaded: Pick<AppliedLayer, 'accounts' | 'slots'> | undefined): boolean {
    const { executor } = this;
    const { core, memory } = executor;
    const { writes } = rest;
    const follows = this.#loadsWritten;
    if (follows && writes instanceof PackedWrites) return this.#writePacked(writes, rest);
    rest.parts ??= restOfParts(writes);
    const { parts } = rest;
    let count = 0;
    for (const [address, account] of parts.accounts) {
      const known = this.#accountAt(address);
      const isLoaded = memory.u32(known + entry.LOADED) === 1;
      if (isLoaded || unloaded) {
        if (!isLoaded) {
          memory.setU32(known + entry.LOADED, 1);
          unloaded!.accounts.push(known);
        }
        if (!account || writes.storage.get(address)?.cleared) core.clearStorage(known);
        if (!isLoaded && account) {
          memory.write(known + entry.STORAGE_ROOT, this.#rootBelow(known, account));
        }
        this.#writeAccount(known, account, writes.code);
      }
      if (++count === STRIDE) return true;
    }
    for (;;) {
      for (const [slot, value] of parts.slots) {
        memory.setWordBytes(at.SCRATCH, keyBytes(slot));
        const found = core.slotAt(parts.owner, at.SCRATCH);
        let isLoaded =
          memory.u32(found + entry.SLOT_LOADED) === 1 || memory.u32(parts.owner + entry.GONE) !== 0;
        if (!isLoaded && follows) {
          finishNow(executor.loadSlot(parts.owner, BigInt(slot)));
          isLoaded = true;
        }
        if (!isLoaded && unloaded) {
          memory.setU32(found + entry.SLOT_LOADED, 1);
          unloaded.slots.push(found);
        }
        if (isLoaded || unloaded) {
          memory.setWordBytes(at.SCRATCH, value);
          core.setSlot(found, at.SCRATCH);
        }
        if (++count === STRIDE) return true;
      }
      const { done, value } = parts.storage.next();
      if (done) return false;
      const [address, { cleared, slots }] = value;
      const owner = this.#accountAt(address);
      if (memory.u32(owner + entry.LOADED) === 0 && unloaded) this.#loadOwn(owner);
      if (cleared && !writes.accounts.has(address)) {
        if (memory.u32(owner + entry.LOADED) === 0) {
          if (!unloaded) continue;
          unloaded.accounts.push(owner);
        }
        core.clearStorage(owner);
      }
      parts.owner = owner;
      parts.slots = slots.entries();
    }
  }

  /** Applies the next packed records, which the core reads in this form. @returns whether there are more */
  #writePacked({ packed, records }: PackedWrites, rest: RestOfWrites): boolean {
    const end = Math.min(rest.record + STRIDE, records.length);
    finishNow(this.executor.writeAccounts(packed.copyOf(records.subarray(rest.record, end))));
    rest.record = end;
    return end < records.length;
  }

  /** Loads what tries of differences need of an account whose storage is written: perhaps nothing else reads that account. */
  #loadOwn(account: number): void {
    const { executor } = this;
    const { memory } = executor;
    const address = executor.addressOf(account);
    const own = this.#ownRecord(address);
    if (own?.isWhole) finishNow(executor.loadAccount(address));
    else if (own) memory.write(account + entry.STORAGE_ROOT, own.storageRoot);
  }

  /** Whether entries have to be loaded before they are written to. Tries of differences don't need the earlier content. */
  get #loadsWritten(): boolean {
    return this.#tries === 'follow' && !this.executor.holdsDifferences;
  }

  /** The entry of an account, loaded where that is needed. */
  #accountAt(address: string): number {
    const { executor } = this;
    const bytes = keyBytes(address);
    return this.#loadsWritten ? finishNow(executor.loadAccount(bytes)) : executor.account(bytes);
  }

  #writeAccount(
    account: number,
    state: AccountState | undefined,
    codes: ReadonlyMap<string, Uint8Array>,
  ): void {
    const { executor } = this;
    const { core, memory } = executor;
    executor.setBalance(account, state?.balance ?? 0n);
    executor.setNonce(account, state?.nonce ?? 0n);
    memory.setU32(account + entry.KEPT, Number(state !== undefined));
    const codeHash = state?.codeHash ?? EMPTY_CODE_HASH;
    if (equalsBytes(memory.view(account + entry.CODE_HASH, 32), codeHash)) return;
    if (!state || !hasCode(state)) {
      executor.setCode(account, new Uint8Array(0));
      return;
    }
    const code = codes.get(hexKey(codeHash));
    if (code) {
      executor.setCode(account, code);
      return;
    }
    memory.write(at.HASHED, codeHash);
    // 1 = there is code that isn't loaded.
    core.setCodeRecord(account, 1, at.HASHED);
  }

  /** Whether a layer has written the account, and not removed it. */
  #isWritten(key: string): boolean {
    return (
      this.#layers.findLast(({ writes }) => writes.accounts.has(key))?.writes.accounts.get(key) !== undefined
    );
  }

  /** The entry's ABSENT can't tell this: it describes the tries, which may still have the changes of a block that was taken back. */
  #mayBeInBase(account: number): boolean {
    const base = this.#view;
    if (!(base instanceof TrieState)) return true;
    return base.getAccount(new Address(this.executor.addressOf(account))) !== undefined;
  }

  /** The changes that the core has listed. */
  #listedChanges(): StateWrites {
    const { executor } = this;
    const { core, memory } = executor;
    const accounts = new Map<string, AccountState | undefined>();
    const storage = new Map<string, { cleared: boolean; slots: Map<string, Uint8Array> }>();
    const code = new Map<string, Uint8Array>();
    for (let i = 0, list = core.changedAccounts(); i < core.changedAccountCount(); i++) {
      const account = memory.u32(list + 4 * i);
      const key = hexKey(executor.addressOf(account));
      if (executor.exists(account)) accounts.set(key, executor.fieldsOf(account));
      // An account that was created and removed again needs no deletion.
      else if (this.#isWritten(key) || this.#mayBeInBase(account)) accounts.set(key, undefined);
    }
    for (let i = 0, list = core.changedCodes(); i < core.changedCodeCount(); i++) {
      const account = memory.u32(list + 4 * i);
      if (memory.u32(account + entry.CODE) > 1)
        code.set(hexKey(memory.view(account + entry.CODE_HASH, 32)), executor.codeOf(account));
    }
    for (let i = 0, list = core.clearedAccounts(); i < core.clearedAccountCount(); i++) {
      const account = memory.u32(list + 4 * i);
      if (executor.exists(account))
        storage.set(hexKey(executor.addressOf(account)), { cleared: true, slots: new Map() });
    }
    for (let i = 0, list = core.changedSlots(); i < core.changedSlotCount(); i++) {
      const slot = memory.u32(list + 4 * i);
      const address = hexKey(executor.addressOf(memory.u32(slot + entry.OWNER)));
      if (accounts.has(address) && !accounts.get(address)) continue;
      let written = storage.get(address);
      if (!written) {
        written = { cleared: false, slots: new Map() };
        storage.set(address, written);
      }
      written.slots.set(
        hexKey(memory.wordBytes(slot + entry.KEY)),
        stripZeros(memory.wordBytes(slot + entry.VALUE)),
      );
    }
    return { accounts, storage, code };
  }
}

/** Splits a state into the newest one below it that has no unfolded writes, and the writes above that. */
function partsOf(state: StateView): { base: StateView; layers: Layer[] } {
  const layers: Layer[] = [];
  for (let base = state; ; ) {
    if (base instanceof Overlay) {
      if (base.version > 0) layers.unshift({ writes: base.writes(), overlay: base, version: base.version });
      base = base.base;
    } else if (canFollow(base) && base.waiting) {
      layers.unshift({ writes: base.waiting.writes, overlay: undefined, version: 0 });
      base = base.waiting.before;
    } else return { base, layers };
  }
}

function restOf(writes: StateWrites): RestOfWrites {
  return { writes, record: 0, parts: undefined };
}

function restOfParts({ accounts, storage }: StateWrites): RestOfParts {
  return {
    accounts: accounts.entries(),
    storage: storage.entries(),
    owner: 0,
    slots: NO_SLOTS.entries(),
  };
}

function isSame(layer: Layer, applied: Layer | undefined): boolean {
  return (
    applied !== undefined &&
    areSame(layer.writes, applied.writes) &&
    (applied.overlay === undefined || applied.overlay.version === applied.version)
  );
}
