import { bytesToHex, type PrefixedHexString, toChecksumAddress } from '@ethereumjs/util';
import type { BlockView, Receipt, Transaction } from '../chain/block.ts';
import { plural } from '../plural.ts';
import { isL1Attributes } from '../protocol/op-stack/l1-attributes.ts';
import { sourceLines } from '../stack-trace/stack-text.ts';
import type { Colors } from './colors.ts';
import { calledText } from './explainer.ts';
import {
  type Explanations,
  isFault,
  type LogEvent,
  type LogFormat,
  messageLine,
  printableMethod,
} from './log-event.ts';
import { etherText, printable } from './printable.ts';
import { traceLines } from './trace-lines.ts';

/** Up to this many consecutive transactions, blocks or drops are printed one by one; more are combined into one line. */
const FEW = 3;

/**
 * Time in milliseconds during which the same reason for rejected calls isn't printed again: a wallet may call an unknown method every
 * second.
 */
const SAME_REASON = 10_000;

/**
 * Lines for a terminal, in anvil's words. Several calls of one method are combined into one line with their number, and so is a flashblock
 * with many transactions. Blocks without transactions are printed as a range, before the next other event.
 */
export class TextLog implements LogFormat {
  readonly #colors: Colors;
  readonly #inOrder: boolean;
  #empty: { first: bigint; last: bigint } | undefined;
  /** reason why calls were rejected -> when it was last printed */
  readonly #reasons = new Map<string, number>();

  /**
   * @param options.inOrder whether all lines are in chronological order: a call, then its effects. Otherwise calls that are printed
   * together come before the effects of all of them, so that the log of a busy chain stays readable.
   */
  constructor(options: { readonly colors: Colors; readonly inOrder?: boolean }) {
    this.#colors = options.colors;
    this.#inOrder = options.inOrder ?? false;
  }

  lines(events: readonly LogEvent[]): readonly string[] {
    return (this.#inOrder ? stepsOf(events) : [events]).flatMap((step) => this.#linesOf(step));
  }

  #linesOf(events: readonly LogEvent[]): readonly string[] {
    const calls: CallEvent[] = [];
    const rows: LogEvent[] = [];
    for (const event of events)
      if (event.kind === 'call') calls.push(event);
      else if (event.kind === 'sealed' && isEmpty(event.block)) {
        const { number } = event.block.header;
        this.#empty = { first: this.#empty?.first ?? number, last: number };
      } else rows.push(event);
    const { failed, known } = this.#failuresOf(calls);
    const methods = sumUp(calls);
    const lines = callLines(methods, known, this.#colors);
    const mined = [...methods.keys()].some((method) => /mine/i.test(method));
    if (this.#empty && (rows.length + failed.length > 0 || mined)) {
      lines.push(emptyLine(this.#empty.first, this.#empty.last));
      this.#empty = undefined;
    }
    lines.push(...failed.map((line) => this.#paint(`    ${line}`)));
    for (let from = 0; from < rows.length; ) {
      const { kind } = rows[from]!;
      let to = from + 1;
      while (rows[to]?.kind === kind) to++;
      lines.push(...this.#row(rows.slice(from, to)));
      from = to;
    }
    return lines;
  }

  /**
   * Returns lines that say why the first few calls failed.
   * @returns `known`: method -> how many of its calls were rejected for a reason that was printed within the last {@link SAME_REASON}
   */
  #failuresOf(calls: readonly CallEvent[]): { failed: string[]; known: ReadonlyMap<string, number> } {
    const failures: string[][] = [];
    const known = new Map<string, number>();
    const refused = new Map<string, { times: number; at: number; readonly lines: string[] }>();
    for (const call of calls) {
      const { method, error } = call.report;
      if (error === undefined) continue;
      const reason = refusalText(call);
      if (reason === undefined) {
        failures.push(failureLines(call));
        continue;
      }
      const same = refused.get(reason);
      const toldAt = this.#reasons.get(reason);
      if (same) same.times++;
      else if (toldAt !== undefined && call.at - toldAt < SAME_REASON)
        known.set(method, (known.get(method) ?? 0) + 1);
      else {
        const lines: string[] = [];
        refused.set(reason, { times: 1, at: call.at, lines });
        failures.push(lines);
      }
    }
    for (const [reason, { times, lines }] of refused)
      lines.push(`Error: ${reason}${times === 1 ? '' : ` (${times} times)`}`);
    const few = failures.slice(0, FEW);
    for (const [reason, { at, lines }] of refused) if (few.includes(lines)) this.#remember(reason, at);
    const more = failures.length - few.length;
    return { failed: [...few.flat(), ...(more > 0 ? [`... and ${more} more`] : [])], known };
  }

  #remember(reason: string, at: number): void {
    for (const [one, toldAt] of this.#reasons) if (at - toldAt >= SAME_REASON) this.#reasons.delete(one);
    this.#reasons.set(reason, at);
  }

  /** Formats consecutive events of one kind. They are indented as in anvil, except for the output of contracts. */
  #row(row: readonly LogEvent[]): string[] {
    if (row[0]?.kind === 'console' || row[0]?.kind === 'trace') return row.flatMap(linesOf);
    return summed(row).map((line) => (line === '' ? '' : this.#paint(`    ${line}`)));
  }

  #paint(line: string): string {
    const { red, yellow, cyan, dim } = this.#colors;
    if (/^ +Error: /.test(line)) return red(line);
    if (/^ +(Dropped|Lost|Removed): /.test(line)) return yellow(line);
    if (/^ +Blocks? /.test(line)) return cyan(line);
    const [start, failed, rest] = line.split(/( \(failed\))/);
    return failed ? `${start}${red(failed)}${rest}` : line.replace(/^( +[\w ]+: )/, (label) => dim(label));
  }
}

/**
 * Sorts events chronologically, with a call at its start time, and groups them: consecutive calls, then their effects, and so on. The
 * reason why a call failed is printed after its group, so the next call starts a new group if it succeeds or is of another method.
 */
function stepsOf(events: readonly LogEvent[]): LogEvent[][] {
  const began = (event: LogEvent) => (event.kind === 'call' ? event.report.began : event.at);
  const steps: LogEvent[][] = [];
  let last: LogEvent | undefined;
  // A call and its effect with the same time: the call comes first.
  const sorted = [...events].sort(
    (a, b) => began(a) - began(b) || Number(b.kind === 'call') - Number(a.kind === 'call'),
  );
  for (const event of sorted) {
    if (!last || (event.kind === 'call' && (last.kind !== 'call' || isPrintedFirst(last, event))))
      steps.push([]);
    steps.at(-1)!.push(event);
    last = event;
  }
  return steps;
}

/** Whether a call's failure is printed before the next call's line: always, unless the next call is of the same method and failed, too. */
function isPrintedFirst(call: CallEvent, next: CallEvent): boolean {
  if (call.report.error === undefined) return false;
  return next.report.error === undefined || next.report.method !== call.report.method;
}

type CallEvent = Extract<LogEvent, { kind: 'call' }>;

function isEmpty({ transactions }: BlockView): boolean {
  return transactions.every(isL1Attributes);
}

/** How often each method was called, and the total time in milliseconds. */
type Methods = ReadonlyMap<string, { readonly times: number; readonly ms: number }>;

function sumUp(calls: readonly CallEvent[]): Methods {
  const methods = new Map<string, { times: number; ms: number }>();
  for (const { report } of calls) {
    const sum = methods.get(report.method);
    if (sum) {
      sum.times++;
      sum.ms += report.ms;
    } else methods.set(report.method, { times: 1, ms: report.ms });
  }
  return methods;
}

/** @param known method -> how many of its calls were rejected for a reason that isn't printed again */
function callLines(methods: Methods, known: ReadonlyMap<string, number>, { bold, dim }: Colors): string[] {
  return [...methods].map(([method, { times, ms }]) => {
    const took = ms >= 1 ? ` ${Math.round(ms)} ms` : '';
    return `${bold(printableMethod(method))}${dim(`${countText(times, known.get(method) ?? 0)}${took}`)}`;
  });
}

function countText(times: number, refused: number): string {
  const counts = [
    ...(times === 1 ? [] : [String(times)]),
    ...(refused === 0 ? [] : [`${refused === times ? '' : `${refused} `}refused as before`]),
  ];
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

/** Describes a failure in the EVM, or a fault of the node. */
function failureLines({ report: { method, error }, failure, called, trace }: CallEvent): string[] {
  const name = printableMethod(method);
  if (failure === undefined) return [`Error: ${name}: ${printable(messageLine(error))}`];
  const what = called && calledText(called);
  const lines = trace ? sourceLines(trace, FEW).map(printable) : [];
  return [`Error: ${name} ${printable(what === undefined ? failure : `of ${what} ${failure}`)}`, ...lines];
}

/** Returns why a call was rejected; `undefined` for a call that failed in the EVM, or by a fault of the node. */
function refusalText({ report: { method, error }, failure }: CallEvent): string | undefined {
  if (failure !== undefined || isFault(error)) return undefined;
  return `${printableMethod(method)}: ${printable(messageLine(error))}`;
}

/** Formats a range of blocks without transactions. */
function emptyLine(first: bigint, last: bigint): string {
  return first === last ? `    Block Number: ${first} (empty)` : `    Blocks ${first} to ${last} (empty)`;
}

function summed(row: readonly LogEvent[]): string[] {
  if (row.length <= FEW) return row.flatMap(linesOf);
  const blocks = row.flatMap((event) => (event.kind === 'sealed' ? [event.block] : []));
  const [first] = blocks;
  const last = blocks.at(-1);
  if (first && last) {
    const count = blocks.reduce((sum, block) => sum + block.transactions.length, 0);
    const gas = blocks.reduce((sum, block) => sum + block.header.gasUsed, 0n);
    return [
      `Blocks ${first.header.number} to ${last.header.number}: ${plural(count, 'transaction')}, Gas used: ${gas}`,
      '',
    ];
  }
  return [...row.slice(0, FEW).flatMap(linesOf), `... and ${row.length - FEW} more`];
}

/** Formats one event. All these lines contain text from contracts, callers or other nodes. */
function linesOf(event: LogEvent): string[] {
  return rawLinesOf(event).map(printable);
}

function rawLinesOf(event: LogEvent): string[] {
  switch (event.kind) {
    case 'flashblock': {
      const { block, index, transactions: added } = event.flashblock;
      const receipts = block.receipts.slice(-added.length);
      const place = `flashblock ${index} of block ${block.header.number}`;
      if (added.length > FEW) return [`${capital(place)}: ${summary(receipts)}`];
      return added.flatMap((transaction, i) =>
        transactionLines(transaction, receipts[i]!, event.explained, `, ${place}`),
      );
    }
    case 'sealed': {
      const { block, isRepeated } = event;
      const { header, receipts } = block;
      const inside = () =>
        receipts.length > FEW
          ? [`${capital(summary(receipts))}`]
          : block.transactions.flatMap((transaction, i) =>
              isL1Attributes(transaction) ? [] : transactionLines(transaction, receipts[i]!, event.explained),
            );
      return [
        ...(isRepeated ? [] : [...inside(), '']),
        `Block Number: ${header.number}${isRepeated ? ` (${plural(receipts.length, 'transaction')})` : ''}`,
        `Block Hash: ${bytesToHex(block.hash)}`,
        `Block Time: ${isoTime(header.timestamp)}`,
        '',
      ];
    }
    case 'rewound':
      return [`Removed: ${plural(event.from - event.to, 'block')}, down to ${event.to + 1n}`];
    case 'dropped':
      return [`Dropped: ${bytesToHex(event.transaction.hash)} (${event.reason})`];
    case 'lost':
      return [`Lost: ${event.messages} messages, by a slow WebSocket reader`];
    case 'started':
      return [`Listening on ${event.address}`];
    case 'notice':
      return [`${event.about === 'fork' ? 'Fork' : 'Follow'}: ${event.message}`];
    case 'console':
      return [event.contract === undefined ? event.line : `${event.contract}: ${event.line}`];
    case 'trace':
      return [...traceLines(event.root, event.names), ''];
    case 'call':
      return [];
  }
}

function transactionLines(
  { hash, from, tx }: Transaction,
  receipt: Receipt,
  explained: Explanations,
  place = '',
): string[] {
  const failed = receipt.status === false ? ' (failed)' : '';
  const id = bytesToHex(hash);
  const { contract, call, failure, trace, ...rest } = explained.get(id) ?? {};
  const name = contract === undefined ? '' : ` (${contract})`;
  const called = call ?? rest.function;
  return [
    `Transaction: ${id}`,
    `From: ${checksummed(from)}`,
    ...(tx.to ? [`To: ${checksummed(tx.to)}${name}`] : []),
    ...(receipt.contractAddress ? [`Contract created: ${checksummed(receipt.contractAddress)}${name}`] : []),
    ...(called === undefined ? [] : [`Call: ${contract === undefined ? '' : `${contract}.`}${called}`]),
    ...(tx.value > 0n ? [`Value: ${etherText(tx.value)}`] : []),
    `Gas used: ${receipt.gasUsed} of ${tx.gasLimit}${failed}${place}`,
    ...(failure === undefined ? [] : [`Error: ${failure}`]),
    ...(trace ? sourceLines(trace, FEW) : []),
  ];
}

function checksummed(address: { toString(): string }): string {
  return toChecksumAddress(address.toString() as PrefixedHexString);
}

function summary(receipts: readonly Receipt[]): string {
  const failed = receipts.filter(({ status }) => status === false).length;
  const gas = receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
  return `${plural(receipts.length, 'transaction')}${failed > 0 ? ` (${failed} failed)` : ''}, Gas used: ${gas}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param seconds seconds since the Unix epoch; a time outside the range of Date stays a number */
function isoTime(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds}` : date.toISOString().replace('.000Z', 'Z');
}
