import type { EngineName } from '../engine/engine-name.ts';
import type { Crypto } from '../protocol/crypto.ts';
import type { CallerOptions } from './call.ts';
import type { ReplayDeps } from './transaction-replay.ts';

/** What executes a chain's transactions and calls again, by its own rules or by others. */
export interface Execution extends ReplayDeps {
  readonly engineName: EngineName;
  readonly crypto: Crypto;
  /** how the chain answers calls */
  readonly calls: CallerOptions;
}
