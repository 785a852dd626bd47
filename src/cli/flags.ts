import { OPTIONS } from '../options/table.ts';

/** Returns the long name of an option's flag. */
export function flagOf(option: string): string {
  const row = OPTIONS[option];
  return row ? longName(row.flags) : option;
}

/** Returns all long names of flags, including aliases. */
export function longNames(): string[] {
  return Object.values(OPTIONS).flatMap(({ flags, aliases = [] }) => [longName(flags), ...aliases]);
}

/** Replaces aliases in arguments by the names that `--help` shows. */
export function canonical(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, i) => {
    if (i > end) return arg;
    const [name = '', ...value] = arg.split('=');
    const row = Object.values(OPTIONS).find(({ aliases }) => aliases?.includes(name));
    return row ? [longName(row.flags), ...value].join('=') : arg;
  });
}

const longName = (flags: string): string => /--[\w-]+/.exec(flags)![0];
