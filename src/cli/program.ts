import { Command, CommanderError, Option } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import type { Output } from '../log/colors.ts';
import { printable } from '../log/printable.ts';
import { similar } from '../nearest.ts';
import { ofOtherTool } from '../options/other-tools.ts';
import { type DevnetOptions, SECTIONS } from '../options/table.ts';
import { fromAnvil, takenFromAnvil } from './anvil-flags.ts';
import { canonical, longNames } from './flags.ts';

export type Parsed =
  | {
      readonly kind: 'run';
      readonly options: DevnetOptions;
      readonly operands: readonly string[];
      /** whether the command goes on when the package manager that started it ends */
      readonly detach: boolean;
      /** the sub-command's own options, by name */
      readonly own: Readonly<Record<string, unknown>>;
    }
  /** `--help`, `--version` and errors: everything has been printed */
  | { readonly kind: 'exit'; readonly code: number };

/** A sub-command that also takes the options of the chain. */
export interface SubCommand {
  readonly name: string;
  readonly description: string;
  /** its operands in commander's syntax: `<dir>`, `<files...>` */
  readonly operands: string;
  /** the usage shown by `--help` after the name; by default derived from the operands */
  readonly usage?: string;
  /** its own flags in commander's syntax -> help texts */
  readonly flags?: Readonly<Record<string, string>>;
  /** the possible values of its flags that have only a few, by the flag in commander's syntax */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** its flags that may be repeated, in commander's syntax */
  readonly repeated?: readonly string[];
  /** headings of the chain's options that `--help` omits, because they have no effect for this sub-command */
  readonly hidden: readonly string[];
}

/** The help texts already contain values and defaults, which commander would append again. */
export const OWN_WORDS = { optionDescription: ({ description }: Option) => description };

/** Returns the sub-command's own flags. */
export function ownOptions({
  flags = {},
  values = {},
  repeated = [],
}: Pick<SubCommand, 'flags' | 'values' | 'repeated'>): Option[] {
  return Object.entries(flags).map(([flag, help]) => {
    const option = new Option(flag, help);
    if (repeated.includes(flag))
      option.argParser((value: string, previous: string[] = []) => [...previous, value]);
    // For completions; the command itself reports an invalid value.
    if (values[flag]) option.argChoices = [...values[flag]];
    return option;
  });
}

/** The start of the command's `--help`, before the options. */
const ABOUT = `A private Ethereum layer-2 chain on this machine, with a partial block every
200 ms.

Examples:
  npx devnet                      a block every 2 s, at http://127.0.0.1:8545
  npx devnet --automine           a block for each transaction (cast, forge)
  npx devnet --fork-url <url>     go on from another chain
  npx devnet --data-dir ./chain   keep the chain, and go on with it next time
  npx devnet run -- npm test      run tests with a chain of their own

Documentation: ${pkg.homepage}

Commands:
  run [options] -- <command...>   run a command with a chain of its own
  follow <ws://.../flashblocks>   serve the chain of another node
  follow --redis <url>            serve a chain whose log is in Redis
  promote <url>                   make such a follower the leader of its chain
  debug <hash>                    tell where in its source a transaction failed
  export <dir> --data-dir <dir>   write genesis.json and chain.rlp
  fork-cache <action>             list, export, import, prune what forks fetched
  replay <files...>               run recordings and consensus tests again
  worker --redis <url>            run what replay --queue <url> asks for
  completions <shell>             print completions for bash, fish or zsh
  help [command]                  show this, or the options of a command`;

export const DETACH = 'keep running after the npm or npx that started it ends';

/** Parses a command line into options, without validating them. */
export function parse(
  args: readonly string[],
  io: { version: string; stdout: Output; stderr: Output },
  command?: SubCommand,
): Parsed {
  const written = fromAnvil(args);
  if ('refused' in written) {
    io.stderr.write(`error: ${printable(written.refused)}\n`);
    return { kind: 'exit', code: 1 };
  }
  const program: Command = new Command(command ? `devnet ${command.name}` : 'devnet')
    .description(command?.description ?? ABOUT)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // An error is one line.
      writeErr: (text) =>
        io.stderr.write(`${printable(suggesting(text.trim().replaceAll('\n', ' '), program))}\n`),
    })
    .showSuggestionAfterError(false)
    .configureHelp(OWN_WORDS)
    .helpOption('-h, --help', 'show this')
    .version(io.version, '-V, --version', 'show the version')
    .exitOverride();
  if (command) program.argument(command.operands);
  if (command?.usage) program.usage(command.usage);
  for (const option of command ? ownOptions(command) : []) program.addOption(option);
  program.addOption(
    new Option('--detach', DETACH).helpGroup('Server:').hideHelp(command?.hidden.includes('Server') ?? false),
  );
  const names = new Map<string, string>();
  const negated = new Map<string, string>();
  for (const [heading, rows] of Object.entries(SECTIONS))
    for (const [name, { flags, help, type }] of Object.entries(rows)) {
      const option = new Option(flags, help)
        .helpGroup(`${heading}:`)
        .hideHelp(command?.hidden.includes(heading) ?? false);
      if (type.fromText) option.argParser(type.fromText as (text: string) => unknown);
      program.addOption(option);
      (option.negate ? negated : names).set(option.attributeName(), name);
    }
  try {
    program.parse(canonical(written), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { kind: 'exit', code: error.exitCode };
    throw error;
  }
  const options: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  const { detach = false, ...given } = program.opts<Record<string, unknown> & { detach?: boolean }>();
  for (const [attribute, value] of Object.entries(given)) {
    // commander stores a --no-x flag as x, which is false if the flag is given; otherwise it is true if no flag --x exists.
    const name = (value === false ? negated : names).get(attribute);
    if (name !== undefined) options[name] = value === false ? true : value;
    else if (!negated.has(attribute)) own[attribute] = value;
  }
  return { kind: 'run', options: options as DevnetOptions, operands: program.args, detach, own };
}

/**
 * Adds a suggestion to the error for an unknown option: devnet's equivalent of that flag of Hardhat or Ganache, else the most similar
 * option. commander suggests none if more than three letters differ.
 */
function suggesting(error: string, program: Command): string {
  const [, typed] = /^error: unknown option '(--[^'=]+)/.exec(error) ?? [];
  if (!typed) return error;
  const other = ofOtherTool(typed);
  if (other !== undefined) return `${error} (${other})`;
  const own = program.options.flatMap(({ long }) => long ?? []);
  const meant = similar(typed, [...longNames(), ...own, ...takenFromAnvil(), '--help']);
  return `${error} (${meant === undefined ? 'devnet --help shows all' : `Did you mean ${meant}?`})`;
}
