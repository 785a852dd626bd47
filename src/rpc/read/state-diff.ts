import { Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import { DevnetError } from '../../errors.ts';
import { ForkedState } from '../../state/forked-state.ts';
import { keyBytes } from '../../state/hex-key.ts';
import { TrieState } from '../../state/trie-state.ts';
import type { AccountState, StateView } from '../../state/view.ts';
import { giveWay, type Pauses } from '../../turns.ts';
import { type Hex, hex, quantity, word } from '../codec/hex.ts';
import type { RpcContext } from '../context.ts';

/** Maximum number of accounts and slots in one answer, counted together. */
const MAX = 10_000;

/** The values in the first and in the second block; `null` if the account doesn't exist. */
export type Change<T> = readonly [from: T | null, to: T | null];

/** The differences of an account. Fields and slots that are equal in both blocks are absent. */
export interface AccountDiff {
  readonly balance?: Change<Hex>;
  readonly nonce?: Change<Hex>;
  /** keccak256 of the code */
  readonly codeHash?: Change<Hex>;
  /** by slot, both 32 bytes */
  readonly storage?: Readonly<Record<Hex, Change<Hex>>>;
}

/** Slots that may differ, by address; both `0x` hex. */
type Keys = Map<string, Set<string>>;

/**
 * Returns the accounts and slots that differ between two states, by address.
 * @param database has the addresses and slots whose hashes are the keys of stored tries
 * @throws DevnetError -32000 if more than {@link MAX} differ
 */
export async function stateDiff(
  from: StateView,
  to: StateView,
  database: Pick<RpcContext['database'], 'getPreimage'>,
  pauses?: Pauses,
): Promise<Record<string, AccountDiff>> {
  const [before, after] = [trieOf(from), trieOf(to)];
  const keys =
    writtenBetween(before, after) ??
    writtenBetween(after, before) ??
    (await keysThatDiffer(before, after, database, pauses));
  const diff: Record<string, AccountDiff> = {};
  let count = 0;
  for (const [key, slots] of [...keys].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const address = new Address(keyBytes(key));
    const [old, now] = [await from.getAccount(address), await to.getAccount(address)];
    const storage: Record<Hex, Change<Hex>> = {};
    for (const slot of [...slots].sort()) {
      const bytes = keyBytes(slot);
      const values = [
        word(await from.getStorage(address, bytes)),
        word(await to.getStorage(address, bytes)),
      ] as const;
      if (values[0] !== values[1]) storage[slot as Hex] = values;
      await giveWay(pauses);
    }
    const slotCount = Object.keys(storage).length;
    const account = { ...accountDiff(old, now), ...(slotCount > 0 && { storage }) };
    if (Object.keys(account).length === 0) continue;
    diff[key] = account;
    count += 1 + slotCount;
    checkCount(count);
    await giveWay(pauses);
  }
  return diff;
}

function trieOf(state: StateView): TrieState {
  if (state instanceof TrieState) return state;
  if (state instanceof ForkedState) return state.local;
  throw new DevnetError('server', { reason: 'the state of this block is not in tries' });
}

/**
 * Returns the keys of the writes that lead from one state to another, if the writes are still in memory. The state of the block being
 * built, for example, is usually a few writes after that of the newest sealed block. `undefined` also if all slots of an account were
 * cleared, because these writes don't list the slots.
 */
export function writtenBetween(before: TrieState, after: TrieState): Keys | undefined {
  const keys: Keys = new Map();
  const slotsOf = (key: string) => keys.get(key) ?? keys.set(key, new Set()).get(key)!;
  for (let state = after; state !== before; ) {
    const { waiting } = state;
    if (!waiting) return undefined;
    for (const key of waiting.writes.accounts.keys()) slotsOf(key);
    for (const [key, { cleared, slots }] of waiting.writes.storage) {
      if (cleared) return undefined;
      const all = slotsOf(key);
      for (const slot of slots.keys()) if (slot.length === 66) all.add(slot);
    }
    state = waiting.before;
  }
  return keys;
}

/** Returns the keys that differ in the tries of two states. Throws like {@link stateDiff}. */
export async function keysThatDiffer(
  before: TrieState,
  after: TrieState,
  database: Pick<RpcContext['database'], 'getPreimage'>,
  pauses?: Pauses,
): Promise<Keys> {
  const recent = new Map<string, Uint8Array>();
  for (const state of [before, after])
    for (const [hash, preimage] of state.preimages()) recent.set(bytesToHex(hash), preimage);
  const preimageOf = (hash: Uint8Array) => {
    const preimage = recent.get(bytesToHex(hash)) ?? database.getPreimage(hash);
    if (!preimage)
      throw new DevnetError('server', { reason: `the preimage of ${bytesToHex(hash)} is not known` });
    return preimage;
  };
  const keys: Keys = new Map();
  let count = 0;
  for (const hash of before.accountTrie.differentKeys(after.accountTrie)) {
    const address = new Address(preimageOf(hash));
    const slots = new Set<string>();
    const [left, right] = [before.storageTrie(address), after.storageTrie(address)];
    if (!equalsBytes(left.root, right.root))
      for (const slot of left.differentKeys(right)) {
        const bytes = preimageOf(slot);
        // A forked state stores a marker under an empty key.
        if (bytes.length === 32) slots.add(hex(bytes));
        checkCount(++count);
        await giveWay(pauses);
      }
    keys.set(address.toString(), slots);
    checkCount(++count);
    await giveWay(pauses);
  }
  return keys;
}

function checkCount(count: number): void {
  if (count <= MAX) return;
  throw new DevnetError('limitExceeded', {
    limit: 'the number of accounts and slots that differ',
    max: MAX,
  });
}

function accountDiff(old: AccountState | undefined, now: AccountState | undefined): AccountDiff {
  const changed = <T>(name: 'balance' | 'nonce' | 'codeHash', of: (account: AccountState) => T) => {
    const [before, after] = [old ? of(old) : null, now ? of(now) : null];
    return before === after ? {} : { [name]: [before, after] };
  };
  return {
    ...changed('balance', ({ balance }) => quantity(balance)),
    ...changed('nonce', ({ nonce }) => quantity(nonce)),
    ...changed('codeHash', ({ codeHash }) => hex(codeHash)),
  };
}
