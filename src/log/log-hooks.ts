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
 * The log that the options ask for; `undefined` for none.
 * @param to.write where lines go instead of the output
 * @param to.windowMs how long lines are gathered before they are printed; 0 to print each thing when it happens
 */
export function openLog(
  { silent, logFormat, logLevel, color }: Config,
  to: {
    readonly output: Output;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly write?: (text: string) => unknown;
    /** whether lines of text are in the order of time, see {@link TextLog} */
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

/** What a node tells a log. */
export interface LogHooks {
  readonly onCall: (report: CallReport) => void;
  readonly onConsole?: (line: string, from: Address) => void;
  readonly onTrace?: (root: Frame) => void;
  readonly onDropped: (messages: number) => void;
}

/** What lets a log hear of a node's calls, and of what contracts print. Its blocks are told by {@link Log.follow}. */
export function logHooks(log: Log, config: Config): LogHooks {
  return {
    onCall: (report) => log.call(report),
    ...(config.consoleLog && { onConsole: (line: string, from: Address) => log.console(line, from) }),
    ...(config.printTraces && { onTrace: (root: Frame) => log.trace(root) }),
    onDropped: (messages) => log.lost(messages),
  };
}
