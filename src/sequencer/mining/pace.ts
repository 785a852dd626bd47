import type { Clock } from '../../clock.ts';
import type { Faults } from '../feed/faults.ts';
import type { TickMetrics } from '../feed/metrics.ts';
import type { TaskClock } from '../task-clock.ts';
import { type MiningMode, preconfirms, type Timing } from './mode.ts';
import type { OnDemand } from './on-demand.ts';
import type { Preconfirming } from './preconfirming.ts';
import type { Production } from './production.ts';

export interface PaceDeps {
  /** drives the chain */
  readonly clock: TaskClock;
  /** measures work */
  readonly wall: Clock;
  readonly faults: Faults;
  readonly metrics: TickMetrics;
  readonly production: Production;
  readonly onDemand: OnDemand;
  readonly mode: () => MiningMode;
  /** the block that is open and pre-confirmed */
  readonly building: () => Preconfirming | undefined;
  /** Runs what fell due as the only writer; never rejects. */
  readonly run: (task: () => Promise<void>) => void;
  /** told when what fell due begins to change the chain */
  readonly onTick: () => void;
}

/** When the sequencer does something of itself. There is one timer, for what falls due next. */
export class Pace {
  readonly #deps: PaceDeps;
  #timer: Disposable | undefined;
  /** when the next block without partial blocks is due, milliseconds on the clock */
  #due: number | undefined;

  constructor(deps: PaceDeps) {
    this.#deps = deps;
  }

  /** When the next block is sealed of itself, milliseconds on the clock. */
  get sealDue(): number | undefined {
    return this.#deps.building()?.end ?? this.#due;
  }

  stop(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#due = undefined;
  }

  /** Nothing falls due for so many milliseconds; then all that did, late. */
  hold(ms: number): void {
    const { clock, building } = this.#deps;
    const until = clock.now() + ms;
    if (building()) this.tick(until);
    else if (this.#due !== undefined) this.blocks(this.#due, until);
  }

  /** Goes on with the partial blocks of the block that is open. */
  tick(until?: number): void {
    const { building: open } = this.#deps;
    const building = open()!;
    this.#arm(building.due, until, async () => {
      // A block begun in the meantime has a timer of its own.
      if (open() === building) await this.#tick(building);
    });
  }

  /** Without partial blocks: a block of what waits, every block time. None where blocks have no rhythm. */
  blocks(due?: number, until?: number): void {
    const mode = this.#deps.mode();
    this.#due = undefined;
    if (!('blockTime' in mode)) return;
    const { clock, wall, onDemand, metrics, onTick } = this.#deps;
    const blockTime = this.#nextBlockTime(mode);
    const at = due ?? clock.now() + blockTime;
    this.#due = at;
    this.#arm(at, until, async () => {
      if (this.#deps.mode() !== mode) return;
      onTick();
      const begun = wall.now();
      // Behind by a block or more: the last boundary before now counts, those before it are missed.
      const merged = Math.floor(Math.max(0, clock.now() - at) / blockTime);
      const boundary = at + merged * blockTime;
      await onDemand.mine({ at: boundary });
      const drift = clock.now() + clock.elapsed - boundary;
      metrics.count({ drift, length: wall.now() - begun, merged, interval: blockTime });
      this.blocks(boundary + this.#nextBlockTime(mode));
    });
  }

  #nextBlockTime(mode: Timing): number {
    const { chain, settings } = this.#deps.production.deps;
    return settings.timing(mode, chain.latest.header).blockTime;
  }

  async #tick(building: Preconfirming): Promise<void> {
    const { clock, wall, faults, metrics, mode: modeNow, onTick } = this.#deps;
    onTick();
    const begun = wall.now();
    const slot = building.takeSlot();
    if (!faults.takeSkip()) await building.extend();
    const mode = modeNow();
    const next = slot.last ? building.following() : undefined;
    metrics.count({
      drift: clock.now() + clock.elapsed - slot.due,
      length: wall.now() - begun,
      merged: slot.merged + (next?.merged ?? 0),
      interval: preconfirms(mode) ? mode.flashblockInterval : 0,
    });
    const delay = next ? faults.takeSealDelay() : 0;
    if (delay > 0) return this.#sealLate(building, clock.now() + delay);
    if (next) await building.seal(next.start);
    this.tick();
  }

  /** The block is whole, but sealed late. */
  #sealLate(building: Preconfirming, until: number): void {
    const { production, building: open, onTick } = this.#deps;
    const { payload } = production;
    this.#arm(until, until, async () => {
      // Whoever sealed it in the meantime has set a timer for the next one.
      if (open() !== building || production.payload !== payload) return;
      onTick();
      await building.seal(building.following().start);
      this.tick();
    });
  }

  /** @param until not before then, where it was asked for */
  #arm(due: number, until: number | undefined, task: () => Promise<void>): void {
    this.#timer?.[Symbol.dispose]();
    const { clock, run, mode: modeNow } = this.#deps;
    const mode = modeNow();
    // Never further away than a block, unless the clock was set back.
    const longest = 'blockTime' in mode ? (mode.longestBlockTime ?? mode.blockTime) : 0;
    const wait = Math.min(Math.max(0, due - clock.now()), longest);
    const held = until === undefined ? 0 : until - clock.now();
    this.#timer = clock.after(Math.max(wait, held), () => run(task));
  }
}
