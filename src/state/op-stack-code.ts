import { readFileSync } from 'node:fs';
import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';

/** Beside the bundle. Only chains of the OP Stack read the file. */
const FILE = process.env.DEVNET_OP_STACK_CODE ?? './op-stack-code.json';

/** A contract whose code scripts/op-stack-code.mjs writes. */
export type OpStackContract = keyof typeof import('./op-stack-code.json');

let codes: Readonly<Record<OpStackContract, PrefixedHexString>> | undefined;

/** The runtime code of a contract that chains of the OP Stack have from their genesis block on. */
export function opStackCode(name: OpStackContract): Uint8Array {
  codes ??= JSON.parse(readFileSync(new URL(FILE, import.meta.url), 'utf8')) as NonNullable<typeof codes>;
  return hexToBytes(codes[name]);
}
