import type { Address } from '@ethereumjs/util';
import type { ChainState } from '../state/chain-state.ts';
import type { EncodedEntries } from '../state/encoded-entries.ts';
import type { MadeBlock, MadeHeader } from './block-maker.ts';
import type { Rules } from './types.ts';

/** A signed transaction that is to be the only one of a block. */
export interface SingleTransaction {
  /** EIP-2718 */
  readonly raw: Uint8Array;
  /** absent: the engine recovers it */
  readonly from: Address | undefined;
  readonly rules: Rules;
}

/** What came of the transaction of a {@link SingleBlock}. */
export interface SentTransaction {
  /** its sender */
  readonly from: Address;
  /** 32 bytes */
  readonly hash: Uint8Array;
  /** JSON of its receipt, in the format of the execution APIs, unless that is long */
  readonly receiptJson: string | undefined;
  readonly succeeded: boolean;
}

/** A block of one transaction or none, which an engine has made in one step, with all that the store keeps of it. */
export interface SingleBlock extends Omit<MadeBlock, 'header'>, Omit<MadeHeader, 'headerLength'> {
  readonly sent: SentTransaction | undefined;
  readonly gasUsed: bigint;
  /** bytes of the block in the encoding of the network */
  readonly size: number;
  /** after the block */
  readonly state: ChainState;
  /** its receipts as the store has them: see `block-codec.ts` */
  readonly receipts: Uint8Array;
  /**
   * The records of the block (header, body, receipts, position of the transaction), and what the state adds. They lie in
   * the engine's memory until its next run: who waits for something before they are written calls {@link EncodedEntries.own}.
   */
  readonly entries: EncodedEntries;
  /** of the logs of the block, see `log-terms.ts` */
  readonly logTerms: readonly number[];
}
