import { gunzipSync } from 'node:zlib';
import { DevnetError } from '../../errors.ts';
import { array, type Codec, type Decoded, invalid, object, optional, record, withDefault } from '../codec.ts';
import { data, hash32, uint64 } from '../codecs.ts';
import { dumpedAccounts } from './accounts.ts';
import { FORMAT } from './write-dump.ts';

const any: Codec<unknown> = { decode: (value) => value };

const piece = object('a piece of a state', {
  node: optional(data),
  code: optional(data),
  key: optional(data),
});

const format: Codec<bigint> = {
  decode: (value, path) => {
    const version = uint64.decode(value, path);
    return version === BigInt(FORMAT) ? version : invalid(path, `${FORMAT}, which this version reads`, value);
  },
};

const own = object("devnet's part of a state", {
  format,
  chainId: uint64,
  states: uint64,
  beginning: hash32,
  roots: record('an object of block numbers and roots', uint64, hash32),
  pieces: array(piece),
});

const dump = object("a state in anvil's format", {
  block: optional(object('a block', { number: optional(uint64), timestamp: uint64 })),
  accounts: dumpedAccounts,
  best_block_number: optional(uint64),
  blocks: withDefault(array(any), []),
  transactions: withDefault(array(any), []),
  historical_states: any,
  devnet: optional(own),
});

/** A file in anvil's format; blocks and transactions are read by `restoreChain`. */
export type Dump = Decoded<typeof dump>;

/**
 * @param bytes JSON, gzipped or not
 * @throws DevnetError -32602
 */
export function readDump(bytes: Uint8Array): Dump {
  let json: unknown;
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    json = JSON.parse(new TextDecoder().decode(isGzip ? gunzipSync(bytes) : bytes));
  } catch {
    throw new DevnetError('invalidParams', { reason: 'the state is neither JSON nor gzipped JSON' });
  }
  return dump.decode(json, 'state');
}
