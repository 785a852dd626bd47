import { type Address, concatBytes, equalsBytes, setLengthLeft } from '@ethereumjs/util';
import { EMPTY_BYTES, EMPTY_ROOT, hasCode } from '../state/account.ts';
import { CONSOLIDATION_REQUESTS, WITHDRAWAL_REQUESTS } from '../state/genesis-code.ts';
import type { Overlay } from '../state/overlay.ts';
import { type Awaitable, andThen, type StateView } from '../state/view.ts';
import type { Engine } from './engine.ts';
import { depositRequests, type LoggingReceipt } from './requests.ts';
import { type SystemContract, systemContract } from './system-state.ts';
import type { BlockEnv } from './types.ts';

type Caller = Pick<Engine, 'schedule' | 'hardforkOf' | 'systemCall'>;

const WITHDRAWAL_CONTRACT = systemContract(WITHDRAWAL_REQUESTS);
const CONSOLIDATION_CONTRACT = systemContract(CONSOLIDATION_REQUESTS);
/** Slots of excess, count, and the queue's head and tail, in both contracts. */
const FIRST_SLOTS = [0, 1, 2, 3].map((slot) => setLengthLeft(Uint8Array.of(slot), 32));

/**
 * The requests of a block at its end, each type byte ++ data, without the empty ones (EIP-7685): deposits from logs (EIP-6110),
 * withdrawals (EIP-7002) and consolidations (EIP-7251) by system calls, which write to `state`.
 * @param receipts of all its transactions
 * @throws Error when a system contract is missing or fails: the block would be invalid
 */
export function collectRequests(
  receipts: Iterable<LoggingReceipt>,
  env: BlockEnv,
  state: Overlay,
  engine: Caller,
): Awaitable<Uint8Array[]> {
  // An OP chain has no validators.
  if (engine.hardforkOf(env).rollup) return [];
  const deposits = depositRequests(receipts, engine.schedule.depositContract);
  return andThen(dequeue(WITHDRAWAL_CONTRACT, env, state, engine), (withdrawals) =>
    andThen(dequeue(CONSOLIDATION_CONTRACT, env, state, engine), (consolidations) => {
      const requests: Uint8Array[] = [];
      for (const [type, data] of [deposits, withdrawals, consolidations].entries())
        if (data.length > 0) requests.push(concatBytes(Uint8Array.of(type), data));
      return requests;
    }),
  );
}

function dequeue(
  contract: SystemContract,
  env: BlockEnv,
  state: Overlay,
  engine: Caller,
): Awaitable<Uint8Array> {
  const { address } = contract;
  return andThen(state.getAccount(address), (account): Awaitable<Uint8Array> => {
    if (!account || !hasCode(account))
      throw new Error(`system contract empty: no code at ${address.toString()}`);
    if (!equalsBytes(account.codeHash, contract.codeHash)) return call(address, env, state, engine);
    // As long as the contract has never been used, its code would return nothing and change nothing.
    const isEmpty = equalsBytes(account.storageRoot, EMPTY_ROOT) && !state.wroteStorage(address);
    return andThen(isEmpty || isUntouched(address, state), (isUnused) =>
      isUnused ? EMPTY_BYTES : call(address, env, state, engine),
    );
  });
}

async function call(address: Address, env: BlockEnv, state: Overlay, engine: Caller): Promise<Uint8Array> {
  const data = await engine.systemCall(address, EMPTY_BYTES, env, state);
  if (!data) throw new Error(`system contract failed: ${address.toString()}`);
  return data;
}

/** Whether excess, count, and the queue's head and tail, the first four slots of both contracts, are zero. */
async function isUntouched(contract: Address, state: StateView): Promise<boolean> {
  for (const slot of FIRST_SLOTS) if ((await state.getStorage(contract, slot)).length > 0) return false;
  return true;
}
