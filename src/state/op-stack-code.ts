import { readFileSync } from 'node:fs';
import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';

/** A file beside the bundle, read only on OP Stack chains. */
const FILE = process.env.DEVNET_OP_STACK_CODE ?? './op-stack-code.json';

/** A contract in the file, which scripts/op-stack-code.mjs writes. */
export type OpStackContract = keyof typeof import('./op-stack-code.json');

let codes: Readonly<Record<OpStackContract, PrefixedHexString>> | undefined;

/** The runtime code of a contract that is part of an OP Stack chain's genesis block. */
export function opStackCode(name: OpStackContract): Uint8Array {
  codes ??= JSON.parse(readFileSync(new URL(FILE, import.meta.url), 'utf8')) as NonNullable<typeof codes>;
  return hexToBytes(codes[name]);
}
