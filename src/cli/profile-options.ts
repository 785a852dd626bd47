import { readFileSync } from 'node:fs';
import type { FunctionGas } from '../coverage/gas-functions.ts';
import { OptionError } from '../options/options.ts';

/** Flags of `devnet run` for coverage and gas, in commander's syntax -> help texts. */
export const PROFILE_FLAGS = {
  '--coverage':
    'tell at the end which lines, branches and functions ran: a table, and files for lcov, Istanbul and a browser',
  '--coverage-calls': 'count what eth_call and eth_estimateGas run, too',
  '--coverage-exclude <pattern>':
    'leave out files whose names contain this, with * for any characters; may be repeated',
  '--coverage-dir <folder>': 'folder for the files of --coverage and --gas (coverage)',
  '--gas':
    'tell at the end the gas of each function, and write that of each line of source, and a profile for speedscope',
  '--gas-baseline <file>': 'compare with the gas.json of an earlier run, and fail where a function uses more',
  '--gas-tolerance <percent>': 'allowed increase in percent (0)',
} as const;

export const PROFILE_REPEATED = ['--coverage-exclude <pattern>'];

/** The flags as parsed by commander. */
export interface ProfileAsked {
  readonly coverage?: boolean;
  readonly coverageCalls?: boolean;
  readonly coverageExclude?: readonly string[];
  readonly coverageDir?: string;
  readonly gas?: boolean;
  readonly gasBaseline?: string;
  readonly gasTolerance?: string;
}

/** Gas of functions in the format of `gas.json`. */
export interface GasFigures {
  readonly functions: readonly FunctionGas[];
  readonly calledFunctions?: readonly FunctionGas[];
}

/** The validated options. */
export interface ProfileOptions {
  readonly coverage: boolean;
  readonly gas: boolean;
  /** whether calls and estimates count for coverage */
  readonly calls: boolean;
  readonly exclude: readonly string[];
  readonly folder: string;
  readonly baseline: { readonly file: string; readonly figures: GasFigures } | undefined;
  /** percent */
  readonly tolerance: number;
}

/** @returns `undefined` if nothing is to be counted. @throws OptionError; Error for a flag that needs another one */
export function readProfileOptions(asked: ProfileAsked): ProfileOptions | undefined {
  const { coverage = false, gas = false, coverageCalls, coverageExclude, coverageDir } = asked;
  const { gasBaseline, gasTolerance } = asked;
  const needs = (flag: string, value: unknown, isGiven: boolean, other: string) => {
    if (value !== undefined && !isGiven) throw new Error(`${flag} needs ${other}`);
  };
  needs('--coverage-calls', coverageCalls || undefined, coverage, '--coverage');
  needs('--coverage-exclude', coverageExclude, coverage, '--coverage');
  needs('--coverage-dir', coverageDir, coverage || gas, '--coverage or --gas');
  needs('--gas-baseline', gasBaseline, gas, '--gas');
  needs('--gas-tolerance', gasTolerance, gasBaseline !== undefined, '--gas-baseline');
  if (!coverage && !gas) return undefined;
  if (gasTolerance !== undefined && !/^\d{1,15}(?:\.\d+)?$/.test(gasTolerance))
    throw new OptionError('--gas-tolerance', 'a number of percent, as 0 or 1.5', gasTolerance);
  return {
    coverage,
    gas,
    calls: coverageCalls ?? false,
    exclude: coverageExclude ?? [],
    folder: coverageDir ?? 'coverage',
    baseline:
      gasBaseline === undefined ? undefined : { file: gasBaseline, figures: readBaseline(gasBaseline) },
    tolerance: Number(gasTolerance ?? 0),
  };
}

function readBaseline(file: string): GasFigures {
  const expected = 'the gas.json that a run with --gas has written';
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--gas-baseline: can't be read (${(error as Error).message})`);
  }
  let figures: GasFigures;
  try {
    figures = JSON.parse(text);
  } catch {
    throw new OptionError('--gas-baseline', expected, file);
  }
  const lists = [figures?.functions, figures?.calledFunctions ?? []];
  const isRow = (row: unknown) => {
    const { function: name, average } = (row ?? {}) as Partial<FunctionGas>;
    return typeof name === 'string' && typeof average === 'number';
  };
  if (!lists.every((list) => Array.isArray(list) && list.every(isRow)))
    throw new OptionError('--gas-baseline', expected, file);
  return figures;
}
