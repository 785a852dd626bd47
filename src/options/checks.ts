import { inspect } from 'node:util';
import { Address, hexToBytes } from '@ethereumjs/util';
import { checkMnemonic, checkPath } from '../accounts.ts';
import type { HardforkName } from '../evm/hardfork.ts';
import { readGenesis } from './genesis-file.ts';
import { HARDFORK_ALIASES } from './hardforks.ts';

/** An option that can't be used. `option` is its name in `DevnetOptions`. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  readonly option: string;
  /** what the option takes, or why its value is refused */
  readonly expected: string;
  readonly got: unknown;

  constructor(option: string, expected: string, got: unknown) {
    super(`option ${option}: expected ${expected}, got ${show(got)}`);
    this.option = option;
    this.expected = expected;
    this.got = got;
  }
}

/** Two options that exclude each other, or one that needs the other. */
export class OptionConflict extends Error {
  override readonly name = 'OptionConflict';
  readonly options: readonly [string, string];
  readonly relation: string;

  constructor(options: readonly [string, string], relation: string) {
    super(`option ${options[0]} ${relation} option ${options[1]}`);
    this.options = options;
    this.relation = relation;
  }
}

export function conflict(first: string, second: string): never {
  throw new OptionConflict([first, second], 'excludes');
}

export function needs(first: string, second: string): never {
  throw new OptionConflict([first, second], 'needs');
}

/** A refused value as the user wrote it; not longer than a line. */
export function show(value: unknown): string {
  const text =
    typeof value === 'string' ? `'${value}'` : inspect(value, { breakLength: Number.POSITIVE_INFINITY });
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

export type Checks<O> = ReturnType<typeof checks<O & object>>;

/**
 * One check for each kind of option: reads the option by name and answers `undefined` when it isn't given.
 * @throws OptionError from each check; at once when an option isn't known
 */
export function checks<O extends object>(options: O, known: Record<keyof O, true>) {
  type Name = keyof O & string;
  for (const name of Object.keys(options))
    if (!(name in known))
      throw new OptionError(name, 'a known option', (options as Record<string, unknown>)[name]);

  const get = (name: Name): unknown => options[name];
  function fail(name: Name, expected: string): never {
    throw new OptionError(name, expected, get(name));
  }
  /** Runs `parse` on a given value; `undefined` or a throw from it refuses the value. */
  function read<T>(name: Name, expected: string, parse: (value: unknown) => T | undefined): T | undefined {
    const value = get(name);
    if (value === undefined) return undefined;
    const parsed = parse(value);
    return parsed === undefined ? fail(name, expected) : parsed;
  }
  /** Refuses with the sentence of an error. */
  function explained<T>(name: Name, parse: (value: string) => T): T | undefined {
    return read(name, 'a string', (value) => {
      if (typeof value !== 'string') return undefined;
      try {
        return parse(value);
      } catch (error) {
        throw new OptionError(name, `a valid one: ${(error as Error).message}`, value);
      }
    });
  }

  return {
    flag: (name: Name) => read(name, 'true or false', (v) => (typeof v === 'boolean' ? v : undefined)),
    number: (name: Name, min: number, max: number) =>
      read(name, `a number from ${min} to ${max}`, (v) =>
        typeof v === 'number' && v >= min && v <= max ? v : undefined,
      ),
    whole: (name: Name, min: number, max: number) =>
      read(name, `a whole number from ${min} to ${max}`, (v) =>
        typeof v === 'number' && Number.isInteger(v) && v >= min && v <= max ? v : undefined,
      ),
    integer: (name: Name, min: bigint, max: bigint) =>
      read(name, `a whole number from ${min} to ${max}`, (v) => {
        const integer = typeof v === 'bigint' ? v : Number.isSafeInteger(v) ? BigInt(v as number) : undefined;
        return integer !== undefined && integer >= min && integer <= max ? integer : undefined;
      }),
    ether: (name: Name) => read(name, 'an amount of ETH like 10000 or 0.5', parseEther),
    text: (name: Name) =>
      read(name, 'a non-empty string', (v) => (typeof v === 'string' && v !== '' ? v : undefined)),
    texts: (name: Name) =>
      read(name, 'a list of non-empty strings', (v) =>
        Array.isArray(v) && v.every((item) => typeof item === 'string' && item !== '')
          ? (v as string[])
          : undefined,
      ),
    oneOf: <const T extends string>(name: Name, values: readonly T[]) =>
      read(name, `one of ${values.join(', ')}`, (v) => values.find((value) => value === v)),
    hardfork: (name: Name, names: readonly HardforkName[]) =>
      read(name, `one of ${names.join(', ')}`, (v) => {
        if (typeof v !== 'string') return undefined;
        const lower = v.toLowerCase();
        return HARDFORK_ALIASES[lower] ?? names.find((fork) => fork.toLowerCase() === lower);
      }),
    seed: (name: Name) =>
      read(name, 'a string or a number', (v) =>
        typeof v === 'string' || typeof v === 'number' ? String(v) : undefined,
      ),
    bytes: (name: Name, max: number) =>
      read(name, `0x hex of at most ${max} bytes`, (v) =>
        typeof v === 'string' && /^0x([0-9a-f]{2})*$/i.test(v) && v.length <= 2 + 2 * max
          ? hexToBytes(v as `0x${string}`)
          : undefined,
      ),
    address: (name: Name) =>
      read(name, 'an address of 20 bytes in 0x hex', (v) =>
        typeof v === 'string' && /^0x[0-9a-f]{40}$/i.test(v)
          ? new Address(hexToBytes(v as `0x${string}`))
          : undefined,
      ),
    /** `address` or `address:ETH`; 10,000 ETH where nothing is said */
    funds: (name: Name) =>
      read(name, 'a list of addresses, each with its ETH behind a colon', (v) => {
        if (!Array.isArray(v)) return undefined;
        const funds = v.map((item) => {
          const [, address, ether = '10000'] = /^(0x[0-9a-f]{40})(?::(.+))?$/i.exec(String(item)) ?? [];
          const balance = parseEther(ether);
          return address === undefined || balance === undefined
            ? undefined
            : { address: new Address(hexToBytes(address as `0x${string}`)), balance };
        });
        return funds.every((fund) => fund !== undefined) ? funds : undefined;
      }),
    genesis: (name: Name) =>
      read(name, 'a path or the content of a genesis file', (v) => {
        if (!(typeof v === 'string' && v !== '') && !(typeof v === 'object' && v !== null)) return undefined;
        try {
          return readGenesis(v);
        } catch (error) {
          throw new OptionError(name, `a genesis file: ${(error as Error).message}`, v);
        }
      }),
    mnemonic: (name: Name) => explained(name, (v) => checkMnemonic(v).join(' ')),
    path: (name: Name) => explained(name, (v) => `${checkPath(v)}/`),
  };
}

/** @returns wei */
function parseEther(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value < 0n ? undefined : value * 10n ** 18n;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  // A number from 1e21 on prints with an exponent, and has no fraction.
  const text =
    typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value);
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  const wei = whole === undefined ? undefined : BigInt(whole + fraction.padEnd(18, '0'));
  return wei !== undefined && wei < 2n ** 255n ? wei : undefined;
}
