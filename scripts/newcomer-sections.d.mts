/** By name: the tools that scripts/newcomer.mjs tries. */
export const SECTIONS: Readonly<Record<string, object>>;

export interface NewcomerSection {
  /** shell lines */
  readonly install: string;
  readonly run: string;
  /** path -> text */
  readonly passing: ReadonlyMap<string, string>;
  readonly failing: ReadonlyMap<string, string>;
  /** lines that a failing run prints; for a recipe, which has no failing run, lines of its run */
  readonly output: readonly string[];
}

export function newcomerSection(name: string): NewcomerSection;

/** The commands of the workflow in docs/recipes.md. */
export function workflowCommands(): string[];
