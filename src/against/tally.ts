import { isOtherOutcome, VERDICTS, type Verdict } from './verdict.ts';

/** Minimum, average and maximum. */
export interface Range {
  readonly min: number;
  readonly average: number;
  readonly max: number;
}

/** An opcode as a report describes it. */
export interface NamedOpcode {
  /** name of the contract whose code runs, if it is known */
  readonly contract?: string | undefined;
  /** the account whose storage the code accesses, `0x` hex */
  readonly address: string;
  readonly pc: number;
  readonly opcode: string;
  /** 0 for the code of the transaction's recipient */
  readonly depth: number;
  /** position in the source, if a build info has it; line and column from 1 */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** text of the source line */
  readonly source?: string | undefined;
}

/** The opcode at which two runs diverge: see `divergence.ts`. */
export interface NamedDivergence extends NamedOpcode {
  /** error with which the frame ended there by the chain's own rules; absent if the frame went on */
  readonly endsNow?: string | undefined;
  readonly endsThen?: string | undefined;
  readonly because?: NamedOpcode | undefined;
  /** the call whose fixed amount of gas (including the stipend) is used up */
  readonly given?: (NamedOpcode & { readonly gas: number }) | undefined;
}

/** The comparison of one transaction or call. Gas is the gas that is paid for. */
export interface Compared {
  readonly kind: 'transaction' | 'call';
  /** file and case, if several were replayed */
  readonly in?: string | undefined;
  /** number of the block */
  readonly block: number;
  /** `0x` hex; absent for a call */
  readonly hash?: string | undefined;
  /** name of the contract, or its address; `null` for a transfer to an account without code */
  readonly contract: string | null;
  /** name of the function, or its selector; `deployment`, `transfer of ETH`, or `no function` */
  readonly function: string;
  readonly verdict: Verdict;
  readonly gasNow: number;
  /** the part of `gasNow` for state growth (EIP-8037); absent for hardforks that don't count it separately */
  readonly stateGasNow?: number | undefined;
  /** absent if the other rules reject the message */
  readonly gasThen?: number | undefined;
  /** the part of `gasThen` for state growth (EIP-8037); absent for hardforks that don't count it separately */
  readonly stateGasThen?: number | undefined;
  readonly gasLimit: number;
  /** the gas limit by the other rules, if the node estimated `gasLimit` and it is too low: it is estimated again */
  readonly gasLimitThen?: number | undefined;
  /** the least gas limit with which the message succeeds by the other rules, to within 1.5 %, if its own is too low */
  readonly needs?: number | undefined;
  /** the difference other than the gas, in words */
  readonly reason?: string | undefined;
  readonly at?: NamedDivergence | undefined;
}

/** The comparisons of one function with one verdict, summed up. */
export interface Row {
  readonly kind: Compared['kind'];
  readonly contract: string | null;
  readonly function: string;
  readonly verdict: Verdict;
  readonly count: number;
  readonly gasNow: Range;
  readonly stateGasNow?: Range | undefined;
  /** absent if the other rules reject all of them */
  readonly gasThen?: Range | undefined;
  readonly stateGasThen?: Range | undefined;
  readonly gasLimit: Range;
  /** of the comparisons whose limit was estimated again */
  readonly gasLimitThen?: Range | undefined;
  readonly needs?: number | undefined;
  /** `reason` and `at` are those of the first comparison that has them */
  readonly reason?: string | undefined;
  readonly at?: NamedDivergence | undefined;
}

/** The fields of a report in JSON. */
export interface AgainstFields {
  /** the hardforks of the chain, and the hardfork that they are compared with */
  readonly now: readonly string[];
  readonly against: string;
  readonly transactions: number;
  readonly calls: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** the worst verdict first; then by the total change in gas, the largest first */
  readonly functions: readonly Row[];
  /** comparisons with differences other than the gas, in the order of the chain, at most 1,000 */
  readonly different: readonly Compared[];
  /** number of such comparisons beyond these 1,000 */
  readonly more: number;
  /** number of messages that couldn't be compared, with up to five different reasons */
  readonly notCompared: number;
  readonly notComparedBecause: readonly string[];
}

/** Limits of the comparisons that are listed one by one, and of the listed reasons why messages couldn't be compared. */
const MAX_DIFFERENT = 1_000;
const MAX_REASONS = 5;

interface Sum {
  count: number;
  min: number;
  sum: number;
  max: number;
}

interface Group extends Pick<Row, 'kind' | 'contract' | 'function' | 'verdict'> {
  count: number;
  now: Sum;
  nowState: Sum;
  other: Sum;
  otherState: Sum;
  limit: Sum;
  limitThen: Sum;
  needs: number | undefined;
  reason: string | undefined;
  at: NamedDivergence | undefined;
}

/** Partial sums, which a worker thread returns and which can be added to others. */
export interface TallyPart {
  readonly now: readonly string[];
  readonly groups: readonly Group[];
  readonly different: readonly Compared[];
  readonly more: number;
  readonly notCompared: number;
  readonly reasons: readonly string[];
}

/** Adds up comparisons by contract, function and verdict. */
export class Tally {
  readonly #now = new Set<string>();
  readonly #groups = new Map<string, Group>();
  readonly #different: Compared[] = [];
  readonly #reasons = new Set<string>();
  #more = 0;
  #notCompared = 0;

  /** @param now the hardfork by which the message ran on its chain */
  add(compared: Compared, now: string): void {
    this.#now.add(now);
    const {
      kind,
      contract,
      function: name,
      verdict,
      gasNow,
      stateGasNow,
      gasThen,
      stateGasThen,
      gasLimit,
      gasLimitThen,
      needs,
      reason,
      at,
    } = compared;
    this.#addGroup({
      ...{ kind, contract, function: name, verdict, count: 1, needs, reason, at },
      now: sumOf(gasNow),
      nowState: sumOf(stateGasNow),
      other: sumOf(gasThen),
      otherState: sumOf(stateGasThen),
      limit: sumOf(gasLimit),
      limitThen: sumOf(gasLimitThen),
    });
    if (isOtherOutcome(verdict)) this.#tell(compared);
  }

  /** Counts a message that couldn't be compared. */
  miss(reason: string): void {
    this.#notCompared++;
    if (this.#reasons.size < MAX_REASONS) this.#reasons.add(reason);
  }

  /** Adds the sums of another tally. @param within file and case of the other tally */
  addPart(part: TallyPart, within?: string): void {
    for (const name of part.now) this.#now.add(name);
    for (const group of part.groups) this.#addGroup(group);
    for (const compared of part.different)
      this.#tell(within === undefined ? compared : { ...compared, in: compared.in ?? within });
    this.#more += part.more;
    this.#notCompared += part.notCompared;
    for (const reason of part.reasons) if (this.#reasons.size < MAX_REASONS) this.#reasons.add(reason);
  }

  get part(): TallyPart {
    return {
      now: [...this.#now],
      groups: [...this.#groups.values()],
      different: this.#different,
      more: this.#more,
      notCompared: this.#notCompared,
      reasons: [...this.#reasons],
    };
  }

  /** @param against the other hardfork */
  fields(against: string): AgainstFields {
    const groups = [...this.#groups.values()].sort(byWeight);
    const countOf = (kind: Row['kind']) =>
      groups.reduce((sum, group) => sum + (group.kind === kind ? group.count : 0), 0);
    const counts = VERDICTS.map((verdict) => [
      verdict,
      groups.reduce((sum, group) => sum + (group.verdict === verdict ? group.count : 0), 0),
    ]);
    return {
      now: [...this.#now],
      against,
      transactions: countOf('transaction'),
      calls: countOf('call'),
      verdicts: Object.fromEntries(counts) as Record<Verdict, number>,
      functions: groups.map(rowOf),
      different: this.#different,
      more: this.#more,
      notCompared: this.#notCompared,
      notComparedBecause: [...this.#reasons],
    };
  }

  #tell(compared: Compared): void {
    if (this.#different.length < MAX_DIFFERENT) this.#different.push(compared);
    else this.#more++;
  }

  #addGroup(added: Group): void {
    const { kind, contract, function: name, verdict } = added;
    const key = JSON.stringify([kind, contract, name, verdict]);
    const group = this.#groups.get(key);
    if (!group) {
      this.#groups.set(key, { ...added });
      return;
    }
    group.count += added.count;
    group.now = both(group.now, added.now);
    group.nowState = both(group.nowState, added.nowState);
    group.other = both(group.other, added.other);
    group.otherState = both(group.otherState, added.otherState);
    group.limit = both(group.limit, added.limit);
    group.limitThen = both(group.limitThen, added.limitThen);
    if (added.needs !== undefined) group.needs = Math.max(group.needs ?? 0, added.needs);
    group.reason ??= added.reason;
    group.at ??= added.at;
  }
}

const NO_SUM: Sum = { count: 0, min: Infinity, sum: 0, max: 0 };

const sumOf = (value: number | undefined): Sum =>
  value === undefined ? NO_SUM : { count: 1, min: value, sum: value, max: value };

function both(one: Sum, other: Sum): Sum {
  return {
    count: one.count + other.count,
    min: Math.min(one.min, other.min),
    sum: one.sum + other.sum,
    max: Math.max(one.max, other.max),
  };
}

function byWeight(a: Group, b: Group): number {
  const rank = ({ verdict }: Group) => VERDICTS.indexOf(verdict);
  const more = ({ now, other }: Group) => Math.abs(other.sum - now.sum);
  return rank(a) - rank(b) || more(b) - more(a) || b.count - a.count;
}

function rowOf({ now, nowState, other, otherState, limit, limitThen, count, ...group }: Group): Row {
  return {
    kind: group.kind,
    contract: group.contract,
    function: group.function,
    verdict: group.verdict,
    count,
    gasNow: rangeOf(now),
    ...(nowState.count > 0 && { stateGasNow: rangeOf(nowState) }),
    ...(other.count > 0 && { gasThen: rangeOf(other) }),
    ...(otherState.count > 0 && { stateGasThen: rangeOf(otherState) }),
    gasLimit: rangeOf(limit),
    ...(limitThen.count > 0 && { gasLimitThen: rangeOf(limitThen) }),
    ...(group.needs !== undefined && { needs: group.needs }),
    ...(group.reason !== undefined && { reason: group.reason }),
    ...(group.at && { at: group.at }),
  };
}

function rangeOf({ count, min, sum, max }: Sum): Range {
  return { min, average: Math.round(sum / count), max };
}
