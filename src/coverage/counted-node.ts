import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallerDeps } from '../execution/call.ts';
import type { Execution } from '../execution/execution.ts';
import type { Feed } from '../sequencer/feed/feed.ts';
import type { KnownContracts } from '../sources/contracts.ts';
import { CountedChain } from './counted-chain.ts';
import type { Profile } from './profile.ts';
import { profileJson, readProfile } from './profile-json.ts';

/** Environment variable: the folder to which nodes write their profiles. */
export const PROFILE_FOLDER = 'DEVNET_PROFILE';
/** Environment variable: if it is set, calls and estimates are counted, too. */
export const PROFILE_CALLS = 'DEVNET_PROFILE_CALLS';

interface Hooks {
  readonly counts?: boolean;
  readonly onExecution?: (execution: Execution, feed: Feed, known: KnownContracts) => void;
  readonly onAnswer?: CallerDeps['onAnswer'];
  readonly onEstimate?: CallerDeps['onEstimate'];
}

/** Writes the profile of one node to a file, for the process that set {@link PROFILE_FOLDER}. */
export class CountedNode {
  readonly #chain = new CountedChain();
  readonly #file: string;
  readonly #calls: boolean;
  /** Writes the profile if the process exits before the node is closed. */
  readonly #onExit = (): void => this.#write();

  constructor(folder: string, options: { readonly calls: boolean }) {
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${randomUUID()}.json`);
    this.#calls = options.calls;
    // An empty file remains if the process is killed.
    writeFileSync(this.#file, '');
    process.once('exit', this.#onExit);
  }

  /** @param given hooks that are called, too */
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
          // An estimate whose transaction is sent afterwards is counted as that transaction.
          if (!estimate.isSent) counts.asked(estimate);
        },
      }),
    };
    return { ...given, ...own };
  }

  /** The caller must call this when the node closes: after its last block, and before its store is closed. */
  async settle(): Promise<void> {
    await this.#chain.settle();
  }

  end(): void {
    process.off('exit', this.#onExit);
    this.#write();
  }

  #write(): void {
    // `devnet run` has removed the folder if this process outlives it.
    if (!existsSync(this.#file)) return;
    writeFileSync(this.#file, profileJson(this.#chain.profile));
  }
}

/** Adds the profiles that nodes of other processes have written. @returns how many are missing: their processes were killed */
export function mergeProfiles(folder: string, into: Profile): number {
  let missing = 0;
  for (const name of readdirSync(folder)) {
    let profile: Profile;
    try {
      profile = readProfile(readFileSync(join(folder, name), 'utf8'));
    } catch {
      missing++;
      continue;
    }
    into.merge(profile);
  }
  return missing;
}
