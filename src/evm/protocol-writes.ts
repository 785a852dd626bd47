import type { Address } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import { Overlay } from '../state/overlay.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import { addBalance } from './add-balance.ts';
import type { BlockFinish, BlockStart } from './block-maker.ts';
import { collectRequests } from './collect-requests.ts';
import { applyDaoFork } from './dao-fork.ts';
import type { Engine } from './engine.ts';
import { payRewards } from './rewards.ts';
import { writeSystemState } from './system-state.ts';
import type { BlockEnv } from './types.ts';

const GWEI = 1_000_000_000n;

/** What these writes need of an engine. */
type Caller = Pick<Engine, 'schedule' | 'hardforkOf' | 'systemCall'>;

/**
 * Writes what the protocol itself writes before a block's first transaction: the DAO fork (EIP-779), the beacon root
 * (EIP-4788), the parent's hash (EIP-2935).
 * @param state the parent's
 */
export function writeStart(
  {
    env,
    parentHash,
    parentBeaconBlockRoot,
  }: Pick<BlockStart, 'env' | 'parentHash' | 'parentBeaconBlockRoot'>,
  state: Overlay,
  engine: Caller,
): Awaitable<void> {
  const { daoFork } = engine.schedule;
  const isDaoFork = daoFork?.supported && env.number === daoFork.block;
  const parent = { hash: parentHash, number: env.number - 1n };
  return andThen(isDaoFork ? applyDaoFork(state) : undefined, () =>
    writeSystemState(parent, parentBeaconBlockRoot, env, state, engine),
  );
}

/**
 * Writes what the protocol itself writes after a block's last transaction: rewards of proof of work, withdrawals (EIP-4895),
 * and the system calls that collect requests (EIP-7685), in the order of the execution specs.
 * @returns the requests; `undefined` before Prague
 */
export function writeEnd(
  finish: BlockFinish,
  env: BlockEnv,
  state: Overlay,
  engine: Caller,
): Awaitable<readonly Uint8Array[] | undefined> {
  const hardfork = engine.hardforkOf(env);
  const rewarded = env.difficulty > 0n ? payRewards(env, finish.uncles, hardfork, state) : undefined;
  return andThen(rewarded, () =>
    andThen(finish.withdrawals.length > 0 ? payWithdrawals(finish.withdrawals, state) : undefined, () =>
      hardfork.has(7685) ? requestsOf(finish, env, state, engine) : undefined,
    ),
  );
}

/** EIP-4895: amounts are in gwei. A withdrawal of 0 creates no account. */
async function payWithdrawals(
  withdrawals: readonly { readonly address: Address; readonly amount: bigint }[],
  state: Overlay,
): Promise<void> {
  for (const { address, amount } of withdrawals)
    if (amount > 0n) await addBalance(state, address, amount * GWEI);
}

function requestsOf(
  { receipts, strict }: BlockFinish,
  env: BlockEnv,
  state: Overlay,
  engine: Caller,
): Awaitable<readonly Uint8Array[]> {
  const calls = new Overlay(state);
  const keep = (requests: readonly Uint8Array[]) => {
    state.apply(calls.writes());
    return requests;
  };
  const fail = (error: unknown) => {
    // A DevnetError means that state of a forked chain couldn't be fetched: the block may well have requests.
    if (strict || error instanceof DevnetError) throw error;
    return [];
  };
  try {
    const requests = collectRequests(receipts, env, calls, engine);
    return requests instanceof Promise ? requests.then(keep).catch(fail) : keep(requests);
  } catch (error) {
    return fail(error);
  }
}
