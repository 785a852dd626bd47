/** How many of the latest samples are kept for the percentiles. */
const SAMPLES = 10_000;

/** Median, 99th percentile and maximum, in milliseconds; 0 when there are no samples. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** A tick publishes a flashblock, or seals a block in modes without flashblocks. */
export interface TickReport {
  readonly ticks: number;
  /** ticks that published a quarter of an interval or more after their slot was due */
  readonly lateTicks: number;
  /** slots that were missed and merged into a later one */
  readonly mergedTicks: number;
  /** delay between the time at which a slot was due and its publication */
  readonly driftMs: Percentiles;
  /** duration of the work up to the publication, without the wait for the slot */
  readonly tickMs: Percentiles;
}

/** Timing of one tick, milliseconds: see {@link TickReport}. */
export interface TickSample {
  readonly drift: number;
  readonly length: number;
}

/** Measures how punctually the sequencer publishes. */
export class TickMetrics {
  #ticks = 0;
  #late = 0;
  #merged = 0;
  readonly #drift: number[] = [];
  readonly #length: number[] = [];

  /** @param tick in milliseconds, except `merged`: a number of slots; `interval` is the time between two ticks */
  count(tick: { drift: number; length: number; merged: number; interval: number }): void {
    if (tick.drift >= tick.interval / 4) this.#late++;
    this.#merged += tick.merged;
    const at = this.#ticks++ % SAMPLES;
    this.#drift[at] = microseconds(tick.drift);
    this.#length[at] = microseconds(tick.length);
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

  /** Timing of the newest ticks, the oldest first. @param most how many at most, up to {@link SAMPLES} */
  recent(most: number): TickSample[] {
    const count = Math.min(most, this.#drift.length);
    return Array.from({ length: count }, (_, i) => {
      const at = (this.#ticks - count + i) % SAMPLES;
      return { drift: this.#drift[at]!, length: this.#length[at]! };
    });
  }

  reset(): void {
    this.#ticks = this.#late = this.#merged = 0;
    this.#drift.length = this.#length.length = 0;
  }
}

/** The newest samples of a duration, milliseconds. */
export class Samples {
  readonly #most: number;
  readonly #values: number[] = [];
  #count = 0;

  /** @param most how many are kept */
  constructor(most: number) {
    this.#most = most;
  }

  add(ms: number): void {
    this.#values[this.#count++ % this.#most] = ms;
  }

  percentiles(): Percentiles {
    return percentiles(this.#values);
  }
}

/** Rounds milliseconds to whole microseconds. */
function microseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

function percentiles(samples: readonly number[]): Percentiles {
  // A typed array sorts 10,000 samples in a quarter of the time. The explorer requests this once a second.
  const sorted = Float64Array.from(samples).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
