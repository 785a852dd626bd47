import type { Block, Hex, Transaction } from '../../src/explorer/data/types.ts';

export const hash = (text: string): Hex => `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`;
const quantity = (value: number): Hex => `0x${value.toString(16)}`;

export function transaction(name: string): Transaction {
  return {
    hash: hash(name),
    from: `0x${'aa'.repeat(20)}`,
    to: `0x${'bb'.repeat(20)}`,
    value: '0x0',
    input: '0x',
    nonce: '0x0',
    gas: '0x5208',
    type: '0x2',
    blockNumber: null,
    blockHash: null,
    transactionIndex: null,
  };
}

/** A block whose hash follows from its number, its transactions and `version`; each transaction uses 21,000 gas. */
export function block(
  number: number,
  names: readonly string[] = [],
  { version = '', parent = '' } = {},
): Block {
  return {
    number: quantity(number),
    hash: hash(`${number}${version}:${names.join()}`),
    parentHash: hash(parent || `${number - 1}:`),
    timestamp: quantity(1_000 + 2 * number),
    gasUsed: quantity(21_000 * names.length),
    gasLimit: quantity(30_000_000),
    baseFeePerGas: '0x1',
    miner: `0x${'00'.repeat(20)}`,
    stateRoot: hash('state'),
    transactionsRoot: hash('transactions'),
    receiptsRoot: hash('receipts'),
    extraData: '0x',
    mixHash: hash('mix'),
    size: '0x200',
    transactions: names.map(transaction),
  };
}
