// Finds the least gas limit with which a message succeeds: the search of src/execution/estimate.ts, in one step.
import { accountAt, CODE, precompileAt } from '../state/accounts.ts';
import { isFailure } from '../evm/end-frame.ts';
import { INTRINSIC_GAS } from '../memory/faults.ts';
import { DONE, MISSING, NONE, OUT_OF_GAS } from '../memory/halts.ts';
import { mark, revertTo } from '../state/journal.ts';
import {
  ESTIMATE_FAILED, RESULT_GAS_BEFORE_REFUND, RESULT_GAS_USED, RESULT_HALT, TX_DATA_LENGTH, TX_GAS, TX_HAS_TO, TX_TO,
} from '../memory/layout.ts';
import { isAccountMissing } from '../trie/missing.ts';
import { run, start } from './run.ts';
import { CALL_STIPEND_RULE, KEPT_PART_RULE, TRANSACTION_RULE } from '../tables/rule.ts';

/** how far the estimate may be above the least gas, as a share */
const ERROR_RATIO: f64 = 0.015;
/** gas of all attempts together, at most: others shouldn't have to wait for more */
const FUEL: i64 = 1_000_000;

let fuel: i64 = 0;
/** why an attempt couldn't be made: MISSING, or anything else; NONE as long as all could */
let stopped: i32 = NONE;

/**
 * Searches for the message at TX.
 * @param most the highest gas limit
 * @returns the gas limit; -MISSING: call it again, when a run with the gas limit at TX_GAS has what it reads; ESTIMATE_FAILED: the run
 * with the highest limit has failed, as RESULT says; -1: another search has to find it, or why there is none. Nothing has changed.
 */
export function estimate(most: i64): i64 {
  fuel = FUEL;
  stopped = NONE;
  const found = isPlain() && succeeds(load<i64>(TRANSACTION_RULE)) ? load<i64>(TRANSACTION_RULE) : search(most);
  return stopped == NONE ? found : stopped == MISSING ? -MISSING : -1;
}

/** Whether it only transfers. */
function isPlain(): bool {
  if (load<u32>(TX_DATA_LENGTH) || !load<u32>(TX_HAS_TO)) return false;
  const to = accountAt(TX_TO);
  return !isAccountMissing(to) && !load<u32>(to, CODE) && !precompileAt(to);
}

function search(most: i64): i64 {
  if (stopped != NONE) return -1;
  if (!succeeds(most)) return ESTIMATE_FAILED;
  let low = load<i64>(RESULT_GAS_USED) - 1, high = most;
  const optimistic = (load<i64>(RESULT_GAS_BEFORE_REFUND) + load<i64>(CALL_STIPEND_RULE)) * load<i64>(KEPT_PART_RULE) / (load<i64>(KEPT_PART_RULE) - 1);
  if (optimistic < high) {
    if (succeeds(optimistic)) high = optimistic;
    else low = optimistic;
  }
  while (stopped == NONE && low + 1 < high && f64(high - low) / f64(high) >= ERROR_RATIO) {
    const middle = low + (high - low) / 2, next = middle > low * 2 ? low * 2 : middle;
    if (succeeds(next)) high = next;
    else low = next;
  }
  return high;
}

/** Tries a gas limit. Its effects are taken back. */
function succeeds(gas: i64): bool {
  if (stopped != NONE) return false;
  store<i64>(TX_GAS, gas);
  const before = mark(), begun = start();
  if (begun == INTRINSIC_GAS) {
    store<u32>(RESULT_HALT, OUT_OF_GAS);
    return false;
  }
  if (begun != NONE) {
    stopped = begun;
    return false;
  }
  const code = run(fuel);
  revertTo(before);
  if (code != DONE) {
    stopped = code == MISSING ? MISSING : DONE;
    return false;
  }
  fuel -= load<i64>(RESULT_GAS_USED);
  return !isFailure(load<u32>(RESULT_HALT));
}
