import { Address } from '@ethereumjs/util';
import { type Pauses, turns } from '../turns.ts';
import { EMPTY_CODE_HASH, EMPTY_ROOT, stripZeros } from './account.ts';
import { hexKey } from './hex-key.ts';
import { keccak256 } from './keccak.ts';
import type { PackedAccounts } from './packed-accounts.ts';
import { TrieState } from './trie-state.ts';
import type { AccountState, Awaitable, StateView, StateWrites } from './view.ts';
import { LazyWrites } from './writes.ts';

/** Number of accounts and slots that are written in one step, which takes a few milliseconds. */
const PART = 1_000;
/** Number of accounts between two checks of the clock. */
const STRIDE = 256;
/** Number of buckets for sorting by hashed address. */
const PLACES = 2 ** 16;

/** Looks up an account in the state before the writes. */
type AccountOf = (address: Address) => AccountState | undefined;

/**
 * Writes of many accounts. As in anvil, a nonce never decreases, so that no transaction is included twice. The core reads the
 * records directly; other readers cause them to be decoded into objects.
 */
export class PackedWrites extends LazyWrites {
  readonly packed: PackedAccounts;
  /** the records, in the order in which they are written */
  readonly records: Uint32Array;
  readonly #before: AccountOf;

  /** @param before looks up accounts before the writes; an account's nonce there takes precedence if it is higher */
  constructor(packed: PackedAccounts, before: AccountOf, records = allOf(packed)) {
    super(() => decode(packed, records, before));
    this.packed = packed;
    this.records = records;
    this.#before = before;
  }

  /**
   * Splits the writes into parts. Applied in order, the parts give the same state. Accounts that are neighbours in the trie are in the
   * same part, so that few trie nodes are created more than once.
   */
  async *parts(pauses: Pauses = turns): AsyncGenerator<PackedWrites> {
    const { packed } = this;
    const records = await this.#inOrder(pauses);
    let from = 0;
    let size = 0;
    for (let i = 0; i < records.length; i++) {
      const record = records[i]!;
      // Several records of the same account stay in one part.
      if (size >= PART && (packed.isContinued(record) || !isSame(packed, records[i - 1]!, record))) {
        yield new PackedWrites(packed, this.#before, records.subarray(from, i));
        from = i;
        size = 0;
      }
      size += 1 + packed.slotsOf(record);
    }
    yield new PackedWrites(packed, this.#before, records.subarray(from));
  }

  /** Sorts the records by the first two bytes of the hashed address. Records of the same account keep their order. */
  async #inOrder(pauses: Pauses): Promise<Uint32Array> {
    const { packed, records } = this;
    const places = new Uint16Array(records.length);
    const ends = new Uint32Array(PLACES + 1);
    let place = 0;
    for (let i = 0; i < records.length; i++) {
      const record = records[i]!;
      if (!packed.isContinued(record)) {
        const hash = keccak256(packed.addressOf(record));
        place = hash[0]! * 2 ** 8 + hash[1]!;
      }
      places[i] = place;
      ends[place + 1]!++;
      if (i % STRIDE === 0 && pauses.due) await pauses.pause();
    }
    for (let i = 0; i < PLACES; i++) ends[i + 1]! += ends[i]!;
    const ordered = new Uint32Array(records.length);
    for (let i = 0; i < records.length; i++) ordered[ends[places[i]!]!++] = records[i]!;
    return ordered;
  }
}

/** Makes the writes of these accounts to a state. Returns a promise if the state's accounts may have to be fetched. */
export function packedWrites(packed: PackedAccounts, state: StateView): Awaitable<PackedWrites> {
  if (state instanceof TrieState) return new PackedWrites(packed, (address) => state.getAccount(address));
  return fetched(packed, state).then(
    (found) => new PackedWrites(packed, (address) => found.get(`${address}`)),
  );
}

/** Fetches the accounts that already exist in the state, by `0x` address. */
async function fetched(packed: PackedAccounts, state: StateView): Promise<Map<string, AccountState>> {
  const found = new Map<string, AccountState>();
  for (let record = 0; record < packed.size; record++) {
    if (packed.isContinued(record)) continue;
    const address = new Address(packed.addressOf(record).slice());
    const account = await state.getAccount(address);
    if (account) found.set(`${address}`, account);
    if (turns.due) await turns.pause();
  }
  return found;
}

function isSame(packed: PackedAccounts, a: number, b: number): boolean {
  return Buffer.compare(packed.addressOf(a), packed.addressOf(b)) === 0;
}

function allOf({ size }: PackedAccounts): Uint32Array {
  const records = new Uint32Array(size);
  for (let i = 0; i < size; i++) records[i] = i;
  return records;
}

function decode(packed: PackedAccounts, records: Uint32Array, before: AccountOf): StateWrites {
  const accounts = new Map<string, AccountState>();
  const storage = new Map<string, { cleared: boolean; slots: Map<string, Uint8Array> }>();
  const codes = new Map<string, Uint8Array>();
  for (const record of records) {
    const bytes = packed.addressOf(record).slice();
    const key = hexKey(bytes);
    const { nonce, balance, code, storage: given } = packed.accountOf(record);
    if (!packed.isContinued(record)) {
      const known = accounts.get(key) ?? before(new Address(bytes));
      const codeHash = code.length > 0 ? keccak256(code) : EMPTY_CODE_HASH;
      if (code.length > 0) codes.set(hexKey(codeHash), code);
      accounts.set(key, {
        nonce: known && known.nonce > nonce ? known.nonce : nonce,
        balance,
        codeHash,
        storageRoot: known?.storageRoot ?? EMPTY_ROOT,
      });
    }
    if (given.length === 0) continue;
    let written = storage.get(key);
    if (!written) {
      written = { cleared: false, slots: new Map() };
      storage.set(key, written);
    }
    for (const [slot, value] of given) written.slots.set(hexKey(slot), stripZeros(value));
  }
  return { accounts, storage, code: codes };
}
