import type { BlockView, Receipt, Transaction } from '../chain/block.ts';
import type { Frame } from '../engine/tracers/frames.ts';
import { DevnetError } from '../errors.ts';
import type { CallReport } from '../rpc/dispatch.ts';
import type { Flashblock } from '../sequencer/feed/feed.ts';
import type { StackTrace } from '../stack-trace/stack-trace.ts';
import type { Explained, TraceNames } from './explainer.ts';
import { printable } from './printable.ts';

/** Descriptions of transactions by hash (`0x` hex), for those of which something is known. */
export type Explanations = ReadonlyMap<string, Explained>;

/** An event for the log. `at`: when it happened, milliseconds since the Unix epoch */
export type LogEvent = { readonly at: number } & (
  | {
      readonly kind: 'call';
      readonly report: CallReport;
      /** why a call in the EVM failed */
      readonly failure?: string | undefined;
      /** where in the source it failed */
      readonly trace?: StackTrace | undefined;
      /** what a failed call called */
      readonly called?: Explained | undefined;
    }
  | { readonly kind: 'flashblock'; readonly flashblock: Flashblock; readonly explained: Explanations }
  /** `isRepeated`: whether its transactions were already logged when they were pre-confirmed */
  | {
      readonly kind: 'sealed';
      readonly block: BlockView;
      readonly isRepeated: boolean;
      readonly explained: Explanations;
    }
  | { readonly kind: 'rewound'; readonly from: bigint; readonly to: bigint }
  | { readonly kind: 'dropped'; readonly transaction: Transaction; readonly reason: string }
  /** slow readers lost messages */
  | { readonly kind: 'lost'; readonly messages: number }
  /** the node listens on a host and port */
  | { readonly kind: 'started'; readonly version: string; readonly address: string }
  | { readonly kind: 'notice'; readonly about: 'follow' | 'fork'; readonly message: string }
  /** A contract printed a line with console.log. `from`: its address, `contract`: its name if known */
  | {
      readonly kind: 'console';
      readonly line: string;
      readonly from: string;
      readonly contract?: string | undefined;
    }
  /** `names`: `undefined` if unknown */
  | { readonly kind: 'trace'; readonly root: Frame; readonly names?: TraceNames | undefined }
);

/** Maximum number of characters of an error message that are printed. */
const MAX_MESSAGE = 300;

/** From the least important. */
export const LEVELS = ['info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

/** Formats events as lines; it may hold some events back for a later line. */
export interface LogFormat {
  lines(events: readonly LogEvent[]): readonly string[];
}

/** Whether an event is printed at every level: console lines and traces have their own options (`disableConsoleLog`, `printTraces`). */
export function isAtEachLevel({ kind }: LogEvent): boolean {
  return kind === 'console' || kind === 'trace';
}

export function levelOf(event: LogEvent): Level {
  switch (event.kind) {
    case 'call':
      if (event.report.error === undefined) return 'info';
      return isFault(event.report.error) ? 'error' : 'warn';
    case 'flashblock': {
      const { block, transactions } = event.flashblock;
      return hasFailed(block.receipts.slice(block.receipts.length - transactions.length)) ? 'warn' : 'info';
    }
    case 'sealed':
      return !event.isRepeated && hasFailed(event.block.receipts) ? 'warn' : 'info';
    case 'dropped':
    case 'lost':
      return 'warn';
    default:
      return 'info';
  }
}

function hasFailed(receipts: readonly Receipt[]): boolean {
  return receipts.some(({ status }) => status === false);
}

/** Whether an error is a fault of the node itself, of which the caller isn't told the details. */
export function isFault(error: unknown): boolean {
  return error !== undefined && !(error instanceof DevnetError);
}

/** Formats a method's name for printing: the name of an unknown method is text from the caller. */
export function printableMethod(method: string): string {
  return /^\w{1,80}$/.test(method) ? method : printable(JSON.stringify(method.slice(0, 80)));
}

/** Returns the first line of an error's message, shortened. */
export function messageLine(error: unknown): string {
  const line = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}...` : line;
}
