import type { ExpectedCall } from '../../remote/prefetcher.ts';
import type { ForkedState } from '../../state/forked-state.ts';

/** What a forked chain's methods need of the chain that it left. */
export interface ForkContext {
  /** of the block that both have: the last one there, the first one here */
  readonly number: bigint;
  /** 32 bytes; of that block */
  readonly hash: Uint8Array;
  /**
   * of that block on the other chain, with the balances that the dev accounts got when the chain was forked. Where it was forked before
   * a transaction, the state here has the transactions before that one besides
   */
  readonly state: ForkedState;
  /** of the other chain */
  readonly chainId: bigint;
  /** without a user's name and password */
  readonly url: string;
  /** milliseconds */
  readonly backoff: number;
  /** Asks the other node. @throws DevnetError as it answered, `remoteFailed` when it didn't */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Tells that a call is executed, so that what it will read is fetched together; until the result is disposed of. */
  expecting(call: ExpectedCall): Disposable;
}

/** Where a chain is to be forked anew; what is left out stays, or is the newest block. */
export interface Refork {
  readonly url?: string | undefined;
  readonly blockNumber?: bigint | undefined;
}
