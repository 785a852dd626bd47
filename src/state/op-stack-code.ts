import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';

/** A file beside the bundle, read only on OP Stack chains: there it is packed. */
const FILE = process.env.DEVNET_OP_STACK_CODE ?? './op-stack-code.json';

/** A contract in the file, which scripts/op-stack-code.mjs writes. */
export type OpStackContract = keyof typeof import('./op-stack-code.json');

let codes: ReadonlyMap<string, Uint8Array> | undefined;

/** The runtime code of a contract that is part of an OP Stack chain's genesis block. */
export function opStackCode(name: OpStackContract): Uint8Array {
  codes ??= read(readFileSync(new URL(FILE, import.meta.url)));
  return new Uint8Array(codes.get(name)!);
}

function read(file: Buffer): ReadonlyMap<string, Uint8Array> {
  if (!FILE.endsWith('.json')) return unpackedCodes(file);
  const all = Object.entries(JSON.parse(file.toString('utf8')) as Record<string, PrefixedHexString>);
  return new Map(all.map(([name, hex]) => [name, hexToBytes(hex)]));
}

/** Reads what `packedCodes` of scripts/build/packed-codes.mjs has written. @returns code by name */
export function unpackedCodes(packed: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const bytes = brotliDecompressSync(packed);
  const end = bytes.indexOf('\n');
  const sizes = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, number>;
  const codes = new Map<string, Uint8Array>();
  let at = end + 1;
  for (const [name, size] of Object.entries(sizes)) {
    codes.set(name, bytes.subarray(at, at + size));
    at += size;
  }
  return codes;
}
