import { OptionError } from './errors.ts';
import type { Option } from './option.ts';
import { type DevnetOptions, OPTIONS, type Values } from './table.ts';

/** Checks each option by itself and puts in the defaults. @throws OptionError for an unknown name or a refused value */
export function valuesOf(options: DevnetOptions): Values {
  const given = new Map<string, unknown>(Object.entries(options));
  for (const [name, value] of given)
    if (!Object.hasOwn(OPTIONS, name)) throw new OptionError(name, 'a known option', value);
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(OPTIONS)) {
    const value = given.get(name);
    const used = value === undefined ? defaultOf(row, options.compat) : read(name, row, value);
    if (used !== undefined) values[name] = used;
  }
  return values as unknown as Values;
}

/** The value of an option that isn't given. */
export function defaultOf<Value>(row: Option<never, Value>, compat: DevnetOptions['compat']): Value {
  const asHardhat = compat === 'hardhat' || compat === 'hardhat2';
  return asHardhat && row.hardhat !== undefined ? row.hardhat : row.default;
}

function read(name: string, { type }: Option<never, unknown>, given: unknown): unknown {
  let value: unknown;
  try {
    // Users of plain JavaScript and the command line hand in values of any type: `read` checks it.
    value = type.read(given as never);
  } catch (error) {
    throw new OptionError(name, (error as Error).message, given);
  }
  if (value === undefined) throw new OptionError(name, type.expected, given);
  return value;
}
