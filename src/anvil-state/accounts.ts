import type { FrozenChain } from '../chain/frozen-chain.ts';
import { DevnetError } from '../errors.ts';
import type { JsonSlice } from '../json-slice.ts';
import type { OnProgress } from '../progress.ts';
import { invalid, object, record, withDefault } from '../rpc/codec/codec.ts';
import { hex, quantity as toHex, word } from '../rpc/codec/hex.ts';
import { address, data, quantity, slot, uint64 } from '../rpc/codec/values.ts';
import { accountsOf } from '../state/accounts-of-state.ts';
import { PackedAccounts } from '../state/packed-accounts.ts';
import { TrieState } from '../state/trie-state.ts';
import type { Pauses } from '../turns.ts';
import { AccountReader } from './account-reader.ts';

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

/**
 * Reads the accounts of a state file.
 * @param options.pauses may end it
 * @throws DevnetError -32602, as a rejection; SyntaxError
 */
export async function readAccounts(
  text: JsonSlice | undefined,
  path: string,
  { pauses, onProgress }: { readonly pauses: Pauses; readonly onProgress?: OnProgress | undefined },
): Promise<PackedAccounts> {
  if (!text?.isObject) return invalid(path, 'an object of accounts', text?.parse());
  const packed = new PackedAccounts();
  const reader = new AccountReader(text, packed, (name, given) => {
    packed.add(address.decode(name, `key of ${path}`), account.decode(given, `${path}.${name}`));
  });
  let done = 0;
  for (const _ of reader.read()) {
    if (pauses.due) await pauses.pause();
    onProgress?.({ task: 'Reading the state file', done: ++done, unit: 'accounts' });
  }
  return packed;
}
