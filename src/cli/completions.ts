import type { Option as Flag } from 'commander';
import type { Option } from '../options/option.ts';
import { OPTIONS } from '../options/table.ts';
import type { Io } from './main.ts';
import { DETACH } from './program.ts';

/** A flag under each of its names. */
interface Completion {
  /** `-p`, where it has one */
  readonly short: string | undefined;
  /** with the dashes; the first is the one that `--help` shows */
  readonly long: readonly string[];
  readonly help: string;
  /** what follows the flag; absent = nothing */
  readonly value?: Value | undefined;
}

/** Values that can be listed, a path, or anything else. */
type Value = readonly string[] | 'file' | 'directory' | 'other';

/** What a shell completes. */
interface Line {
  readonly commands: readonly string[];
  /** flags of the chain, without a sub-command and after those that take the options of a chain */
  readonly flags: readonly Completion[];
  /** sub-commands with flags of their own -> all that they take */
  readonly own: ReadonlyMap<string, readonly Completion[]>;
}

/** Flags of a sub-command. */
export interface OwnFlags {
  readonly flags: readonly Pick<Flag, 'short' | 'long' | 'flags' | 'description' | 'argChoices'>[];
  /** whether it takes the options of a chain too */
  readonly ofChain: boolean;
}

const SHELLS: Readonly<Record<string, (line: Line) => string>> = { bash, fish, zsh };

/**
 * Prints what the shell needs to complete flags, their values and sub-commands. @returns the exit code
 * @param own the flags of sub-commands
 */
export function completionsCommand(
  [shell = '', ...rest]: readonly string[],
  io: Pick<Io, 'stdout'>,
  commands: readonly string[],
  own: Readonly<Record<string, OwnFlags>> = {},
): number {
  if (rest.length > 0 || !Object.hasOwn(SHELLS, shell))
    throw new Error(
      `completions: expected ${Object.keys(SHELLS).join(', ')}, got '${[shell, ...rest].join(' ')}'`,
    );
  const flags = [...Object.values(OPTIONS).map(completionOf), DETACHED, HELP, VERSION];
  const lists = Object.entries(own).map(([name, { flags: its, ofChain }]) => {
    const first = its.map(ownCompletionOf);
    return [name, ofChain ? [...first, ...flags] : [...first, HELP]] as const;
  });
  io.stdout.write(SHELLS[shell]!({ commands, flags, own: new Map(lists) }));
  return 0;
}

const DETACHED: Completion = { short: undefined, long: ['--detach'], help: DETACH };
const HELP: Completion = { short: '-h', long: ['--help'], help: 'show this' };
const VERSION: Completion = { short: '-V', long: ['--version'], help: 'show the version' };

function completionOf({ flags, aliases = [], help, type }: Option<never, unknown>): Completion {
  const short = /^-\w/.exec(flags)?.[0];
  const long = /--[\w-]+/.exec(flags)![0];
  return { short, long: [long, ...aliases], help, value: takenBy(flags, type.values) };
}

function ownCompletionOf({
  short,
  long,
  flags,
  description,
  argChoices,
}: OwnFlags['flags'][number]): Completion {
  return { short, long: [long!], help: description, value: takenBy(flags, argChoices) };
}

/** @param flags with the name of the value, as in `--state <file>` */
function takenBy(flags: string, values: readonly string[] | undefined): Value | undefined {
  const [, name] = /[<[]([^>\]]+)/.exec(flags) ?? [];
  if (name === undefined) return undefined;
  if (values) return values;
  if (name === 'dir') return 'directory';
  return name === 'file' || name === 'path' ? 'file' : 'other';
}

const namesOf = ({ short, long }: Completion): string[] => [...(short ? [short] : []), ...long];

function bash({ commands, flags, own }: Line): string {
  const names = (some: readonly Completion[]) => some.flatMap(namesOf).join(' ');
  const values = (some: readonly Completion[]) =>
    some
      .flatMap((flag) => (flag.value === undefined ? [] : [[namesOf(flag).join('|'), flag.value] as const]))
      .map(([name, value]) => {
        if (value === 'directory')
          return `    ${name}) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")); return;;`;
        if (value === 'file' || value === 'other') return `    ${name}) return;;`;
        return `    ${name}) COMPREPLY=($(compgen -W "${value.join(' ')}" -- "$word")); return;;`;
      });
  const cases = [...own].map(
    ([name, its]) =>
      `    ${name}) words="${names(its)}"
      case "$before" in
${values(its).join('\n')}
      esac;;`,
  );
  return `_devnet() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="" command="" words="${names(flags)}"
  if [[ $COMP_CWORD -gt 0 ]]; then before="\${COMP_WORDS[COMP_CWORD-1]}"; fi
  # --flag=value is three words here.
  if [[ $word == "=" ]]; then word=""; elif [[ $before == "=" ]]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [[ $COMP_CWORD -gt 1 ]]; then command="\${COMP_WORDS[1]}"; fi
  COMPREPLY=()
  case "$command" in
${cases.join('\n')}
    completions) COMPREPLY=($(compgen -W "${Object.keys(SHELLS).join(' ')}" -- "$word")); return;;
    help) COMPREPLY=($(compgen -W "${commands.join(' ')}" -- "$word")); return;;
    *) case "$before" in
${values(flags).join('\n')}
      esac;;
  esac
  if [[ $COMP_CWORD -eq 1 && $word != -* ]]; then words="${commands.join(' ')}"; fi
  if [[ $COMP_CWORD -eq 1 || $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}
complete -o default -F _devnet devnet
`;
}

function fish({ commands, flags, own }: Line): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const argument = (value: Value | undefined) => {
    if (value === undefined) return '';
    if (value === 'file') return ' -r -F';
    if (value === 'directory') return " -x -a '(__fish_complete_directories)'";
    return value === 'other' ? ' -x' : ` -x -a '${value.join(' ')}'`;
  };
  const lines = (some: readonly Completion[], condition: string) =>
    some.flatMap(({ short, long, value, help }) =>
      long.map((name, place) => {
        const letter = short && place === 0 ? ` -s ${short.slice(1)}` : '';
        return `complete -c devnet${condition}${letter} -l ${name.slice(2)}${argument(value)} -d ${quoted(help)}`;
      }),
    );
  const ofOwn = [...own].flatMap(([name, its]) => lines(its, ` -n '__fish_seen_subcommand_from ${name}'`));
  const others = own.size > 0 ? ` -n 'not __fish_seen_subcommand_from ${[...own.keys()].join(' ')}'` : '';
  return `${[...lines(flags, others), ...ofOwn].join('\n')}
complete -c devnet -n __fish_use_subcommand -f -a '${commands.join(' ')}'
complete -c devnet -n '__fish_seen_subcommand_from completions' -f -a '${Object.keys(SHELLS).join(' ')}'
complete -c devnet -n '__fish_seen_subcommand_from help' -f -a '${commands.join(' ')}'
`;
}

function zsh({ commands, flags, own }: Line): string {
  const escaped = (text: string) => text.replaceAll(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''");
  const argument = (value: Value | undefined) => {
    if (value === undefined) return '';
    if (value === 'file') return ':file:_files';
    if (value === 'directory') return ':directory:_files -/';
    return value === 'other' ? ':value: ' : `:value:(${value.join(' ')})`;
  };
  const lines = (some: readonly Completion[]) =>
    some.flatMap((flag) =>
      namesOf(flag).map((name) => `        '*${name}[${escaped(flag.help)}]${argument(flag.value)}' \\`),
    );
  const cases = [...own].map(
    ([name, its]) => `    ${name})
      _arguments -s \\
${lines(its).join('\n')}
        '1:command:(${commands.join(' ')})' \\
        '*:file:_files' ;;`,
  );
  return `#compdef devnet
_devnet() {
  local command=""
  if (( CURRENT > 2 )); then command="\${words[2]}"; fi
  case "$command" in
${cases.join('\n')}
    completions) _values shell ${Object.keys(SHELLS).join(' ')} ;;
    help) _values command ${commands.join(' ')} ;;
    *)
      _arguments -s \\
${lines(flags).join('\n')}
        '1:command:(${commands.join(' ')})' \\
        '*:file:_files' ;;
  esac
}
compdef _devnet devnet
`;
}
