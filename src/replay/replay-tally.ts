/** How far a replay of files is. Blocks are those of recordings and chains, cases those of BlockchainTests files. */
export interface Replayed {
  /** of one file: the share that is done, 0 to 1; of several files: how many, with fractions of running ones */
  readonly files: number;
  readonly blocks: number;
  readonly cases: number;
}

export const NOTHING_REPLAYED: Replayed = { files: 0, blocks: 0, cases: 0 };

/** Adds up how far parts are that run at the same time. */
export class ReplayTally {
  readonly #parts: Replayed[] = [];
  #sum = NOTHING_REPLAYED;

  get sum(): Replayed {
    return this.#sum;
  }

  /** @param i the part, from 0 @returns the sum of all */
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

/** A file that is done. */
export function wholeFile(cases: Readonly<Record<string, { readonly blocks?: number }>>): Replayed {
  const outcomes = Object.values(cases);
  const chains = outcomes.filter(({ blocks }) => blocks !== undefined);
  return {
    files: 1,
    blocks: chains.reduce((sum, { blocks = 0 }) => sum + blocks, 0),
    cases: outcomes.length - chains.length,
  };
}
