import { Fork, type ForkSchedule } from './fork.ts';

/** A schedule whose chain id can be changed while it runs (`anvil_setChainId`): CHAINID and new transactions follow. */
export class SettableChainId implements ForkSchedule {
  readonly #schedule: ForkSchedule;
  #forks = new Map<Fork, Fork>();
  #chainId: bigint;

  constructor(schedule: ForkSchedule) {
    this.#schedule = schedule;
    this.#chainId = schedule.chainId;
  }

  get chainId(): bigint {
    return this.#chainId;
  }

  setChainId(chainId: bigint): void {
    this.#chainId = chainId;
    this.#forks = new Map();
  }

  get boundaries() {
    return this.#schedule.boundaries!;
  }

  get depositContract() {
    return this.#schedule.depositContract!;
  }

  get optimism() {
    return this.#schedule.optimism ?? false;
  }

  get mergeBlock() {
    return this.#schedule.mergeBlock!;
  }

  at(number: bigint, timestamp: bigint, difficulty?: bigint): Fork {
    const fork = this.#schedule.at(number, timestamp, difficulty);
    if (this.#chainId === this.#schedule.chainId) return fork;
    let changed = this.#forks.get(fork);
    if (!changed) {
      const common = fork.common.copy();
      const chainId = this.#chainId;
      common.chainId = () => chainId;
      changed = new Fork(common, fork.blobs, fork.overrides);
      this.#forks.set(fork, changed);
    }
    return changed;
  }
}
