import type { Transaction } from '../../chain/block.ts';
import { preconfirms } from '../../sequencer/mining/mode.ts';
import type { RpcContext } from '../context.ts';

/** What a waiting transaction needs before it can be included. */
export interface Wait {
  /** `block` and `flashblock`: the next one can include it */
  readonly waitsFor: 'nonce' | 'fee' | 'gas' | 'block' | 'flashblock';
  /** in words */
  readonly reason: string;
}

/** Returns why a transaction is still in the mempool, by the rules for the next block. */
export function whyItWaits(
  { pool, sequencer }: Pick<RpcContext, 'pool' | 'sequencer'>,
  transaction: Transaction,
): Wait {
  const { mode } = sequencer;
  const { baseFee = 0n, blobBaseFee = 0n } = sequencer.nextFees();
  const obstacle = pool.obstacleTo(transaction.hash, baseFee, blobBaseFee);
  if (obstacle?.kind === 'nonceGap') {
    const { first, last } = obstacle;
    const missing = first === last ? `nonce ${first} is missing` : `nonces ${first} to ${last} are missing`;
    return { waitsFor: 'nonce', reason: `nonce gap: ${missing}` };
  }
  if (obstacle) {
    const [offered, fee] =
      obstacle.kind === 'baseFee' ? ['fee cap', 'base fee'] : ['blob fee cap', 'blob base fee'];
    const low = `${offered} of ${obstacle.feeCap} wei is below the ${fee}, ${obstacle.baseFee} wei`;
    const { nonce } = obstacle.transaction.tx;
    const isOwn = nonce === transaction.tx.nonce;
    return {
      waitsFor: 'fee',
      reason: isOwn
        ? `its ${low}`
        : `it waits for the sender's transaction with nonce ${nonce}, whose ${low}`,
    };
  }
  const { gasLimit } = transaction.tx;
  const blockGasLimit = sequencer.blockSettings.gasLimit;
  if (gasLimit > blockGasLimit)
    return {
      waitsFor: 'gas',
      reason: `its gas limit of ${gasLimit} is above the block gas limit, ${blockGasLimit}`,
    };
  const open = sequencer.published.at(-1)?.block.header;
  const left = open ? open.gasLimit - open.gasUsed : gasLimit;
  if (gasLimit > left)
    return {
      waitsFor: 'block',
      reason: `for the next block: its gas limit of ${gasLimit} is above what the open block has left, ${left}`,
    };
  if (preconfirms(mode)) return { waitsFor: 'flashblock', reason: 'for the next flashblock' };
  const isOnDemand = !('blockTime' in mode);
  return { waitsFor: 'block', reason: `for the next block${isOnDemand ? ', which is mined on demand' : ''}` };
}
