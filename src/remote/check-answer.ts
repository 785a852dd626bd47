import { BadAnswer, readBytes, readQuantity } from './wire.ts';

/** Answers that may change, although they are about blocks before the fork: those of searches, which go to the newest block. */
const NO_FACTS: ReadonlySet<string> = new Set([
  'eth_getTransactionBySenderAndNonce',
  'ots_getTransactionBySenderAndNonce',
  'ots_getContractCreator',
  'ots_searchTransactionsBefore',
  'ots_searchTransactionsAfter',
]);

/** Methods by which it is found out whether something is older than the fork: that there is no such thing is a fact too. */
const MAY_BE_NONE: ReadonlySet<string> = new Set(['eth_getTransactionByHash', 'eth_getBlockByHash']);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks an answer that is passed on: a block, a transaction or a receipt has to be the one that was asked for.
 * @returns whether it is a fact that never changes
 * @throws BadAnswer
 */
export function checkAnswer(method: string, params: readonly unknown[], result: unknown): boolean {
  if (result === null) return MAY_BE_NONE.has(method);
  const [first] = params;
  switch (method) {
    case 'eth_getBlockByNumber':
    case 'eth_getHeaderByNumber':
      return checkBlock(result, 'number', first);
    case 'eth_getBlockByHash':
    case 'eth_getHeaderByHash':
      return checkBlock(result, 'hash', first);
    case 'eth_getTransactionByHash':
      checkHash(fieldsOf(result, 'the transaction'), 'hash', first);
      break;
    case 'eth_getTransactionReceipt':
      checkReceipt(result, first);
      break;
    case 'eth_getBlockReceipts':
      for (const receipt of listOf(result, 'the receipts')) checkReceipt(receipt, undefined);
      break;
    case 'eth_getLogs':
      for (const log of listOf(result, 'the logs')) checkLog(log);
      break;
    default:
  }
  return !NO_FACTS.has(method);
}

/** @returns whether it is whole: a part of a block isn't kept */
function checkBlock(result: unknown, member: 'number' | 'hash', asked: unknown): boolean {
  const block = fieldsOf(result, 'the block');
  const number = readQuantity(block.number, 'number');
  readBytes(block.hash, 'hash', 32);
  if (member === 'hash') checkHash(block, 'hash', asked);
  else if (typeof asked === 'string' && asked.startsWith('0x') && BigInt(asked) !== number)
    throw new BadAnswer('number', asked, block.number);
  return ['parentHash', 'stateRoot', 'timestamp'].every((name) => typeof block[name] === 'string');
}

function checkReceipt(result: unknown, hash: unknown): void {
  const receipt = fieldsOf(result, 'the receipt');
  checkHash(receipt, 'transactionHash', hash);
  readQuantity(receipt.blockNumber, 'blockNumber');
  readQuantity(receipt.gasUsed, 'gasUsed');
  for (const log of listOf(receipt.logs, 'logs')) checkLog(log);
}

function checkLog(value: unknown): void {
  const log = fieldsOf(value, 'the log');
  readBytes(log.address, 'address', 20);
  readBytes(log.data, 'data');
  for (const topic of listOf(log.topics, 'topics')) readBytes(topic, 'topic', 32);
}

/** @param asked what it has to be, where that is known */
function checkHash(fields: Fields, member: string, asked: unknown): void {
  readBytes(fields[member], member, 32);
  const hash = fields[member] as string;
  if (typeof asked === 'string' && hash.toLowerCase() !== asked.toLowerCase())
    throw new BadAnswer(member, asked, hash);
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadAnswer(name, 'an object', value);
  return value as Fields;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new BadAnswer(name, 'a list', value);
  return value;
}
