import { Command, CommanderError } from 'commander';
import { printable } from '../log/printable.ts';
import type { Io } from './main.ts';
import { OWN_WORDS } from './program.ts';

/** The command line of a sub-command that takes no options of a chain. */
export function ownCommand(name: string, io: Io): Command {
  return new Command(`devnet ${name}`)
    .helpOption('-h, --help', 'show this')
    .configureHelp(OWN_WORDS)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // A refusal is one line.
      writeErr: (text) => io.stderr.write(`${printable(text.trim().replaceAll('\n', ' '))}\n`),
    })
    .exitOverride();
}

/** @returns the exit code where the arguments ask for help or are refused: all is printed then */
export function exitAfterParsing(command: Command, args: readonly string[]): number | undefined {
  try {
    command.parse([...args], { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
}
