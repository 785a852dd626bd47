import { concatBytes, equalsBytes } from '@ethereumjs/util';
import { DevnetError } from '../../errors.ts';
import { applyDaoFork } from '../../protocol/dao-fork.ts';
import { depositRequests } from '../../protocol/requests.ts';
import { payRewards } from '../../protocol/rewards.ts';
import { BEACON_CONTRACT, HISTORY_CONTRACT, REQUEST_CONTRACTS } from '../../protocol/system-contracts.ts';
import type { BlockEnv } from '../../protocol/types.ts';
import { EMPTY_BYTES, hasCode } from '../../state/account.ts';
import { addBalance } from '../../state/add-balance.ts';
import { integerWord } from '../../state/integers.ts';
import { Overlay } from '../../state/overlay.ts';
import { type Touched, touchedSlots } from '../touched.ts';
import type { BlockFinish, BlockStart } from '../workspace.ts';
import type { EthereumjsEngine } from './ethereumjs-engine.ts';

const GWEI = 1_000_000_000n;

/** The parts of an engine that these writes need. */
type Caller = Pick<EthereumjsEngine, 'schedule' | 'hardforkOf' | 'systemCall'>;

/** EIP-4788, EIP-2935: number of slots in the ring buffers */
const RING = 8191n;

/**
 * Makes the protocol's own writes before a block's first transaction: the DAO fork (EIP-779), the beacon root (EIP-4788), the parent's
 * hash (EIP-2935).
 * @param state the state after the parent block
 * @param touched receives the accounts and slots that are accessed
 */
export async function writeStart(
  { env, parentHash, parentBeaconBlockRoot }: BlockStart,
  state: Overlay,
  engine: Caller,
  touched: Touched = new Map(),
): Promise<void> {
  const { daoFork } = engine.schedule;
  if (daoFork?.supported && env.number === daoFork.block) await applyDaoFork(state);
  const hardfork = engine.hardforkOf(env);
  const at = env.timestamp % RING;
  const calls = [
    { ...BEACON_CONTRACT, data: parentBeaconBlockRoot, overwrites: [at, at + RING] },
    { ...HISTORY_CONTRACT, data: parentHash, overwrites: [(env.number - 1n) % RING] },
  ];
  for (const { eip, address, codeHash, data, overwrites } of calls) {
    if (!hardfork.has(eip)) continue;
    touchedSlots(touched, address.toString());
    const account = await state.getAccount(address);
    // The slots that the system contract overwrites needn't be read: on a forked chain they would have to be fetched.
    if (account && equalsBytes(account.codeHash, codeHash))
      for (const slot of overwrites) state.setStorage(address, integerWord(slot), EMPTY_BYTES);
    // Both EIPs: a failing call changes nothing, and without code there is no call.
    if (account && hasCode(account)) await engine.systemCall(address, data, env, state, touched);
  }
}

/**
 * Makes the protocol's own writes after a block's last transaction: proof-of-work rewards, withdrawals (EIP-4895), and the system calls
 * that collect requests (EIP-7685), in the order of the execution specs.
 * @param touched receives the accounts and slots that are accessed
 * @returns the requests; `undefined` before Prague
 */
export async function writeEnd(
  finish: BlockFinish,
  env: BlockEnv,
  state: Overlay,
  engine: Caller,
  touched: Touched = new Map(),
): Promise<readonly Uint8Array[] | undefined> {
  const hardfork = engine.hardforkOf(env);
  if (env.difficulty > 0n) await payRewards(env, finish.uncles, hardfork, state);
  for (const { address, amount } of finish.withdrawals) {
    touchedSlots(touched, address.toString());
    // A withdrawal of 0 creates no account.
    if (amount > 0n) await addBalance(state, address, amount * GWEI);
  }
  if (!hardfork.has(7685)) return undefined;
  // An OP chain has no validators.
  if (hardfork.rollup) return [];
  const calls = new Overlay(state);
  try {
    const requests = await collectRequests(finish, env, calls, engine, touched);
    state.apply(calls.writes());
    return requests;
  } catch (error) {
    // A DevnetError means that state of a forked chain couldn't be fetched, so it is unknown whether the block has requests.
    if (finish.strict || error instanceof DevnetError) throw error;
    return [];
  }
}

/**
 * Returns the requests of a block, each as type byte ++ data, without the empty ones: deposits from logs (EIP-6110), and the return data of
 * the system contracts (EIP-7002, EIP-7251, EIP-8282).
 * @throws Error when a contract is missing or fails, which makes the block invalid
 */
async function collectRequests(
  { receipts }: BlockFinish,
  env: BlockEnv,
  state: Overlay,
  engine: Caller,
  touched: Touched,
): Promise<Uint8Array[]> {
  const hardfork = engine.hardforkOf(env);
  const all = [depositRequests(receipts, engine.schedule.depositContract)];
  for (const { eip, address } of REQUEST_CONTRACTS) {
    if (!hardfork.has(eip)) continue;
    const code = await state.getCode(address);
    if (code.length === 0) throw new Error(`system contract empty: no code at ${address}`);
    const data = await engine.systemCall(address, EMPTY_BYTES, env, state, touched);
    if (!data) throw new Error(`system contract failed: ${address}`);
    all.push(data);
  }
  return all.flatMap((data, type) => (data.length > 0 ? [concatBytes(Uint8Array.of(type), data)] : []));
}
