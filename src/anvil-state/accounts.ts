import type { Address } from '@ethereumjs/util';
import type { FrozenChain } from '../chain/frozen-chain.ts';
import { DevnetError } from '../errors.ts';
import type { OnProgress } from '../progress.ts';
import { type Decoded, invalid, object, record, withDefault } from '../rpc/codec/codec.ts';
import { hex, quantity as toHex, word } from '../rpc/codec/hex.ts';
import { address, data, quantity, slot, uint64 } from '../rpc/codec/values.ts';
import { parseJson, type TakePart } from '../rpc/parse-json.ts';
import type { DevWrite } from '../sequencer/dev-write.ts';
import { EMPTY_CODE_HASH, NEW_ACCOUNT, stripZeros } from '../state/account.ts';
import { accountsOf } from '../state/accounts-of-state.ts';
import type { GenesisAlloc } from '../state/genesis.ts';
import { TrieState } from '../state/trie-state.ts';
import { giveWay, type Pauses, turns } from '../turns.ts';
import type { JsonSlice } from './json-slice.ts';

/** Slots between two looks at the clock. */
const STRIDE = 64;
/** Characters of accounts that are handed on together. */
const PIECE = 1 << 15;

/**
 * All accounts of a chain's newest state as the members of an object in the format of anvil's files (`SerializableAccountRecord`), sorted by
 * address, so that equal states give equal files. Yields many members at a time.
 * @param pauses as in {@link accountsOf}
 * @throws DevnetError -32000 for a forked state, or one whose addresses aren't all known (see `preimageOf`)
 */
export async function* formatAccounts(
  { head, preimageOf, getNode, getCode }: FrozenChain,
  pauses: Pauses,
): AsyncGenerator<string> {
  if (!(head.state instanceof TrieState))
    throw new DevnetError('server', { reason: 'a forked state is not dumped' });
  // From the store: each node is read once, and would take the place of others in the cache that are read again.
  const state = TrieState.at({ getNode, getCode }, head.state.root);
  let text = '';
  let comma = '';
  try {
    for await (const accounts of accountsOf(state, preimageOf, pauses))
      for (const [at, { nonce = 0n, balance, code, storage }] of accounts) {
        text += `${comma}"${at}":{"nonce":${nonce},"balance":"${toHex(balance)}","code":"${code && code.length > 0 ? hex(code) : '0x'}","storage":{`;
        comma = ',';
        if (storage && storage.size > 0) {
          let separator = '';
          for (const key of [...storage.keys()].sort()) {
            text += `${separator}"${key}":"${word(storage.get(key)!)}"`;
            separator = ',';
          }
        }
        text += '}}';
        if (text.length < PIECE) continue;
        yield text;
        text = '';
      }
    yield text;
  } catch (error) {
    if (error instanceof DevnetError) throw error;
    throw new DevnetError('server', { reason: (error as Error).message });
  }
}

const account = object('an account', {
  nonce: withDefault(uint64, 0n),
  balance: withDefault(quantity, 0n),
  code: withDefault(data, new Uint8Array()),
  storage: withDefault(record('an object of slots and values', slot, slot), []),
});

/** The accounts of a state file. */
export type DumpedAccounts = readonly (readonly [Address, Decoded<typeof account>])[];

const slots = record('an object of slots and values', slot, slot);

/**
 * Reads the accounts of a state file, many at a time.
 * @param options.pauses may end it
 * @throws DevnetError -32602, as a rejection
 */
export async function readAccounts(
  text: JsonSlice | undefined,
  path: string,
  { pauses, onProgress }: { readonly pauses: Pauses; readonly onProgress?: OnProgress | undefined },
): Promise<DumpedAccounts> {
  if (!text?.isObject) return invalid(path, 'an object of accounts', text?.parse());
  const accounts: (readonly [Address, Decoded<typeof account>])[] = [];
  const add = (name: string, given: unknown) => {
    accounts.push([address.decode(name, `key of ${path}`), account.decode(given, `${path}.${name}`)]);
    onProgress?.({ task: 'Reading the state file', done: accounts.length, unit: 'accounts' });
  };
  /** the fields of an account that is too large to be parsed at once */
  let fields: Record<string, unknown> = {};
  let storage: Decoded<typeof slots>[number][] = [];
  const take: TakePart = ([name, field], part) => {
    if (name === undefined) {
      for (const [at, given] of Object.entries(part)) {
        const isLarge = storage.length > 0 || Object.keys(fields).length > 0;
        add(at, isLarge ? { ...(given as object), ...fields, storage: {} } : given);
        if (!isLarge) continue;
        const [where, decoded] = accounts.pop()!;
        accounts.push([where, { ...decoded, storage: [...decoded.storage, ...storage] }]);
        fields = {};
        storage = [];
      }
    } else if (field === undefined) Object.assign(fields, part);
    else if (field === 'storage')
      for (const one of slots.decode(part, `${path}.${name}.storage`)) storage.push(one);
    else return false;
    return true;
  };
  const rest = await parseJson(text.bytes, { pauses, take });
  take([], rest as Record<string, unknown>);
  return accounts;
}

/** The genesis allocation with exactly these accounts. */
export function allocOfAccounts(accounts: DumpedAccounts): GenesisAlloc {
  return new Map(
    accounts.map(([at, { storage, ...rest }]) => {
      const slots = storage.map(([key, value]) => [hex(key), stripZeros(value)] as const);
      return [at.toString(), { ...rest, storage: new Map(slots) }] as const;
    }),
  );
}

/**
 * Writes the accounts into a state, and lets other work run in between. As in anvil a nonce never decreases: no transaction is
 * sealed twice.
 */
export function writeOfAccounts(accounts: DumpedAccounts): DevWrite {
  return async (state) => {
    for (const [at, { nonce, balance, code, storage }] of accounts) {
      const found = state.getAccount(at);
      const before = (found instanceof Promise ? await found : found) ?? NEW_ACCOUNT;
      const kept = nonce > before.nonce ? nonce : before.nonce;
      state.setAccount(at, { ...before, nonce: kept, balance, codeHash: EMPTY_CODE_HASH });
      if (code.length > 0) await state.setCode(at, code);
      let slots = 0;
      for (const [key, value] of storage) {
        state.setStorage(at, key, value);
        if (++slots % STRIDE === 0) await giveWay();
      }
      if (turns.due) await turns.pause();
    }
  };
}
