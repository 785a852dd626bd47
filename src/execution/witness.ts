import { bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { BlockView, Transaction, TrieBlock } from '../chain/block.ts';
import { BlockBuilder } from '../chain/block-builder.ts';
import { encodeHeader } from '../chain/header.ts';
import { planOf } from '../chain/import-block.ts';
import type { ChainReader } from '../chain/refs.ts';
import type { Engine } from '../engine/engine.ts';
import { DevnetError } from '../errors.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import { REQUEST_CONTRACTS, SYSTEM_ADDRESS, SYSTEM_CONTRACTS } from '../protocol/system-contracts.ts';
import type { BlockEnv } from '../protocol/types.ts';
import { integerWord } from '../state/integers.ts';
import { isInTries, RecordedState, type StateReads } from '../state/recorded-state.ts';
import { giveWay, type Pauses } from '../turns.ts';

/** All data that is needed to execute a block without a state database, and to compute its state root. */
export interface Witness extends StateReads {
  /** headers in RLP, ascending: from the oldest block that BLOCKHASH read to the parent; at least the parent */
  readonly headers: readonly Uint8Array[];
}

interface WitnessDeps {
  readonly engine: Engine;
  readonly chain: Pick<ChainReader, 'resolve'>;
  readonly hashOf: BlockEnv['blockHash'];
  readonly pauses?: Pauses | undefined;
}

/** Slots of a request queue: excess, count, head and tail (EIP-7002, EIP-7251, EIP-8282). */
const QUEUE = [0n, 1n, 2n, 3n].map(integerWord);

/**
 * Executes a block again and records everything that it reads.
 * @throws DevnetError -32000 for a block without a parent, on a forked chain, and if dev methods changed the state between the
 *   parent and the block's transactions: the block's state root then doesn't follow from the parent's
 */
export async function executionWitness(block: BlockView, deps: WitnessDeps): Promise<Witness> {
  const { engine, pauses } = deps;
  const { header } = block;
  const parent = await parentOf(block, deps.chain);
  const recorded = new RecordedState(parent.state);
  let oldest = header.number - 1n;
  const hashOf = (number: bigint) => {
    const hash = deps.hashOf(number);
    if (hash && number < oldest) oldest = number;
    return hash;
  };
  const plan = {
    ...planOf(block),
    ...(header.baseFeePerGas !== undefined && { baseFeePerGas: header.baseFeePerGas }),
  };
  const builder = await BlockBuilder.begin({ ...parent, state: recorded }, plan, engine, hashOf, {
    withL1Attributes: false,
  });
  try {
    for (const transaction of block.transactions) {
      await add(builder, transaction);
      await giveWay(pauses);
    }
    const { block: made, writes } = await builder.sealAndKeep({ strict: false });
    if (!equalsBytes(made.hash, block.hash)) throw changedByDevMethods(header.number);
    recorded.readRemoving(writes);
  } finally {
    builder.close();
  }
  readWhatOthersRead(recorded, block, engine.hardforkOf(header));
  const headers: Uint8Array[] = [];
  for (let number = oldest; number < header.number; number++) {
    const ancestor = number === parent.header.number ? parent : await deps.chain.resolve({ number });
    if (ancestor) headers.push(encodeHeader(ancestor.header));
  }
  return { ...recorded.reads, headers };
}

/**
 * Also records reads that other implementations make but this node's engines don't: the coinbase and recipients without a payment,
 * precompiles as recipients, and the code of system contracts, whose effects the engines may write without running the code.
 */
function readWhatOthersRead(state: RecordedState, block: BlockView, hardfork: Hardfork): void {
  const { header, transactions, withdrawals = [] } = block;
  state.getAccount(header.coinbase);
  for (const { from, tx } of transactions) for (const one of [from, tx.to]) if (one) state.getAccount(one);
  for (const { address } of withdrawals) state.getAccount(address);
  const called = SYSTEM_CONTRACTS.filter(({ eip }) => hardfork.has(eip));
  if (called.length > 0) state.getAccount(SYSTEM_ADDRESS);
  for (const contract of called) {
    state.getCode(contract.address);
    if (REQUEST_CONTRACTS.includes(contract))
      for (const slot of QUEUE) state.getStorage(contract.address, slot);
  }
}

async function parentOf({ header }: BlockView, chain: WitnessDeps['chain']) {
  const parent = await chain.resolve({ hash: header.parentHash });
  if (!parent) throw new DevnetError('server', { reason: `block ${header.number} has no parent` });
  const { state } = parent;
  if (!isInTries(state)) throw new DevnetError('server', { reason: 'a forked state has no proofs' });
  if (!equalsBytes(state.root, parent.header.stateRoot)) throw changedByDevMethods(header.number);
  return { ...(parent as TrieBlock), state };
}

async function add(builder: BlockBuilder, transaction: Transaction): Promise<void> {
  const outcome = await builder.add(transaction, { gasCap: false });
  if (outcome.kind === 'invalid')
    throw new DevnetError('server', {
      reason: `transaction ${bytesToHex(transaction.hash)}: ${outcome.error.message}`,
    });
}

function changedByDevMethods(number: bigint): DevnetError {
  return new DevnetError('server', {
    reason: `block ${number} has no witness: dev methods changed the state between its parent and its transactions`,
  });
}
