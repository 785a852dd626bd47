import { bytesToHex } from '@ethereumjs/util';
import type { Receipt, Transaction } from '../chain/block.ts';
import type { DevnetError } from '../errors.ts';
import {
  type Explanations,
  isAtEachLevel,
  isFault,
  LEVELS,
  type Level,
  type LogEvent,
  type LogFormat,
  levelOf,
  messageLine,
} from './log-event.ts';
import { printable } from './printable.ts';
import { traceLines } from './trace-lines.ts';

/** Maximum number of characters printed of a text from a caller. */
const MAX_TEXT = 200;

/** Fields of an event other than its time, level and name. */
type Fields = Readonly<Record<string, unknown>>;

/** Formats each event as a JSON object on one line: `time` (ISO 8601), `level`, `event`, and the event's own fields. */
export class JsonLog implements LogFormat {
  readonly #level: number;

  /** @param options.level the level of the least important lines */
  constructor(options: { readonly level: Level }) {
    this.#level = LEVELS.indexOf(options.level);
  }

  lines(events: readonly LogEvent[]): readonly string[] {
    return events.flatMap((event) =>
      recordsOf(event).flatMap(([name, fields, level = levelOf(event)]) =>
        !isAtEachLevel(event) && LEVELS.indexOf(level) < this.#level
          ? []
          : [jsonLine(event.at, level, name, fields)],
      ),
    );
  }
}

/** @param at milliseconds since the Unix epoch */
function jsonLine(at: number, level: Level, event: string, fields: Fields): string {
  const record = { time: new Date(at).toISOString(), level, event, ...fields };
  // Block numbers and amounts of gas are JSON numbers if they can be represented exactly.
  const text = JSON.stringify(record, (_, value: unknown) => {
    if (typeof value !== 'bigint') return value;
    return value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  });
  return printable(text);
}

type Line = readonly [event: string, fields: Fields, level?: Level];

function recordsOf(event: LogEvent): readonly Line[] {
  switch (event.kind) {
    case 'call': {
      const { method, id, ms, error } = event.report;
      const call = {
        method: method.slice(0, MAX_TEXT),
        ...(id !== undefined && { id: typeof id === 'string' ? id.slice(0, MAX_TEXT) : id }),
        ms,
      };
      if (error === undefined) return [['call', call]];
      const message = messageLine(error);
      if (isFault(error)) return [['fault', { ...call, message, stack: (error as Error).stack }]];
      const { code } = error as DevnetError;
      const { contract: name, call: called, function: selector } = event.called ?? {};
      const what = { name, function: selector, call: called };
      return [
        [
          'call',
          { ...call, ...what, error: { code, message }, failure: event.failure, frames: event.trace?.frames },
        ],
      ];
    }
    case 'flashblock': {
      const { block, index, transactions } = event.flashblock;
      const receipts = block.receipts.slice(-transactions.length);
      const place = { block: block.header.number, flashblock: index };
      return transactionRecords(transactions, receipts, place, event.explained);
    }
    case 'sealed': {
      const { header, hash, transactions, receipts } = event.block;
      const { number, timestamp, gasUsed } = header;
      return [
        ...(event.isRepeated
          ? []
          : transactionRecords(transactions, receipts, { block: number }, event.explained)),
        [
          'block',
          { number, hash: bytesToHex(hash), transactions: transactions.length, gasUsed, timestamp },
          'info',
        ],
      ];
    }
    case 'rewound':
      return [['removed', { first: event.to + 1n, last: event.from }]];
    case 'dropped':
      return [['dropped', { hash: bytesToHex(event.transaction.hash), reason: event.reason }]];
    case 'lost':
      return [['lost', { messages: event.messages }]];
    case 'started':
      return [['started', { version: event.version, url: `http://${event.address}` }]];
    case 'notice':
      return [[event.about, { message: event.message }]];
    case 'console':
      return [['console', { line: event.line, from: event.from, contract: event.contract }]];
    case 'trace':
      return [['trace', { lines: traceLines(event.root, event.names) }]];
  }
}

function transactionRecords(
  transactions: readonly Transaction[],
  receipts: readonly Receipt[],
  place: Fields,
  explained: Explanations,
): Line[] {
  return transactions.map(({ hash, from, tx }, i) => {
    const { status, gasUsed, contractAddress } = receipts[i]!;
    const id = bytesToHex(hash);
    const { contract: name, call, failure, trace, ...rest } = explained.get(id) ?? {};
    const fields = {
      hash: id,
      from: from.toString(),
      to: tx.to?.toString() ?? null,
      ...(contractAddress && { contract: contractAddress.toString() }),
      name,
      function: rest.function,
      call,
      value: String(tx.value),
      ...place,
      gasUsed,
      gasLimit: tx.gasLimit,
      // Before Byzantium receipts have no status.
      ...(status !== undefined && { success: status }),
      failure,
      frames: trace?.frames,
    };
    return ['transaction', fields, status === false ? 'warn' : 'info'];
  });
}
