import { createBlock } from '@ethereumjs/block';
import { type Common, createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createMPT } from '@ethereumjs/mpt';
import { Caches, MerkleStateManager } from '@ethereumjs/statemanager';
import { createTx, type TypedTransaction, type TypedTxData } from '@ethereumjs/tx';
import { Address, bytesToHex } from '@ethereumjs/util';
import { createVM, type RunTxResult, runTx, type VM } from '@ethereumjs/vm';
import { blobBaseFee } from '../../../src/chain/fees.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { EthereumjsEngine } from '../../../src/engine/ethereumjs/ethereumjs-engine.ts';
import { messageOf } from '../../../src/engine/message.ts';
import { FastEngine } from '../../../src/engine/wasm/fast-engine.ts';
import { chooseCrypto } from '../../../src/protocol/crypto.ts';
import {
  type Hardfork,
  type HardforkName,
  singleHardfork,
  withChainRules,
} from '../../../src/protocol/hardfork.ts';
import type { BlockEnv, Message } from '../../../src/protocol/types.ts';
import { EMPTY_ROOT } from '../../../src/state/account.ts';
import { type GenesisAlloc, genesisWrites } from '../../../src/state/genesis.ts';
import { keccak256 } from '../../../src/state/keccak.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import { CHAIN_ID, GWEI } from './accounts.ts';

const crypto = await chooseCrypto();

/**
 * The library's rules, as an unmodified Common has them.
 * @param blockReward false where the chain pays none, as before the merge it would
 */
export function stockCommon(hardfork: HardforkName, blockReward = true): Common {
  const common = createCustomCommon({ chainId: Number(CHAIN_ID) }, Mainnet, {
    hardfork,
    customCrypto: crypto,
  });
  if (!blockReward) common.consensusType = () => 'pos';
  return common;
}

/**
 * One of this node's engines, with one fork from the first block on.
 * @param optimism of a chain with the OP Stack's deposits and fees; 'rollup': and its blocks
 */
export function engineOf(
  hardfork: HardforkName,
  name: 'ethereumjs' | 'fast' = 'ethereumjs',
  optimism?: 'deposits' | 'rollup',
  onConsole?: (line: string) => void,
): { engine: Engine; fork: Hardfork } {
  const single = { ...singleHardfork(CHAIN_ID, hardfork, crypto), optimism: optimism !== undefined };
  const schedule = withChainRules(single, { rollup: optimism === 'rollup' });
  const engine = new (name === 'fast' ? FastEngine : EthereumjsEngine)({ schedule, crypto, onConsole });
  return { engine, fork: schedule.at(0n, 0n) };
}

/** The alloc as this node's state. @param source where it is stored later */
export function trieStateOf(alloc: GenesisAlloc, source = new MemorySource()): TrieState {
  return TrieState.at(source, EMPTY_ROOT).fold(genesisWrites(alloc));
}

/**
 * A VM of the library over a Merkle trie in memory that holds the alloc.
 * @param blockchain where blocks are found; without one BLOCKHASH answers {@link hashOfBlock}
 */
export async function stockVm(
  common: Common,
  alloc: GenesisAlloc,
  blockchain: object = NO_BLOCKS,
): Promise<VM> {
  const trie = await createMPT({ useKeyHashing: true, common });
  const stateManager = new MerkleStateManager({ trie, common, caches: new Caches() });
  await stateManager.generateCanonicalGenesis(
    Object.fromEntries(
      [...alloc].map(([address, { balance, nonce = 0n, code = new Uint8Array(), storage = new Map() }]) => [
        address,
        [
          `0x${balance.toString(16)}`,
          bytesToHex(code),
          [...storage].map(([slot, value]) => [slot, bytesToHex(value)]),
          `0x${nonce.toString(16)}`,
        ],
      ]),
    ) as never,
  );
  return createVM({ common, stateManager, blockchain: blockchain as never });
}

/** A chain of which nothing but the hashes of its blocks is known: {@link hashOfBlock}. */
export const NO_BLOCKS = {
  getBlock: async (number: number) => ({ hash: () => hashOfBlock(BigInt(number)) }),
  putBlock: async () => {},
  shallowCopy() {
    return this;
  },
};

/** What BLOCKHASH answers on both sides. */
export function hashOfBlock(number: bigint): Uint8Array {
  return keccak256(new TextEncoder().encode(`block ${number}`));
}

export interface EnvFields {
  readonly coinbase: Address;
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  readonly baseFeePerGas: bigint;
  readonly excessBlobGas: bigint;
  readonly prevRandao: Uint8Array;
}

/** A block in which nothing is special. */
export const PLAIN_BLOCK: EnvFields = {
  coinbase: new Address(new Uint8Array(20).fill(0xc0, 19)),
  number: 300n,
  timestamp: 1_700_000_000n,
  gasLimit: 30_000_000n,
  baseFeePerGas: GWEI,
  excessBlobGas: 0n,
  prevRandao: new Uint8Array(32),
};

/** The same block for both sides, without the fields that the fork doesn't know. */
export function blockOf(fields: EnvFields, fork: Hardfork, common: Common) {
  const { coinbase, number, timestamp, gasLimit, baseFeePerGas, excessBlobGas, prevRandao } = fields;
  const merged = fork.atLeast('paris');
  const blobFee = blobBaseFee(excessBlobGas, fork);
  const env: BlockEnv = {
    number,
    timestamp,
    coinbase,
    gasLimit,
    difficulty: 0n,
    prevRandao: merged ? prevRandao : new Uint8Array(32),
    ...(fork.has(1559) && { baseFeePerGas }),
    ...(blobFee !== undefined && { blobBaseFee: blobFee }),
    ...(fork.has(7843) && { slotNumber: number }),
    blockHash: hashOfBlock,
  };
  const header = {
    number,
    timestamp,
    coinbase,
    gasLimit,
    ...(merged && { mixHash: prevRandao }),
    ...(fork.has(1559) && { baseFeePerGas }),
    ...(fork.blobs && { excessBlobGas, blobGasUsed: 0n }),
    ...(fork.has(7843) && { slotNumber: number }),
  };
  const block = createBlock({ header }, { common, skipConsensusFormatValidation: true });
  return { env, block };
}

/** An unsigned transaction that the library takes for one of `from`: nothing here depends on the signature. */
export function transactionFrom(from: Address, data: TypedTxData, common: Common): TypedTransaction {
  const tx = createTx(data, { common, freeze: false });
  tx.getSenderAddress = () => from;
  return tx;
}

/** The same as the engine runs it. */
export function messageFrom(from: Address, data: TypedTxData, common: Common): Message {
  const tx = transactionFrom(from, data, common);
  return messageOf({ tx, from, raw: tx.serialize() });
}

/** Runs a transaction in the library's VM. @returns its result, or `undefined` when it refused the transaction */
export async function runStock(vm: VM, tx: TypedTransaction, block: ReturnType<typeof createBlock>) {
  try {
    return await runTx(vm, { tx, block });
  } catch (error) {
    return error as Error;
  }
}

/** What came of a transaction, in terms that other engines have too; `halt` is EthereumJS's name of the error. */
export function stockSummaryOf(result: RunTxResult | Error, tx: TypedTransaction) {
  if (result instanceof Error) return 'refused';
  const { execResult, totalGasSpent, createdAddress } = result;
  return {
    // EthereumJS appends the code's position in its memory.
    halt: execResult.exceptionError?.error.split(' at ', 1)[0],
    gasUsed: totalGasSpent,
    returnData: bytesToHex(execResult.returnValue),
    created: tx.to === undefined ? createdAddress?.toString() : undefined,
    logs: (execResult.logs ?? []).map(([address, topics, data]) => [
      bytesToHex(address),
      topics.map(bytesToHex),
      bytesToHex(data),
    ]),
  };
}
