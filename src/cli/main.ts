import { Argument, type Command } from 'commander';
import type { Output } from '../log/colors.ts';
import { Explainer } from '../log/explainer.ts';
import type { Log } from '../log/log.ts';
import { logHooks, openLog } from '../log/log-hooks.ts';
import { printable } from '../log/printable.ts';
import { suggestion } from '../nearest.ts';
import { OptionConflict, show } from '../options/errors.ts';
import { type Config, type DevnetOptions, OptionError, resolveOptions } from '../options/options.ts';
import { withoutPassword } from '../redis/connect.ts';
import type { Started, StartHooks } from '../start.ts';
import { banner } from './banner.ts';
import { type CommandLine, completionsCommand, SHELL_NAMES } from './completions.ts';
import { debugCommand, debugLine } from './debug.ts';
import { EXPORT, exportCommand } from './export.ts';
import { flagOf } from './flags.ts';
import { FOLLOW, following } from './follow.ts';
import { forkCacheCommand, forkCacheLine } from './fork-cache.ts';
import { whyNotListening } from './listen-errors.ts';
import { exitAfterParsing, ownCommand } from './own-command.ts';
import { ownOptions, parse, type SubCommand } from './program.ts';
import { openProgress, openRecurringProgress } from './progress.ts';
import { promoteCommand, promoteLine } from './promote.ts';
import { replayCommand, replayLine } from './replay.ts';
import { RUN, runCommand } from './run.ts';
import type { PARENT_ENDED, Signal } from './signal.ts';
import { untilSignal } from './until-signal.ts';
import { workerCommand, workerLine } from './worker.ts';

/** The parts of a running node that the command line uses. */
export type RunningDevnet = Omit<Started, 'provider' | 'clock' | 'fork'> & Partial<Pick<Started, 'fork'>>;

export type Create = (
  options: DevnetOptions & { rpc?: string; strict?: boolean },
  hooks?: StartHooks,
) => Promise<RunningDevnet>;

/** The parts of the process that are used; tests pass their own. */
export interface Io {
  readonly version: string;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signals: {
    on(event: Signal | typeof PARENT_ENDED, listener: () => void): unknown;
    off(event: Signal | typeof PARENT_ENDED, listener: () => void): unknown;
  };
  exit(code: number): void;
  /** Resolves when the reader of stdout has accepted everything that was written: the rest would be lost when the process exits. */
  flush(): Promise<void>;
  /** From now on, `signals` emits an event when the package manager that started the command ends. Has no effect without one. */
  endWithParent?(): void;
  /** Called when the node answers requests. */
  onRunning?(config: Config): void;
  /** Loads the engine. */
  load(): Promise<Create>;
  /** Loads the follower of another node's stream. */
  loadFollow(): Promise<(stream: string, ...args: Parameters<Create>) => Promise<RunningDevnet>>;
}

/** Sub-commands that run a node, by name. */
const NODES: Readonly<Record<string, SubCommand>> = { follow: FOLLOW };
/** Sub-commands that end by themselves: arguments after the name -> the exit code. */
const COMMANDS: Readonly<Record<string, (args: readonly string[], io: Io) => number | Promise<number>>> = {
  completions: (args, io) =>
    askedForHelp(args)
      ? (exitAfterParsing(completionsLine(io), args) ?? 0)
      : completionsCommand(args, io, commandLines(io)),
  debug: debugCommand,
  export: exportCommand,
  'fork-cache': forkCacheCommand,
  help: helpCommand,
  promote: promoteCommand,
  replay: replayCommand,
  run: runCommand,
  worker: workerCommand,
};

/** All sub-commands except `help`. */
const SUB_COMMANDS = [...Object.keys(COMMANDS), ...Object.keys(NODES)]
  .filter((name) => name !== 'help')
  .sort();

/** The flags and operands of each sub-command, for completions. */
function commandLines(io: Io): Readonly<Record<string, CommandLine>> {
  const ofChain = [EXPORT, FOLLOW, RUN].map((command) => {
    const { name, hidden, operands } = command;
    return [name, { flags: ownOptions(command), hidden, operands }] as const;
  });
  const alone = Object.entries({
    completions: completionsLine(io),
    debug: debugLine(io),
    'fork-cache': forkCacheLine(io),
    promote: promoteLine(io),
    replay: replayLine(io),
    worker: workerLine(io),
  }).map(
    ([
      name,
      {
        options,
        registeredArguments: [first],
      },
    ]) => {
      const operands = first && `<${first.name()}>`;
      const words = first?.argChoices;
      return [name, { flags: options, ...(operands && { operands }), ...(words && { words }) }] as const;
    },
  );
  const help = ['help', { flags: [], operands: '<name>', words: SUB_COMMANDS }] as const;
  return Object.fromEntries([...ofChain, ...alone, help].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function askedForHelp(args: readonly string[]): boolean {
  return args.some((arg) => arg === '--help' || arg === '-h');
}

/** Defines the command line of `devnet completions`. */
function completionsLine(io: Io): Command {
  const shell = new Argument('<shell>', 'bash, fish or zsh');
  // For completions; the command itself reports an invalid value.
  shell.argChoices = [...SHELL_NAMES];
  return ownCommand('completions', io)
    .description(
      "Prints the shell's completion of sub-commands, flags and their values. For bash: source <(devnet completions bash)",
    )
    .addArgument(shell);
}

/** `devnet help [COMMAND]`: prints the same as `--help`. @returns the exit code */
async function helpCommand([name, ...rest]: readonly string[], io: Io): Promise<number> {
  if (name === undefined || name === 'help' || askedForHelp([name])) return main(['--help'], io);
  if (rest.length > 0 || !SUB_COMMANDS.includes(name))
    throw new Error(
      `help: expected ${SUB_COMMANDS.join(', ')}${suggestion(name, SUB_COMMANDS)}, got '${[name, ...rest].join(' ')}'`,
    );
  return main([name, '--help'], io);
}

/**
 * Runs the command line until a signal ends it. @returns the exit code: 1 after an error, which is reported in one line on stderr; else 0
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const name = args[0] ?? '';
  if (Object.hasOwn(COMMANDS, name)) {
    // `run` has the flag --detach.
    if (name !== 'run') io.endWithParent?.();
    try {
      return await COMMANDS[name]!(args.slice(1), io);
    } catch (error) {
      io.stderr.write(`error: ${explain(error)}\n`);
      return 1;
    }
  }
  const command = Object.hasOwn(NODES, name) ? NODES[name] : undefined;
  if (!command && name !== '' && !name.startsWith('-')) {
    io.stderr.write(
      `error: unknown command '${printable(name)}': expected ${SUB_COMMANDS.join(', ')}, or flags alone${suggestion(name, SUB_COMMANDS)}\n`,
    );
    return 1;
  }
  const parsed = parse(command ? args.slice(1) : args, io, command);
  if (parsed.kind === 'exit') return parsed.code;
  if (!parsed.detach) io.endWithParent?.();
  const stop = untilSignal(io);
  let log: Log | undefined;
  const progress = openProgress(parsed.options, io, io.stdout);
  const stdout = progress?.over(io.stdout) ?? io.stdout;
  try {
    const options = withEnvironment(parsed.options, io.env);
    const config = resolveOptions(options, progress?.report);
    const create = command ? await following(parsed, io) : await io.load();
    log = openLog(config, { output: stdout, env: io.env });
    const isText = config.logFormat === 'text';
    const tell = (line: string) => log?.tell(line);
    let follow = () => {};
    // The command always listens; a chain inside a program listens only if the option `port` is given.
    const starting = create(
      { ...options, port: config.port },
      {
        config,
        // Imported blocks are kept, so that the next start continues after them.
        onImport: () => {
          if (stop.asked) throw new Stopped();
        },
        onProgress: progress?.report,
        onPrune: openRecurringProgress(parsed.options, stdout),
        ...(log && {
          ...logHooks(log, config),
          onFollow: tell,
          onForkWait: (line) => log?.tell(line, 'fork'),
          onFork: (line) => log?.tell(line, 'fork'),
          onFeed: (feed, reexecutor, known) => {
            follow = () => log?.follow(feed, new Explainer(known, reexecutor));
            // During an import the progress is shown, and its blocks aren't logged.
            if (config.import === undefined) follow();
          },
        }),
      },
    );
    const devnet = await (config.fork === undefined ? starting : unlessStopped(starting, stop.requested));
    progress?.[Symbol.dispose]();
    const facts = { version: io.version, ...factsOf(devnet, command && followed(parsed)) };
    if (log && isText) io.stdout.write(banner(config, facts));
    else log?.started(facts);
    if (config.import !== undefined) follow();
    io.onRunning?.(config);
    const failure = await Promise.race([stop.requested, devnet.closed]).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    try {
      // Calls and transactions that failed last are executed again to find the reason.
      await log?.settle();
      // Closing rejects new requests, and seals or drops the open block.
      await devnet.close();
    } catch (error) {
      throw failure ? failure.error : error;
    } finally {
      await log?.settle();
    }
    if (failure) throw failure.error;
    return 0;
  } catch (error) {
    if (error instanceof Stopped) return 0;
    log?.flush();
    progress?.[Symbol.dispose]();
    io.stderr.write(`error: ${explain(error)}\n`);
    return 1;
  } finally {
    progress?.[Symbol.dispose]();
    log?.flush();
    stop[Symbol.dispose]();
  }
}

/** What a follower's banner shows: the stream, or the Redis URL without its password. */
function followed({
  operands: [stream],
  options,
}: {
  operands: readonly string[];
  options: DevnetOptions;
}): string {
  const url = stream ?? options.redis!;
  return /^rediss?:/.test(url) ? withoutPassword(url) : url;
}

/** Applies the environment variable that anvil also reads: the address to listen on. */
function withEnvironment(options: DevnetOptions, env: Io['env']): DevnetOptions {
  const host = env.ANVIL_IP_ADDR;
  return host && options.host === undefined ? { ...options, host } : options;
}

/**
 * Waits for the start of a node, unless a signal ends it first. Another node may delay the start for minutes, before anything is open that
 * must be closed.
 */
async function unlessStopped(
  starting: Promise<RunningDevnet>,
  requested: Promise<void>,
): Promise<RunningDevnet> {
  const devnet = await Promise.race([starting, requested]);
  if (devnet) return devnet;
  // If the process doesn't exit, as in tests.
  starting.then((late) => late.close()).catch(() => {});
  throw new Stopped();
}

/** A signal ended an import, or the start of a fork. */
class Stopped extends Error {}

function factsOf(
  { url, accounts, genesisTimestamp, repaired, fork }: RunningDevnet,
  following: string | undefined,
) {
  if (url === undefined) throw new Error('the node does not listen');
  return { address: new URL(url).host, accounts, genesisTimestamp, repaired, fork, following };
}

/** Formats an error as one printable line, with the flag names of the command line. */
function explain(error: unknown): string {
  return printable(wordingOf(error));
}

function wordingOf(error: unknown): string {
  if (error instanceof OptionError)
    return `${flagOf(error.option)}: expected ${error.expected}, got ${show(error.got)}`;
  if (error instanceof OptionConflict)
    return `${flagOf(error.options[0])} ${error.relation} ${flagOf(error.options[1])}`;
  const unheard = whyNotListening(error);
  if (unheard) return unheard;
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]!;
}
