import { createGunzip } from 'node:zlib';
import { DevnetError } from '../errors.ts';
import { JsonSlice } from '../json-slice.ts';
import type { OnProgress } from '../progress.ts';
import { type Codec, type Decoded, invalid, object, optional, record } from '../rpc/codec/codec.ts';
import { hash32, uint64 } from '../rpc/codec/values.ts';
import { parseJson } from '../rpc/parse-json.ts';
import type { PackedAccounts } from '../state/packed-accounts.ts';
import { type Pauses, turns } from '../turns.ts';
import { readAccounts } from './accounts.ts';
import { FORMAT } from './write-dump.ts';

/** How many times its size gzip unpacks to at most (RFC 1951). */
const MAX_TIMES = 1_032;

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

const OWN_FIELDS = ['format', 'chainId', 'states', 'beginning', 'roots'];

/** A state file in anvil's format. Large parts are kept as text and parsed when needed, see `restoreChain`. */
export interface Dump extends Decoded<typeof small> {
  readonly accounts: PackedAccounts;
  readonly blocks: () => readonly JsonSlice[];
  readonly transactions: () => readonly JsonSlice[];
  /** anvil's older states, see `anvilStates` */
  readonly history?: JsonSlice;
  /** devnet's own data, which anvil's format has no fields for; see `dumpPieces` */
  readonly devnet?: OwnPart;
}

export type OwnPart = Decoded<typeof own> & { readonly pieces: () => readonly JsonSlice[] };

export interface ReadOptions {
  /** most bytes that a gzipped state may unpack to */
  readonly limit: number;
  /** may end it; default: those of background work without a caller */
  readonly pauses?: Pauses | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Reads a state file, and lets other work run meanwhile.
 * @param bytes JSON, gzipped or not; must not be changed afterwards
 * @throws DevnetError -32602; -32000 for one that unpacks to more than the limit
 */
export async function readDump(
  bytes: Uint8Array,
  { limit, pauses = turns, onProgress }: ReadOptions,
): Promise<Dump> {
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = new JsonSlice(isGzip ? await unpacked(bytes, limit) : bytes);
    const members = await text.membersInTurns(pauses);
    const parsed = async (names: readonly string[], from = members) => {
      const values: Record<string, unknown> = {};
      for (const name of names) {
        const given = from.get(name);
        if (given) values[name] = await parseJson(given.bytes, { pauses });
      }
      return values;
    };
    const items = (name: string, from = members) => {
      const list = from.get(name);
      return list && !list.isNull ? () => [...list.items()] : () => [];
    };
    const part = members.get('devnet');
    const history = members.get('historical_states');
    const ours = part && (await part.membersInTurns(pauses));
    return {
      ...small.decode(await parsed(['block', 'best_block_number']), 'state'),
      accounts: await readAccounts(members.get('accounts'), 'state.accounts', { pauses, onProgress }),
      blocks: items('blocks'),
      transactions: items('transactions'),
      ...(history && !history.isNull && { history }),
      ...(ours && {
        devnet: {
          ...own.decode(await parsed(OWN_FIELDS, ours), 'state.devnet'),
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

/** Bytes that are unpacked at a time. */
const CHUNK = 256 * 1024;

/** Unpacks gzip off the main thread, up to a limit. @throws DevnetError -32000 above it */
async function unpacked(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK });
  gunzip.end(bytes);
  // The last four bytes say the size modulo 2^32, if they are true.
  const said = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32LE(bytes.length - 4);
  let out = Buffer.allocUnsafeSlow(Math.min(said, limit, MAX_TIMES * bytes.length));
  let size = 0;
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    if (size + chunk.length > limit)
      throw new DevnetError('limitExceeded', {
        limit: 'what the state unpacks to in bytes (--max-state-size)',
        max: limit,
      });
    if (size + chunk.length > out.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(2 * (size + chunk.length), limit));
      out.copy(larger, 0, 0, size);
      out = larger;
    }
    size += chunk.copy(out, size);
  }
  return out.subarray(0, size);
}
