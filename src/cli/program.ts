import { Command, CommanderError, Option } from 'commander';
import { nearest } from '../options/nearest.ts';
import { type DevnetOptions, SECTIONS } from '../options/table.ts';
import { fromAnvil, takenFromAnvil } from './anvil-flags.ts';
import { canonical, longNames } from './flags.ts';

export interface Output {
  write(text: string): unknown;
  /** a terminal, where a line can be written over */
  readonly isTTY?: boolean;
}

export type Parsed =
  | {
      readonly kind: 'run';
      readonly options: DevnetOptions;
      readonly operands: readonly string[];
      /** whether the command stays when the package manager that started it ends */
      readonly detach: boolean;
      /** those of the sub-command alone, by name */
      readonly own: Readonly<Record<string, unknown>>;
    }
  /** `--help`, `--version` and refusals: all is printed */
  | { readonly kind: 'exit'; readonly code: number };

/** A sub-command, which takes the options of the chain too. */
export interface SubCommand {
  readonly name: string;
  readonly description: string;
  /** what follows its name, as commander takes it: `<dir>`, `<files...>` */
  readonly operands: string;
  /** flags of its own, as commander takes them -> what they mean */
  readonly flags?: Readonly<Record<string, string>>;
}

/** Sub-commands, for `--help`. */
const COMMANDS = `
Commands:
  devnet follow <ws://host:port/flashblocks>   serve the chain of another node, fed by its stream
  devnet export <dir> --data-dir <dir>   write genesis.json and chain.rlp, which other clients import
  devnet completions <bash|fish|zsh>     print the shell's completion of names
  devnet follow --redis <url>            serve a chain that has its log in Redis (docs/scale.md)
  devnet promote <url>                   make that follower the leader of its chain
  devnet replay <files...>               run recordings and consensus tests (BlockchainTests) again
  devnet run [options] -- <command...>   run a command, such as a test suite, with a chain of its own
  devnet worker --redis <url>            run what devnet replay --queue <url> asks for
`;

export const DETACH = 'go on when the npm or npx that started it ends';

/** Command line -> options, not yet validated. */
export function parse(
  args: readonly string[],
  io: { version: string; stdout: Output; stderr: Output },
  command?: SubCommand,
): Parsed {
  const written = fromAnvil(args);
  if ('refused' in written) {
    io.stderr.write(`error: ${written.refused}\n`);
    return { kind: 'exit', code: 1 };
  }
  const program: Command = new Command(command ? `devnet ${command.name}` : 'devnet')
    .description(
      command?.description ??
        'A private Ethereum layer-2 chain on this machine, with a partial block every 200 ms.',
    )
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // A refusal is one line.
      writeErr: (text) => io.stderr.write(`${suggesting(text.trim().replaceAll('\n', ' '), program)}\n`),
    })
    .showSuggestionAfterError(false)
    .helpOption('-h, --help', 'show this')
    .version(io.version, '-V, --version', 'show the version')
    .exitOverride();
  if (command) program.argument(command.operands);
  else program.addHelpText('after', COMMANDS);
  for (const [flags, help] of Object.entries(command?.flags ?? {})) program.option(flags, help);
  program.addOption(new Option('--detach', DETACH).helpGroup('Server:'));
  const names = new Map<string, string>();
  const negated = new Map<string, string>();
  for (const [heading, rows] of Object.entries(SECTIONS))
    for (const [name, { flags, help, type }] of Object.entries(rows)) {
      const option = new Option(flags, help).helpGroup(`${heading}:`);
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
    // commander gives a --no-x flag as x, which is false when the flag is there; without a flag --x it is true otherwise.
    const name = (value === false ? negated : names).get(attribute);
    if (name !== undefined) options[name] = value === false ? true : value;
    else if (!negated.has(attribute)) own[attribute] = value;
  }
  return { kind: 'run', options: options as DevnetOptions, operands: program.args, detach, own };
}

/** An unknown option is answered with the nearest one: commander leaves that out where more than three letters differ. */
function suggesting(error: string, program: Command): string {
  const [, typed] = /^error: unknown option '(--[^'=]+)/.exec(error) ?? [];
  if (!typed) return error;
  const own = program.options.flatMap(({ long }) => long ?? []);
  return `${error} (Did you mean ${nearest(typed, [...longNames(), ...own, ...takenFromAnvil(), '--help'])}?)`;
}
