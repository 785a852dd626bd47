import { Overlay } from '../../state/overlay.ts';
import type { StateView } from '../../state/view.ts';
import type { Workspace } from '../workspace.ts';
import { accessDifference, stateDifference } from './differences.ts';

/** The parts of a workspace or writer that are compared. */
type ComparedParts = Pick<Workspace, 'writes' | 'accesses'>;

/** Two workspaces that make the same blocks on one state, and the receiver of differences. */
export interface Compared<T extends ComparedParts> {
  readonly own: T;
  /** the workspace with which `own` is compared */
  readonly reference: Workspace;
  readonly report: (difference: string) => void;
}

/** Compares after each step the writes so far, and the accesses of the open block. */
export class ComparedSteps {
  /** names the open block in messages */
  block = '';
  readonly #base: StateView;
  readonly #compared: Compared<ComparedParts>;

  constructor(base: StateView, compared: Compared<ComparedParts>) {
    this.#base = base;
    this.#compared = compared;
  }

  /** @param difference a difference that is already known */
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

  #after(parts: ComparedParts): Overlay {
    const state = new Overlay(this.#base);
    state.apply(parts.writes());
    return state;
  }
}
