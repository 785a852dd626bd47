import { gunzipSync } from 'node:zlib';
import { DevnetError } from '../errors.ts';
import type { OnProgress } from '../progress.ts';
import { type Codec, type Decoded, invalid, object, optional, record } from '../rpc/codec/codec.ts';
import { hash32, uint64 } from '../rpc/codec/values.ts';
import { type DumpedAccounts, readAccounts } from './accounts.ts';
import { JsonText } from './json-text.ts';
import { FORMAT } from './write-dump.ts';

const format: Codec<bigint> = {
  decode: (value, path) => {
    const version = uint64.decode(value, path);
    return version === BigInt(FORMAT) ? version : invalid(path, `${FORMAT}, which this version reads`, value);
  },
};

const small = object("a state in anvil's format", {
  block: optional(object('a block', { number: optional(uint64), timestamp: uint64 })),
  best_block_number: optional(uint64),
});

const own = object("devnet's part of a state", {
  format,
  chainId: uint64,
  states: uint64,
  beginning: hash32,
  roots: record('an object of block numbers and roots', uint64, hash32),
});

/** A state file in anvil's format. Large parts are kept as text and parsed when needed, see `restoreChain`. */
export interface Dump extends Decoded<typeof small> {
  readonly accounts: DumpedAccounts;
  readonly blocks: readonly JsonText[];
  readonly transactions: readonly JsonText[];
  /** anvil's older states, see `anvilStates` */
  readonly history?: JsonText;
  /** devnet's own data, which anvil's format has no fields for; see `dumpTexts` */
  readonly devnet?: OwnPart;
}

export type OwnPart = Decoded<typeof own> & { readonly pieces: readonly JsonText[] };

/** Reads a state file. @param bytes JSON, gzipped or not; must not be changed afterwards @throws DevnetError -32602 */
export function readDump(bytes: Uint8Array, onProgress?: OnProgress): Dump {
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const members = new Map(new JsonText(isGzip ? gunzipSync(bytes) : bytes).members());
    const parsed = (names: readonly string[], from = members) =>
      Object.fromEntries(names.map((name) => [name, from.get(name)?.parse()]));
    const items = (name: string, from = members) => {
      const list = from.get(name);
      return list && !list.isNull ? [...list.items()] : [];
    };
    const part = members.get('devnet');
    const history = members.get('historical_states');
    const ours = part && new Map(part.members());
    return {
      ...small.decode(parsed(['block', 'best_block_number']), 'state'),
      accounts: readAccounts(members.get('accounts'), 'state.accounts', onProgress),
      blocks: items('blocks'),
      transactions: items('transactions'),
      ...(history && !history.isNull && { history }),
      ...(ours && {
        devnet: {
          ...own.decode(parsed(['format', 'chainId', 'states', 'beginning', 'roots'], ours), 'state.devnet'),
          pieces: items('pieces', ours),
        },
      }),
    };
  } catch (error) {
    if (error instanceof DevnetError) throw error;
    const reason = `the state is neither JSON nor gzipped JSON: ${(error as Error).message}`;
    throw new DevnetError('invalidParams', { reason });
  }
}
