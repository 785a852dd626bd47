import type { EngineName } from '../engine/engine-name.ts';
import type { Crypto } from '../protocol/crypto.ts';
import type { CallerOptions } from './call.ts';
import type { ReplayDeps } from './transaction-replay.ts';

/** Dependencies to execute a chain's transactions and calls again, with the chain's own rules or with others. */
export interface Execution extends ReplayDeps {
  readonly engineName: EngineName;
  readonly crypto: Crypto;
  /** the chain's options for calls */
  readonly calls: CallerOptions;
}
