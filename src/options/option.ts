import { flag, type ValueType } from './value-types.ts';

/** A row of the table of options: what the API, the command line, the documentation and recordings need of one. */
export interface Option<Given, Value> {
  /** as the package commander takes it: `-p, --port <port>`. Names are anvil's where anvil has the flag. */
  readonly flags: string;
  /** other long names of the flag */
  readonly aliases?: readonly string[];
  /** for `--help` and the completions, with the default in parentheses */
  readonly help: string;
  readonly type: ValueType<Given, NonNullable<Value>>;
  /** already converted; `undefined` = none, or one that depends on other options */
  readonly default: Value;
  /** the default with `compat: 'hardhat'` and `'hardhat2'`, where it is another one */
  readonly hardhat?: Value;
  /**
   * Whether the recording of a chain (`record`) contains it: `true` for options that block hashes depend on. `'refused'`:
   * the chain begins with a state that a recording doesn't contain, so `record` excludes the option.
   */
  readonly recorded: boolean | 'refused';
}

type Row<Given, Value> = Omit<Option<Given, Value>, 'default' | 'recorded'> &
  Partial<Pick<Option<Given, Value>, 'recorded'>>;

/** A row. Without `recorded` the option is recorded, without `default` it has none. */
export function option<Given, Value>(
  row: Row<Given, Value> & { readonly default: NoInfer<Value> },
): Option<Given, Value>;
export function option<Given, Value>(row: Row<Given, Value>): Option<Given, Value | undefined>;
export function option<Given, Value>(row: Row<Given, Value>): Option<Given, Value | undefined> {
  return { default: undefined, recorded: true, ...row };
}

/** A row for a flag that is off by default. */
export function flagOption(
  row: Omit<Row<boolean, boolean>, 'type'> & { readonly default?: boolean },
): Option<boolean, boolean> {
  return option({ default: false, ...row, type: flag });
}

/** Rows that a recording doesn't contain. */
export function unrecorded<Rows extends Readonly<Record<string, Option<never, unknown>>>>(rows: Rows): Rows {
  const entries = Object.entries(rows).map(([name, row]) => [name, { ...row, recorded: false }]);
  return Object.fromEntries(entries) as Rows;
}
