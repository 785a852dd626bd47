import { Overlay } from '../../state/overlay.ts';
import type { StateView } from '../../state/view.ts';
import type { Workspace } from '../workspace.ts';
import { accessDifference, stateDifference } from './differences.ts';

/** What is compared of what makes blocks. */
type Made = Pick<Workspace, 'writes' | 'accesses'>;

/** Two that make the same blocks on one state, and who is told where they differ. */
export interface Compared<T extends Made> {
  readonly own: T;
  /** with which it is compared */
  readonly reference: Workspace;
  readonly report: (difference: string) => void;
}

/** Compares after each step where both have come to: what was written so far, and what the block has accessed. */
export class ComparedSteps {
  /** the block that is open, in words */
  block = '';
  readonly #base: StateView;
  readonly #compared: Compared<Made>;

  constructor(base: StateView, compared: Compared<Made>) {
    this.#base = base;
    this.#compared = compared;
  }

  /** @param difference one that is known already */
  async compare(step: string, difference?: string): Promise<void> {
    const { own, reference } = this.#compared;
    const found =
      difference ??
      (await stateDifference(this.#after(reference), this.#after(own))) ??
      accessDifference(reference.accesses, own.accesses);
    if (found) this.report(step, found);
  }

  report(step: string, difference: string): void {
    this.#compared.report(`${this.block}, ${step}: ${difference}`);
  }

  #after(made: Made): Overlay {
    const state = new Overlay(this.#base);
    state.apply(made.writes());
    return state;
  }
}
