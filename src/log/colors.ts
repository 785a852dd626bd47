/** Where lines are written. */
export interface Output {
  write(text: string): unknown;
  /** whether it is a terminal, where a line can be overwritten */
  readonly isTTY?: boolean;
  /** width of the terminal in characters */
  readonly columns?: number;
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Functions that wrap text in a terminal's escape codes, or return it unchanged. */
export type Colors = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

export function colors(on: boolean): Colors {
  const entries = Object.entries(CODES).map(([name, code]) => [
    name,
    (text: string) => (on && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text),
  ]);
  return Object.fromEntries(entries) as Colors;
}

/** Whether an output gets colours. `auto`: if it is a terminal, unless NO_COLOR (no-color.org) is set or the terminal has no colours. */
export function hasColors(
  when: 'auto' | 'always' | 'never',
  { isTTY }: Output,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (when !== 'auto') return when === 'always';
  return isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}
