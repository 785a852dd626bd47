import { bytesToHex, type PrefixedHexString, toChecksumAddress } from '@ethereumjs/util';
import type { BlockView, Receipt, Transaction } from '../chain/block.ts';
import { isL1Attributes } from '../chain/l1-attributes.ts';
import { plural } from '../plural.ts';
import { sourceLines } from '../stack-trace/stack-text.ts';
import type { Colors } from './colors.ts';
import { calledText } from './explainer.ts';
import {
  type Explanations,
  firstLine,
  isFault,
  isRefusal,
  type LogEvent,
  type LogFormat,
  printableMethod,
} from './log-event.ts';
import { etherText, printable } from './printable.ts';
import { traceLines } from './trace-lines.ts';

/** Transactions, blocks or drops in a row that are told one by one; more become one line. */
const FEW = 3;

/**
 * Lines for a terminal, in anvil's words. Calls of one method become one line with their number, and a flashblock of many
 * transactions becomes one line. Blocks without transactions are told as a range, before the next thing that happens.
 */
export class TextLog implements LogFormat {
  readonly #colors: Colors;
  readonly #inOrder: boolean;
  #empty: { first: bigint; last: bigint } | undefined;

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
    const failed = calls
      .flatMap((call) => (call.report.error === undefined ? [] : [failureLines(call)]))
      .filter((lines) => lines.length > 0);
    const methods = sumUp(calls);
    const lines = callLines(methods, this.#colors);
    const mined = [...methods.keys()].some((method) => /mine/i.test(method));
    if (this.#empty && (told.length + failed.length > 0 || mined)) {
      lines.push(emptyLine(this.#empty.first, this.#empty.last));
      this.#empty = undefined;
    }
    const few =
      failed.length > FEW ? [...failed.slice(0, FEW), [`... and ${failed.length - FEW} more`]] : failed;
    lines.push(...few.flat().map((line) => this.#paint(`    ${line}`)));
    for (let from = 0; from < told.length; ) {
      const { kind } = told[from]!;
      let to = from + 1;
      while (told[to]?.kind === kind) to++;
      lines.push(...this.#row(told.slice(from, to)));
      from = to;
    }
    return lines;
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
 * is printed after its row, so a call that succeeds begins a new one then.
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
    if (!last || (event.kind === 'call' && (last.kind !== 'call' || (hasFailed(last) && !hasFailed(event)))))
      steps.push([]);
    steps.at(-1)!.push(event);
    last = event;
  }
  return steps;
}

/** Whether lines say why a call failed. */
const hasFailed = (call: CallEvent) => call.report.error !== undefined && failureLines(call).length > 0;

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

function callLines(methods: Methods, { bold, dim }: Colors): string[] {
  return [...methods].map(([method, { times, ms }]) => {
    const took = ms >= 1 ? ` ${Math.round(ms)} ms` : '';
    return `${bold(printableMethod(method))}${dim(`${times === 1 ? '' : ` (${times})`}${took}`)}`;
  });
}

/**
 * Why the EVM failed, why a transaction was refused, which appears nowhere else, and faults of the node's own. Whatever else callers got
 * wrong, only they are told.
 */
function failureLines({ report: { method, error }, failure, called, trace }: CallEvent): string[] {
  const name = printableMethod(method);
  if (isFault(error)) return [`Error: ${name}: ${printable(firstLine(error))}`];
  if (failure === undefined)
    return isRefusal(error) ? [`Error: ${name}: ${printable(firstLine(error))}`] : [];
  const what = called && calledText(called);
  const lines = trace ? sourceLines(trace, FEW).map(printable) : [];
  return [`Error: ${name} ${printable(what === undefined ? failure : `of ${what} ${failure}`)}`, ...lines];
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
