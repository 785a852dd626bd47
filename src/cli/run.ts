import type { ChildProcess } from 'node:child_process';
import { appendFileSync, closeSync, openSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { Explainer } from '../log/explainer.ts';
import { logHooks, openLog } from '../log/log-hooks.ts';
import { printable } from '../log/printable.ts';
import { suggestion } from '../nearest.ts';
import { forSuites } from '../options/for-suites.ts';
import { type DevnetOptions, OptionError, resolveOptions } from '../options/options.ts';
import type { KnownContracts } from '../sources/contracts.ts';
import type { StartHooks } from '../start.ts';
import {
  AGAINST_FLAGS,
  AGAINST_REPEATED,
  AGAINST_VALUES,
  type AgainstAsked,
  type AgainstOptions,
  readAgainst,
  tellAgainst,
} from './against-options.ts';
import type { Io } from './main.ts';
import {
  PROFILE_FLAGS,
  PROFILE_REPEATED,
  type ProfileAsked,
  type ProfileOptions,
  readProfileOptions,
} from './profile-options.ts';
import { parse, type SubCommand } from './program.ts';
import { openProgress, type ProgressLine } from './progress.ts';
import {
  REPORTS,
  type ReportFields,
  type ReportFormat,
  RunReport,
  reportJson,
  reportLines,
  reportMarkdown,
} from './report.ts';
import type { ProfileResult } from './run-profile.ts';
import { PARENT_ENDED, type Signal } from './signal.ts';

/** When the chain's log is printed. */
const WHEN = ['always', 'failure', 'never'] as const;

/** Maximum number of characters of the log that are kept until it is known whether the command fails. */
const MAX_LOG = 4 * 2 ** 20;

/** Exit code of shells for a command that isn't found. */
const NOT_FOUND = 127;

export const RUN: SubCommand = {
  name: 'run',
  description:
    'Starts a chain on a free port, runs a command with the address of the chain in DEVNET_URL, RPC_URL, ETH_RPC_URL and DEVNET_WS_URL, and ends with the exit code of the command. Makes a block for each transaction (--automine) unless a mode is named.\n\nExample: devnet run -- npx hardhat test --network devnet',
  operands: '<command...>',
  usage: '[options] -- <command...>',
  flags: {
    '--log <when>': "print the chain's log to stderr: always, never, or on failure of the command (failure)",
    '--report <format>':
      'print failed transactions with their reasons and the gas of each function at the end: json or markdown',
    '--report-file <file>': 'write that report to a file instead of stdout',
    ...PROFILE_FLAGS,
    ...AGAINST_FLAGS,
    '--against-calls': 'run each eth_call by the other rules, too',
  },
  values: { '--log <when>': WHEN, '--report <format>': REPORTS, ...AGAINST_VALUES },
  repeated: [...AGAINST_REPEATED, ...PROFILE_REPEATED],
  hidden: ['Several machines'],
};

/** `devnet run [options] -- COMMAND...`. @returns the command's exit code, as in a shell */
export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  const parsed = parse(args, io, RUN);
  if (parsed.kind === 'exit') return parsed.code;
  if (!parsed.detach) io.endWithParent?.();
  const asked = parsed.own as AgainstAsked &
    ProfileAsked & {
      log?: (typeof WHEN)[number];
      report?: ReportFormat;
      reportFile?: string;
    };
  const { log: when = 'failure', report: format, reportFile } = asked;
  if (!WHEN.includes(when))
    throw new OptionError('--log', `${WHEN.join(', ')}${suggestion(when, WHEN)}`, when);
  if (format !== undefined && !REPORTS.includes(format))
    throw new OptionError('--report', `${REPORTS.join(', ')}${suggestion(format, REPORTS)}`, format);
  if (reportFile !== undefined && format === undefined) throw new Error('--report-file needs --report');
  const against = readAgainst(asked);
  const profiled = readProfileOptions(asked);
  if (!args.includes('--'))
    throw new Error('expected -- before the command, as in: devnet run -- npx hardhat test');
  if (reportFile !== undefined) expectWritable(reportFile);
  const options = { ...forSuites(parsed.options), port: parsed.options.port ?? 0 };
  const progress = openProgress(parsed.options, io);
  try {
    return await run(
      options,
      { when, format, reportFile, against, profiled, command: parsed.operands },
      { io, progress },
    );
  } finally {
    progress?.[Symbol.dispose]();
  }
}

/** Checked before the command runs, which may take long: otherwise its report would be lost. */
function expectWritable(reportFile: string): void {
  try {
    closeSync(openSync(reportFile, 'a'));
  } catch (error) {
    throw new Error(`--report-file: can't be written (${(error as Error).message})`);
  }
}

interface RunOptions {
  /** when the chain's log is printed */
  readonly when: (typeof WHEN)[number];
  readonly format: ReportFormat | undefined;
  /** default: stdout */
  readonly reportFile: string | undefined;
  /** the other rules by which transactions are also executed, if any */
  readonly against: AgainstOptions | undefined;
  /** what is counted for coverage and gas, if anything */
  readonly profiled: ProfileOptions | undefined;
  readonly command: readonly string[];
}

async function run(
  options: DevnetOptions & { readonly port: number },
  { when, format, reportFile, against, profiled, command: [name, ...rest] }: RunOptions,
  { io, progress }: { io: Io; progress: ProgressLine | undefined },
): Promise<number> {
  const stderr = progress?.over(io.stderr) ?? io.stderr;
  const config = resolveOptions(options, progress?.report);
  const create = await io.load();
  const kept = new NewestText(MAX_LOG);
  const log =
    when === 'never'
      ? undefined
      : openLog(config, {
          output: io.stderr,
          env: io.env,
          inOrder: true,
          write: (text) => (when === 'always' ? stderr.write(text) : kept.add(text)),
        });
  const report = log || format ? new RunReport() : undefined;
  const { onCall, ...hooks } = log ? logHooks(log, config) : {};
  // Loaded only if something is to be compared.
  const { ComparedChain } = against ? await import('../against/compared-chain.ts') : {};
  const compared = against && new ComparedChain!({ fork: against.fork });
  const { RunProfile } = profiled ? await import('./run-profile.ts') : {};
  const profile = profiled && new RunProfile!(profiled, config.artifacts);
  let known: KnownContracts | undefined;
  const counting = <H extends StartHooks>(given: H): H => profile?.hooks(given) ?? given;
  const devnet = await create(
    options,
    counting({
      config,
      onProgress: progress?.report,
      // Printed at once, unlike the log: nothing else is printed before the command starts.
      ...(!config.silent && { onForkWait: (line: string) => stderr.write(`${printable(line)}\n`) }),
      ...compared?.hooks,
      onExecution: (...execution) => {
        [, , known] = execution;
        compared?.follow(...execution);
      },
      ...(against?.calls && { onAnswer: (call) => compared!.answered(call) }),
      ...(report && {
        ...hooks,
        onCall: (call) => {
          onCall?.(call);
          report.call(call);
        },
        onFeed: (feed, anew, known) => {
          const explainer = new Explainer(known, anew);
          log?.follow(feed, explainer);
          report.follow(feed, explainer);
        },
      }),
    } satisfies StartHooks),
  ).catch((error: unknown) => {
    profile?.discard();
    throw error;
  });
  progress?.[Symbol.dispose]();
  io.onRunning?.(config);
  let code = 1;
  let counted: ProfileResult | undefined;
  try {
    const url = devnet.url!;
    const addresses = {
      DEVNET_URL: url,
      RPC_URL: url,
      ETH_RPC_URL: url,
      DEVNET_WS_URL: url.replace('http', 'ws'),
    };
    // Also finds npx.cmd and the like on Windows, where spawn() runs only .exe files.
    const { default: spawn } = await import('cross-spawn');
    const child = spawn(name!, rest, {
      stdio: 'inherit',
      env: { ...io.env, ...addresses, ...profile?.env },
    });
    code = await exitCode(child, { io, name: name!, chainEnds: devnet.closed });
  } finally {
    // Done while the chain can still execute failed calls and transactions again.
    await log?.settle();
    await report?.settle();
    await compared?.settle();
    await profile?.settle();
    try {
      await devnet.close();
    } finally {
      await log?.settle();
      await report?.settle();
      await compared?.settle();
      await profile?.settle();
      compared?.close();
      const { isTTY, columns } = tableOutput();
      counted = await profile?.report(
        (bytes, options) => known!.contracts.contractOf(bytes, options),
        // A terminal that doesn't know its width says 0.
        (isTTY && columns) || undefined,
      );
      if (report) tell(report.fields);
      if (counted) print(counted.lines);
    }
  }
  if (code === 0 && counted?.fails) code = 1;
  if (!compared) return code;
  const { stdout, env } = io;
  const fails = tellAgainst(compared.tally.fields(against!.fork), against!, {
    stdout,
    jobSummary: env.GITHUB_STEP_SUMMARY,
  });
  return code === 0 && fails ? 1 : code;

  /** stderr if the report goes to stdout, which then contains nothing else. */
  function tableOutput(): Io['stdout'] {
    return format && reportFile === undefined ? io.stderr : io.stdout;
  }

  function print(lines: readonly string[]): void {
    tableOutput().write(`${lines.join('\n')}\n`);
  }

  function tell(found: ReportFields): void {
    const fields: ReportFields = { ...found, ...counted?.figures };
    if (log) {
      const lines =
        config.logFormat === 'json'
          ? [summaryRecord(fields)]
          : ['', ...reportLines(counted?.figures ? { ...fields, functions: [] } : fields)];
      const summary = fields.transactions + fields.failedCalls.length > 0 ? `${lines.join('\n')}\n` : '';
      if (when === 'always') io.stderr.write(summary);
      else if (code !== 0 && kept.size > 0) io.stderr.write(`\nThe chain's log:\n${kept.text}${summary}`);
    }
    if (format) {
      const text = format === 'json' ? reportJson(fields) : reportMarkdown(fields);
      if (reportFile === undefined) io.stdout.write(text);
      else writeFileSync(reportFile, text);
    }
    // GitHub shows the text that steps append to this file as the job's summary.
    const jobSummary = io.env.GITHUB_STEP_SUMMARY;
    if (jobSummary && (format || code !== 0)) appendFileSync(jobSummary, reportMarkdown(fields));
  }
}

/** Formats the report as one log record in JSON. */
function summaryRecord(fields: ReportFields): string {
  return printable(JSON.stringify({ level: 'info', event: 'summary', ...fields }));
}

/** Waits for the command, and forwards signals to it. @throws the error that ended the chain; the command is ended first */
async function exitCode(
  child: ChildProcess,
  { io, name, chainEnds }: { io: Io; name: string; chainEnds: Promise<void> },
): Promise<number> {
  const signals: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const listeners = signals.map((signal) => {
    const pass = () => {
      // A terminal sends Ctrl+C to the command, too; a second SIGINT would abort most test runners.
      if (signal !== 'SIGINT' || !io.stdout.isTTY) child.kill(signal);
    };
    io.signals.on(signal, pass);
    return [signal, pass] as const;
  });
  const end = () => child.kill('SIGTERM');
  io.signals.on(PARENT_ENDED, end);
  const exited = new Promise<number>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') reject(error);
      else {
        io.stderr.write(`error: command not found: '${printable(name)}'\n`);
        resolve(NOT_FOUND);
      }
    });
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
  });
  try {
    return await Promise.race([exited, chainEnds.then(() => exited)]);
  } catch (error) {
    child.kill('SIGTERM');
    throw error;
  } finally {
    for (const [signal, pass] of listeners) io.signals.off(signal, pass);
    io.signals.off(PARENT_ENDED, end);
  }
}

/** Text whose oldest parts are dropped when it exceeds a size. */
class NewestText {
  readonly #most: number;
  readonly #parts: string[] = [];
  #size = 0;
  #isCut = false;

  /** @param most maximum number of characters */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  get text(): string {
    return `${this.#isCut ? '(what came before is left out)\n' : ''}${this.#parts.join('')}`;
  }

  add(text: string): void {
    this.#parts.push(text);
    this.#size += text.length;
    while (this.#size > this.#most && this.#parts.length > 1) {
      this.#size -= this.#parts.shift()!.length;
      this.#isCut = true;
    }
  }
}
