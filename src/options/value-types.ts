import { Address, hexToBytes } from '@ethereumjs/util';
import { checkMnemonic, checkPath } from '../accounts.ts';
import type { OnProgress } from '../progress.ts';
import { HARDFORKS, type HardforkName } from '../protocol/hardfork.ts';
import { type GenesisSpec, readGenesis } from './genesis-file.ts';

/** The type of an option's value. `Given` is the type that the user passes, `Value` the type that the node uses. */
export interface ValueType<Given, Value = Given> {
  /** completes "expected ..." if a value is rejected */
  readonly expected: string;
  /** all possible values, if they can be listed; for completions */
  readonly values?: readonly string[];
  /**
   * Validates and converts a value; returns `undefined` to reject it.
   * @param onProgress called with the progress of reading a large file
   * @throws Error to reject the value with another text than `expected`
   */
  read(given: Given, onProgress?: OnProgress): Value | undefined;
  /**
   * Converts the text of a flag; if absent, the text is the value. Text that can't be converted is returned unchanged, so that `read`
   * rejects it and the error shows what was written.
   * @param previous the result of the flag's previous occurrence, if the flag is repeated
   */
  fromText?(text: string, previous?: string[]): unknown;
}

export const flag: ValueType<boolean> = {
  expected: 'true or false',
  read: (given: unknown) => (typeof given === 'boolean' ? given : undefined),
};

export function number(min: number, max: number): ValueType<number> {
  return {
    expected: `a number from ${min} to ${max}`,
    read: (given: unknown) => (typeof given === 'number' && given >= min && given <= max ? given : undefined),
    fromText: (text) => (/^-?\d*\.?\d+$/.test(text) ? Number(text) : text),
  };
}

export function whole(min: number, max: number): ValueType<number> {
  const { read, ...rest } = number(min, max);
  return {
    ...rest,
    expected: `a whole number from ${min} to ${max}`,
    read: (given) => (Number.isInteger(given) ? read(given) : undefined),
  };
}

/** A whole number that may exceed JavaScript's safe integers: amounts of wei, gas, block numbers. */
export function integer(min: bigint, max: bigint): ValueType<number | bigint, bigint> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read: (given: unknown) => {
      const value =
        typeof given === 'bigint' ? given : Number.isSafeInteger(given) ? BigInt(given as number) : undefined;
      return value !== undefined && value >= min && value <= max ? value : undefined;
    },
    fromText: (text) => (/^(0x[\da-f]+|-?\d+)$/i.test(text) ? BigInt(text) : text),
  };
}

/** ETH -> wei */
export const ether: ValueType<number | bigint | string, bigint> = {
  expected: 'an amount of ETH like 10000 or 0.5',
  read: parseEther,
};

export const text: ValueType<string> = {
  expected: 'a non-empty string',
  read: (given: unknown) => (typeof given === 'string' && given !== '' ? given : undefined),
};

/** @returns the hash in lower case */
export const hash: ValueType<string> = {
  expected: '32 bytes in hex',
  read: (value) =>
    typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : undefined,
};

/** A list of strings; a flag separates them by commas. */
export const list: ValueType<readonly string[]> = {
  expected: 'a list of non-empty strings',
  read: (given: unknown) =>
    Array.isArray(given) && given.every((item) => typeof item === 'string' && item !== '')
      ? (given as string[])
      : undefined,
  fromText: (text, previous = []) => [...previous, ...text.split(',')],
};

/** A list of strings that may contain commas; the flag is repeated for each. */
export const lines: ValueType<readonly string[]> = {
  ...list,
  fromText: (text, previous = []) => [...previous, text],
};

/** A string or a list of strings; the flag is repeated for each. */
export const texts: ValueType<string | readonly string[], readonly string[]> = {
  expected: 'a non-empty string, or a list of them',
  read: (given: unknown) => {
    const all: unknown = Array.isArray(given) ? given : [given];
    return (all as unknown[]).length === 0 ? undefined : list.read(all as string[]);
  },
  fromText: (text, previous) => (previous === undefined ? text : [previous, text].flat()),
};

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** A number of bytes; on the command line also `500M` or `2G`. */
export const size: ValueType<number> = {
  expected: 'a number of bytes, such as 500M or 2G',
  read: (given: unknown) =>
    Number.isSafeInteger(given) && (given as number) >= 0 ? (given as number) : undefined,
  fromText: (text) => {
    const [, digits, unit = ''] = /^(\d+)(?:([KMGT])i?B?)?$/i.exec(text) ?? [];
    return digits === undefined ? text : Number(digits) * UNITS[unit.toUpperCase()]!;
  },
};

/** A rate: requests per second, or compute units per second, as `25` or `330cu`. */
export const rate: ValueType<
  number | string,
  { readonly perSecond: number; readonly unit: 'requests' | 'computeUnits' }
> = {
  expected: 'requests a second such as 25, or compute units a second such as 330cu',
  read: (given: unknown) => {
    const [, digits, unit] = /^(\d*\.?\d+)(cu)?$/i.exec(String(given)) ?? [];
    const perSecond = Number(digits);
    return perSecond > 0 && perSecond <= 1_000_000
      ? { perSecond, unit: unit ? 'computeUnits' : 'requests' }
      : undefined;
  },
};

export function oneOf<const T extends string>(values: readonly T[]): ValueType<T> {
  return {
    expected: `one of ${values.join(', ')}`,
    values,
    read: (given: unknown) => values.find((value) => value === given),
  };
}

/** Other names that anvil and Hardhat accept; `latest` is the default hardfork, not the newest blob schedule. */
const HARDFORK_ALIASES: Readonly<Record<string, HardforkName>> = {
  latest: 'osaka',
  frontier: 'chainstart',
  tangerine: 'tangerineWhistle',
  merge: 'paris',
};

/** Upgrades of the OP Stack -> the hardfork whose EVM they have, and whose rules select them. */
const ROLLUP_UPGRADES = { holocene: 'cancun', jovian: 'prague', karst: 'osaka' } as const;

const HARDFORK_NAMES = [...HARDFORKS, ...Object.keys(ROLLUP_UPGRADES)];

/** Upper or lower case is accepted. */
export const hardfork: ValueType<HardforkName | keyof typeof ROLLUP_UPGRADES | 'latest', HardforkName> = {
  expected: `one of ${HARDFORK_NAMES.join(', ')}`,
  values: HARDFORK_NAMES,
  read: (given: unknown) => {
    if (typeof given !== 'string') return undefined;
    const lower = given.toLowerCase();
    if (isRollupUpgrade(lower)) return ROLLUP_UPGRADES[lower];
    return HARDFORK_ALIASES[lower] ?? HARDFORKS.find((name) => name.toLowerCase() === lower);
  },
};

/** Whether a value of the option `hardfork` is a name that only OP chains have. */
export function isRollupUpgrade(given: unknown): given is keyof typeof ROLLUP_UPGRADES {
  return typeof given === 'string' && Object.hasOwn(ROLLUP_UPGRADES, given.toLowerCase());
}

export const seed: ValueType<string | number, string> = {
  expected: 'a string or a number',
  read: (given: unknown) =>
    typeof given === 'string' || typeof given === 'number' ? String(given) : undefined,
};

export function bytes(max: number): ValueType<string, Uint8Array> {
  return {
    expected: `0x hex of at most ${max} bytes`,
    read: (given: unknown) =>
      typeof given === 'string' && /^0x([0-9a-f]{2})*$/i.test(given) && given.length <= 2 + 2 * max
        ? hexToBytes(given as `0x${string}`)
        : undefined,
  };
}

export const address: ValueType<string, Address> = {
  expected: 'an address of 20 bytes in 0x hex',
  read: (given: unknown) =>
    typeof given === 'string' && /^0x[0-9a-f]{40}$/i.test(given)
      ? new Address(hexToBytes(given as `0x${string}`))
      : undefined,
};

/** `address` or `address:ETH`, with 10,000 ETH if there is no amount -> balances in wei */
export const funds: ValueType<
  readonly string[],
  readonly { readonly address: Address; readonly balance: bigint }[]
> = {
  ...list,
  expected: 'a list of addresses, each with its ETH behind a colon',
  read: (given: unknown) => {
    if (!Array.isArray(given)) return undefined;
    const funded = given.map((item) => {
      const [, account, amount = '10000'] = /^(0x[0-9a-f]{40})(?::(.+))?$/i.exec(String(item)) ?? [];
      const balance = parseEther(amount);
      return account === undefined || balance === undefined
        ? undefined
        : { address: new Address(hexToBytes(account as `0x${string}`)), balance };
    });
    return funded.every((fund) => fund !== undefined) ? funded : undefined;
  },
};

/** The path or the content of a file. */
export const genesis: ValueType<string | object, GenesisSpec> = {
  expected: 'a path or the content of a genesis file',
  read: (given: unknown, onProgress) =>
    (typeof given === 'string' && given !== '') || (typeof given === 'object' && given !== null)
      ? explained('a genesis file', () => readGenesis(given, onProgress))
      : undefined,
};

export const mnemonic: ValueType<string> = {
  expected: 'a string',
  read: (given: unknown) =>
    typeof given === 'string' ? explained('a valid one', () => checkMnemonic(given).join(' ')) : undefined,
};

/** A BIP-32 path, converted so that it ends with a slash. */
export const path: ValueType<string> = {
  expected: 'a string',
  read: (given: unknown) =>
    typeof given === 'string' ? explained('a valid one', () => `${checkPath(given)}/`) : undefined,
};

/** Runs `read`. @throws Error with `expected` before the message of the error that `read` throws */
function explained<T>(expected: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${expected}: ${(error as Error).message}`);
  }
}

/** @returns ETH with all 18 decimals */
export function formatEther(wei: bigint): string {
  const digits = wei.toString().padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

/** @returns wei */
function parseEther(given: unknown): bigint | undefined {
  if (typeof given === 'bigint') return given < 0n ? undefined : given * 10n ** 18n;
  if (typeof given !== 'number' && typeof given !== 'string') return undefined;
  // As text, a number of 1e21 or more has an exponent. Such a number has no fraction.
  const written =
    typeof given === 'number' && Number.isInteger(given) ? BigInt(given).toString() : String(given);
  const [, units, fraction = ''] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(written) ?? [];
  const wei = units === undefined ? undefined : BigInt(units + fraction.padEnd(18, '0'));
  return wei !== undefined && wei < 2n ** 255n ? wei : undefined;
}
