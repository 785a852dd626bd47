import type { Address } from '@ethereumjs/util';
import { SystemClock } from '../clock.ts';
import type { Frame } from '../evm/tracers/frames.ts';
import type { DevnetHooks } from '../index.ts';
import type { Config } from '../options/options.ts';
import { colors, hasColors } from './colors.ts';
import { Log } from './log.ts';
import { JsonLog } from './log-json.ts';
import { TextLog } from './log-lines.ts';
import type { Output } from './program.ts';

/**
 * The log that the options ask for; `undefined` for none.
 * @param to.write where lines go instead of the output
 */
export function openLog(
  { silent, logFormat, logLevel, color }: Config,
  to: {
    readonly output: Output;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly write?: (text: string) => unknown;
    /** whether lines of text are in the order of time, see {@link TextLog} */
    readonly inOrder?: boolean;
  },
): Log | undefined {
  if (silent) return undefined;
  const { output, env, inOrder = false, write = (text) => output.write(text) } = to;
  const clock = new SystemClock();
  const format =
    logFormat === 'json'
      ? new JsonLog({ level: logLevel })
      : new TextLog({ colors: colors(hasColors(color, output, env)), inOrder });
  return new Log({ level: logLevel, format }, { clock, write });
}

/** What lets a log hear of a node's calls, and of what contracts print. Its blocks are told by {@link Log.follow}. */
export function logHooks(log: Log, config: Config): DevnetHooks {
  return {
    onCall: (report) => log.call(report),
    ...(config.consoleLog && { onConsole: (line: string, from: Address) => log.console(line, from) }),
    ...(config.printTraces && { onTrace: (root: Frame) => log.trace(root) }),
    onDropped: (messages) => log.lost(messages),
  };
}
