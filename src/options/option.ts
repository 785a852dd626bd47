import { flag, type ValueType } from './value-types.ts';

/** A row of the table of options: what the API, the command line, the documentation and recordings need to know about an option. */
export interface Option<Given, Value> {
  /** in the syntax of the package commander: `-p, --port <port>`. Flags that anvil has, too, have anvil's names. */
  readonly flags: string;
  /** other long names of the flag */
  readonly aliases?: readonly string[];
  /** for `--help` and completions, with the default in parentheses */
  readonly help: string;
  readonly type: ValueType<Given, NonNullable<Value>>;
  /** the converted value; `undefined` = no default, or one that depends on other options */
  readonly default: Value;
  /** the default with `compat: 'hardhat'` and `'hardhat2'`, if it differs */
  readonly hardhat?: Value;
  /**
   * Whether the recording of a chain (`record`) contains the option: `true` for options that block hashes depend on. `'refused'`: `record`
   * excludes the option, because the chain begins with a state that a recording doesn't contain.
   */
  readonly recorded: boolean | 'refused';
}

type Row<Given, Value> = Omit<Option<Given, Value>, 'default' | 'recorded'> &
  Partial<Pick<Option<Given, Value>, 'recorded'>>;

/** Creates a row. Without `recorded`, the option is recorded; without `default`, it has none. */
export function option<Given, Value>(
  row: Row<Given, Value> & { readonly default: NoInfer<Value> },
): Option<Given, Value>;
export function option<Given, Value>(row: Row<Given, Value>): Option<Given, Value | undefined>;
export function option<Given, Value>(row: Row<Given, Value>): Option<Given, Value | undefined> {
  return { default: undefined, recorded: true, ...row };
}

/** Creates a row for a flag that is off by default. */
export function flagOption(
  row: Omit<Row<boolean, boolean>, 'type'> & { readonly default?: boolean },
): Option<boolean, boolean> {
  return option({ default: false, ...row, type: flag });
}

/** Marks rows as not recorded. */
export function unrecorded<Rows extends Readonly<Record<string, Option<never, unknown>>>>(rows: Rows): Rows {
  const entries = Object.entries(rows).map(([name, row]) => [name, { ...row, recorded: false }]);
  return Object.fromEntries(entries) as Rows;
}
