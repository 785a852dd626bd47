import type { Address } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { OnProgress } from '../progress.ts';
import { type Decoded, invalid, object, record, withDefault } from '../rpc/codec/codec.ts';
import { type Hex, hex, quantity as toHex, word } from '../rpc/codec/hex.ts';
import { address, data, quantity, slot, uint64 } from '../rpc/codec/values.ts';
import type { DevWrite } from '../sequencer/dev-write.ts';
import { NEW_ACCOUNT, stripZeros } from '../state/account.ts';
import { accountsOf } from '../state/accounts-of-state.ts';
import type { GenesisAlloc } from '../state/genesis.ts';
import { TrieState } from '../state/trie-state.ts';
import type { StateView } from '../state/view.ts';
import type { Pauses } from '../turns.ts';
import type { JsonText } from './json-text.ts';

interface DumpedAccount {
  readonly nonce: number;
  readonly balance: Hex;
  readonly code: Hex;
  readonly storage: Readonly<Record<Hex, Hex>>;
}

/**
 * All accounts of a state in the format of anvil's files (`SerializableAccountRecord`), sorted by address, so that
 * equal states give equal files.
 * @param pauses as in {@link accountsOf}
 * @throws DevnetError -32000 for a forked state, or one whose addresses aren't all known (see `preimageOf`)
 */
export async function* formatAccounts(
  state: StateView,
  preimageOf: (hash: Uint8Array) => Uint8Array | undefined,
  pauses: Pauses,
): AsyncGenerator<readonly [address: string, account: DumpedAccount]> {
  if (!(state instanceof TrieState))
    throw new DevnetError('server', { reason: 'a forked state is not dumped' });
  try {
    for await (const [at, account] of accountsOf(state, preimageOf, pauses)) {
      const { nonce = 0n, balance, code, storage = new Map() } = account;
      const slots = [...storage].map(([key, value]) => [key, word(value)] as const).sort(byKey);
      yield [
        at,
        {
          nonce: Number(nonce),
          balance: toHex(balance),
          code: hex(code ?? new Uint8Array()),
          storage: Object.fromEntries(slots),
        },
      ];
    }
  } catch (error) {
    if (error instanceof DevnetError) throw error;
    throw new DevnetError('server', { reason: (error as Error).message });
  }
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

const account = object('an account', {
  nonce: withDefault(uint64, 0n),
  balance: withDefault(quantity, 0n),
  code: withDefault(data, new Uint8Array()),
  storage: withDefault(record('an object of slots and values', slot, slot), []),
});

/** The accounts of a state file. */
export type DumpedAccounts = readonly (readonly [Address, Decoded<typeof account>])[];

/** @throws DevnetError -32602 */
export function readAccounts(
  text: JsonText | undefined,
  path: string,
  onProgress?: OnProgress,
): DumpedAccounts {
  if (!text) return invalid(path, 'an object of accounts', undefined);
  const accounts: (readonly [Address, Decoded<typeof account>])[] = [];
  for (const [name, value] of text.members()) {
    accounts.push([address.decode(name, `key of ${path}`), account.decode(value.parse(), `${path}.${name}`)]);
    onProgress?.({ task: 'Reading the state file', done: accounts.length, unit: 'accounts' });
  }
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

/** Writes the accounts into a state. As in anvil a nonce never decreases: no transaction is sealed twice. */
export function writeOfAccounts(accounts: DumpedAccounts): DevWrite {
  return async (state) => {
    for (const [at, { nonce, balance, code, storage }] of accounts) {
      const before = (await state.getAccount(at)) ?? NEW_ACCOUNT;
      state.setAccount(at, { ...before, nonce: nonce > before.nonce ? nonce : before.nonce, balance });
      await state.setCode(at, code);
      for (const [key, value] of storage) state.setStorage(at, key, value);
    }
  };
}
