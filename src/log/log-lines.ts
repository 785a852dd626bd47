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

/** Transactions, blocks or drops in a row that are told one by one; more become one line. */
const FEW = 3;

/** Milliseconds in which the same reason for refused calls is printed once: a wallet may ask for an unknown method each second. */
const SAME_REASON = 10_000;

/**
 * Lines for a terminal, in anvil's words. Calls of one method become one line with their number, and a flashblock of many
 * transactions becomes one line. Blocks without transactions are told as a range, before the next thing that happens.
 */
export class TextLog implements LogFormat {
  readonly #colors: Colors;
  readonly #inOrder: boolean;
  #empty: { first: bigint; last: bigint } | undefined;
  /** reason why calls were refused -> when it was printed last */
  readonly #reasons = new Map<string, number>();

  /**
   * @param options.inOrder whether all lines are in the order of time: a call, and then what came of it. Otherwise calls that are told
   *   together go before what came of all of them, so that a busy chain stays readable.
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
    const told: LogEvent[] = [];
    for (const event of events)
      if (event.kind === 'call') calls.push(event);
      else if (event.kind === 'sealed' && isEmpty(event.block)) {
        const { number } = event.block.header;
        this.#empty = { first: this.#empty?.first ?? number, last: number };
      } else told.push(event);
    const { failed, known } = this.#failuresOf(calls);
    const methods = sumUp(calls);
    const lines = callLines(methods, known, this.#colors);
    const mined = [...methods.keys()].some((method) => /mine/i.test(method));
    if (this.#empty && (told.length + failed.length > 0 || mined)) {
      lines.push(emptyLine(this.#empty.first, this.#empty.last));
      this.#empty = undefined;
    }
    lines.push(...failed.map((line) => this.#paint(`    ${line}`)));
    for (let from = 0; from < told.length; ) {
      const { kind } = told[from]!;
      let to = from + 1;
      while (told[to]?.kind === kind) to++;
      lines.push(...this.#row(told.slice(from, to)));
      from = to;
    }
    return lines;
  }

  /**
   * Lines that say why the first few calls failed.
   * @returns `known`: method -> how many of its calls were refused for a reason that was printed within the last {@link SAME_REASON}
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
      const told = this.#reasons.get(reason);
      if (same) same.times++;
      else if (told !== undefined && call.at - told < SAME_REASON)
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
    for (const [one, told] of this.#reasons) if (at - told >= SAME_REASON) this.#reasons.delete(one);
    this.#reasons.set(reason, at);
  }

  /** Events of one kind in a row. Indented as in anvil; what contracts print isn't. */
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
 * Events in the order of time, where a call counts from its start on: calls in a row, and what came of them, by turns. Why a call failed
 * is printed after its row, so the next call begins a new row then if it succeeds or is of another method.
 */
function stepsOf(events: readonly LogEvent[]): LogEvent[][] {
  const began = (event: LogEvent) => (event.kind === 'call' ? event.report.began : event.at);
  const steps: LogEvent[][] = [];
  let last: LogEvent | undefined;
  // Where both began in the same moment, the call goes before what came of it.
  const sorted = [...events].sort(
    (a, b) => began(a) - began(b) || Number(b.kind === 'call') - Number(a.kind === 'call'),
  );
  for (const event of sorted) {
    if (!last || (event.kind === 'call' && (last.kind !== 'call' || isTold(last, event)))) steps.push([]);
    steps.at(-1)!.push(event);
    last = event;
  }
  return steps;
}

/** Whether a call's failure is printed before the next call's line: not where the next call is of the same method and failed, too. */
function isTold(call: CallEvent, next: CallEvent): boolean {
  if (call.report.error === undefined) return false;
  return next.report.error === undefined || next.report.method !== call.report.method;
}

type CallEvent = Extract<LogEvent, { kind: 'call' }>;

function isEmpty({ transactions }: BlockView): boolean {
  return transactions.every(isL1Attributes);
}

/** How often methods were called, and the milliseconds that they took together. */
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

/** @param known method -> how many of its calls were refused for a reason that isn't printed again */
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

/** Why the EVM failed, and faults of the node's own. */
function failureLines({ report: { method, error }, failure, called, trace }: CallEvent): string[] {
  const name = printableMethod(method);
  if (failure === undefined) return [`Error: ${name}: ${printable(messageLine(error))}`];
  const what = called && calledText(called);
  const lines = trace ? sourceLines(trace, FEW).map(printable) : [];
  return [`Error: ${name} ${printable(what === undefined ? failure : `of ${what} ${failure}`)}`, ...lines];
}

/** Why a call was refused; `undefined` for one that failed in the EVM, or by a fault of the node's own. */
function refusalText({ report: { method, error }, failure }: CallEvent): string | undefined {
  if (failure !== undefined || isFault(error)) return undefined;
  return `${printableMethod(method)}: ${printable(messageLine(error))}`;
}

/** Blocks without transactions. */
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

/** Texts of contracts, callers and other nodes are in all of these lines. */
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
      const { block, told } = event;
      const { header, receipts } = block;
      const inside = () =>
        receipts.length > FEW
          ? [`${capital(summary(receipts))}`]
          : block.transactions.flatMap((transaction, i) =>
              isL1Attributes(transaction) ? [] : transactionLines(transaction, receipts[i]!, event.explained),
            );
      return [
        ...(told ? [] : [...inside(), '']),
        `Block Number: ${header.number}${told ? ` (${plural(receipts.length, 'transaction')})` : ''}`,
        `Block Hash: ${bytesToHex(block.hash)}`,
        `Block Time: ${isoTime(header.timestamp)}`,
        '',
      ];
    }
    case 'back':
      return [`Removed: ${plural(event.from - event.to, 'block')}, down to ${event.to + 1n}`];
    case 'dropped':
      return [`Dropped: ${bytesToHex(event.transaction.hash)} (${event.reason})`];
    case 'lost':
      return [`Lost: ${event.messages} messages, by a slow WebSocket reader`];
    case 'started':
      return [`Listening on ${event.address}`];
    case 'told':
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

/** @param seconds since the Unix epoch; a date past what a Date can hold stays a number */
function isoTime(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds}` : date.toISOString().replace('.000Z', 'Z');
}
