import { NUMBERS } from '../core/tables/rules.ts';
import type { Engine } from '../engine/engine.ts';
import { countListItems } from '../protocol/access-list.ts';
import type { ChainState } from '../state/chain-state.ts';
import { Trie } from '../state/trie.ts';
import type { Block, Header, TrieBlock } from './block.ts';
import { BlockBuilder } from './block-builder.ts';
import { expectSame, refuse } from './block-fault.ts';
import type { RawBlock } from './block-rlp.ts';
import { withdrawalsRoot } from './block-seal.ts';
import { hashUncles } from './header.ts';
import { validateHeader } from './validate-header.ts';
import { UNCLE_GENERATIONS } from './validate-uncles.ts';

/** maximum number of uncles in a block (yellow paper 4.4) */
const MAX_UNCLES = 2;

/** EIP-7934: maximum size in bytes of a block's RLP */
const MAX_BLOCK_SIZE = 10_485_760 - 2_097_152;

/** Header fields that follow from execution, in the order in which a difference is most informative. */
const RESULTS = [
  'gasUsed',
  'blobGasUsed',
  'receiptsRoot',
  'logsBloom',
  'requestsHash',
  'blockAccessListHash',
  'withdrawalsRoot',
  'stateRoot',
] as const satisfies readonly (keyof Header)[];

/**
 * Executes a block on top of its parent and compares the results with its header.
 * @returns the block with its receipts and its state, ready to be stored
 * @throws BadBlock naming the first difference
 */
export async function importBlock(
  block: RawBlock,
  parent: TrieBlock,
  engine: Engine,
  hashOf: (number: bigint) => Uint8Array | undefined,
): Promise<Block & { state: ChainState }> {
  const { header } = block;
  validateHeader(header, parent, block.hardfork, engine.schedule);
  validateBody(block);
  const builder = await BlockBuilder.begin(parent, planOf(block), engine, hashOf, {
    withL1Attributes: false,
  });
  let sealed: Block & { state: ChainState };
  try {
    await execute(builder, block);
    sealed = await seal(builder);
  } finally {
    builder.close();
  }
  checkAccessList(sealed);
  for (const field of RESULTS) expectSame(field, sealed.header[field], header[field]);
  expectSame('hash', sealed.hash, block.hash);
  return sealed;
}

/** EIP-7928 */
function checkAccessList({ accessList, header }: Block): void {
  if (!accessList) return;
  const most = header.gasLimit / BigInt(NUMBERS.LIST_ITEM[7928]);
  const items = countListItems(accessList);
  if (BigInt(items) > most) refuse('blockAccessList', `at most ${most} addresses and slots`, `${items}`);
}

async function seal(builder: BlockBuilder) {
  try {
    return (await builder.sealAndKeep({ strict: true })).block;
  } catch (error) {
    return refuse('requestsHash', 'requests that can be collected', (error as Error).message);
  }
}

/** Checks before execution that the body matches the header. */
function validateBody({ header, transactions, uncles, withdrawals, hardfork, size }: RawBlock): void {
  if (hardfork.atLeast('osaka') && size > MAX_BLOCK_SIZE)
    refuse('size', `at most ${MAX_BLOCK_SIZE} bytes`, `${size}`);
  expectSame('unclesHash', hashUncles(uncles), header.unclesHash);
  if (uncles.length > MAX_UNCLES) refuse('uncles', `${MAX_UNCLES} at most`, `${uncles.length}`);
  for (const [i, { number }] of uncles.entries()) {
    if (number >= header.number || number < header.number - BigInt(UNCLE_GENERATIONS))
      refuse(`uncles[${i}].number`, `one of the ${UNCLE_GENERATIONS} before ${header.number}`, number);
  }
  const raw = transactions.map((transaction) => transaction.raw);
  expectSame('transactionsRoot', Trie.rootOfList(raw), header.transactionsRoot);
  if (withdrawals && !header.withdrawalsRoot)
    refuse('withdrawals', 'none at this fork', `${withdrawals.length}`);
  // On an OP chain since Isthmus, `withdrawalsRoot` isn't a root of withdrawals, and follows from execution.
  if (header.withdrawalsRoot && hardfork.rollup !== 'jovian')
    expectSame('withdrawalsRoot', withdrawals && withdrawalsRoot(withdrawals), header.withdrawalsRoot);
}

/** The plan of an existing block, from its header and body; without the base fee, which follows from the parent. */
export function planOf({ header, uncles, withdrawals }: Pick<RawBlock, 'header' | 'uncles' | 'withdrawals'>) {
  const { timestamp, coinbase, gasLimit, mixHash, extraData, difficulty, nonce } = header;
  const { parentBeaconBlockRoot, slotNumber } = header;
  return {
    timestamp,
    coinbase,
    gasLimit,
    prevRandao: mixHash,
    extraData,
    difficulty,
    nonce,
    uncles,
    ...(parentBeaconBlockRoot && { parentBeaconBlockRoot }),
    ...(slotNumber !== undefined && { slotNumber }),
    ...(withdrawals && { withdrawals }),
  };
}

/** Executes the transactions in order, with all validity rules. */
async function execute(builder: BlockBuilder, { transactions, hardfork }: RawBlock): Promise<void> {
  for (const [i, transaction] of transactions.entries()) {
    const { tx } = transaction;
    const room = builder.room(transaction);
    if (room === 'gas') refuse(`transactions[${i}].gas`, `at most the ${builder.gasLeft} left`, tx.gasLimit);
    if (room === 'blobs')
      refuse(
        `transactions[${i}].blobVersionedHashes`,
        `at most ${hardfork.blobs!.max} blob gas in the block`,
        `${tx.type === 3 ? tx.blobVersionedHashes.length : 0} blobs more than fit`,
      );
    const outcome = await builder.add(transaction, { gasCap: true });
    if (outcome.kind === 'invalid')
      refuse(`transactions[${i}]`, 'a valid transaction', outcome.error.message);
  }
}
