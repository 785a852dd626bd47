import { bytesToHex, equalsBytes } from '@ethereumjs/util';
import { type DumpedTransaction, dumpedTransaction } from '../anvil-state/read-transaction.ts';
import type { Header, Transaction } from '../chain/block.ts';
import { readForkHeader } from '../chain/remote-header.ts';
import type { Engine } from '../engine/engine.ts';
import { DevnetError } from '../errors.ts';
import { TransactionReplay } from '../execution/transaction-replay.ts';
import type { ForkBlock } from '../fork-cache/fork-block.ts';
import type { TransactionDecoder } from '../mempool/decode.ts';
import type { HardforkSchedule } from '../protocol/hardfork.ts';
import type { Executed } from '../protocol/types.ts';
import type { CachedEndpoint } from '../remote/cached-endpoint.ts';
import { shownUrl } from '../remote/failure.ts';
import { BadAnswer } from '../remote/wire.ts';
import { array, type Decoded, object, optional } from '../rpc/codec/codec.ts';
import { address, data, hash32, quantity, uint64 } from '../rpc/codec/values.ts';
import { keccak256 } from '../state/keccak.ts';
import { Trie } from '../state/trie.ts';
import type { StateWrites } from '../state/view.ts';
import type { Fork, Funds } from './fork.ts';

const sent = object('a transaction', { from: address, hash: hash32 });
const receipt = object('a receipt', {
  transactionHash: hash32,
  status: optional(quantity),
  gasUsed: uint64,
  logs: array(object('a log', { address, topics: array(hash32), data })),
});

type Receipt = Decoded<typeof receipt>;

/** The block after the fork block, which contains the transaction before which the chain is forked. */
export interface TransactionFork {
  readonly header: Header;
  /** the transactions before that one, in order */
  readonly before: readonly (DumpedTransaction & Decoded<typeof sent>)[];
  /** their receipts from the other node */
  readonly receipts: readonly Receipt[];
}

/** Reads the block with the transaction that the fork block names. @throws DevnetError `remoteFailed`, `notCached` */
export async function readForkedBlock(
  { hash: parent, transaction }: ForkBlock & { readonly transaction: string },
  { reads, isVerified }: { readonly reads: CachedEndpoint; readonly isVerified: boolean },
): Promise<TransactionFork> {
  const what = `the block of transaction ${transaction}`;
  const [place] = await reads.all([{ ...transactionCall(transaction), what, read: placeOf }]);
  if (!place) throw noTransaction(transaction);
  const block = await reads.one({
    method: 'eth_getBlockByHash',
    params: [place.blockHash, true],
    what,
    read: (result) => decoded(() => readBlock(result, { parent, transaction, isVerified })),
  });
  const receipts = await reads.one({
    method: 'eth_getBlockReceipts',
    params: [place.blockHash],
    what: `the receipts of block ${block.header.number}`,
    read: (result) => receiptsOf(block.before, result),
  });
  return { ...block, receipts };
}

function receiptsOf(before: TransactionFork['before'], result: unknown): readonly Receipt[] {
  const all = decoded(() => array(receipt).decode(result, 'receipts'));
  return before.map(({ hash }, i) => {
    const found = all[i];
    if (found && equalsBytes(found.transactionHash, hash)) return found;
    throw new BadAnswer(`receipt ${i}`, bytesToHex(hash), found && bytesToHex(found.transactionHash));
  });
}

/** The call that returns a transaction with its block. */
export function transactionCall(hash: string) {
  return { method: 'eth_getTransactionByHash', params: [hash] };
}

/** The block of a transaction, from the result of {@link transactionCall}; `undefined` if the transaction isn't in a block. */
export function placeOf(
  result: unknown,
): { readonly number: bigint; readonly blockHash: string } | undefined {
  const inBlock = object('a transaction', { blockNumber: optional(uint64), blockHash: optional(hash32) });
  return decoded(() => {
    const { blockNumber, blockHash } = result === null ? {} : inBlock.decode(result, 'transaction');
    return blockNumber && blockHash ? { number: blockNumber, blockHash: bytesToHex(blockHash) } : undefined;
  });
}

export function noTransaction(hash: string): DevnetError {
  return new DevnetError('invalidParams', {
    reason: `--fork-transaction-hash: the other chain has no block with transaction ${hash}`,
  });
}

function readBlock(
  result: unknown,
  { parent, transaction, isVerified }: { parent: string; transaction: string; isVerified: boolean },
): Omit<TransactionFork, 'receipts'> {
  const { header } = readForkHeader(result, isVerified);
  if (bytesToHex(header.parentHash) !== parent)
    throw new BadAnswer('parentHash', parent, bytesToHex(header.parentHash));
  const list = array(sent).decode((result as { transactions: unknown }).transactions, 'transactions');
  const given = (result as { transactions: readonly unknown[] }).transactions;
  const index = list.findIndex(({ hash }) => bytesToHex(hash) === transaction);
  if (index < 0) throw new BadAnswer('transactions', `transaction ${transaction}`, 'none');
  const read = (item: Decoded<typeof sent>, i: number) => ({
    ...item,
    ...dumpedTransaction.decode(given[i], `transactions[${i}]`),
  });
  if (isVerified) {
    const root = Trie.rootOfList(list.map((item, i) => read(item, i).raw));
    if (!equalsBytes(root, header.transactionsRoot))
      throw new BadAnswer('transactions', bytesToHex(header.transactionsRoot), bytesToHex(root));
  }
  return { header, before: list.slice(0, index).map(read) };
}

/** Converts a codec's error to BadAnswer. */
function decoded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DevnetError)) throw error;
    throw new BadAnswer('the answer', 'a block of Ethereum or the OP Stack', error.message);
  }
}

export interface ReplayBeforeDeps {
  readonly engine: Engine;
  readonly schedule: HardforkSchedule;
  readonly decoder: TransactionDecoder;
}

/**
 * For a chain that is forked before a transaction: executes the earlier transactions of that block on the other chain's state, and
 * compares the results with the other node's receipts.
 * @param funds accounts that keep the balance that they were given
 * @returns the fork with the state after them
 * @throws DevnetError `forkFailed` naming the first difference
 */
export async function replayBefore(
  fork: Fork,
  block: TransactionFork,
  funds: Funds,
  { engine, schedule, decoder }: ReplayBeforeDeps,
): Promise<Fork> {
  const { header, before, receipts } = block;
  const fail = (index: number, what: string) =>
    new DevnetError('forkFailed', {
      url: shownUrl(fork.endpoint.url),
      reason: `transaction ${index} of block ${header.number} (${bytesToHex(before[index]!.hash)}) comes to something else here: ${what}`,
      advice:
        'name the rules of that block with --hardfork, or fork after a whole block with --fork-block-number',
    });
  const { common } = schedule.at(header.number, header.timestamp, header.difficulty);
  const transactions = before.map(({ raw, from, hash }, index): Transaction => {
    try {
      const stored = decoder.decodeStored(raw, common);
      // If the hash differs, the sender was impersonated: local nodes compute the hashes of such transactions differently.
      return { ...stored, from, hash, impersonated: !equalsBytes(keccak256(stored.raw), hash) };
    } catch (error) {
      if (error instanceof DevnetError) throw fail(index, error.message);
      throw error;
    }
  });
  const { genesis, origin } = fork;
  const parent = { ...genesis, state: origin.state, sealed: true };
  const replay = await TransactionReplay.open(
    { header, transactions },
    {
      engine,
      chain: { genesis: genesis.header.number, resolve: () => parent },
      hashOf: (number) => origin.hashOf(number),
    },
  );
  for (const index of transactions.keys()) {
    const executed = await replay.next().catch((error) => {
      throw error instanceof DevnetError && error.kind === 'server' ? fail(index, error.message) : error;
    });
    const difference = differenceOf(executed, receipts[index]!);
    if (difference) throw fail(index, difference);
  }
  const state = genesis.state.fold(withFunds(replay.state.writes(), funds));
  return { ...fork, genesis: { ...genesis, state }, origin: { ...origin, root: state.root } };
}

function differenceOf({ success, gasUsed, logs }: Executed, expected: Receipt): string | undefined {
  const tell = (what: string, here: unknown, there: unknown) =>
    `expected ${what} ${there} as in its receipt, got ${here}`;
  const status = expected.status === undefined ? success : expected.status === 1n;
  if (success !== status) return tell('status', Number(success), Number(status));
  if (gasUsed !== expected.gasUsed) return tell('gasUsed', gasUsed, expected.gasUsed);
  if (logs.length !== expected.logs.length)
    return tell('a number of logs of', logs.length, expected.logs.length);
  for (const [i, log] of logs.entries()) {
    const other = expected.logs[i]!;
    const [here, there] = [log, other].map(({ address: of, topics, data: bytes }) =>
      [of.toString(), ...topics.map(bytesToHex), bytesToHex(bytes)].join(' '),
    );
    if (here !== there) return tell(`log ${i} to be`, here, there);
  }
  return undefined;
}

/** The writes without changes to the balances of funded accounts. */
function withFunds(writes: StateWrites, funds: Funds): StateWrites {
  const accounts = new Map(writes.accounts);
  for (const { address: of, balance } of funds) {
    const written = accounts.get(of.toString());
    if (written) accounts.set(of.toString(), { ...written, balance });
  }
  return { ...writes, accounts };
}
