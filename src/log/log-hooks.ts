import type { Address } from '@ethereumjs/util';
import { SystemClock } from '../clock.ts';
import type { Frame } from '../engine/tracers/frames.ts';
import type { Config } from '../options/options.ts';
import type { CallReport } from '../rpc/dispatch.ts';
import { colors, hasColors, type Output } from './colors.ts';
import { Log } from './log.ts';
import { JsonLog } from './log-json.ts';
import { TextLog } from './log-lines.ts';

/**
 * Opens the log that the options ask for; `undefined` for none.
 * @param to.write writes lines, instead of the output
 * @param to.windowMs how long lines are gathered before they are printed, milliseconds; 0 to print each event at once
 */
export function openLog(
  { silent, logFormat, logLevel, color }: Config,
  to: {
    readonly output: Output;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly write?: (text: string) => unknown;
    /** whether lines of text are in chronological order, see {@link TextLog} */
    readonly inOrder?: boolean;
    readonly windowMs?: number;
  },
): Log | undefined {
  if (silent) return undefined;
  const { output, env, inOrder = false, write = (text) => output.write(text), windowMs } = to;
  const clock = new SystemClock();
  const format =
    logFormat === 'json'
      ? new JsonLog({ level: logLevel })
      : new TextLog({ colors: colors(hasColors(color, output, env)), inOrder });
  return new Log({ level: logLevel, format, windowMs }, { clock, write });
}

/** The hooks through which a node reports to a log. */
export interface LogHooks {
  readonly onCall: (report: CallReport) => void;
  readonly onConsole?: (line: string, from: Address) => void;
  readonly onTrace?: (root: Frame) => void;
  readonly onDropped: (messages: number) => void;
}

/** Connects a log to a node's calls, and to the output of its contracts. {@link Log.follow} connects it to the blocks. */
export function logHooks(log: Log, config: Config): LogHooks {
  return {
    onCall: (report) => log.call(report),
    ...(config.consoleLog && { onConsole: (line: string, from: Address) => log.console(line, from) }),
    ...(config.printTraces && { onTrace: (root: Frame) => log.trace(root) }),
    onDropped: (messages) => log.lost(messages),
  };
}
