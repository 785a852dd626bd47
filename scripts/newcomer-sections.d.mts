/** Names of the tools that scripts/newcomer.mjs tries. */
export const SECTIONS: Readonly<Record<string, object>>;

export interface NewcomerSection {
  /** lines of a shell */
  readonly install: string;
  readonly run: string;
  /** path -> text */
  readonly passing: ReadonlyMap<string, string>;
  readonly failing: ReadonlyMap<string, string>;
  /** lines that a failing run prints; of a recipe, which has no failing run, its run */
  readonly output: readonly string[];
}

export function newcomerSection(name: string): NewcomerSection;

/** The commands of the workflow in docs/recipes.md. */
export function workflowCommands(): string[];
