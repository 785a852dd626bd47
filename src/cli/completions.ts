import type { Option as Flag } from 'commander';
import { suggestion } from '../nearest.ts';
import type { Option } from '../options/option.ts';
import { SECTIONS } from '../options/table.ts';
import type { Io } from './main.ts';
import { DETACH } from './program.ts';

/** A flag with all its names. */
interface Completion {
  /** `-p`, if it has a short name */
  readonly short: string | undefined;
  /** with the dashes; the first one is shown by `--help` */
  readonly long: readonly string[];
  readonly help: string;
  /** the flag's value; absent = it has none */
  readonly value?: Value | undefined;
}

/** A value: one of a list, a path, or anything else. */
type Value = readonly string[] | 'file' | 'directory' | 'other';

/** The operand of a sub-command: like a flag's value, or another command line (`devnet run -- COMMAND`). */
type Operand = Value | 'command';

/** The flags and the operand of a sub-command. */
interface Taken {
  readonly flags: readonly Completion[];
  readonly operand?: Operand | undefined;
}

/** Everything that a shell completes. */
interface Line {
  /** flags of the chain, for a command line without sub-command */
  readonly flags: readonly Completion[];
  /** by name of the sub-command */
  readonly commands: ReadonlyMap<string, Taken>;
}

/** A sub-command as its own `--help` shows it. */
export interface CommandLine {
  readonly flags: readonly Pick<Flag, 'short' | 'long' | 'flags' | 'description' | 'argChoices'>[];
  /** headings of the chain's options that it doesn't accept; absent = it accepts none of the chain's options */
  readonly hidden?: readonly string[];
  /** its operands in commander's syntax: `<dir>`, `<files...>` */
  readonly operands?: string;
  /** the possible words for the operand, if there are only a few */
  readonly words?: readonly string[];
}

const SHELLS: Readonly<Record<string, (line: Line) => string>> = { bash, fish, zsh };

/** Prints the script with which the shell completes flags, their values, sub-commands and their operands. @returns the exit code */
export function completionsCommand(
  [shell = '', ...rest]: readonly string[],
  io: Pick<Io, 'stdout'>,
  lines: Readonly<Record<string, CommandLine>>,
): number {
  if (rest.length > 0 || !Object.hasOwn(SHELLS, shell))
    throw new Error(
      `completions: expected ${SHELL_NAMES.join(', ')}${suggestion(shell, SHELL_NAMES)}, got '${[shell, ...rest].join(' ')}'`,
    );
  const commands = Object.entries(lines).map(([name, line]) => [name, takenOf(line)] as const);
  io.stdout.write(SHELLS[shell]!({ flags: [...ofChain([]), VERSION], commands: new Map(commands) }));
  return 0;
}

/** The shells that `devnet completions` supports. */
export const SHELL_NAMES = ['bash', 'fish', 'zsh'];

function takenOf({ flags, hidden, operands = '', words }: CommandLine): Taken {
  const own = flags.map(ownCompletionOf);
  const all = hidden ? [...own, ...ofChain(hidden)] : [...own, HELP];
  return { flags: all, operand: /^<command/.test(operands) ? 'command' : takenBy(operands, words) };
}

/** Returns the flags of the chain. @param hidden headings whose options are omitted */
function ofChain(hidden: readonly string[]): Completion[] {
  const shown = Object.entries(SECTIONS).filter(([heading]) => !hidden.includes(heading));
  const rows = shown.flatMap(([, section]) => Object.values(section));
  return [...rows.map(completionOf), ...(hidden.includes('Server') ? [] : [DETACHED]), HELP];
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
}: CommandLine['flags'][number]): Completion {
  return { short, long: [long!], help: description, value: takenBy(flags, argChoices) };
}

/** @param flags the flags with the name of the value, as in `--state <file>` and `<files...>` */
function takenBy(flags: string, values: readonly string[] | undefined): Value | undefined {
  const [, name] = /[<[]([^>\]]+)/.exec(flags) ?? [];
  if (name === undefined) return undefined;
  if (values) return values;
  if (name === 'dir') return 'directory';
  return /^(?:files?|path)(?:\.\.\.)?$/.test(name) ? 'file' : 'other';
}

const namesOf = ({ short, long }: Completion): string[] => [...(short ? [short] : []), ...long];

const allNames = (flags: readonly Completion[]): string => flags.flatMap(namesOf).join(' ');

/** Doesn't use `complete -o default`: files are offered only where they are accepted. */
function bash({ commands, flags }: Line): string {
  const list = (values: readonly string[]) => `COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$word"))`;
  const offer = (value: Operand) => {
    if (value === 'file') return '_devnet_files';
    if (value === 'directory') return '_devnet_directories';
    return typeof value === 'string' ? ':' : list(value);
  };
  const values = (some: readonly Completion[]) =>
    some
      .filter(({ value }) => value !== undefined)
      .map((flag) => `        ${namesOf(flag).join('|')}) ${offer(flag.value!)}; return;;\n`)
      .join('');
  const cases = ([name, { flags: its, operand }]: readonly [string, Taken]) => `    ${name})
      words="${allNames(its)}"
      case "$before" in
${values(its)}      esac
      ${operand === undefined || operand === 'command' ? ':' : `if [[ $word != -* ]]; then ${offer(operand)}; return; fi`};;
`;
  return `_devnet_files() {
  compopt -o default 2>/dev/null || { local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$word")); }
}
_devnet_directories() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -d -- "$word"))
}
_devnet() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="" command="" words="${allNames(flags)}" i
  if [[ $COMP_CWORD -gt 0 ]]; then before="\${COMP_WORDS[COMP_CWORD-1]}"; fi
  # --flag=value is three words here.
  if [[ $word == "=" ]]; then word=""; elif [[ $before == "=" ]]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [[ $COMP_CWORD -gt 1 ]]; then command="\${COMP_WORDS[1]}"; fi
  COMPREPLY=()
  # What follows -- is another command.
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} == -- ]]; then
      if [[ $i -eq $((COMP_CWORD - 1)) ]]; then COMPREPLY=($(compgen -c -- "$word")); else _devnet_files; fi
      return
    fi
  done
  case "$command" in
${[...commands].map(cases).join('')}    *)
      case "$before" in
${values(flags)}      esac;;
  esac
  if [[ $COMP_CWORD -eq 1 && $word != -* ]]; then words="${[...commands.keys()].join(' ')}"; fi
  if [[ $COMP_CWORD -eq 1 || $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}
complete -F _devnet devnet
`;
}

function fish({ commands, flags }: Line): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const words = (value: Operand) => {
    if (value === 'directory') return " -a '(__fish_complete_directories)'";
    if (value === 'command') return " -a '(__devnet_after_dashes)'";
    return typeof value === 'string' ? '' : ` -a '${value.join(' ')}'`;
  };
  const argument = (value: Value | undefined) => {
    if (value === undefined) return '';
    return value === 'file' ? ' -r -F' : ` -x${words(value)}`;
  };
  const lines = (some: readonly Completion[], condition: string) =>
    some.flatMap(({ short, long, value, help }) =>
      long.map((name, place) => {
        const letter = short && place === 0 ? ` -s ${short.slice(1)}` : '';
        return `complete -c devnet -n '${condition}'${letter} -l ${name.slice(2)}${argument(value)} -d ${quoted(help)}`;
      }),
    );
  const ofCommands = [...commands].flatMap(([name, { flags: its, operand }]) => {
    const condition = `__devnet_command ${name}`;
    if (operand === undefined) return lines(its, condition);
    const files = operand === 'file' ? ' -F' : words(operand);
    return [...lines(its, condition), `complete -c devnet -n '${condition}'${files}`];
  });
  return `# Whether the command line begins with this sub-command, or with none of them.
function __devnet_command
  set -l words (commandline -opc)
  if test -n "$argv[1]"
    test (count $words) -gt 1; and test "$words[2]" = "$argv[1]"
  else
    test (count $words) -eq 1; or not contains -- "$words[2]" ${[...commands.keys()].join(' ')}
  end
end
# What is offered for the command line that follows --.
function __devnet_after_dashes
  set -l words (commandline -opc)
  set -l place (contains -i -- -- $words); or return
  set -e words[1..$place]
  complete -C (string join -- ' ' (string escape -- $words) (commandline -ct))
end
# Whether the word is the first one.
function __devnet_first
  test (count (commandline -opc)) -eq 1
end
complete -c devnet -f
complete -c devnet -n __devnet_first -a '${[...commands.keys()].join(' ')}'
${[...lines(flags, '__devnet_command'), ...ofCommands].join('\n')}
`;
}

/** For zsh: after -- comes another command line. */
const AFTER_DASHES = `      local dashes=\${words[(i)--]}
      if (( dashes < CURRENT )); then
        words=("\${(@)words[dashes+1,-1]}"); (( CURRENT -= dashes ))
        _normal; return
      fi
`;

function zsh({ commands, flags }: Line): string {
  const escaped = (text: string) => text.replaceAll(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''");
  const argument = (value: Operand | undefined) => {
    if (value === 'file') return ':file:_files';
    if (value === 'directory') return ':directory:_files -/';
    return typeof value === 'string' ? ':value: ' : `:value:(${value!.join(' ')})`;
  };
  const lines = (some: readonly Completion[]) =>
    some
      .flatMap((flag) =>
        namesOf(flag).map((name) => {
          // The value may also be in the same word.
          const taken = flag.value === undefined ? '' : argument(flag.value);
          const equals = flag.value !== undefined && name.startsWith('--') ? '=' : '';
          return `        '*${name}${equals}[${escaped(flag.help)}]${taken}' \\\n`;
        }),
      )
      .join('');
  const operandOf = (operand: Operand | undefined) => {
    return operand === undefined || operand === 'command' ? '' : `        '*${argument(operand)}' \\\n`;
  };
  const cases = ([name, { flags: its, operand }]: readonly [string, Taken]) => `    ${name})
${operand === 'command' ? AFTER_DASHES : ''}      shift words; (( CURRENT-- ))
      _arguments -s \\
${lines(its)}${operandOf(operand)}        && return 0 ;;
`;
  return `#compdef devnet
_devnet() {
  local command=""
  if (( CURRENT > 2 )); then command="\${words[2]}"; fi
  case "$command" in
${[...commands].map(cases).join('')}    *)
      _arguments -s \\
${lines(flags)}        '1:command:(${[...commands.keys()].join(' ')})' \\
        && return 0 ;;
  esac
}
# Sourced, or in a folder of $fpath.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _devnet "$@"; else compdef _devnet devnet; fi
`;
}
