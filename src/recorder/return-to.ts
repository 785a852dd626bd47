import { bytesToHex, createZeroAddress, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Chain } from '../chain/chain.ts';
import type { HeadRecord } from './lines.ts';

/**
 * Takes back what a process that was killed began and didn't store: a replay does each input whole.
 * @throws Error when the chain hasn't been where the recorded one went on
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
