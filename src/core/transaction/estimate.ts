// Finds the least gas limit with which the message at TX succeeds, to within 1.5 %, by the steps of geth's eth/gasestimator. Like a run,
// the search is paused when it has to wait, and continues from there.
import { isCodeMissing } from '../trie/missing.ts';
import { accountAt, BALANCE, CODE } from '../state/accounts.ts';
import { atMost, divide, multiplyBy } from '../memory/arithmetic.ts';
import { isFailure } from '../evm/end-frame.ts';
import { INSUFFICIENT_FUNDS, INTRINSIC_GAS } from '../memory/faults.ts';
import { DONE, MISSING, NONE, OUT_OF_FUEL, OUT_OF_GAS } from '../memory/halts.ts';
import { mark, revertTo } from '../state/journal.ts';
import {
  RESULT_DATA_LENGTH, RESULT_GAS_BEFORE_REFUND, RESULT_GAS_USED, RESULT_HALT, SCRATCH, SCRATCH_2,
  TX_BLOB_COUNT, TX_DATA_LENGTH, TX_FROM, TX_GAS, TX_HAS_TO, TX_MAX_BLOB_FEE, TX_MAX_FEE, TX_TO, TX_VALUE,
} from '../memory/layout.ts';
import { stateGasReturned } from '../evm/state-gas.ts';
import { run, start } from './run.ts';
import { baseGas, intrinsicGas } from './validity.ts';
import { BLOB_RULE, CALL_STIPEND_RULE, EIP_8037 } from '../tables/rule.ts';
import { add, equal, isZero, less, subtract } from '../memory/words.ts';

/** accepted relative error of the estimate above the least gas limit */
const ERROR_RATIO: f64 = 0.015;
/**
 * Fuel for one attempt in addition to its gas and one unit per byte of data: the overhead of an attempt, as the gas executed in the same
 * time.
 */
const ATTEMPT: i64 = 2_000;
/** The optimistic attempt gets 1/64 more gas than was used: the part that a frame keeps (EIP-150), in every hardfork. */
const MARGIN: i64 = 64;

// The step of the search, and the attempt made in it.
const BEGINS: i32 = 0;
/** with the cost of a plain transfer, if there is neither code nor data */
const TRANSFER: i32 = 1;
/** with the highest gas limit */
const HIGHEST: i32 = 2;
/** with a little more gas than the attempt with the highest gas limit used */
const OPTIMISTIC: i32 = 3;
const BISECTION: i32 = 4;
const ENDED: i32 = 5;
/** with the peak gas use of the attempt with the highest gas limit, before state gas was returned (EIP-8037), as if no call kept any gas */
const PEAK: i32 = 6;

let step: i32 = ENDED;
let anyoneTransfers: bool = false;
/** a gas limit that is too low, and one that suffices or is the highest one */
let low: i64 = 0, high: i64 = 0;
/** the gas limit of the attempt */
let tried: i64 = 0;
/** peak gas use of the attempt with the highest gas limit */
let peak: i64 = 0;
/** whether the attempt has begun, and the mark of the journal before it */
let isOpen: bool = false, before: u32 = 0;
/** the gas limit found; 0 = the attempt with the highest one has failed, with the result at RESULT */
let found: i64 = 0;

/**
 * Begins a search for the message at TX.
 * @param most the highest gas limit; lowered to what the sender can pay if the message offers a fee
 * @param anyoneMay whether a plain transfer is estimated even if the sender can't pay for it
 */
export function beginEstimate(most: i64, anyoneMay: bool): void {
  step = BEGINS;
  anyoneTransfers = anyoneMay;
  high = most;
  isOpen = false;
  found = 0;
}

/**
 * Continues the search.
 * @param fuel gas after which it is paused
 * @returns DONE: see estimated(), nothing has changed; below 0: why the message can't run, see faults.ts; otherwise the reason of the pause
 */
export function estimate(fuel: i64): i32 {
  if (step == BEGINS) {
    const halt = prepare();
    if (halt != NONE) return halt;
  }
  while (step != ENDED) {
    if (fuel <= 0) return OUT_OF_FUEL;
    if (!isOpen) {
      const halt = begin();
      if (halt != NONE) return halt;
    }
    if (isOpen) {
      const halt = run(fuel);
      if (halt != DONE) return halt;
      revertTo(before);
      isOpen = false;
      // The gas charged for data and before the code runs takes no time.
      fuel -= ATTEMPT + <i64>load<u32>(TX_DATA_LENGTH) + max(0, load<i64>(RESULT_GAS_BEFORE_REFUND) - intrinsicGas);
      next(!isFailure(load<u32>(RESULT_HALT)));
    }
  }
  return DONE;
}

/** Begins an attempt. If its gas doesn't suffice to begin, it counts as failed. @returns NONE, or as estimate() */
function begin(): i32 {
  store<i64>(TX_GAS, tried);
  before = mark();
  const halt = start();
  isOpen = halt == NONE;
  if (halt != INTRINSIC_GAS && (halt >= NONE || step != TRANSFER)) return halt;
  store<u32>(RESULT_HALT, OUT_OF_GAS);
  store<u32>(RESULT_DATA_LENGTH, 0);
  next(false);
  return NONE;
}

/** The gas limit found; 0 = the run with the highest one, at TX_GAS, has failed: see RESULT. */
export function estimated(): i64 {
  return found;
}

/** Determines the highest gas limit, and whether the message is a plain transfer. */
function prepare(): i32 {
  const sender = accountAt(TX_FROM);
  if (isCodeMissing(sender)) return MISSING;
  let isPlain = load<u32>(TX_HAS_TO) != 0 && load<u32>(TX_DATA_LENGTH) == 0;
  if (isPlain) {
    const to = accountAt(TX_TO);
    if (isCodeMissing(to)) return MISSING;
    isPlain = load<u32>(to, CODE) == 0;
  }
  if (isPlain && anyoneTransfers && !affords(sender, baseGas())) {
    end(baseGas());
    return NONE;
  }
  if (!isZero(TX_MAX_FEE) && !limitToBalance(sender)) return INSUFFICIENT_FUNDS;
  if (isPlain) attempt(TRANSFER, baseGas());
  else attempt(HIGHEST, high);
  return NONE;
}

/** Whether an account can pay the value and the maximum fee for this much gas. */
function affords(sender: usize, gas: i64): bool {
  return !multiplyBy(SCRATCH, TX_MAX_FEE, gas) && !add(SCRATCH, SCRATCH, TX_VALUE) && !less(sender + BALANCE, SCRATCH);
}

/** Lowers the highest gas limit to what the sender can pay. @returns false if the sender can't even pay the value and the blobs */
function limitToBalance(sender: usize): bool {
  if (multiplyBy(SCRATCH, TX_MAX_BLOB_FEE, <u64>load<u32>(TX_BLOB_COUNT) * load<u64>(BLOB_RULE))) return false;
  if (add(SCRATCH, SCRATCH, TX_VALUE) || less(sender + BALANCE, SCRATCH)) return false;
  if (!isZero(TX_VALUE) && equal(sender + BALANCE, TX_VALUE)) return false;
  subtract(SCRATCH, sender + BALANCE, SCRATCH);
  divide(SCRATCH_2, SCRATCH, TX_MAX_FEE);
  high = <i64>atMost(SCRATCH_2, high);
  return true;
}

/** Determines the next attempt from the result of the last one. */
function next(succeeded: bool): void {
  if (step == TRANSFER) {
    if (succeeded) end(tried);
    else attempt(HIGHEST, high);
    return;
  }
  if (step == HIGHEST) {
    if (!succeeded) {
      end(0);
      return;
    }
    low = load<i64>(RESULT_GAS_USED) - 1;
    peak = load<i64>(RESULT_GAS_BEFORE_REFUND) + stateGasReturned;
    if (load<u32>(EIP_8037) && peak < high) {
      attempt(PEAK, peak);
      return;
    }
    if (isOptimistic()) return;
  } else if (step == PEAK && !succeeded) {
    low = tried;
    if (isOptimistic()) return;
  } else if (succeeded) high = tried;
  else low = tried;
  if (low + 1 >= high || f64(high - low) / f64(high) < ERROR_RATIO) {
    end(high);
    return;
  }
  const middle = low + (high - low) / 2;
  attempt(BISECTION, middle > low * 2 ? low * 2 : middle);
}

/** Whether the next attempt is with a little more than the peak. It is skipped if that isn't below the highest limit. */
function isOptimistic(): bool {
  const optimistic = (peak + load<i64>(CALL_STIPEND_RULE)) * MARGIN / (MARGIN - 1);
  if (optimistic >= high) return false;
  attempt(OPTIMISTIC, optimistic);
  return true;
}

function attempt(nextStep: i32, gas: i64): void {
  step = nextStep;
  tried = gas;
}

function end(gas: i64): void {
  step = ENDED;
  found = gas;
}
