import { equalsBytes } from '@ethereumjs/util';
import type { Tracer } from '../engine/engine.ts';
import { SYSTEM_ADDRESS } from '../protocol/system-contracts.ts';
import type { Executed, Log, Outcome } from '../protocol/types.ts';
import type { Awaitable } from '../state/view.ts';
import { type Divergence, OtherRun, OwnRun } from './divergence.ts';
import { isSameLog } from './same-log.ts';
import { isOtherOutcome, type Verdict } from './verdict.ts';

/** Runs one message on one state by two sets of rules, as often as needed. No run changes the state. */
export interface Runs {
  /** the message's own gas limit */
  readonly gasLimit: bigint;
  /** the highest gas limit that the other rules, the block's gas limit and the earlier transactions of the block allow */
  readonly mostGas: bigint;
  /** the node's estimate from which the gas limit was derived, if it was: see `estimates.ts` */
  readonly estimate: bigint | undefined;
  /** Runs the message by the chain's own rules. */
  now(tracer?: Tracer): Awaitable<Outcome>;
  /** Runs the message by the other rules. @param options.gas another gas limit, for which the sender gets the additional ETH */
  other(options?: { readonly gas?: bigint | undefined; readonly tracer?: Tracer }): Awaitable<Outcome>;
  /** The least gas limit with which the message succeeds by the other rules, to within 1.5 %; `undefined` if there is none. */
  needs(): Awaitable<bigint | undefined>;
  /** The first difference between the states after the last {@link now} and {@link other}, in words, ignoring the price of the gas. */
  stateDifference(now: Executed, other: Executed): Awaitable<string | undefined>;
  /** Whether the other rules charge the message for the account that its value transfer creates (EIP-8037). */
  paysForRecipient(): Awaitable<boolean>;
  /** whether logs are compared: nobody sees the logs of a call */
  readonly hasLogs: boolean;
}

/** The outcomes of a message by both sets of rules. */
export interface Comparison {
  readonly verdict: Verdict;
  readonly gasLimit: bigint;
  readonly now: Executed;
  readonly other: Outcome;
  /** the least gas limit with which the message succeeds by the other rules, to within 1.5 %, if its own is too low */
  readonly needs?: bigint;
  /** the gas limit by the other rules, if the message's own was estimated and is too low: it is estimated again */
  readonly gasLimitThen?: bigint;
  /** the difference in words; absent if only the gas differs, and if the message fails: then the outcomes say why */
  readonly difference?: string;
}

/**
 * Runs a message by both sets of rules.
 * @throws DevnetError if the message is invalid by the chain's own rules
 */
export async function compareRuns(runs: Runs): Promise<Comparison> {
  const now = executedOf(await runs.now());
  const other = await runs.other();
  const common = { gasLimit: runs.gasLimit, now };
  if (isEnough(other, now)) return resultsOf(runs, { ...common, other });
  if (!isEnough(await runs.other({ gas: runs.mostGas }), now))
    return { ...common, other, verdict: 'fails with any' };
  const needs = now.success ? await runs.needs() : undefined;
  if (needs === undefined) return { ...common, other, verdict: 'fails with this limit' };
  if (runs.estimate !== undefined) {
    const gasLimitThen = lesser((needs * runs.gasLimit) / runs.estimate, runs.mostGas);
    const again = await runs.other({ gas: gasLimitThen });
    if (isEnough(again, now)) return resultsOf(runs, { ...common, other: again, needs, gasLimitThen });
  }
  return { ...common, other, needs, verdict: 'fails with this limit' };
}

/** Compares the results of two runs, of which the second has enough gas. */
async function resultsOf(
  runs: Runs,
  common: Omit<Comparison, 'verdict' | 'difference'> & { readonly other: Executed },
): Promise<Comparison> {
  const { now, other } = common;
  const difference = resultDifference(now, other) ?? (await runs.stateDifference(now, other));
  if (difference !== undefined) return { ...common, verdict: 'other result', difference };
  const logs = runs.hasLogs ? logDifference(now.logs, other.logs) : undefined;
  if (logs !== undefined) return { ...common, verdict: 'other logs', difference: logs };
  return { ...common, verdict: priceOf(now.gasUsed, other.gasUsed) };
}

/**
 * Runs a message again by both sets of rules, and finds the opcode at which the runs diverge.
 * @returns `undefined` if no opcode makes the difference, or if the other rules reject the message
 */
export async function divergenceOf(
  runs: Runs,
  { verdict, now, other, gasLimitThen: gas }: Comparison,
): Promise<Divergence | undefined> {
  if (!isOtherOutcome(verdict) || other.kind === 'invalid') return undefined;
  const first = new OwnRun();
  const second = new OtherRun(first);
  await runs.now(first);
  await runs.other({ gas, tracer: second });
  const transfer = verdict === 'other logs' && newTransfer(now.logs, other.logs);
  return transfer ? second.makerOf(transfer) : second.divergence;
}

/** @throws DevnetError */
function executedOf(outcome: Outcome): Executed {
  if (outcome.kind === 'invalid') throw outcome.error;
  return outcome;
}

/** Whether the gas limit is enough: the other rules accept the message, and it doesn't fail if it succeeds by the chain's own rules. */
function isEnough(other: Outcome, now: Executed): other is Executed {
  return other.kind === 'executed' && (other.success || !now.success);
}

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function priceOf(now: bigint, other: bigint): Verdict {
  if (now === other) return 'same';
  return now < other ? 'dearer' : 'cheaper';
}

/** The difference between the results, in words. */
function resultDifference(now: Executed, other: Executed): string | undefined {
  if (now.success !== other.success) return 'it succeeds then';
  if (now.failure?.reason !== other.failure?.reason)
    return `${now.failure?.reason} now, ${other.failure?.reason} then`;
  if (now.createdAddress?.toString() !== other.createdAddress?.toString())
    return 'the address of the new contract';
  if (!equalsBytes(now.returnData, other.returnData))
    return now.success ? 'it returns something else' : 'it reverts with something else';
  return undefined;
}

/** The difference between the logs, in words. */
function logDifference(now: readonly Log[], other: readonly Log[]): string | undefined {
  if (now.length !== other.length) return `${countOf(now.length)} now, ${countOf(other.length)} then`;
  const i = now.findIndex((log, n) => !isSameLog(log, other[n]!));
  return i < 0 ? undefined : `log ${i}`;
}

/** The first log that differs, if the protocol emits it for a transfer of ETH (EIP-7708): tracers aren't notified of such logs. */
function newTransfer(now: readonly Log[], other: readonly Log[]): Log | undefined {
  const log = other.find((each, i) => !now[i] || !isSameLog(each, now[i]));
  return log?.address.equals(SYSTEM_ADDRESS) ? log : undefined;
}

const countOf = (logs: number): string => `${logs} ${logs === 1 ? 'log' : 'logs'}`;
