import { Hardfork, type HardforkSchedule } from './hardfork.ts';

/** A schedule whose chain id can be changed while it runs (`anvil_setChainId`): CHAINID and new transactions follow. */
export class SettableChainId implements HardforkSchedule {
  readonly #schedule: HardforkSchedule;
  #forks = new Map<Hardfork, Hardfork>();
  #chainId: bigint;

  constructor(schedule: HardforkSchedule) {
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

  at(number: bigint, timestamp: bigint, difficulty?: bigint): Hardfork {
    const hardfork = this.#schedule.at(number, timestamp, difficulty);
    if (this.#chainId === this.#schedule.chainId) return hardfork;
    let changed = this.#forks.get(hardfork);
    if (!changed) {
      const common = hardfork.common.copy();
      const chainId = this.#chainId;
      common.chainId = () => chainId;
      changed = new Hardfork(common, hardfork.blobs, hardfork.overrides);
      this.#forks.set(hardfork, changed);
    }
    return changed;
  }
}
