import { Command, CommanderError } from 'commander';
import { printable } from '../log/printable.ts';
import type { Io } from './main.ts';
import { OWN_WORDS } from './program.ts';

/** Defines the command line of a sub-command that takes no options of a chain. */
export function ownCommand(name: string, io: Io): Command {
  return new Command(`devnet ${name}`)
    .helpOption('-h, --help', 'show this')
    .configureHelp(OWN_WORDS)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // An error is one line.
      writeErr: (text) => io.stderr.write(`${printable(text.trim().replaceAll('\n', ' '))}\n`),
    })
    .exitOverride();
}

/** @returns the exit code if the arguments ask for help or are invalid; everything has then been printed */
export function exitAfterParsing(command: Command, args: readonly string[]): number | undefined {
  try {
    command.parse([...args], { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
}
