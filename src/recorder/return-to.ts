import { bytesToHex, createZeroAddress, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Chain } from '../chain/chain.ts';
import type { HeadRecord } from './lines.ts';

/**
 * Moves a replayed chain to the head at which the recorded chain was reopened. The recorded process may have been
 * killed in the middle of an input, while the replay has completed that input.
 * @throws Error when the replayed chain never had this head
 */
export async function returnTo(chain: Chain, { number, hash, stateRoot }: HeadRecord): Promise<void> {
  const found = chain.hashOf(BigInt(number));
  if (!found || bytesToHex(found) !== hash)
    throw new Error(
      `it went on from block ${number} with the hash ${hash}; got ${found ? bytesToHex(found) : 'no such block'}`,
    );
  const head = await chain.rollbackTo(BigInt(number), hexToBytes(stateRoot as PrefixedHexString));
  try {
    head.state.getAccount(createZeroAddress());
  } catch {
    throw new Error(`it went on from block ${number} with the state ${stateRoot}, which no dev write made`);
  }
  chain.moveTo(head, undefined);
}
