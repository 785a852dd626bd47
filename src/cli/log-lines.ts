import { bytesToHex } from '@ethereumjs/util';
import type { BlockView, Receipt, Transaction } from '../chain/block.ts';
import type { Flashblock } from '../sequencer/feed/feed.ts';

/** Something to tell. */
export type LogEvent =
  | { readonly kind: 'flashblock'; readonly flashblock: Flashblock }
  /** `told`: its transactions were told as they were pre-confirmed */
  | { readonly kind: 'sealed'; readonly block: BlockView; readonly told: boolean }
  | { readonly kind: 'back'; readonly from: bigint; readonly to: bigint }
  | { readonly kind: 'dropped'; readonly transaction: Transaction; readonly reason: string }
  /** messages that slow readers lost */
  | { readonly kind: 'lost'; readonly messages: number }
  | { readonly kind: 'told'; readonly message: string }
  /** what contracts print, and traces: as they stand */
  | { readonly kind: 'printed'; readonly lines: readonly string[] }
  | { readonly kind: 'fault'; readonly message: string };

/** Transactions, blocks or drops in a row that are told one by one; more become one line. */
const FEW = 3;

/** Methods with how often they were called. */
export function callLines(calls: ReadonlyMap<string, number>): string[] {
  return [...calls].map(([method, times]) => (times === 1 ? method : `${method} (${times})`));
}

/** Events in their order, a row of many of one kind as one line. In anvil's words, indented as there; what is printed isn't. */
export function eventLines(events: readonly LogEvent[]): string[] {
  const lines: string[] = [];
  for (let from = 0; from < events.length; ) {
    const { kind } = events[from]!;
    let to = from + 1;
    while (events[to]?.kind === kind) to++;
    lines.push(...rowLines(events.slice(from, to)));
    from = to;
  }
  return lines;
}

/** Blocks without transactions. */
export function emptyLine(first: bigint, last: bigint): string {
  return first === last ? `    Block Number: ${first} (empty)` : `    Blocks ${first} to ${last} (empty)`;
}

function rowLines(row: readonly LogEvent[]): string[] {
  if (row[0]?.kind === 'printed') return row.flatMap(linesOf);
  return summed(row).map((line) => (line === '' ? '' : `    ${line}`));
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
      `Blocks ${first.header.number} to ${last.header.number}: ${transactions(count)}, Gas used: ${gas}`,
      '',
    ];
  }
  return [...row.slice(0, FEW).flatMap(linesOf), `... and ${row.length - FEW} more`];
}

function linesOf(event: LogEvent): string[] {
  switch (event.kind) {
    case 'flashblock': {
      const { block, index, transactions: added } = event.flashblock;
      const receipts = block.receipts.slice(-added.length);
      const place = `flashblock ${index} of block ${block.header.number}`;
      if (added.length > FEW) return [`${capital(place)}: ${summary(receipts)}`];
      return added.flatMap((transaction, i) => transactionLines(transaction, receipts[i]!, `, ${place}`));
    }
    case 'sealed': {
      const { block, told } = event;
      const { header, receipts } = block;
      const inside = () =>
        receipts.length > FEW
          ? [`${capital(summary(receipts))}`]
          : block.transactions.flatMap((transaction, i) => transactionLines(transaction, receipts[i]!));
      return [
        ...(told ? [] : [...inside(), '']),
        `Block Number: ${header.number}${told ? ` (${transactions(receipts.length)})` : ''}`,
        `Block Hash: ${bytesToHex(block.hash)}`,
        `Block Time: ${isoTime(header.timestamp)}`,
        '',
      ];
    }
    case 'back':
      return [`Removed: ${event.from - event.to} blocks, down to ${event.to + 1n}`];
    case 'dropped':
      return [`Dropped: ${bytesToHex(event.transaction.hash)} (${event.reason})`];
    case 'lost':
      return [`Lost: ${event.messages} messages, by a slow WebSocket reader`];
    case 'told':
      return [`Follow: ${event.message}`];
    case 'printed':
      return [...event.lines];
    case 'fault':
      return [`Error: ${event.message}`];
  }
}

function transactionLines({ hash }: Transaction, receipt: Receipt, place = ''): string[] {
  const failed = receipt.status === false ? ' (failed)' : '';
  return [
    `Transaction: ${bytesToHex(hash)}`,
    ...(receipt.contractAddress ? [`Contract created: ${receipt.contractAddress}`] : []),
    `Gas used: ${receipt.gasUsed}${failed}${place}`,
  ];
}

function summary(receipts: readonly Receipt[]): string {
  const failed = receipts.filter(({ status }) => status === false).length;
  const gas = receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
  return `${transactions(receipts.length)}${failed > 0 ? ` (${failed} failed)` : ''}, Gas used: ${gas}`;
}

function transactions(count: number): string {
  return count === 1 ? '1 transaction' : `${count} transactions`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param seconds since the Unix epoch; a date past what a Date can hold stays a number */
function isoTime(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds}` : date.toISOString().replace('.000Z', 'Z');
}
