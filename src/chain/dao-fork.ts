import { equalsBytes, hexToBytes } from '@ethereumjs/util';
import type { HardforkSchedule } from '../protocol/hardfork.ts';
import type { Header } from './block.ts';
import { expectSame, refuse } from './block-fault.ts';

/** ASCII `dao-hard-fork` (EIP-779) */
const EXTRA_DATA = hexToBytes('0x64616f2d686172642d666f726b');
/** number of blocks, from the fork block on, whose extraData marks the side of the fork */
const MARKED_BLOCKS = 10n;

/** EIP-779: checks the extraData of the ten blocks from the DAO fork on, which separates the two chains. @throws BadBlock */
export function checkDaoExtraData({ number, extraData }: Header, { daoFork }: HardforkSchedule): void {
  if (!daoFork || number < daoFork.block || number >= daoFork.block + MARKED_BLOCKS) return;
  if (daoFork.supported) expectSame('extraData', EXTRA_DATA, extraData);
  else if (equalsBytes(extraData, EXTRA_DATA)) refuse('extraData', 'not that of the DAO fork', extraData);
}
