import { hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { decodeHeader } from '../header.ts';
import type { Meta } from './batch-writer.ts';
import type { CheckedLevel } from './checked-level.ts';
import { keyOf, metaKey, numberKey, PREFIX } from './keys.ts';

const NAME = 'genesisRoot';

/** For a chain whose genesis block says nothing, or nothing that is known, of the state that it begins with. */
export function genesisRootMeta(root: Uint8Array): Meta {
  return { [NAME]: `0x${Buffer.from(root).toString('hex')}` };
}

/** Root of the state that the chain began with, and goes back to with a reset. */
export function genesisRootOf(db: CheckedLevel, genesis: bigint): Uint8Array {
  const said = db.get(metaKey(NAME));
  if (said) return hexToBytes(JSON.parse(new TextDecoder().decode(said)) as PrefixedHexString);
  return decodeHeader(db.get(keyOf(PREFIX.header, db.get(numberKey(genesis))!))!).stateRoot;
}
