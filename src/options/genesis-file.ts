import { readFileSync } from 'node:fs';
import { Address, hexToBytes, type PrefixedHexString, setLengthLeft } from '@ethereumjs/util';
import type { GenesisFields } from '../chain/genesis-block.ts';
import type { OnProgress } from '../progress.ts';
import { type GenesisAlloc, parseAlloc } from '../state/genesis.ts';

/** A geth genesis.json file, parsed. */
export interface GenesisSpec {
  readonly chainId: bigint;
  /** unchanged: chain id and forks */
  readonly config: Readonly<Record<string, unknown>>;
  readonly fields: GenesisFields;
  readonly alloc: GenesisAlloc;
}

/** @param source the path of such a file, or its content @throws Error that names the field, or why it can't be read */
export function readGenesis(source: string | object, onProgress?: OnProgress): GenesisSpec {
  const json = typeof source === 'string' ? (JSON.parse(readFileSync(source, 'utf8')) as unknown) : source;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Error('not an object');
  const genesis = json as Record<string, unknown>;
  const { config } = genesis;
  if (typeof config !== 'object' || config === null) throw new Error('config: missing');
  const number = (name: string) => quantityOf(genesis[name], name);
  const bytes = (name: string, length?: number) => bytesOf(genesis[name], name, length);
  const chainId = quantityOf((config as Record<string, unknown>).chainId, 'config.chainId');
  if (chainId === undefined) throw new Error('config.chainId: missing');
  if (chainId < 1n || chainId > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Error(`config.chainId: from 1 to ${Number.MAX_SAFE_INTEGER}`);
  const first = number('number');
  if (first !== undefined && first > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Error(`number: at most ${Number.MAX_SAFE_INTEGER}`);
  return {
    chainId,
    config: config as Record<string, unknown>,
    alloc: parseAlloc(genesis.alloc ?? {}, onProgress),
    fields: {
      timestamp: number('timestamp') ?? 0n,
      // geth's default
      gasLimit: number('gasLimit') ?? 4_712_388n,
      coinbase: new Address(bytes('coinbase', 20) ?? new Uint8Array(20)),
      extraData: bytes('extraData') ?? new Uint8Array(0),
      mixHash: bytes('mixHash', 32) ?? bytes('mixhash', 32) ?? new Uint8Array(32),
      ...some('difficulty', number('difficulty')),
      ...some('nonce', nonceOf(genesis.nonce)),
      ...some('number', first),
      ...some('gasUsed', number('gasUsed')),
      ...some('parentHash', bytes('parentHash', 32)),
      ...some('baseFeePerGas', number('baseFeePerGas')),
      ...some('blobGasUsed', number('blobGasUsed')),
      ...some('excessBlobGas', number('excessBlobGas')),
      ...some('parentBeaconBlockRoot', bytes('parentBeaconBlockRoot', 32)),
    },
  };
}

function some<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [P in K]?: V };
}

/** Returns the nonce as 8 bytes; geth writes it as a number. */
function nonceOf(value: unknown): Uint8Array | undefined {
  const nonce = quantityOf(value, 'nonce');
  return nonce === undefined ? undefined : hexToBytes(`0x${nonce.toString(16).padStart(16, '0')}`);
}

/** Parses JSON integers, decimal and hex strings; `null` counts as missing. */
function quantityOf(value: unknown, at: string): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const isText = typeof value === 'string' && /^(0x[0-9a-f]+|\d+)$/i.test(value);
  if (!isText && !(Number.isSafeInteger(value) && (value as number) >= 0))
    throw new Error(`${at}: not a whole number`);
  const number = BigInt(value as string | number);
  if (number >= 2n ** 256n) throw new Error(`${at}: more than 256 bits`);
  return number;
}

/** @param length shorter values are padded on the left */
function bytesOf(value: unknown, at: string, length?: number): Uint8Array | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value))
    throw new Error(`${at}: not hex bytes`);
  const bytes = hexToBytes(value as PrefixedHexString);
  if (length === undefined) return bytes;
  if (bytes.length > length) throw new Error(`${at}: more than ${length} bytes`);
  return setLengthLeft(bytes, length);
}
