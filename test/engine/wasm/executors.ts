import { Address, hexToBytes } from '@ethereumjs/util';
import { EXEMPT, Executor } from '../../../src/engine/wasm/executor.ts';
import { rulesOf } from '../../../src/engine/wasm/rules.ts';
import { finishNow } from '../../../src/engine/wasm/run.ts';
import type { ExecutorDeps, OutsideState, StartFields } from '../../../src/engine/wasm/types.ts';
import { chooseCrypto } from '../../../src/protocol/crypto.ts';
import { type HardforkName, singleHardfork } from '../../../src/protocol/hardfork.ts';
import type { Message } from '../../../src/protocol/types.ts';
import { EMPTY_ROOT } from '../../../src/state/account.ts';
import { type GenesisAlloc, genesisWrites } from '../../../src/state/genesis.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import { CHAIN_ID } from '../ethereumjs/accounts.ts';
import { call } from './core-blocks.ts';

export const crypto = await chooseCrypto();

export const BLOCK: StartFields = {
  number: 1n,
  timestamp: 1_000n,
  gasLimit: 30_000_000n,
  coinbase: new Uint8Array(20).fill(0xc0),
  baseFeePerGas: 7n,
  blobBaseFee: 1n,
  excessBlobGas: 0n,
  difficulty: 0n,
  prevRandao: new Uint8Array(32).fill(3),
  parentHash: new Uint8Array(32).fill(4),
  parentBeaconBlockRoot: new Uint8Array(32).fill(5),
  extraData: new Uint8Array(0),
};

/** An executor with the rules of a hardfork. */
export function executorOf(hardfork: HardforkName, source?: ExecutorDeps['source']): Executor {
  const fork = singleHardfork(CHAIN_ID, hardfork, crypto).at(0n, 0n);
  const executor = new Executor(
    { chainId: CHAIN_ID },
    { recover: crypto.recover, ...(source && { source }) },
  );
  executor.useRules(rulesOf(fork));
  executor.setBlock(BLOCK, () => undefined);
  return executor;
}

export function writeAlloc(executor: Executor, alloc: GenesisAlloc): void {
  for (const [address, { balance, nonce = 0n, code, storage }] of alloc) {
    const account = executor.account(hexToBytes(address as `0x${string}`));
    executor.setBalance(account, balance);
    executor.setNonce(account, nonce);
    if (balance === 0n && nonce === 0n && !code?.length) executor.keepEmpty(account);
    if (code?.length) executor.setCode(account, code);
    for (const [slot, value] of storage ?? [])
      executor.setSlot(account, BigInt(slot), BigInt(`0x0${Buffer.from(value).toString('hex')}`));
  }
}

/** The state of an alloc in a store, and a source that answers a little later than it is asked. */
export function sourceOf(alloc: GenesisAlloc) {
  const stored = new MemorySource();
  const state = TrieState.at(stored, EMPTY_ROOT).fold(genesisWrites(alloc));
  stored.store(state.unstored());
  return {
    root: state.root,
    stored,
    reads: 0,
    async getAccount(address: Address) {
      this.reads++;
      return state.getAccount(address);
    },
    async getStorage(address: Address, slot: Uint8Array) {
      this.reads++;
      return state.getStorage(address, slot);
    },
    async getCode(address: Address) {
      this.reads++;
      return state.getCode(address);
    },
    async getNode(hash: Uint8Array) {
      this.reads++;
      return stored.getNode(hash);
    },
  } satisfies OutsideState & { root: Uint8Array; stored: MemorySource; reads: number };
}

export const CALLER = new Address(new Uint8Array(20).fill(0xca));
export const CONTRACT = new Address(new Uint8Array(20).fill(0xcc));

/** Calls code that stands at {@link CONTRACT}, without fees. */
export function runCode(executor: Executor, code: Uint8Array, fields: Partial<Message> = {}) {
  executor.setCode(executor.account(CONTRACT.bytes), code);
  const message: Message = {
    type: 2,
    from: CALLER,
    to: CONTRACT,
    nonce: 0n,
    gasLimit: 1_000_000n,
    value: 0n,
    data: new Uint8Array(0),
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    accessList: [],
    ...fields,
  };
  const exempt = EXEMPT.nonce | EXEMPT.fees | EXEMPT.sender | EXEMPT.gasCap;
  const result = finishNow(call(executor, message, exempt));
  if (result.kind === 'invalid') throw new Error(result.fault);
  return result;
}
