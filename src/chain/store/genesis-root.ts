import { bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { decodeHeader } from '../header.ts';
import type { Meta } from './batch-writer.ts';
import type { CheckedLevel } from './checked-level.ts';
import { keyOf, metaKey, numberKey, PREFIX } from './keys.ts';

const NAME = 'genesisRoot';

/** For a chain whose genesis block says nothing, or nothing that is known, of the state that it begins with. */
export function genesisRootMeta(genesis: Uint8Array, root: Uint8Array): Meta {
  return { [NAME]: { genesis: bytesToHex(genesis), root: bytesToHex(root) } };
}

/** Root of the state that the chain began with, and goes back to with a reset. */
export function genesisRootOf(db: CheckedLevel, genesis: bigint): Uint8Array {
  const hash = db.get(numberKey(genesis))!;
  const meta = db.get(metaKey(NAME));
  if (meta) {
    const said = JSON.parse(new TextDecoder().decode(meta)) as Record<'genesis' | 'root', PrefixedHexString>;
    // A chain that began anew has another one.
    if (said.genesis === bytesToHex(hash)) return hexToBytes(said.root);
  }
  return decodeHeader(db.get(keyOf(PREFIX.header, hash))!).stateRoot;
}
