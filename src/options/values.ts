import { similar, suggestion } from '../nearest.ts';
import type { OnProgress } from '../progress.ts';
import { OptionError } from './errors.ts';
import type { Option } from './option.ts';
import { ofOtherTool } from './other-tools.ts';
import { type DevnetOptions, OPTIONS, type Values } from './table.ts';

/** Validates each option by itself and adds the defaults. @throws OptionError for an unknown name or a rejected value */
export function valuesOf(options: DevnetOptions, onProgress?: OnProgress): Values {
  const given = new Map<string, unknown>(Object.entries(options));
  for (const [name, value] of given)
    if (!Object.hasOwn(OPTIONS, name)) throw new OptionError(name, knownOption(name), value);
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(OPTIONS)) {
    const value = given.get(name);
    const used = value === undefined ? defaultOf(row, options.compat) : read(name, row, value, onProgress);
    if (used !== undefined) values[name] = used;
  }
  return values as unknown as Values;
}

/**
 * Returns what to suggest for an unknown option name. Names of flags are recognised, because people copy them from a command line, and so
 * are the option names of other tools.
 */
function knownOption(name: string): string {
  const rows = Object.entries(OPTIONS).flatMap(([option, { flags, aliases = [] }]) =>
    [option, ...[flags, ...aliases].map((flag) => camel(/--([\w-]+)/.exec(flag)![1]!))].map((word) => [
      word,
      option,
    ]),
  );
  const meant = similar(
    camel(name.replace(/^-+/, '')),
    rows.map(([word]) => word!),
  );
  const optionOf = (word: string | undefined) => rows.find(([one]) => one === word)?.[1];
  const other = ofOtherTool(name)?.replaceAll(
    /--([\w-]+)/g,
    (flag, word: string) => optionOf(camel(word)) ?? flag,
  );
  if (other !== undefined) return `a known option (${other})`;
  const option = optionOf(meant);
  return option === undefined ? 'a known option' : `a known option (did you mean ${option}?)`;
}

/** `fork-url` -> `forkUrl` */
function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the default of an option. */
export function defaultOf<Value>(row: Option<never, Value>, compat: DevnetOptions['compat']): Value {
  const asHardhat = compat === 'hardhat' || compat === 'hardhat2';
  return asHardhat && row.hardhat !== undefined ? row.hardhat : row.default;
}

function read(
  name: string,
  { type }: Option<never, unknown>,
  given: unknown,
  onProgress: OnProgress | undefined,
): unknown {
  let value: unknown;
  try {
    // Users of plain JavaScript and the command line pass values of any type, which `read` validates.
    value = type.read(given as never, onProgress);
  } catch (error) {
    throw new OptionError(name, (error as Error).message, given);
  }
  if (value === undefined) {
    const meant = typeof given === 'string' ? suggestion(given, type.values ?? []) : '';
    throw new OptionError(name, `${type.expected}${meant}`, given);
  }
  return value;
}
