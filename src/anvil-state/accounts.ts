import { equalsBytes } from '@ethereumjs/util';
import type { FrozenChain } from '../chain/frozen-chain.ts';
import { DevnetError } from '../errors.ts';
import type { JsonSlice } from '../json-slice.ts';
import type { OnProgress } from '../progress.ts';
import { invalid, object, record, withDefault } from '../rpc/codec/codec.ts';
import { address, data, quantity, slot, uint64 } from '../rpc/codec/values.ts';
import { accountItems, EMPTY_CODE_HASH, EMPTY_ROOT } from '../state/account.ts';
import { WholeState } from '../state/accounts-of-state.ts';
import { integerOf } from '../state/integers.ts';
import { PackedAccounts } from '../state/packed-accounts.ts';
import { TrieState } from '../state/trie-state.ts';
import type { Pauses } from '../turns.ts';
import { AccountReader } from './account-reader.ts';
import { JsonBytes } from './json-bytes.ts';

/** Bytes of accounts that are handed on together. */
const PIECE = 1 << 16;

/**
 * All accounts of a chain's newest state as the members of an object in the format of anvil's files (`SerializableAccountRecord`), sorted by
 * address, so that equal states give equal files. Yields JSON in UTF-8, many members at a time.
 * @param pauses may end the reading
 * @throws DevnetError -32000 for a forked state, or one whose addresses aren't all known (see `preimageOf`)
 */
export async function* formatAccounts(
  { head, preimageOf, getNode, getCode }: FrozenChain,
  pauses: Pauses,
): AsyncGenerator<Uint8Array> {
  if (!(head.state instanceof TrieState))
    throw new DevnetError('server', { reason: 'a forked state is not dumped' });
  // From the store: each node is read once, and would take the place of others in the cache that are read again.
  const state = TrieState.at({ getNode, getCode }, head.state.root);
  const whole = new WholeState(state, { preimageOf, pauses });
  const json = new JsonBytes(PIECE);
  let before = '"0x';
  try {
    for await (const accounts of whole.accounts())
      for (const encoded of accounts) {
        const { nonce, balance, storageRoot, codeHash } = accountItems(encoded.leaf);
        json.text(before);
        before = ',"0x';
        json.hex(encoded.address);
        json.text(`":{"nonce":${integerOf(nonce)},"balance":"0x`);
        json.quantity(balance);
        json.text('","code":"0x');
        if (!equalsBytes(codeHash, EMPTY_CODE_HASH)) json.hex(whole.codeOf(codeHash));
        json.text('","storage":{');
        if (!equalsBytes(storageRoot, EMPTY_ROOT)) {
          let separator = '"';
          for (const [slot, value] of await whole.storageOf(encoded, storageRoot)) {
            json.text(`${separator}${slot}":"0x`);
            separator = ',"';
            json.word(value);
            json.text('"');
          }
        }
        json.text('}}');
        if (json.length >= PIECE) yield json.take();
      }
    yield json.take();
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
