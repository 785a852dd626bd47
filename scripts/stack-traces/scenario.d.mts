export const LAYOUTS: readonly string[];

/** @returns the steps with another result than expected */
export function runScenario(
  scenario: unknown,
  layout: string,
  options: {
    readonly createDevnet: unknown;
    readonly engine?: string;
    readonly solc?: string;
    readonly cache?: string;
  },
): Promise<readonly object[]>;
