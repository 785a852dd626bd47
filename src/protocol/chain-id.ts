import { Hardfork, type HardforkSchedule } from './hardfork.ts';

/** A hardfork schedule whose chain id, for CHAINID and new transactions, can be changed (`anvil_setChainId`). */
export class SettableChainId implements HardforkSchedule {
  readonly boundaries: NonNullable<HardforkSchedule['boundaries']>;
  readonly depositContract: NonNullable<HardforkSchedule['depositContract']>;
  readonly optimism: boolean;
  readonly daoFork: NonNullable<HardforkSchedule['daoFork']>;
  readonly mergeBlock: NonNullable<HardforkSchedule['mergeBlock']>;
  readonly #schedule: HardforkSchedule;
  #changed = new Map<Hardfork, Hardfork>();
  #chainId: bigint;

  constructor(schedule: HardforkSchedule) {
    this.#schedule = schedule;
    this.#chainId = schedule.chainId;
    // `!`: fields that the schedule lacks stay undefined, which the type allows.
    this.boundaries = schedule.boundaries!;
    this.depositContract = schedule.depositContract!;
    this.optimism = schedule.optimism ?? false;
    this.daoFork = schedule.daoFork!;
    this.mergeBlock = schedule.mergeBlock!;
  }

  get chainId(): bigint {
    return this.#chainId;
  }

  setChainId(chainId: bigint): void {
    this.#chainId = chainId;
    this.#changed = new Map();
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
