import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallerDeps } from '../execution/call.ts';
import type { Execution } from '../execution/execution.ts';
import type { Feed } from '../sequencer/feed/feed.ts';
import type { KnownContracts } from '../sources/contracts.ts';
import { CountedChain } from './counted-chain.ts';
import type { Profile } from './profile.ts';
import { profileJson, readProfile } from './profile-json.ts';

/** Environment variable with the folder to which nodes write what they have counted. */
export const PROFILE_FOLDER = 'DEVNET_PROFILE';
/** Environment variable: set, calls and estimates count, too. */
export const PROFILE_CALLS = 'DEVNET_PROFILE_CALLS';

interface Hooks {
  readonly counts?: boolean;
  readonly onExecution?: (execution: Execution, feed: Feed, known: KnownContracts) => void;
  readonly onAnswer?: CallerDeps['onAnswer'];
  readonly onEstimate?: CallerDeps['onEstimate'];
}

/** Counts what one node runs, for the process that has asked for it with {@link PROFILE_FOLDER}. */
export class CountedNode {
  readonly #chain = new CountedChain();
  readonly #file: string;
  readonly #calls: boolean;
  /** Where the process ends before the node is closed, what was counted until then is kept. */
  readonly #onExit = (): void => this.#write();

  constructor(folder: string, options: { readonly calls: boolean }) {
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${randomUUID()}.json`);
    this.#calls = options.calls;
    process.once('exit', this.#onExit);
  }

  /** @param given hooks that are called besides */
  hooks<H extends Hooks>(given: H): H {
    const counts = this.#chain;
    const own: Hooks = {
      counts: true,
      onExecution: (execution, feed, known) => {
        given.onExecution?.(execution, feed, known);
        counts.follow(execution, feed);
      },
      ...(this.#calls && {
        onAnswer: (call) => {
          given.onAnswer?.(call);
          counts.asked(call);
        },
        onEstimate: (estimate) => {
          given.onEstimate?.(estimate);
          // One that is sent all the same counts as a transaction.
          if (!estimate.isSent) counts.asked(estimate);
        },
      }),
    };
    return { ...given, ...own };
  }

  /** To be called when the node closes: before its store is gone, and after its last block. */
  async settle(): Promise<void> {
    await this.#chain.settle();
  }

  end(): void {
    process.off('exit', this.#onExit);
    this.#write();
  }

  #write(): void {
    writeFileSync(this.#file, profileJson(this.#chain.profile));
  }
}

/** Adds what the nodes of other processes have written. */
export function mergeProfiles(folder: string, into: Profile): void {
  for (const name of readdirSync(folder)) {
    try {
      into.merge(readProfile(readFileSync(join(folder, name), 'utf8')));
    } catch {
      // The process was killed while it wrote.
    }
  }
}
