import type { DevnetOptions } from './devnet-options.ts';
import type { Option } from './option.ts';
import { ACCOUNTS } from './table/accounts.ts';
import { CHAIN } from './table/chain.ts';
import { FORK } from './table/fork.ts';
import { MINING } from './table/mining.ts';
import { SCALE } from './table/scale.ts';
import { SERVER } from './table/server.ts';
import { STORAGE } from './table/storage.ts';

type Rows = Readonly<Record<string, Option<never, unknown>>>;

/** Headings of `--help` and of docs/options.md -> their options, in the order in which they are shown. */
export const SECTIONS: Readonly<Record<string, Rows>> = {
  Server: SERVER,
  Accounts: ACCOUNTS,
  Chain: CHAIN,
  Fork: FORK,
  Mining: MINING,
  Storage: STORAGE,
  'Several machines': SCALE,
};

/** All options by name. */
export const OPTIONS: Rows = Object.assign({}, ...Object.values(SECTIONS));

type Given<T> = {
  [Name in keyof T]?: T[Name] extends Option<infer Type, infer _> ? Type : never;
};

/** The options that the rows accept. {@link DevnetOptions} is generated from the rows, so that users get it without the table. */
export type GivenOptions = Given<
  typeof SERVER & typeof ACCOUNTS & typeof CHAIN & typeof FORK & typeof MINING & typeof STORAGE & typeof SCALE
>;
export type { DevnetOptions };

type ValueOf<Row> = Row extends Option<never, infer Value> ? Value : never;
/** Values that are always set, and values of options without a default. */
type ValuesOf<T> = {
  readonly [Name in keyof T as undefined extends ValueOf<T[Name]> ? never : Name]: ValueOf<T[Name]>;
} & {
  readonly [Name in keyof T as undefined extends ValueOf<T[Name]> ? Name : never]?: NonNullable<
    ValueOf<T[Name]>
  >;
};

/** The value of each option: the given one, validated and converted, or the default. */
export type Values = ValuesOf<
  typeof SERVER & typeof ACCOUNTS & typeof CHAIN & typeof FORK & typeof MINING & typeof STORAGE & typeof SCALE
>;
