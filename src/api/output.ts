import type { Address } from '@ethereumjs/util';
import type { Frame } from '../engine/tracers/frames.ts';
import { Explainer } from '../log/explainer.ts';
import type { Log } from '../log/log.ts';
import { openLog } from '../log/log-hooks.ts';
import { type DevnetOptions, resolveOptions } from '../options/options.ts';
import { formatFrames } from '../rpc/format/frames.ts';
import type { StartHooks } from '../start.ts';
import { type CallFrame, checkHooks, type DevnetHooks } from './hooks.ts';

/**
 * Connects the output of a chain that runs inside a program: to the program's hooks, else to `console.log`, which test runners show with
 * the test. The output is what contracts print, and call trees with the option `printTraces`; requests and blocks are included only if the
 * option `logLevel` is given.
 * @returns `printing`: the log, if it has to look up names before it can print what a request did
 */
export function output(
  options: DevnetOptions,
  hooks: DevnetHooks,
): { readonly hooks: StartHooks; readonly log: Log | undefined; readonly printing: Log | undefined } {
  checkHooks(hooks, options);
  const config = resolveOptions(options);
  const { onLog, onConsole, onTrace, ...others } = hooks;
  // Test runners replace Node's console for each test file.
  // biome-ignore lint/suspicious/noConsole: what is printed has to be the test's output
  const print = onLog ?? ((lines: string) => console.log(lines));
  const log = openLog(config, {
    output: process.stdout,
    env: process.env,
    write: (text) => print(text.replace(/\n$/, '')),
    windowMs: 0,
  });
  const told = config.asked.logLevel ? log : undefined;
  const { onCall, onDropped, onFollow, onForkWait, onFork, onImport } = others;
  const console_ = onConsole
    ? (line: string, from: Address) => onConsole(line, from.toString())
    : config.consoleLog
      ? log && ((line: string, from: Address) => log.console(line, from))
      : undefined;
  const trace = onTrace
    ? (root: Frame) => onTrace(callFrame(root))
    : config.printTraces
      ? log && ((root: Frame) => log.trace(root))
      : undefined;
  const printing =
    told ?? ((config.consoleLog && !onConsole) || (config.printTraces && !onTrace) ? log : undefined);
  return {
    hooks: {
      ...(console_ && { onConsole: console_ }),
      ...(trace && { onTrace: trace }),
      ...((onCall || told) && {
        onCall: (report) => {
          told?.call(report);
          onCall?.(report);
        },
      }),
      ...((onDropped || told) && {
        onDropped: (messages) => {
          told?.lost(messages);
          onDropped?.(messages);
        },
      }),
      ...((onFollow || told) && {
        onFollow: (line) => {
          told?.tell(line);
          onFollow?.(line);
        },
      }),
      ...((onForkWait || told) && {
        onForkWait: (line) => {
          told?.tell(line, 'fork');
          onForkWait?.(line);
        },
      }),
      ...((onFork || told) && {
        onFork: (line) => {
          told?.tell(line, 'fork');
          onFork?.(line);
        },
      }),
      ...(onImport && { onImport }),
      ...(printing && {
        onFeed: (feed, reexecutor, known) => {
          const explainer = new Explainer(known, reexecutor);
          if (told) told.follow(feed, explainer);
          else printing.explainWith(explainer);
        },
      }),
    },
    log,
    printing,
  };
}

/** Formats a call tree like geth's callTracer. */
function callFrame(root: Frame): CallFrame {
  const formatted = formatFrames(root, root, { onlyTopCall: false, withLog: false, firstLog: 0 });
  // The formatted lists are created when they are serialised.
  return JSON.parse(JSON.stringify(formatted)) as CallFrame;
}
