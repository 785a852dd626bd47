import { type Address, concatBytes, createAddressFromString } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { EMPTY_BYTES, hasCode } from '../state/account.ts';
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  CONSOLIDATION_REQUESTS,
  WITHDRAWAL_REQUESTS,
} from '../state/genesis-code.ts';
import { Overlay } from '../state/overlay.ts';
import type { StateView } from '../state/view.ts';
import { addBalance } from './add-balance.ts';
import type { BlockFinish, BlockStart } from './block-maker.ts';
import { applyDaoFork } from './dao-fork.ts';
import type { Engine } from './engine.ts';
import { depositRequests } from './requests.ts';
import { payRewards } from './rewards.ts';
import type { BlockEnv } from './types.ts';

const GWEI = 1_000_000_000n;

/** What these writes need of an engine. */
type Caller = Pick<Engine, 'schedule' | 'hardforkOf' | 'systemCall'>;

/** The contracts that are called before a block's transactions, and with what. */
const AT_START = [
  {
    eip: 4788,
    address: createAddressFromString(BEACON_ROOTS.address),
    data: ({ parentBeaconBlockRoot }: Started) => parentBeaconBlockRoot,
  },
  {
    eip: 2935,
    address: createAddressFromString(BLOCK_HASHES.address),
    data: ({ parentHash }: Started) => parentHash,
  },
];

/** The contracts that are called after a block's transactions and return requests, in the order of their types, from 1 on. */
const AT_END = [
  { eip: 7002, address: createAddressFromString(WITHDRAWAL_REQUESTS.address) },
  { eip: 7251, address: createAddressFromString(CONSOLIDATION_REQUESTS.address) },
];

type Started = Pick<BlockStart, 'env' | 'parentHash' | 'parentBeaconBlockRoot'>;

/**
 * Writes what the protocol itself writes before a block's first transaction: the DAO fork (EIP-779), and by system calls the
 * beacon root (EIP-4788) and the parent's hash (EIP-2935).
 * @param state the parent's
 */
export async function writeStart(start: Started, state: Overlay, engine: Caller): Promise<void> {
  const { env } = start;
  const { daoFork } = engine.schedule;
  if (daoFork?.supported && env.number === daoFork.block) await applyDaoFork(state);
  const hardfork = engine.hardforkOf(env);
  for (const { eip, address, data } of AT_START)
    if (hardfork.has(eip) && (await isContract(address, state)))
      await engine.systemCall(address, data(start), env, state);
}

/**
 * Writes what the protocol itself writes after a block's last transaction: rewards of proof of work, withdrawals (EIP-4895),
 * and what the system calls that collect requests write (EIP-7685), in the order of the execution specs.
 * @returns the requests; `undefined` before Prague
 */
export async function writeEnd(
  finish: BlockFinish,
  env: BlockEnv,
  state: Overlay,
  engine: Caller,
): Promise<readonly Uint8Array[] | undefined> {
  const hardfork = engine.hardforkOf(env);
  if (env.difficulty > 0n) await payRewards(env, finish.uncles, hardfork, state);
  for (const { address, amount } of finish.withdrawals)
    if (amount > 0n) await addBalance(state, address, amount * GWEI);
  if (!hardfork.has(7685)) return undefined;
  // An OP chain has no validators.
  if (hardfork.rollup) return [];
  const calls = new Overlay(state);
  try {
    const requests = await collectRequests(finish, env, calls, engine);
    state.apply(calls.writes());
    return requests;
  } catch (error) {
    // A DevnetError means that state of a forked chain couldn't be fetched: the block may well have requests.
    if (finish.strict || error instanceof DevnetError) throw error;
    return [];
  }
}

/**
 * The requests of a block, each type byte ++ data, without the empty ones (EIP-7685): deposits from logs (EIP-6110), the others by
 * system calls, which write to `state`.
 * @throws Error when a system contract is missing or fails: the block would be invalid
 */
async function collectRequests(
  { receipts }: BlockFinish,
  env: BlockEnv,
  state: Overlay,
  engine: Caller,
): Promise<Uint8Array[]> {
  const hardfork = engine.hardforkOf(env);
  const data = [depositRequests(receipts, engine.schedule.depositContract)];
  for (const { eip, address } of AT_END) {
    if (!hardfork.has(eip)) continue;
    if (!(await isContract(address, state))) throw new Error(`system contract empty: no code at ${address}`);
    const requests = await engine.systemCall(address, EMPTY_BYTES, env, state);
    if (!requests) throw new Error(`system contract failed: ${address}`);
    data.push(requests);
  }
  return data.flatMap((bytes, type) => (bytes.length > 0 ? [concatBytes(Uint8Array.of(type), bytes)] : []));
}

async function isContract(address: Address, state: StateView): Promise<boolean> {
  const account = await state.getAccount(address);
  return account !== undefined && hasCode(account);
}
