import { bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { decodeHeader } from '../header.ts';
import type { Meta } from './batch-writer.ts';
import type { CheckedLevel } from './checked-level.ts';
import { keyOf, metaKey, numberKey, PREFIX } from './keys.ts';

const NAME = 'genesisRoot';

/** Records the initial state root of a chain, for genesis blocks whose header doesn't have it. */
export function genesisRootMeta(genesis: Uint8Array, root: Uint8Array): Meta {
  return { [NAME]: { genesis: bytesToHex(genesis), root: bytesToHex(root) } };
}

/** Root of the chain's initial state, to which a reset returns. */
export function genesisRootOf(db: CheckedLevel, genesis: bigint): Uint8Array {
  const hash = db.get(numberKey(genesis))!;
  const meta = db.get(metaKey(NAME));
  if (meta) {
    const recorded = JSON.parse(new TextDecoder().decode(meta)) as Record<
      'genesis' | 'root',
      PrefixedHexString
    >;
    // Ignored when the chain was restarted with another genesis block.
    if (recorded.genesis === bytesToHex(hash)) return hexToBytes(recorded.root);
  }
  return decodeHeader(db.get(keyOf(PREFIX.header, hash))!).stateRoot;
}
