import { Command, CommanderError, Option } from 'commander';
import type { DevnetOptions } from '../options.ts';
import { fromAnvil } from './anvil-flags.ts';
import { canonical, FLAGS, type Kind } from './flags.ts';

export interface Output {
  write(text: string): unknown;
  /** a terminal, where a line can be written over */
  readonly isTTY?: boolean;
}

export type Parsed =
  | { readonly kind: 'run'; readonly options: DevnetOptions }
  /** `--help`, `--version` and refusals: all is printed */
  | { readonly kind: 'exit'; readonly code: number };

const PARSERS: Record<Kind, ((text: string, previous?: string[]) => unknown) | undefined> = {
  // What isn't a number stays text: the option's own check refuses it, showing it as it was written.
  number: (text) => (/^-?\d*\.?\d+$/.test(text) ? Number(text) : text),
  integer: (text) => (/^(0x[\da-f]+|\d+)$/i.test(text) ? BigInt(text) : text),
  list: (text, previous) => [...(previous ?? []), ...text.split(',')],
  text: undefined,
  flag: undefined,
};

/** Command line -> options, not yet validated. */
export function parse(
  args: readonly string[],
  io: { version: string; stdout: Output; stderr: Output },
): Parsed {
  const own = fromAnvil(args);
  if ('refused' in own) {
    io.stderr.write(`error: ${own.refused}\n`);
    return { kind: 'exit', code: 1 };
  }
  const program = new Command('devnet')
    .description('A private Ethereum layer-2 chain on this machine, with a partial block every 200 ms.')
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // commander puts its suggestion on a line of its own; a refusal is one line.
      writeErr: (text) => io.stderr.write(`${text.trim().replaceAll('\n', ' ')}\n`),
    })
    .helpOption('-h, --help', 'show this')
    .version(io.version, '-V, --version', 'show the version')
    .exitOverride();
  const negated = new Set<string>();
  const names = new Map<string, keyof DevnetOptions>();
  for (const [heading, rows] of Object.entries(FLAGS))
    for (const { flags, option: name, kind, help } of rows) {
      const option = new Option(flags, help).helpGroup(heading);
      const parser = PARSERS[kind];
      if (parser) option.argParser(parser as (text: string) => unknown);
      program.addOption(option);
      names.set(option.attributeName(), name);
      if (option.negate) negated.add(option.attributeName());
    }
  try {
    program.parse(canonical(own), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { kind: 'exit', code: error.exitCode };
    throw error;
  }
  const options: Record<string, unknown> = {};
  for (const [attribute, value] of Object.entries(program.opts())) {
    // commander gives a --no-x flag as x, true unless the flag is there.
    if (!negated.has(attribute)) options[names.get(attribute)!] = value;
    else if (value === false) options[names.get(attribute)!] = true;
  }
  return { kind: 'run', options: options as DevnetOptions };
}
