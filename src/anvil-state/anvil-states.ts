import { concatBytes, equalsBytes } from '@ethereumjs/util';
import type { JsonSlice } from '../json-slice.ts';
import { DELEGATION_PREFIX } from '../protocol/validity.ts';
import { anyOf, type Codec, invalid, mapped, object, optional, record } from '../rpc/codec/codec.ts';
import { hex } from '../rpc/codec/hex.ts';
import { address, data, hash32, quantity, slot, uint64 } from '../rpc/codec/values.ts';
import { EMPTY_CODE_HASH, stripZeros } from '../state/account.ts';
import type { GenesisAccount } from '../state/genesis.ts';
import { keccak256 } from '../state/keccak.ts';
import { stateOfAlloc } from '../state/state-of-alloc.ts';
import type { TrieState } from '../state/trie-state.ts';

/** revm's encodings of code: analyzed (padded), raw, or a delegation (EIP-7702). */
const code = anyOf(
  'code',
  mapped(
    object('analyzed code', {
      LegacyAnalyzed: object('code', { bytecode: data, original_len: uint64 }),
    }),
    ({ LegacyAnalyzed: { bytecode, original_len } }) => bytecode.subarray(0, Number(original_len)),
  ),
  mapped(object('raw code', { LegacyRaw: data }), ({ LegacyRaw }) => LegacyRaw),
  mapped(object('a delegation', { Eip7702: object('code', { delegated_address: address }) }), ({ Eip7702 }) =>
    concatBytes(DELEGATION_PREFIX, Eip7702.delegated_address.bytes),
  ),
);

const account: Codec<GenesisAccount> = mapped(
  object('an account', { nonce: uint64, balance: quantity, code_hash: hash32, code: optional(code) }),
  ({ nonce, balance, code_hash, code: given }, path) => {
    if (equalsBytes(code_hash, EMPTY_CODE_HASH)) return { nonce, balance };
    if (!given || !equalsBytes(keccak256(given), code_hash))
      return invalid(`${path}.code`, `code of the hash ${hex(code_hash)}`, given && hex(given));
    return { nonce, balance, code: given };
  },
);

/** anvil's `StateSnapshot` */
const snapshot = object('a state', {
  accounts: record('an object of accounts', address, account),
  storage: record('an object of accounts', address, record('an object of slots', slot, slot)),
});

/**
 * The older states of anvil's file, by block hash. Each is the block's state with the dev writes made on it. Newer
 * versions of anvil also store the states without dev writes, which aren't read.
 * @throws DevnetError -32602
 */
export function* anvilStates(text: JsonSlice): Generator<readonly [hash: Uint8Array, state: TrieState]> {
  const path = 'state.historical_states';
  for (const [i, item] of [...listOf(text).items()].entries()) {
    const [hash, value] = [...item.items()];
    const at = `${path}[${i}]`;
    if (!hash || !value) invalid(at, 'a hash and a state', item.parse());
    const { accounts, storage } = snapshot.decode(value.parse(), `${at}[1]`);
    const alloc = new Map(accounts.map(([where, given]) => [where.toString(), given] as const));
    for (const [where, slots] of storage) {
      const owner = alloc.get(where.toString());
      if (!owner) continue;
      const values = slots.map(([key, word]) => [hex(key), stripZeros(word)] as const);
      alloc.set(where.toString(), { ...owner, storage: new Map(values) });
    }
    yield [hash32.decode(hash.parse(), `${at}[0]`), stateOfAlloc(alloc)];
  }
}

function listOf(text: JsonSlice): JsonSlice {
  return text.isObject ? new Map(text.members()).get('states')! : text;
}
