import type { AgainstFields, Compared, NamedDivergence, NamedOpcode, Range, Row } from '../against/tally.ts';
import { VERDICTS, type Verdict } from '../against/verdict.ts';
import { printable } from '../log/printable.ts';
import { grouped } from './html-page.ts';
import { countOf } from './report.ts';

/** Maximum number of characters shown of a line of source. */
const MAX_SOURCE = 160;

/** The meaning of each verdict, under the other rules. */
export const MEANINGS: Readonly<Record<Verdict, string>> = {
  'fails with any': 'fails, whatever its gas limit is',
  'fails with this limit': 'succeeds only with another gas limit',
  'other result': 'returns something else, or leaves another state',
  'other logs': 'leaves other logs, and is otherwise the same',
  dearer: 'costs more gas, and is otherwise the same',
  cheaper: 'costs less gas, and is otherwise the same',
  same: 'is the same',
};

/** `12 transactions by osaka, against amsterdam; fails with this limit: 3, dearer: 9` */
export function againstLine(fields: AgainstFields): string {
  const { verdicts, notCompared } = fields;
  const counts = VERDICTS.filter((verdict) => verdicts[verdict] > 0).map(
    (verdict) => `${verdict}: ${verdicts[verdict]}`,
  );
  if (notCompared > 0) counts.push(`not compared: ${notCompared}`);
  return printable(`${comparedText(fields)}; ${counts.join(', ') || 'nothing to compare'}`);
}

/** `12 transactions by osaka, against amsterdam` */
export function comparedText({ now, against, transactions, calls }: AgainstFields): string {
  const what = [countOf(transactions, 'transaction'), ...(calls > 0 ? [countOf(calls, 'call')] : [])];
  const by = now.length > 0 ? ` by ${now.join(', ')}` : '';
  return `${what.join(' and ')}${by}, against ${against}`;
}

/** Returns the table by function. The columns of state gas are included if a hardfork counts it separately (EIP-8037). */
export function functionTable({ functions }: AgainstFields): {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
} {
  const columns: [head: string, cell: (row: Row) => string | number][] = [
    ['function', nameOf],
    ['verdict', ({ verdict }) => verdict],
    ['count', ({ count }) => count],
    ['gas now', ({ gasNow }) => gasNow.average],
    ['state gas now', ({ stateGasNow }) => stateGasNow?.average ?? ''],
    ['gas then', ({ gasThen }) => gasThen?.average ?? ''],
    ['state gas then', ({ stateGasThen }) => stateGasThen?.average ?? ''],
    ['change', changeOf],
    ['gas limit', ({ gasLimit }) => rangeText(gasLimit)],
    ['estimated then', ({ gasLimitThen }) => (gasLimitThen ? rangeText(gasLimitThen) : '')],
    ['needs', ({ needs }) => needs ?? ''],
  ];
  const lacking = [
    ...(functions.some(({ gasLimitThen }) => gasLimitThen) ? [] : ['estimated then']),
    ...(functions.some(({ stateGasNow }) => stateGasNow) ? [] : ['state gas now']),
    ...(functions.some(({ stateGasThen }) => stateGasThen) ? [] : ['state gas then']),
  ];
  const shown = columns.filter(([head]) => !lacking.includes(head));
  return {
    head: shown.map(([head]) => head),
    rows: functions.map((row) => shown.map(([, cell]) => cell(row))),
  };
}

/** `Token.transfer`, or as much of it as is known. */
export function nameOf({
  kind,
  contract,
  function: name,
}: Pick<Row, 'kind' | 'contract' | 'function'>): string {
  const called =
    name === 'deployment' ? `deployment of ${contract ?? 'a contract without an artifact'}` : undefined;
  const text =
    called ??
    (contract === null ? name : name === 'no function' ? `${contract} (no function)` : `${contract}.${name}`);
  return kind === 'call' ? `eth_call of ${text}` : text;
}

/** Describes a transaction or call, or the first of several. */
export function placeInChain({
  in: within,
  block,
  hash,
  kind,
  times = 1,
}: Compared & { readonly times?: number }): string {
  const place = `${hash ?? kind} in block ${block}`;
  const more = times > 1 ? `, and ${times - 1} more` : '';
  return `${within === undefined ? place : `${place} of ${within}`}${more}`;
}

/** Describes in words where two executions diverge. */
export function divergenceText({ endsNow, endsThen, because, given, ...executed }: NamedDivergence): string {
  const ends = [
    ...(endsNow === undefined ? [] : [`${endsNow} now`]),
    ...(endsThen === undefined ? [] : [`${endsThen} then`]),
  ].join(', ');
  const cause = because === undefined ? '' : `, by what ${opcodeText(because)} gives`;
  return `${opcodeText(executed)}${ends === '' ? '' : `: ${ends}`}${cause}`;
}

/** Describes the call that passes on a fixed amount of gas, if this amount isn't enough. */
export function givenText({ given }: NamedDivergence): string | undefined {
  if (!given) return undefined;
  const { gas, ...executed } = given;
  return `with the ${grouped(gas)} gas that its caller fixes: ${opcodeText(executed)}`;
}

/** Returns the line of source at which two executions diverge, with its number; `undefined` if it isn't known. */
export function sourceText({ line, source }: NamedOpcode): string | undefined {
  return line === undefined || !source?.trim()
    ? undefined
    : `${line} | ${source.trim().slice(0, MAX_SOURCE)}`;
}

/** EIP-8037: the part of a gas limit above this is the reservoir, which pays only for state growth, also in calls with fixed gas. */
const MAX_EXECUTION_GAS = 2 ** 24;

/** Describes the required gas limit and the present one. */
export function enoughText({ needs, gasLimit, gasLimitThen, stateGasThen }: Compared): string {
  if (needs === undefined || gasLimitThen !== undefined) return '';
  const hasReservoir = stateGasThen !== undefined && needs > MAX_EXECUTION_GAS;
  const why = hasReservoir ? ` (above ${grouped(MAX_EXECUTION_GAS)} it pays for new state alone)` : '';
  return `; needs ${grouped(needs)}, has ${grouped(gasLimit)}${why}`;
}

function opcodeText({ contract, address, pc, opcode, file, line, column }: NamedOpcode): string {
  const place = file === undefined ? '' : `${file}:${line}:${column}, `;
  return `${opcode}, ${place}pc ${pc} of ${contract === undefined ? address : `${contract} (${address})`}`;
}

/** The change in percent. A failed transaction uses up its gas limit, so it has none. */
function changeOf({ gasNow, gasThen, verdict }: Row): string {
  if (!gasThen || verdict === 'fails with any' || verdict === 'fails with this limit') return '';
  const share = Math.round((1000 * (gasThen.average - gasNow.average)) / Math.max(1, gasNow.average)) / 10;
  return `${share > 0 ? '+' : ''}${share} %`;
}

const rangeText = ({ min, max }: Range): number | string =>
  min === max ? min : `${grouped(min)} to ${grouped(max)}`;

/** Groups differences of one function for one reason: the first of them, and their number. The worst verdict comes first. */
export function alike(different: readonly Compared[]): (Compared & { readonly times: number })[] {
  const groups = new Map<string, Compared & { times: number }>();
  for (const one of different) {
    const key = JSON.stringify([nameOf(one), one.verdict, one.reason]);
    const known = groups.get(key);
    if (known) known.times++;
    else groups.set(key, { ...one, times: 1 });
  }
  return [...groups.values()].sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
}
