import type { Header, Transaction } from '../chain/block.ts';
import type { TrieBlock } from '../chain/open-block.ts';
import type { Faults } from './faults.ts';
import type { Filled } from './fill.ts';
import { type MiningMode, preconfirms } from './mode.ts';
import { feesOfOpen, feesOfPlan, type NextFees } from './next-fees.ts';
import { OnDemand } from './on-demand.ts';
import { Pace, type PaceDeps } from './pace.ts';
import { type OpenRecord, Preconfirming } from './preconfirming.ts';
import type { Production } from './production.ts';
import type { NextBlock } from './settings.ts';
import type { TickMetrics } from './tick-metrics.ts';

export interface BuilderDeps extends Pick<PaceDeps, 'run' | 'onTick'> {
  readonly production: Production;
  readonly faults: Faults;
  readonly metrics: TickMetrics;
}

/**
 * Makes blocks as the mode has it: one that is open and pre-confirmed, or each in one go. Whoever calls it is the only
 * writer then.
 */
export class Builder {
  readonly #production: Production;
  readonly #onDemand: OnDemand;
  readonly #pace: Pace;
  #mode: MiningMode;
  #open: Preconfirming | undefined;

  constructor(mode: MiningMode, deps: BuilderDeps) {
    const { production } = deps;
    const { chain, clock, wall } = production.deps;
    this.#mode = mode;
    this.#production = production;
    this.#onDemand = new OnDemand(production);
    this.#pace = new Pace({
      ...deps,
      clock,
      wall,
      onDemand: this.#onDemand,
      mode: () => this.#mode,
      building: () => this.#open,
    });
    chain.buildPendingWith(() => this.#onDemand.pendingNow());
  }

  get mode(): MiningMode {
    return this.#mode;
  }

  /** The block that is open and pre-confirmed. */
  get open(): Preconfirming | undefined {
    return this.#open;
  }

  /** When the next block is sealed of itself, milliseconds on the clock. */
  get sealDue(): number | undefined {
    return this.#pace.sealDue;
  }

  /** Fees of the block that comes next, in wei per gas and per blob gas, and its rules. */
  nextFees(): NextFees {
    const { chain, engine, settings, clock } = this.#production.deps;
    if (this.#open) return feesOfOpen(this.#open.view.header, engine.schedule);
    const parent = chain.latest.header;
    return feesOfPlan(parent, settings.plan(parent, clock.now()), engine.schedule);
  }

  /** Opens the first block, or waits for transactions, as the mode has it. */
  async begin(mode = this.#mode): Promise<void> {
    const { chain, clock } = this.#production.deps;
    this.#mode = mode;
    if (preconfirms(mode)) {
      this.#open = await Preconfirming.begin(mode, this.#production, chain.latest, clock.now());
      this.#pace.tick();
    } else {
      chain.showPending(undefined);
      this.#pace.blocks();
    }
  }

  /** Nothing goes on of itself. Seals the open block if it has transactions, else drops it. */
  async leave(): Promise<void> {
    this.#pace.stop();
    const building = this.#open;
    if (!building) return;
    const { chain, feed } = this.#production.deps;
    const sealed = building.isEmpty ? undefined : await building.store();
    this.#open = undefined;
    chain.moveTo(sealed ?? chain.latest, undefined);
    if (sealed) feed.emit('sealed', sealed);
  }

  /**
   * Goes on from `head`, with an open block as it was recorded.
   * @param options.told runs when the head shows, before anything new is announced
   * @returns those transactions of the record that have no place in the open block
   */
  async continueFrom(
    head: TrieBlock,
    { open, told }: { open?: OpenRecord | undefined; told?: () => void } = {},
  ): Promise<readonly Transaction[]> {
    const mode = this.#mode;
    if (preconfirms(mode)) {
      const resumed = await Preconfirming.resume(mode, this.#production, head, open, told);
      this.#open = resumed.building;
      this.#pace.tick();
      return resumed.left;
    }
    this.#production.deps.chain.moveTo(head, undefined);
    told?.();
    this.#pace.blocks();
    return open?.transactions ?? [];
  }

  /** Runs `task` with no block open; the one that was is then begun anew on the head, without its transactions. */
  async setAside(task: () => Promise<void>): Promise<void> {
    const building = this.#open;
    this.#open = undefined;
    try {
      await task();
    } finally {
      // It could not be sealed on a block that was taken back.
      await building?.restart(this.#production.deps.chain.latest);
      this.#open = building;
    }
  }

  /**
   * Seals a block now with what waits.
   * @param timestamp see {@link Sequencer.mine}
   */
  async seal(timestamp?: bigint): Promise<TrieBlock> {
    const building = this.#open;
    if (timestamp !== undefined) {
      const fixed = building && !building.isEmpty;
      await this.setNext({ timestamp });
      if (fixed) await building.seal();
    }
    if (!building) {
      await this.#onDemand.mine();
      this.#pace.blocks();
      return this.#production.deps.chain.latest;
    }
    await building.extend({ wholeBlock: true });
    return this.#sealOpen(building);
  }

  /**
   * Seals a block of the transaction that is next, and none of nothing. Mixed mode pre-confirms it first; automine makes
   * a block of it.
   */
  async sealOne(): Promise<Filled> {
    const one = { most: 1, orNothing: true };
    const building = this.#open;
    if (!building) return this.#onDemand.mine(one);
    const filled = await building.extend(one);
    if (filled.transactions.length > 0) await this.#sealOpen(building);
    return filled;
  }

  /** See {@link OnDemand.mineEmpty}. */
  async mineEmpty(most: bigint, interval?: bigint): Promise<bigint> {
    const made = await this.#onDemand.mineEmpty(most, interval);
    this.#pace.blocks();
    return made;
  }

  /**
   * Settings of the next block: the open one while it has no transactions, which is then begun anew, else the one after.
   * @throws DevnetError -32602 for a timestamp that is not after the parent's
   */
  async setNext(next: NextBlock): Promise<void> {
    this.#production.deps.settings.setNext(next, this.#parent);
    await this.settingsChanged();
  }

  /** Chain time isn't behind the head: what moves it counts from there, also where no block was made in it so far. */
  catchUp(): void {
    const { settings, clock } = this.#production.deps;
    settings.time.reach(this.#parent.timestamp, this.#open?.end ?? clock.now());
  }

  /** Begins the open block anew under changed settings, while it has no transactions. */
  async settingsChanged(): Promise<void> {
    await this.#open?.restartIfEmpty(this.#production.deps.chain.latest);
  }

  /** Nothing falls due for so many milliseconds; then all that did, late. */
  hold(ms: number): void {
    this.#pace.hold(ms);
  }

  /** Of the next block that settings apply to. */
  get #parent(): Header {
    const open = this.#open;
    return (open && !open.isEmpty ? open.view : this.#production.deps.chain.latest).header;
  }

  async #sealOpen(building: Preconfirming): Promise<TrieBlock> {
    const sealed = await building.seal();
    this.#pace.tick();
    return sealed;
  }
}
