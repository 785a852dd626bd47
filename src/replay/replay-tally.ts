/**
 * Progress of a replay of files. `blocks` counts blocks of recordings and chains, `cases` counts cases of BlockchainTests and
 * GeneralStateTests files.
 */
export interface Replayed {
  /** for one file: the share that is done, 0 to 1; for several files: their number, with fractions for unfinished ones */
  readonly files: number;
  readonly blocks: number;
  readonly cases: number;
}

export const NOTHING_REPLAYED: Replayed = { files: 0, blocks: 0, cases: 0 };

/** Sums up the progress of parts that run at the same time. */
export class ReplayTally {
  readonly #parts: Replayed[] = [];
  #sum = NOTHING_REPLAYED;

  get sum(): Replayed {
    return this.#sum;
  }

  /** @param i index of the part, from 0 @returns the sum over all parts */
  set(i: number, now: Replayed): Replayed {
    const { files, blocks, cases } = this.#parts[i] ?? NOTHING_REPLAYED;
    this.#parts[i] = now;
    this.#sum = {
      files: this.#sum.files + now.files - files,
      blocks: this.#sum.blocks + now.blocks - blocks,
      cases: this.#sum.cases + now.cases - cases,
    };
    return this.#sum;
  }
}

/** The progress of a finished file. */
export function wholeFile(cases: Readonly<Record<string, { readonly blocks?: number }>>): Replayed {
  const outcomes = Object.values(cases);
  const chains = outcomes.filter(({ blocks }) => blocks !== undefined);
  return {
    files: 1,
    blocks: chains.reduce((sum, { blocks = 0 }) => sum + blocks, 0),
    cases: outcomes.length - chains.length,
  };
}
