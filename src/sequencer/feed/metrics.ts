/** Latest samples kept for the percentiles. */
const SAMPLES = 10_000;

/** Median, 99th percentile and maximum, in milliseconds; 0 without samples. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface TickReport {
  readonly ticks: number;
  /** published after their slot, by a quarter of an interval or more */
  readonly lateTicks: number;
  /** slots that were missed and merged into a later one */
  readonly mergedTicks: number;
  /** from the moment a slot was due to its publication */
  readonly driftMs: Percentiles;
  /** from the beginning of the work to the publication */
  readonly tickMs: Percentiles;
}

/** How well the sequencer keeps its time. */
export class TickMetrics {
  #ticks = 0;
  #late = 0;
  #merged = 0;
  readonly #drift: number[] = [];
  readonly #length: number[] = [];

  /** @param tick milliseconds each; `interval` that of the flashblocks */
  count(tick: { drift: number; length: number; merged: number; interval: number }): void {
    if (tick.drift >= tick.interval / 4) this.#late++;
    this.#merged += tick.merged;
    const at = this.#ticks++ % SAMPLES;
    this.#drift[at] = tick.drift;
    this.#length[at] = tick.length;
  }

  report(): TickReport {
    return {
      ticks: this.#ticks,
      lateTicks: this.#late,
      mergedTicks: this.#merged,
      driftMs: percentiles(this.#drift),
      tickMs: percentiles(this.#length),
    };
  }

  reset(): void {
    this.#ticks = this.#late = this.#merged = 0;
    this.#drift.length = this.#length.length = 0;
  }
}

function percentiles(samples: readonly number[]): Percentiles {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
