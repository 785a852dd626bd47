import { Hardfork, type HardforkSchedule } from './hardfork.ts';

/** A hardfork schedule whose chain id, for CHAINID and new transactions, can be changed (`anvil_setChainId`). */
export class SettableChainId implements HardforkSchedule {
  readonly #schedule: HardforkSchedule;
  #changed = new Map<Hardfork, Hardfork>();
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
    this.#changed = new Map();
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
    let changed = this.#changed.get(hardfork);
    if (!changed) {
      const common = hardfork.common.copy();
      const chainId = this.#chainId;
      common.chainId = () => chainId;
      changed = new Hardfork(common, hardfork.blobs, hardfork.overrides, hardfork.chainRules);
      this.#changed.set(hardfork, changed);
    }
    return changed;
  }
}
