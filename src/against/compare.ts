import { equalsBytes } from '@ethereumjs/util';
import type { Tracer } from '../evm/engine.ts';
import type { Executed, Log, Outcome } from '../evm/types.ts';
import type { Awaitable } from '../state/view.ts';
import { FirstRun, type Parting, SecondRun } from './parting.ts';
import { isSameLog } from './same-log.ts';
import { isOtherOutcome, type Verdict } from './verdict.ts';

/** One message that runs from one state by two sets of rules, as often as it has to. No run changes the state. */
export interface Runs {
  /** the message's own */
  readonly gasLimit: bigint;
  /** the highest gas limit that the other rules, the block and its transactions before this one leave */
  readonly mostGas: bigint;
  /** By the chain's own rules. */
  now(tracer?: Tracer): Awaitable<Outcome>;
  /** By the other rules. @param options.gas another gas limit, for which the sender has what it costs */
  other(options?: { readonly gas?: bigint; readonly tracer?: Tracer }): Awaitable<Outcome>;
  /** The least gas limit with which it succeeds by the other rules, to within 1.5 %; `undefined` where there is none. */
  needs(): Awaitable<bigint | undefined>;
  /** What of the state that the last {@link now} and {@link other} left differs, in words, besides the price of the gas. */
  stateDifference(now: Executed, other: Executed): Awaitable<string | undefined>;
  /** whether logs are seen by anybody: those of a call aren't */
  readonly hasLogs: boolean;
}

/** What a message comes to by the other rules, compared with what it comes to now. */
export interface Comparison {
  readonly verdict: Verdict;
  readonly gasLimit: bigint;
  readonly now: Executed;
  readonly other: Outcome;
  /** the least gas limit with which it succeeds, to within 1.5 %, where it fails with its own */
  readonly needs?: bigint;
  /** what differs, in words; absent where only the gas does, and where it fails: the outcomes say why */
  readonly difference?: string;
}

/**
 * Runs a message by both sets of rules.
 * @throws DevnetError when it is invalid by the chain's own rules
 */
export async function compareRuns(runs: Runs): Promise<Comparison> {
  const now = executedOf(await runs.now());
  const other = await runs.other();
  const common = { gasLimit: runs.gasLimit, now, other };
  if (other.kind === 'invalid' || (now.success && !other.success)) {
    const wasEnough = await passesWithMore(runs, now);
    if (!wasEnough) return { ...common, verdict: 'fails with any' };
    const needs = now.success ? await runs.needs() : undefined;
    return { ...common, verdict: 'fails with this limit', ...(needs !== undefined && { needs }) };
  }
  const difference = resultDifference(now, other) ?? (await runs.stateDifference(now, other));
  if (difference !== undefined) return { ...common, verdict: 'other result', difference };
  const logs = runs.hasLogs ? logDifference(now.logs, other.logs) : undefined;
  if (logs !== undefined) return { ...common, verdict: 'other logs', difference: logs };
  return { ...common, verdict: priceOf(now.gasUsed, other.gasUsed) };
}

/**
 * Runs a message once more by both sets of rules, and finds the opcode at which the runs part.
 * @returns `undefined` where no opcode makes the difference, and where a rule refuses the message
 */
export async function partingOf(runs: Runs, { verdict, other }: Comparison): Promise<Parting | undefined> {
  if (!isOtherOutcome(verdict) || other.kind === 'invalid') return undefined;
  const first = new FirstRun();
  const second = new SecondRun(first);
  await runs.now(first);
  await runs.other({ tracer: second });
  return second.parting;
}

/** @throws DevnetError */
function executedOf(outcome: Outcome): Executed {
  if (outcome.kind === 'invalid') throw outcome.error;
  return outcome;
}

/** Whether the message comes to what it comes to now where only its gas limit is another one. */
async function passesWithMore(runs: Runs, now: Executed): Promise<boolean> {
  const tried = await runs.other({ gas: runs.mostGas });
  return tried.kind === 'executed' && tried.success === now.success;
}

function priceOf(now: bigint, other: bigint): Verdict {
  if (now === other) return 'same';
  return now < other ? 'dearer' : 'cheaper';
}

/** What of the results differs, in words. */
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

/** What of the logs differs, in words. */
function logDifference(now: readonly Log[], other: readonly Log[]): string | undefined {
  if (now.length !== other.length) return `${countOf(now.length)} now, ${countOf(other.length)} then`;
  const i = now.findIndex((log, n) => !isSameLog(log, other[n]!));
  return i < 0 ? undefined : `log ${i}`;
}

const countOf = (logs: number): string => `${logs} ${logs === 1 ? 'log' : 'logs'}`;
