import { bytesToHex } from '@ethereumjs/util';
import type { BlockView, Receipt, Transaction } from '../chain/block.ts';
import { type FunctionGas, figuresOf } from '../coverage/gas-functions.ts';
import { DevnetError } from '../errors.ts';
import { calledText, type Explainer } from '../log/explainer.ts';
import type { LogSource } from '../log/log.ts';
import { printable } from '../log/printable.ts';
import { isL1Attributes } from '../protocol/op-stack/l1-attributes.ts';
import type { CallReport } from '../rpc/dispatch.ts';

/** Maximum number of failed transactions, and of reasons of failed calls, that are listed. */
const MAX_FAILURES = 100;
/** Maximum number of transactions in a block for which a failed one is executed again, together with those before it. */
const SMALL_BLOCK = 50;

/** A mined transaction that failed. Addresses and hashes are `0x` hex. */
interface FailedTransaction {
  readonly hash: string;
  readonly block: number;
  readonly from: string;
  /** `null` for a new contract */
  readonly to: string | null;
  readonly contract?: string | undefined;
  /** the function with its arguments */
  readonly call?: string | undefined;
  /** wei, as decimal text */
  readonly value: string;
  readonly gasUsed: number;
  readonly gasLimit: number;
  /** absent if it isn't known */
  readonly reason?: string | undefined;
}

/** RPC calls of one method that reverted for one reason. */
interface FailedCalls {
  readonly method: string;
  /** name of the contract */
  readonly contract?: string | undefined;
  /** the function with its arguments */
  readonly call?: string | undefined;
  readonly reason: string;
  times: number;
}

/** The content of a report, in JSON. */
export interface ReportFields {
  readonly transactions: number;
  readonly failedTransactions: readonly FailedTransaction[];
  readonly failedCalls: readonly FailedCalls[];
  /** gas used by transactions, by the function that they call; the function that used most gas in total comes first */
  readonly functions: readonly FunctionGas[];
  /** with `--gas`: gas used by functions that contracts call, without intrinsic gas */
  readonly calledFunctions?: readonly FunctionGas[];
  /** number of failed transactions beyond the limit, which aren't listed */
  readonly more: number;
}

export const REPORTS = ['json', 'markdown'] as const;
export type ReportFormat = (typeof REPORTS)[number];

/** Summarises a chain's transactions: which failed and why, and the gas of each function. */
export class RunReport {
  readonly #failed: (FailedTransaction & { reason?: string | undefined })[] = [];
  readonly #calls = new Map<string, FailedCalls>();
  /** by name; `gas`: how often each amount of gas was used */
  readonly #functions = new Map<string, { failed: number; readonly gas: Map<number, number> }>();
  readonly #open = new Set<Promise<void>>();
  #explainer: Explainer | undefined;
  #transactions = 0;
  #more = 0;

  /** Counts transactions in blocks sealed from now on, even if the blocks are removed later. */
  follow(feed: LogSource, explainer: Explainer): void {
    this.#explainer = explainer;
    feed.on('sealed', (block) => {
      block.transactions.forEach((transaction, i) => {
        if (!isL1Attributes(transaction)) this.#count(block, transaction, block.receipts[i]!);
      });
    });
  }

  /** Records a call that was answered. */
  call({ method, error, params = [] }: CallReport): void {
    if (!(error instanceof DevnetError) || typeof error.data !== 'string' || !this.#explainer) return;
    const { data } = error;
    this.#learn(async () => {
      const { contract, call } = (await this.#explainer!.request(params)) ?? {};
      const reason = await this.#explainer!.revert(data);
      const key = JSON.stringify([method, contract, call, reason]);
      const known = this.#calls.get(key);
      if (known) known.times++;
      else if (this.#calls.size < MAX_FAILURES)
        this.#calls.set(key, { method, contract, call, reason, times: 1 });
    });
  }

  /** Waits until all details are known. Must be called while the chain is still running. */
  async settle(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  get fields(): ReportFields {
    const functions = [...this.#functions].map(([name, { failed, gas }]) => ({
      function: name,
      failed,
      ...figuresOf(gas),
    }));
    return {
      transactions: this.#transactions,
      failedTransactions: this.#failed,
      failedCalls: [...this.#calls.values()],
      functions: functions.sort((a, b) => b.calls * b.average - a.calls * a.average),
      more: this.#more,
    };
  }

  #count(block: BlockView, transaction: Transaction, receipt: Receipt): void {
    this.#transactions++;
    const { tx, from, hash } = transaction;
    const gasUsed = Number(receipt.gasUsed);
    const hasFailed = receipt.status === false;
    const isTold = hasFailed && this.#failed.length < MAX_FAILURES;
    if (hasFailed && !isTold) this.#more++;
    const failed: { -readonly [K in keyof FailedTransaction]: FailedTransaction[K] } = {
      hash: bytesToHex(hash),
      block: Number(block.header.number),
      from: from.toString(),
      to: tx.to?.toString() ?? null,
      value: String(tx.value),
      gasUsed,
      gasLimit: Number(tx.gasLimit),
    };
    if (isTold) this.#failed.push(failed);
    this.#learn(async () => {
      const calling = this.#explainer!.call(transaction, receipt);
      const isReplayed = isTold && block.transactions.length <= SMALL_BLOCK;
      // Started before anything is awaited, because the block may be removed soon.
      const failing = isReplayed ? this.#explainer!.failure(transaction) : undefined;
      const { contract, call, function: name } = await calling;
      this.#countGas(functionText(transaction, contract, name), gasUsed, hasFailed);
      failed.contract = contract;
      failed.call = call ?? name;
      failed.reason = await failing;
    });
  }

  #countGas(name: string, gasUsed: number, hasFailed: boolean): void {
    let sum = this.#functions.get(name);
    if (!sum) {
      sum = { failed: 0, gas: new Map() };
      this.#functions.set(name, sum);
    }
    sum.failed += Number(hasFailed);
    sum.gas.set(gasUsed, (sum.gas.get(gasUsed) ?? 0) + 1);
  }

  #learn(task: () => Promise<void>): void {
    const open: Promise<void> = task()
      // The block may have been removed in the meantime, or the node closed.
      .catch(() => {})
      .finally(() => this.#open.delete(open));
    this.#open.add(open);
  }
}

function functionText({ tx }: Transaction, contract: string | undefined, name: string | undefined): string {
  if (!tx.to) return `deployment of ${contract ?? 'a contract without an artifact'}`;
  if (name !== undefined) return contract === undefined ? name : `${contract}.${name}`;
  return contract === undefined ? 'transfer of ETH' : `${contract} (no function)`;
}

/** Formats the report as lines of text, for the end of the log. */
export function reportLines(fields: ReportFields): string[] {
  const { transactions, failedTransactions, failedCalls, functions, more } = fields;
  const lines = [
    `Summary: ${countOf(transactions, 'transaction')}, ${failedTransactions.length + more} failed`,
  ];
  for (const failed of failedTransactions)
    lines.push(`    Failed: ${failed.hash} ${whatFailed(failed)}: ${reasonOf(failed)}`);
  if (more > 0) lines.push(`    ... and ${more} more`);
  for (const { method, reason, times, ...called } of failedCalls) {
    const what = calledText(called);
    const many = times > 1 ? ` (${times})` : '';
    lines.push(`    Failed: ${method}${many}${what === undefined ? '' : ` of ${what}`} ${reason}`);
  }
  if (functions.length > 0) lines.push('Gas by function:', ...gasTable(functions));
  return lines.map(printable);
}

/** @param width of the terminal in columns */
export function gasTable(
  functions: readonly FunctionGas[],
  width: number = Number.POSITIVE_INFINITY,
): string[] {
  return fitNames(
    width,
    functions.map((each) => each.function),
    (names) =>
      textTable(
        GAS_HEAD,
        functions.map((each, i) => gasRow({ ...each, function: names[i]! })),
      ),
  );
}

/** Number of characters to which a name is shortened at most. */
const MIN_NAME = 20;

/** Formats a table, and again with shorter names if it is wider than the terminal: of a long name the end remains. */
export function fitNames(
  width: number,
  names: readonly string[],
  format: (names: readonly string[]) => string[],
): string[] {
  const lines = format(names);
  const excess = Math.max(...lines.map((line) => line.length)) - width;
  if (excess <= 0) return lines;
  const longest = Math.max(...names.map((name) => name.length));
  const most = Math.max(MIN_NAME, longest - excess);
  return format(names.map((name) => (name.length <= most ? name : `...${name.slice(3 - most)}`)));
}

const GAS_HEAD = ['function', 'calls', 'failed', 'min', 'average', 'median', 'max'];

function gasRow(one: FunctionGas): (string | number)[] {
  return [one.function, one.calls, one.failed, one.min, one.average, one.median, one.max];
}

const SHARE_OR_RANGE = /^(?:[+-]?[\d.]+ %|[\d,]+ to [\d,]+)$/;

/**
 * Formats a table as indented lines of text. Numbers and their column headings are aligned to the right.
 * @param numberText formats a number
 */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  numberText: (value: number) => string = String,
): string[] {
  const textOf = (cell: string | number) => (typeof cell === 'number' ? numberText(cell) : printable(cell));
  const texts = [head, ...rows].map((row) => row.map(textOf));
  const widths = head.map((_, i) => Math.max(...texts.map((row) => row[i]!.length)));
  const isRight = head.map((_, i) =>
    rows.some(({ [i]: cell = '' }) => typeof cell === 'number' || SHARE_OR_RANGE.test(cell)),
  );
  const cell = (text: string, i: number) =>
    isRight[i] ? text.padStart(widths[i]!) : text.padEnd(widths[i]!);
  return texts.map((row) => `    ${row.map(cell).join('  ')}`.trimEnd());
}

/** Formats the report as JSON on several lines. */
export function reportJson(fields: ReportFields): string {
  const lines = JSON.stringify(fields, null, 2).split('\n');
  return `${lines.map(printable).join('\n')}\n`;
}

/** Formats the report as Markdown for GitHub. */
export function reportMarkdown(fields: ReportFields): string {
  const { transactions, failedTransactions, failedCalls, functions, calledFunctions = [], more } = fields;
  const failed = failedTransactions.length + more;
  const parts = [`## devnet: ${countOf(transactions, 'transaction')}, ${failed} failed`];
  if (failedTransactions.length > 0)
    parts.push(
      `### Failed transactions\n\n${table(
        ['transaction', 'from', 'call', 'value (wei)', 'gas used', 'gas limit', 'reason'],
        failedTransactions.map((one) => [
          one.hash,
          one.from,
          whatFailed(one),
          one.value,
          one.gasUsed,
          one.gasLimit,
          reasonOf(one),
        ]),
      )}${more > 0 ? `\n\n... and ${more} more` : ''}`,
    );
  if (failedCalls.length > 0)
    parts.push(
      `### Calls that reverted\n\n${table(
        ['method', 'call', 'times', 'reason'],
        failedCalls.map(({ method, times, reason, ...called }) => [
          method,
          calledText(called) ?? '',
          times,
          reason,
        ]),
      )}`,
    );
  if (functions.length > 0) parts.push(`### Gas by function\n\n${table(GAS_HEAD, functions.map(gasRow))}`);
  if (calledFunctions.length > 0)
    parts.push(`### Gas of functions that contracts call\n\n${table(GAS_HEAD, calledFunctions.map(gasRow))}`);
  return `${parts.join('\n\n')}\n`;
}

/** Formats a table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(markdownText).join(' | ')} |`;
  const rule = head.map((_, i) => (rows.some((row) => typeof row[i] === 'number') ? '---:' : '---'));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** Escapes text from the chain for a cell of a Markdown table. */
export function markdownText(text: string | number): string {
  return printable(String(text)).replace(/[\\`*_{}[\]<>#|~]/g, (char) =>
    char === '<' ? '&lt;' : char === '>' ? '&gt;' : `\\${char}`,
  );
}

function whatFailed({ contract, call, to }: FailedTransaction): string {
  if (to === null) return `deployment of ${contract ?? 'a contract'}`;
  if (call === undefined) return contract ?? to;
  return `${contract ?? to}.${call}`;
}

function reasonOf({ reason }: FailedTransaction): string {
  return reason ?? 'the reason is not known';
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
