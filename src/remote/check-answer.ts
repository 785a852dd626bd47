import { BadAnswer, readBytes, readQuantity } from './wire.ts';

/** Methods whose results may change although they are about blocks before the fork: searches that extend to the newest block. */
const NO_FACTS: ReadonlySet<string> = new Set([
  'eth_getTransactionBySenderAndNonce',
  'ots_getTransactionBySenderAndNonce',
  'ots_getContractCreator',
  'ots_searchTransactionsBefore',
  'ots_searchTransactionsAfter',
]);

/** Lookups that tell whether something is older than the fork: for these a `null` result is immutable, too. */
const MAY_BE_NONE: ReadonlySet<string> = new Set(['eth_getTransactionByHash', 'eth_getBlockByHash']);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks a result that is forwarded: a block, transaction or receipt must be the requested one.
 * @returns whether the result is immutable
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
    case 'eth_getTransactionByBlockNumberAndIndex':
    case 'eth_getTransactionByBlockHashAndIndex':
      checkPlace(fieldsOf(result, 'the transaction'), first);
      checkQuantity(fieldsOf(result, 'the transaction'), 'transactionIndex', params[1]);
      break;
    case 'eth_getTransactionReceipt':
      checkReceipt(result, first);
      break;
    case 'eth_getBlockReceipts':
      for (const receipt of listOf(result, 'the receipts'))
        checkPlace(checkReceipt(receipt, undefined), first);
      break;
    case 'eth_getLogs':
      for (const log of listOf(result, 'the logs')) checkFound(checkLog(log), first);
      break;
    default:
  }
  return !NO_FACTS.has(method);
}

/** @returns whether the block is complete: partial blocks aren't cached */
function checkBlock(result: unknown, member: 'number' | 'hash', asked: unknown): boolean {
  const block = fieldsOf(result, 'the block');
  const number = readQuantity(block.number, 'number');
  readBytes(block.hash, 'hash', 32);
  if (member === 'hash') checkHash(block, 'hash', asked);
  else if (typeof asked === 'string' && asked.startsWith('0x') && BigInt(asked) !== number)
    throw new BadAnswer('number', asked, block.number);
  return ['parentHash', 'stateRoot', 'timestamp'].every((name) => typeof block[name] === 'string');
}

function checkReceipt(result: unknown, hash: unknown): Fields {
  const receipt = fieldsOf(result, 'the receipt');
  checkHash(receipt, 'transactionHash', hash);
  readQuantity(receipt.blockNumber, 'blockNumber');
  readQuantity(receipt.gasUsed, 'gasUsed');
  for (const log of listOf(receipt.logs, 'logs')) checkLog(log);
  return receipt;
}

function checkLog(value: unknown): Fields {
  const log = fieldsOf(value, 'the log');
  readBytes(log.address, 'address', 20);
  readBytes(log.data, 'data');
  for (const topic of listOf(log.topics, 'topics')) readBytes(topic, 'topic', 32);
  return log;
}

/** @param block hash or number of the block that must contain the item; a tag or an object isn't checked */
function checkPlace(fields: Fields, block: unknown): void {
  if (isHash(block)) checkHash(fields, 'blockHash', block);
  else checkQuantity(fields, 'blockNumber', block);
}

/** @param filter the filter of `eth_getLogs` */
function checkFound(log: Fields, filter: unknown): void {
  const { blockHash, fromBlock, toBlock } = fieldsOf(filter, 'the filter');
  if (blockHash !== undefined) {
    checkHash(log, 'blockHash', blockHash);
    return;
  }
  const number = readQuantity(log.blockNumber, 'blockNumber');
  if (isQuantity(fromBlock) && number < BigInt(fromBlock))
    throw new BadAnswer('blockNumber', `${fromBlock} or more`, log.blockNumber);
  if (isQuantity(toBlock) && number > BigInt(toBlock))
    throw new BadAnswer('blockNumber', `${toBlock} or less`, log.blockNumber);
}

/** @param asked the expected value, if it is known */
function checkQuantity(fields: Fields, member: string, asked: unknown): void {
  if (isQuantity(asked) && readQuantity(fields[member], member) !== BigInt(asked))
    throw new BadAnswer(member, asked, fields[member]);
}

function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && /^0x[\da-f]+$/i.test(value);
}

function isHash(value: unknown): value is string {
  return isQuantity(value) && value.length === 66;
}

/** @param asked the expected hash, if it is known */
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
