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
  readonly takesValue: boolean;
  readonly help: string;
}

const SHELLS: Readonly<
  Record<string, (flags: readonly Completion[], commands: readonly string[]) => string>
> = { bash, fish, zsh };

/** Prints what the shell needs to complete flags and sub-commands, as anvil does. @returns the exit code */
export function completionsCommand(
  [shell = '', ...rest]: readonly string[],
  io: Pick<Io, 'stdout'>,
  commands: readonly string[],
): number {
  if (rest.length > 0 || !Object.hasOwn(SHELLS, shell))
    throw new Error(
      `completions: expected ${Object.keys(SHELLS).join(', ')}, got '${[shell, ...rest].join(' ')}'`,
    );
  const flags = [...Object.values(OPTIONS).map(completionOf), DETACHED, HELP, VERSION];
  io.stdout.write(SHELLS[shell]!(flags, commands));
  return 0;
}

const DETACHED: Completion = { short: undefined, long: ['--detach'], takesValue: false, help: DETACH };
const HELP: Completion = { short: '-h', long: ['--help'], takesValue: false, help: 'show this' };
const VERSION: Completion = { short: '-V', long: ['--version'], takesValue: false, help: 'show the version' };

function completionOf({ flags, aliases = [], help }: Option<never, unknown>): Completion {
  const short = /^-\w/.exec(flags)?.[0];
  const long = /--[\w-]+/.exec(flags)![0];
  return { short, long: [long, ...aliases], takesValue: /[<[]/.test(flags), help };
}

function bash(flags: readonly Completion[], commands: readonly string[]): string {
  const names = flags.flatMap(({ short, long }) => [...(short ? [short] : []), ...long]);
  return `_devnet() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words="${names.join(' ')}"
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 && $word != -* ]]; then words="${commands.join(' ')}"; fi
  if [[ $COMP_CWORD -eq 1 || $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}
complete -o default -F _devnet devnet
`;
}

function fish(flags: readonly Completion[], commands: readonly string[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = flags.flatMap(({ short, long, takesValue, help }) =>
    long.map((name, place) => {
      const letter = short && place === 0 ? ` -s ${short.slice(1)}` : '';
      return `complete -c devnet${letter} -l ${name.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(help)}`;
    }),
  );
  return `${lines.join('\n')}
complete -c devnet -n __fish_use_subcommand -f -a '${commands.join(' ')}'
`;
}

function zsh(flags: readonly Completion[], commands: readonly string[]): string {
  const escaped = (text: string) => text.replaceAll(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''");
  const lines = flags.flatMap(({ short, long, takesValue, help }) =>
    [...(short ? [short] : []), ...long].map(
      (name) => `    '*${name}[${escaped(help)}]${takesValue ? ':value:_files' : ''}'`,
    ),
  );
  return `#compdef devnet
_devnet() {
  _arguments -s \\
${lines.join(' \\\n')} \\
    '1:command:(${commands.join(' ')})' \\
    '*:file:_files'
}
compdef _devnet devnet
`;
}
