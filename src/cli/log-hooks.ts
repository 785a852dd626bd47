import type { Frame } from '../evm/tracers/frames.ts';
import type { DevnetHooks } from '../index.ts';
import type { Config } from '../options/options.ts';
import type { Log } from './log.ts';

/** What lets a log hear of a node's calls, and of what contracts print. Its blocks are told by {@link Log.follow}. */
export function logHooks(log: Log, config: Config): DevnetHooks {
  return {
    onCall: (report) => log.call(report),
    ...(config.consoleLog && { onConsole: (line: string) => log.console(line) }),
    ...(config.printTraces && { onTrace: (root: Frame) => log.trace(root) }),
    onDropped: (messages) => log.lost(messages),
  };
}
