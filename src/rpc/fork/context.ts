import type { ExpectedCall } from '../../remote/prefetcher.ts';
import type { ForkedState } from '../../state/forked-state.ts';

/** What the methods of a forked chain need to know of the chain that it was forked from, "the other chain". */
export interface ForkContext {
  /** number of the fork block, which both chains have: the last block of the other chain, and the first of this one */
  readonly number: bigint;
  /** hash of the fork block, 32 bytes */
  readonly hash: Uint8Array;
  /**
   * state of the fork block on the other chain, with the balances that the dev accounts got at the fork. If the chain was forked before a
   * transaction, the state also includes the transactions before that one
   */
  readonly state: ForkedState;
  /** chain id of the other chain */
  readonly chainId: bigint;
  /** URL of the other chain's node, without user name and password */
  readonly url: string;
  /** pause before a request is repeated, milliseconds */
  readonly backoff: number;
  /** Sends a request to the other chain's node. @throws DevnetError with that node's error, or `remoteFailed` if it didn't answer */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Announces that a call is being executed, so that what it will read is fetched together; until the result is disposed. */
  expecting(call: ExpectedCall): Disposable;
}

/** Where to fork the chain again. A missing URL stays as it is, a missing block number is the newest block. */
export interface Refork {
  readonly url?: string | undefined;
  readonly blockNumber?: bigint | undefined;
}
