import * as at from '../../core/memory/layout.ts';
import * as entry from '../../core/state/entries.ts';
import type { DevnetError } from '../../errors.ts';
import { intrinsicGas } from '../../protocol/intrinsic-gas.ts';
import {
  chargedBytes,
  DEPOSIT_RULES,
  depositViolation,
  isDeposit,
  paymentsOf,
} from '../../protocol/op-stack/optimism.ts';
import {
  L1_BLOCK,
  L1_FEE_SLOTS,
  l1FeesOf,
  type RollupFees,
  rollupFeesOf,
} from '../../protocol/op-stack/rollup-fees.ts';
import type { Deposit, Message, Rules } from '../../protocol/types.ts';
import type { FailedEstimate } from '../estimate.ts';
import type { Executor } from './executor.ts';
import { exemptionsOf } from './outcome.ts';
import { finished, type Run } from './run.ts';
import type { Execution, Refusal } from './types.ts';

/** A message that is rejected before it begins; the state is unchanged. */
export interface Refused {
  readonly kind: 'invalid';
  /** the reason why a deposit is rejected */
  readonly error?: DevnetError;
}

/** How messages run in the core. */
export interface CoreRun {
  /** @param exempt see {@link EXEMPT} */
  run(message: Message, exempt: number): Run<Execution | Refusal>;
  /** Includes a deposit that can't begin as a failed transaction; absent outside of blocks: the deposit is then rejected. */
  fail?(message: Message, reason: string): Execution;
}

/**
 * Runs a message on a chain of the OP Stack. Charges and payments besides the gas fee, and the mint of a deposit, are written before and
 * after the core runs the message.
 */
export function* applyOnOptimism(
  executor: Executor,
  message: Message,
  rules: Rules,
  core: CoreRun,
): Run<Execution | Refused> {
  const mark = executor.core.mark();
  let isIn = false;
  try {
    const result = isDeposit(message)
      ? yield* applyDeposit(executor, message, rules, core)
      : yield* applyPaying(executor, message, rules, core);
    isIn = result.kind === 'executed';
    return result;
  } finally {
    if (!isIn) executor.core.revertTo(mark);
  }
}

function* applyDeposit(
  executor: Executor,
  message: Message & { readonly deposit: Deposit },
  rules: Rules,
  core: CoreRun,
): Run<Execution | Refused> {
  const { given, error } = yield* beginDeposit(executor, message);
  const { nonce } = given;
  if (error) {
    if (!core.fail) return { kind: 'invalid', error };
    return { ...core.fail(given, error.message), depositNonce: nonce };
  }
  const exempt = exemptionsOf({ ...DEPOSIT_RULES, transferLogs: rules.transferLogs });
  const result = yield* core.run(given, exempt);
  return result.kind === 'invalid' ? result : { ...result, depositNonce: nonce };
}

/** Finds the least gas limit with which a deposit succeeds. The state stays unchanged. @param most the highest gas limit to try */
export function* estimateDeposit(
  executor: Executor,
  message: Message & { readonly deposit: Deposit },
  most: bigint,
): Run<bigint | FailedEstimate | Refused> {
  const mark = executor.core.mark();
  try {
    const { given, error } = yield* beginDeposit(executor, { ...message, gasLimit: most });
    if (error) return { kind: 'invalid', error };
    const exempt = exemptionsOf({ ...DEPOSIT_RULES, transferLogs: false });
    return yield* finished(executor.estimate(given, most, exempt, false));
  } finally {
    executor.core.revertTo(mark);
  }
}

/** Mints a deposit's value. @returns the deposit with its sender's nonce, and the reason why it can't begin, if any */
function* beginDeposit(executor: Executor, message: Message & { readonly deposit: Deposit }) {
  const sender = yield* executor.loadAccount(message.from.bytes);
  const nonce = executor.memory.u64(sender + entry.NONCE);
  add(executor, sender, message.deposit.mint);
  const given = { ...message, nonce };
  const { hardfork } = executor.rules;
  const { balance } = executor.fieldsOf(sender);
  return { given, error: depositViolation(given, balance, hardfork, intrinsicGas(given, hardfork)) };
}

function* applyPaying(
  executor: Executor,
  message: Message,
  rules: Rules,
  core: CoreRun,
): Run<Execution | Refused> {
  const { memory } = executor;
  const bytes = chargedBytes(message, rules);
  const rollup = bytes && (yield* feesOf(executor, bytes));
  if (rollup) {
    const sender = yield* executor.loadAccount(message.from.bytes);
    const left = memory.word(sender + entry.BALANCE) - rollup.l1Fee - rollup.operatorFee(message.gasLimit);
    if (left < 0n) return { kind: 'invalid' };
    executor.setBalance(sender, left);
  }
  const result = yield* core.run(message, exemptionsOf(rules));
  if (result.kind === 'invalid') return result;
  const gasPrice = result.effectiveGasPrice;
  const baseFee = memory.word(at.BLOCK_BASE_FEE);
  const cost = { gasPrice, tip: gasPrice > baseFee ? gasPrice - baseFee : 0n };
  for (const { to, wei } of paymentsOf(message, result, cost, rollup))
    if (wei > 0n) add(executor, yield* executor.loadAccount(to.bytes), wei);
  return result;
}

function* feesOf(executor: Executor, raw: Uint8Array): Run<RollupFees | undefined> {
  const contract = yield* executor.loadAccount(L1_BLOCK.bytes);
  const values: bigint[] = [];
  for (const key of L1_FEE_SLOTS) values.push(executor.valueOf(yield* executor.loadSlot(contract, key)));
  return rollupFeesOf(raw, l1FeesOf(values));
}

function add(executor: Executor, account: number, wei: bigint): void {
  if (wei === 0n) return;
  executor.memory.setWord(at.SCRATCH, wei);
  executor.core.addBalance(account, at.SCRATCH);
}
