import { bytesToHex } from '@ethereumjs/util';
import type { BlockView, EnvHeader, Receipt, Transaction } from '../chain/block.ts';
import { envOf } from '../chain/block-env.ts';
import { type Engine, TRANSACTION_RULES } from '../engine/engine.ts';
import { messageOf } from '../engine/message.ts';
import { newEngine } from '../engine/new-engine.ts';
import { type AnsweredCall, Caller } from '../execution/call.ts';
import type { Execution } from '../execution/execution.ts';
import { type ReplayDeps, TransactionReplay } from '../execution/transaction-replay.ts';
import { AMSTERDAM_GAS_LIMIT, OptionError } from '../options/options.ts';
import { type HardforkName, isSince } from '../protocol/hardfork.ts';
import { isL1Attributes } from '../protocol/op-stack/l1-attributes.ts';
import { otherRules } from '../protocol/other-rules.ts';
import type { BlockEnv, Executed, FailedRun } from '../protocol/types.ts';
import type { KnownContracts } from '../sources/contracts.ts';
import type { StateView } from '../state/view.ts';
import { giveWay } from '../turns.ts';
import { CallRuns } from './call-runs.ts';
import { type Comparison, compareRuns, divergenceOf, type Runs } from './compare.ts';
import { OUT_OF_GAS } from './divergence.ts';
import type { Estimates } from './estimates.ts';
import { headerUnder } from './header-under.ts';
import { type Called, Naming } from './naming.ts';
import { type Compared, type NamedDivergence, Tally, type TallyPart } from './tally.ts';
import { TransactionRuns } from './transaction-runs.ts';
import { isOtherOutcome } from './verdict.ts';

/** Limit of the divergences that are searched for, per function and verdict. */
const MAX_DIVERGENCES = 3;

/** The parts of the node that a comparison uses. */
export interface AgainstDeps {
  readonly known: KnownContracts;
  /** absent if the node's gas estimates aren't known, as in a recording */
  readonly estimates?: Estimates;
}

/**
 * Runs transactions and calls a second time by the rules of another hardfork, each on the state on which it runs on its chain, and sums up
 * the differences. The chain itself keeps its own rules.
 */
export class Against {
  #tally = new Tally();
  readonly #execution: Execution;
  readonly #other: Engine;
  /** `capped` applies all rules of the other hardfork, even if the chain has switched off the cap of EIP-7825 */
  readonly #callers: { readonly now: Caller; readonly other: Caller; readonly capped: Caller };
  readonly #naming: Naming;
  readonly #estimates: Estimates | undefined;
  /** lower limit of a block's gas limit by the other rules */
  readonly #blockGas: bigint;
  /** number of divergences that were found, by function and verdict */
  readonly #divergences = new Map<string, number>();

  constructor(
    options: { readonly fork: HardforkName },
    execution: Execution,
    { known, estimates }: AgainstDeps,
  ) {
    const { engine, engineName, crypto, calls, hashOf } = execution;
    // Amsterdam's blocks are larger: a transaction that needs more gas than the chain's own blocks allow needn't fail with every limit.
    const isAmsterdam = isSince(options.fork, 'amsterdam');
    this.#blockGas = isAmsterdam ? AMSTERDAM_GAS_LIMIT : 0n;
    this.#estimates = estimates;
    this.#execution = execution;
    if (isAmsterdam && engine.schedule.optimism)
      throw new OptionError('against', 'a hardfork that the OP Stack has', options.fork);
    this.#other = newEngine(engineName, {
      schedule: otherRules(engine.schedule, options.fork, crypto),
      crypto,
      signatures: engine.signatures,
      onDifference: (error) => {
        throw error;
      },
    });
    const then = { ...calls, gasLimit: larger(calls.gasLimit, this.#blockGas) };
    this.#callers = {
      now: new Caller(calls, { engine, hashOf }),
      other: new Caller(then, { engine: this.#other, hashOf }),
      capped: new Caller({ ...then, gasCap: true }, { engine: this.#other, hashOf }),
    };
    this.#naming = new Naming(known);
  }

  /** The comparisons so far, or since the last {@link take}. */
  get part(): TallyPart {
    return this.#tally.part;
  }

  /** Returns the comparisons so far, and starts a new tally. */
  take(): TallyPart {
    const { part } = this.#tally;
    this.#tally = new Tally();
    return part;
  }

  /**
   * Compares the transactions of a sealed block. Looks up names and the parent block at once, because a reorg may remove the block soon.
   * @param on the chain that has the block, if it isn't the chain of the constructor's execution
   * @returns a function that does the comparison. It never rejects: transactions that can't be compared are counted.
   */
  block(block: BlockView, on: Pick<Execution, 'chain' | 'hashOf'> = this.#execution): () => Promise<void> {
    const transactions = block.transactions.map((transaction, i) => {
      const receipt = block.receipts[i]!;
      const called = isL1Attributes(transaction)
        ? undefined
        : this.#naming.transaction(transaction, receipt).catch(asError);
      return { transaction, receipt, called };
    });
    if (transactions.every(({ called }) => !called)) return async () => {};
    const parent = on.chain.resolve({ hash: block.header.parentHash });
    const deps = {
      ...this.#execution,
      hashOf: on.hashOf,
      chain: { genesis: on.chain.genesis, resolve: () => parent },
    };
    return () => this.#block(block, deps, transactions);
  }

  async #block(
    block: BlockView,
    deps: ReplayDeps,
    transactions: readonly {
      readonly transaction: Transaction;
      readonly receipt: Receipt;
      readonly called: Promise<Called | Error> | undefined;
    }[],
  ): Promise<void> {
    let done = 0;
    try {
      const replay = await TransactionReplay.open(block, deps);
      for (const { transaction, receipt, called } of transactions) {
        const { env, state } = replay;
        if (called) await this.#inBlock(block, transaction, { env, state, receipt, called });
        if (++done < transactions.length) await replay.next();
        await giveWay(this.#execution.pauses);
      }
    } catch (error) {
      for (const { called } of transactions.slice(done))
        if (called) this.#tally.miss((error as Error).message);
    }
  }

  /** Compares a call. @returns a function that does the comparison, as {@link block} does */
  call(call: AnsweredCall): () => Promise<void> {
    const called = this.#naming.call(call.request).catch(asError);
    return () => this.#call(call, called);
  }

  async #call(call: AnsweredCall, called: Promise<Called | Error>): Promise<void> {
    const { view } = call;
    const { header } = view;
    const hardfork = this.#other.hardforkOf(header);
    const runs = new CallRuns(
      call,
      {
        mostGas: this.#execution.calls.gasLimit,
        mostGasThen: larger(this.#execution.calls.gasLimit, this.#blockGas),
        viewThen: { sealed: view.sealed, state: view.state, header: headerUnder(header, hardfork) },
      },
      this.#callers,
    );
    await this.#compare(runs, called, {
      kind: 'call',
      block: Number(header.number),
      now: this.#execution.engine.hardforkOf(header).name,
    });
  }

  /**
   * Compares one transaction on a state that doesn't change meanwhile. Never rejects: a transaction that can't be compared is counted.
   * @param at.env environment of its block by the chain's own rules
   */
  async transaction(
    transaction: Transaction,
    header: EnvHeader,
    at: { readonly env: BlockEnv; readonly state: StateView },
  ): Promise<void> {
    const called = this.#naming.transaction(transaction, {}).catch(asError);
    await this.#compare(this.#runsOf(transaction, header, at), called, this.#factsOf(header, transaction));
  }

  /** Compares a transaction of a block, provided that executing it again gives its receipt's gas and status. */
  async #inBlock(
    { header }: BlockView,
    transaction: Transaction,
    at: {
      readonly env: BlockEnv;
      readonly state: StateView;
      readonly receipt: Receipt;
      readonly called: Promise<Called | Error>;
    },
  ): Promise<void> {
    const runs = this.#runsOf(transaction, header, at);
    const { receipt, called } = at;
    await this.#compare(runs, called, this.#factsOf(header, transaction), ({ now }) => {
      const isSame = now.gasUsed === receipt.gasUsed && (receipt.status ?? now.success) === now.success;
      return isSame
        ? undefined
        : 'executed again it comes to something else: the state was changed from outside while its block was open';
    });
  }

  #factsOf(header: EnvHeader, { hash }: Transaction): Facts {
    return {
      kind: 'transaction',
      block: Number(header.number),
      hash: bytesToHex(hash),
      now: this.#execution.engine.hardforkOf(header).name,
    };
  }

  #runsOf(
    transaction: Transaction,
    header: EnvHeader,
    { env, state }: { readonly env: BlockEnv; readonly state: StateView },
  ): TransactionRuns {
    const { engine, pauses } = this.#execution;
    // A chain whose hardfork has the cap of EIP-7825 switches it off by default. If only the other hardfork has it, it is a difference.
    const gasCap = this.#execution.calls.gasCap || !engine.hardforkOf(header).has(7825);
    const sender = !transaction.impersonated;
    const under = headerUnder(header, this.#other.hardforkOf(header));
    const most = larger(header.gasLimit, this.#blockGas);
    const message = messageOf(transaction);
    return new TransactionRuns({
      message,
      estimate: this.#estimates?.of(message),
      before: state,
      // EIP-7825's cap was checked, or switched off, when the transaction was included.
      now: { engine, env, rules: { ...TRANSACTION_RULES, gasCap: false, sender } },
      other: {
        engine: this.#other,
        env: envOf(under, this.#other, (number) => env.blockHash(number)),
        rules: { ...TRANSACTION_RULES, gasCap, sender },
      },
      mostGas: gasCap
        ? this.#callers.capped.mostGas({ header: { ...under, gasLimit: most }, state, sealed: true })
        : most,
      ...(pauses && { pauses }),
    });
  }

  /** @param fault returns a reason why the comparison isn't valid, if there is one */
  async #compare(
    runs: Runs,
    calling: Promise<Called | Error>,
    { now, ...facts }: Facts,
    fault: (comparison: Comparison) => string | undefined = () => undefined,
  ): Promise<void> {
    try {
      const comparison = await compareRuns(runs);
      const wrong = fault(comparison);
      if (wrong !== undefined) {
        this.#tally.miss(wrong);
        return;
      }
      const called = await calling;
      if (called instanceof Error) throw called;
      const at = await this.#divergenceOf(runs, comparison, called);
      const reason = await this.#reason(comparison, runs);
      this.#tally.add({ ...facts, ...called, ...this.#figures(comparison), ...reason, at }, now);
    } catch (error) {
      this.#tally.miss((error as Error).message);
    }
  }

  #figures({ verdict, now, other, gasLimit, gasLimitThen, needs }: Comparison) {
    return {
      verdict,
      gasNow: Number(now.gasUsed),
      ...(now.dimensions && { stateGasNow: Number(now.dimensions.state) }),
      ...(other.kind === 'executed' && { gasThen: Number(other.gasUsed) }),
      ...(other.kind === 'executed' && other.dimensions && { stateGasThen: Number(other.dimensions.state) }),
      gasLimit: Number(gasLimit),
      ...(gasLimitThen !== undefined && { gasLimitThen: Number(gasLimitThen) }),
      ...(needs !== undefined && { needs: Number(needs) }),
    };
  }

  /** The difference other than the gas, in words. */
  async #reason(
    { verdict, now, other, difference }: Comparison,
    runs: Runs,
  ): Promise<{ readonly reason?: string }> {
    if (!isOtherOutcome(verdict)) return {};
    if (other.kind === 'invalid') return { reason: other.error.message };
    if (now.success && other.failure) {
      const why = await this.#naming.failure(failed(other));
      const isNew = why === OUT_OF_GAS && (await runs.paysForRecipient());
      return { reason: isNew ? `${why}: the recipient is a new account (EIP-8037)` : why };
    }
    if (now.failure && other.failure) {
      const [before, after] = [
        await this.#naming.failure(failed(now)),
        await this.#naming.failure(failed(other)),
      ];
      if (before !== after) return { reason: `${before} now, ${after} then` };
    }
    if (now.failure && other.success)
      return { reason: `it succeeds then, now it ${asVerb(await this.#naming.failure(failed(now)))}` };
    return difference === undefined ? {} : { reason: difference };
  }

  async #divergenceOf(
    runs: Runs,
    comparison: Comparison,
    called: Called,
  ): Promise<NamedDivergence | undefined> {
    const key = JSON.stringify([called, comparison.verdict]);
    const before = this.#divergences.get(key) ?? 0;
    if (before >= MAX_DIVERGENCES) return undefined;
    const divergence = await divergenceOf(runs, comparison);
    if (!divergence) return undefined;
    this.#divergences.set(key, before + 1);
    return this.#naming.divergence(divergence);
  }

  /** The caller must call this when no further comparisons follow. */
  close(): void {
    this.#other.close();
  }
}

/** Turns a rejection into a value, which the comparison throws later. */
const asError = (error: Error): Error => error;

/** Facts about a message that are known before the comparison. */
interface Facts extends Pick<Compared, 'kind' | 'block' | 'hash'> {
  /** the hardfork by which the message ran on its chain */
  readonly now: string;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function failed({ failure, returnData }: Executed): FailedRun {
  return { failure: failure!, returnData };
}

/** A reason, which is a halt or begins with `reverted`, as what a run does. */
function asVerb(reason: string): string {
  return reason.startsWith('reverted') ? reason.replace('reverted', 'reverts') : `fails: ${reason}`;
}
