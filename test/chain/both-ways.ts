import type { Common } from '@ethereumjs/common';
import type { TypedTxData } from '@ethereumjs/tx';
import { type Address, bytesToHex, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Transaction, TrieBlock } from '../../src/chain/block.ts';
import { BlockBuilder } from '../../src/chain/block-builder.ts';
import type { BlockPlan } from '../../src/chain/block-draft.ts';
import { hashHeader } from '../../src/chain/header.ts';
import { extendBlock, openBlock, sealBlock } from '../../src/chain/open-block.ts';
import { encodeBlock, encodeReceipts } from '../../src/chain/store/block-codec.ts';
import { blockEntries } from '../../src/chain/store/block-entries.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import { EMPTY_ROOT, ZERO_HASH } from '../../src/state/account.ts';
import { type GenesisAccount, type GenesisAlloc, genesisWrites } from '../../src/state/genesis.ts';
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  BUILDER_DEPOSITS,
  BUILDER_EXITS,
  CONSOLIDATION_REQUESTS,
  WITHDRAWAL_REQUESTS,
} from '../../src/state/genesis-code.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import type { MemorySource } from '../../src/state/node-cache.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { program } from '../engine/ethereumjs/programs.ts';
import { at, CALLED, envFields, RICH, type Spec, spec } from '../engine/ethereumjs/scenarios.ts';
import { hashOfBlock } from '../engine/ethereumjs/stock.ts';
import { signed } from '../engine/wasm/stock-summary.ts';

/** The contracts that the protocol calls at the start and the end of a block. */
export const SYSTEM: readonly (readonly [string, GenesisAccount])[] = [
  BEACON_ROOTS,
  BLOCK_HASHES,
  WITHDRAWAL_REQUESTS,
  CONSOLIDATION_REQUESTS,
  BUILDER_DEPOSITS,
  BUILDER_EXITS,
].map(({ address, code }) => [address, { balance: 0n, nonce: 1n, code: hexToBytes(code) }]);

/** Makes signed transactions. */
export function signerFor(common: Common) {
  const [sender] = RICH;
  const transactionOf = (from: Address, fields: object): Transaction => {
    const tx = signed(from, fields as TypedTxData, common);
    const raw = tx.serialize();
    return { tx, from, raw, hash: keccak256(raw), impersonated: false };
  };
  const transfer = (nonce: bigint, to: Address, rest: object = {}) =>
    transactionOf(sender!.address, { type: 0, gasPrice: 10n, gasLimit: 300_000n, nonce, to, ...rest });
  return { transactionOf, transfer };
}

/**
 * Contracts, their blocks, and transactions of some types.
 * @param fewest of these
 * @param modern with opcodes of Byzantium to Cancun
 */
export function scenarioFields(
  types: readonly number[],
  fewest: number,
  modern = true,
  hardfork?: HardforkName,
) {
  return {
    programs: fc.tuple(program(CALLED, modern), program(CALLED, modern), program(CALLED, modern)),
    withEmpty: fc.boolean(),
    env: envFields,
    specs: fc.array(spec(types, modern, hardfork), { minLength: fewest, maxLength: 8 }),
  };
}

/** Signs transactions of a scenario: with the next nonce that their sender has in a state, or one that is off by `nonceOff`. */
export function signAll(
  specs: readonly Spec[],
  state: TrieState,
  transactionOf: (from: Address, fields: object) => Transaction,
): Transaction[] {
  const nonces = new Map<string, bigint>();
  return specs.map(({ from, nonceOff, fields }) => {
    const next = nonces.get(from.toString()) ?? state.getAccount(from)?.nonce ?? 0n;
    if (nonceOff === 0n) nonces.set(from.toString(), next + 1n);
    return transactionOf(from, { ...fields, nonce: next + nonceOff });
  });
}

/** BLOCKHASH in a chain that begins with a block: the hashes of blocks from this one on are those that they have. */
export function hashesFrom(first: TrieBlock) {
  const known = new Map([[first.header.number, first.hash]]);
  return {
    hashOf: (number: bigint) => known.get(number) ?? hashOfBlock(number),
    add: ({ header, hash }: Pick<TrieBlock, 'header' | 'hash'>) => void known.set(header.number, hash),
  };
}

/** The alloc as a stored state below a parent block. */
export function parentOf(alloc: GenesisAlloc, source: MemorySource, number = 1n): TrieBlock {
  const folded = TrieState.at(source, EMPTY_ROOT).fold(genesisWrites(alloc));
  source.store(folded.unstored());
  const header = {
    parentHash: hashOfBlock(number - 1n),
    unclesHash: ZERO_HASH,
    coinbase: at(0),
    stateRoot: folded.root,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 0n,
    number,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    timestamp: 1_000n,
    extraData: new Uint8Array(),
    mixHash: ZERO_HASH,
    nonce: new Uint8Array(8),
    baseFeePerGas: 7n,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: ZERO_HASH,
  };
  return {
    header,
    hash: hashHeader(header),
    transactions: [],
    receipts: [],
    uncles: [],
    size: 0,
    sealed: true,
    state: TrieState.at(source, folded.root),
  };
}

export const PLAN: BlockPlan = {
  timestamp: 1_012n,
  coinbase: at(0x7777),
  gasLimit: 30_000_000n,
  prevRandao: keccak256(Uint8Array.of(1)),
  extraData: Uint8Array.of(1, 2, 3),
  parentBeaconBlockRoot: keccak256(Uint8Array.of(2)),
};

/** All of a block that is stored, and its transactions that were refused. */
export interface Made {
  readonly hash: string;
  readonly rlp: string;
  readonly size: number;
  readonly receipts: string;
  readonly root: string;
  /** key and value of each record, in order of the keys */
  readonly records: readonly string[];
  readonly refused: readonly string[];
}

export async function filled(builder: BlockBuilder, transactions: readonly Transaction[]): Promise<string[]> {
  const refused: string[] = [];
  for (const transaction of transactions) {
    const outcome = await builder.add(transaction, { gasCap: true });
    if (outcome.kind === 'invalid') refused.push(outcome.error.message);
  }
  return refused;
}

export function madeOf(block: Omit<TrieBlock, 'sealed'>, refused: readonly string[]): Made {
  const { state } = block;
  if (!(state instanceof TrieState)) throw new Error('not a state of tries');
  expect(bytesToHex(hashHeader(block.header))).toBe(bytesToHex(block.hash));
  expect(encodeBlock(block).length).toBe(block.size);
  return {
    hash: bytesToHex(block.hash),
    rlp: bytesToHex(encodeBlock(block)),
    size: block.size,
    receipts: bytesToHex(encodeReceipts(block)),
    root: bytesToHex(state.rootOfTries),
    records: [...blockEntries(block), ...(block.records ?? [])]
      .map(([key, value]) => `${bytesToHex(key)} ${bytesToHex(value)}`)
      .sort(),
    refused,
  };
}

/** The reference: opened, filled and sealed step by step. */
export async function stepwise(
  parent: TrieBlock,
  plan: BlockPlan,
  engine: Engine,
  list: readonly Transaction[],
  hashOf: (number: bigint) => Uint8Array = hashOfBlock,
) {
  const open = await openBlock(parent, plan, engine, hashOf, { withL1Attributes: true });
  const added = await extendBlock(open, engine, (builder) => filled(builder, list));
  return madeOf(await sealBlock(added.open, engine), added.result);
}

export async function whole(
  parent: TrieBlock,
  plan: BlockPlan,
  engine: Engine,
  list: readonly Transaction[],
  hashOf: (number: bigint) => Uint8Array = hashOfBlock,
) {
  const builder = await BlockBuilder.begin(parent, plan, engine, hashOf, { withL1Attributes: true });
  try {
    const refused = await filled(builder, list);
    const { block } = await builder.sealAndKeep({ strict: false });
    return { block, made: madeOf(block, refused) };
  } finally {
    builder.close();
  }
}
